"""The object that a program calls tools through; standard library only."""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, cast

__all__ = ["BadArgumentsError", "ToolError", "make_proxy"]

Call = Callable[[str, tuple[Any, ...], dict[str, Any]], str]


class ToolError(Exception):
    """A tool answered with an error; its text is the tool's message."""


class BadArgumentsError(TypeError):
    """A tool was called with what it does not take."""


ToolError.__module__ = BadArgumentsError.__module__ = "builtins"
# A program sees the TypeError that Python itself raises for a wrong call.
BadArgumentsError.__name__ = BadArgumentsError.__qualname__ = "TypeError"


def make_proxy(name: str, tools: Iterable[str], call: Call) -> object:
    """Make an object with one method a tool and nothing to set; `call` gets all that was passed.

    Where the one tool has the proxy's own name, it is a function.
    """
    names = list(tools)

    def method(tool: str) -> Any:
        def proxied(*positional: Any, **arguments: Any) -> str:
            try:
                return call(tool, positional, arguments)
            except Exception as error:
                # A program may print its traceback: no lines of ours.
                raise error.with_traceback(None)  # noqa: B904

        proxied.__name__ = proxied.__qualname__ = tool
        return proxied

    if names == [name]:
        return cast("object", method(name))

    def missing(_: object, attribute: str) -> NoReturn:
        raise AttributeError(f"{name} has no tool {attribute!r}; it has {', '.join(names)}")

    def fixed(*_: object) -> NoReturn:
        raise AttributeError(f"the tools of {name} cannot be changed")

    body: dict[str, Any] = {tool: staticmethod(method(tool)) for tool in names}
    body |= {"__slots__": (), "__getattr__": missing, "__setattr__": fixed, "__delattr__": fixed}
    kind: type = type(name, (), body)
    return kind()
