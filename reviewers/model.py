"""The reviewer that asks a model."""

from collections.abc import Callable

from controlscope.boundaries import Boundary
from controlscope.errors import InvalidReviewError, ReviewServiceError
from controlscope.operations import ReplaceBoundary, Scope
from controlscope.roles import Review
from reviewers import review_form
from reviewers.endpoint import Endpoint
from reviewers.record import public_record
from reviewers.settings import chat_request
from reviewers.transport import EndpointError

__all__ = ["ModelReviewer"]


class ModelReviewer:
    """Asks a model for one operation at each boundary, on the public record alone.

    The request is the same for every scope but for the operations that it offers. `draw_key` gives
    the key under which a boundary's response is drawn: equal requests under equal keys share one
    response. `show_budget` tells whether the remaining budget is shown.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        replace: ReplaceBoundary,
        draw_key: Callable[[Boundary], str],
        *,
        show_budget: bool = True,
    ) -> None:
        self._endpoint = endpoint
        self._replace: ReplaceBoundary = replace
        self._draw_key = draw_key
        self._show_budget = show_budget

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        """Ask once.

        InvalidReviewError, with its usage, where the reply holds no single operation;
        ReviewServiceError where the provider gave none.
        """
        settings = self._endpoint.settings
        by_tool = settings.protocol == "tools"
        record = public_record(boundary, show_budget=self._show_budget)
        messages = [
            {
                "role": "system",
                "content": review_form.BY_TOOL if by_tool else review_form.BY_SCHEMA,
            },
            {"role": "user", "content": record},
        ]
        if by_tool:
            tools = review_form.tools(scope, self._replace, boundary.contract)
            request = chat_request(
                settings, messages, tools=tools, tool_choice=settings.tool_choice
            )
        else:
            schema = review_form.reply_schema(scope, self._replace, boundary.contract)
            request = chat_request(settings, messages, schema=schema)
        try:
            response = await self._endpoint.ask(request, self._draw_key(boundary))
        except EndpointError as error:
            raise ReviewServiceError(str(error)) from None
        read = review_form.read_tool_reply if by_tool else review_form.read_schema_reply
        try:
            operation, problem = read(response)
        except InvalidReviewError as error:
            raise InvalidReviewError(str(error), response.usage) from None
        return Review(operation, problem, response.usage)
