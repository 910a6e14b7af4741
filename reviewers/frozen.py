"""Operations that were decided beforehand, from a file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controlscope import operations
from controlscope.boundaries import Boundary
from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError, InvalidReviewError
from controlscope.roles import Review

__all__ = ["Frozen"]


class _Where(BaseModel):
    """The part of an entry that says where its operation belongs; the rest is the operation."""

    model_config = ConfigDict(extra="allow", strict=True)

    boundary: int = Field(ge=0)
    state_key: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class Frozen:
    """Gives the operations of a list `[{"boundary", "state_key"?, "operation", …}]`.

    `source` is that list or a JSON file that holds it; anything wrong in it is an InputError that
    names the file and the entry. At a boundary that the list does not name: Keep. An operation
    is given under every scope, so that a scope's refusal can be replayed too.
    """

    def __init__(self, source: Path | Sequence[JsonObject]) -> None:
        name, entries = _load(source)
        self._entries: dict[int, tuple[str | None, operations.Operation]] = {}
        for number, entry in enumerate(entries):
            boundary, key, operation = _read(entry, f"{name}: entry {number}")
            if boundary in self._entries:
                raise InputError(f"{name}: entry {number}: boundary {boundary} is named twice")
            self._entries[boundary] = key, operation

    async def review(self, boundary: Boundary, scope: operations.Scope) -> Review:
        """Give the boundary's operation.

        InfrastructureError (replay_divergence) where the run is in another state than recorded.
        """
        key, operation = self._entries.get(boundary.index, (None, operations.Keep()))
        if key is not None and key != boundary.state_key:
            raise InfrastructureError(
                "replay_divergence",
                f"boundary {boundary.index}: expected state {key}, got {boundary.state_key}",
            )
        return Review(operation)


def _load(source: Path | Sequence[JsonObject]) -> tuple[str, Sequence[Any]]:
    if not isinstance(source, Path):
        return "operations", source
    try:
        entries = json.loads(source.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{source}: cannot be read as JSON: {error}") from None
    if not isinstance(entries, list):
        raise InputError(f"{source}: must hold a list of operations")
    return str(source), entries


def _read(entry: Any, name: str) -> tuple[int, str | None, operations.Operation]:
    try:
        where = _Where.model_validate(entry)
        operation = operations.parse_operation(where.model_extra)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{name}: {key + ': ' if key else ''}{first['msg']}") from None
    except InvalidReviewError as error:
        raise InputError(f"{name}: {error}") from None
    return where.boundary, where.state_key, operation
