"""The object that a program calls tools through; standard library only."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, cast

__all__ = ["BadArgumentsError", "ToolError", "make_proxy", "named"]

Call = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]


class ToolError(Exception):
    """A tool answered with an error; its text is the tool's message."""


class BadArgumentsError(TypeError):
    """A tool was called with what it does not take."""


ToolError.__module__ = BadArgumentsError.__module__ = "builtins"
# A program sees the TypeError that Python itself raises for a wrong call.
BadArgumentsError.__name__ = BadArgumentsError.__qualname__ = "TypeError"


def make_proxy(name: str, tools: Iterable[str], call: Call, missed: Callable[[], None]) -> object:
    """Make an object with one method a tool, by dotted names, and nothing to set.

    `call` gets all that was passed, and `missed` is told of each look at a tool that there is not.
    Where the one tool has the proxy's own name, it is a function.
    """
    names = list(tools)
    if names == [name]:
        return cast("object", _method(name, call))
    return _node(name, {tool: _method(tool, call) for tool in names}, missed)


def _method(tool: str, call: Call) -> Callable[..., Any]:
    def proxied(*positional: Any, **arguments: Any) -> Any:
        try:
            return call(tool, positional, arguments)
        except Exception as error:
            # A program may print its traceback: no lines of ours.
            raise error.with_traceback(None)  # noqa: B904

    proxied.__name__ = proxied.__qualname__ = tool
    return proxied


def _node(path: str, methods: dict[str, Callable[..., Any]], missed: Callable[[], None]) -> object:
    """Make the object at a dotted path: a method or a further object for each name below it."""
    below: dict[str, dict[str, Callable[..., Any]]] = {}
    for tool, method in methods.items():
        first, _, rest = tool.partition(".")
        below.setdefault(first, {})[rest] = method

    def missing(_: object, attribute: str) -> NoReturn:
        if attribute.startswith("_"):
            raise AttributeError(f"{path}.{attribute} is private")
        missed()
        raise AttributeError(f"{path} has no tool {attribute!r}; it has {', '.join(below)}")

    def fixed(*_: object) -> NoReturn:
        raise AttributeError(f"the tools of {path} cannot be changed")

    body: dict[str, Any] = {
        first: staticmethod(tools[""]) if "" in tools else _node(f"{path}.{first}", tools, missed)
        for first, tools in below.items()
    }
    body |= {"__slots__": (), "__getattr__": missing, "__setattr__": fixed, "__delattr__": fixed}
    kind: type = type(path, (), body)
    return kind()


def named(
    tool: str, names: Sequence[str], positional: Sequence[Any], arguments: dict[str, Any]
) -> dict[str, Any]:
    """Give arguments by position their names; TypeError where the tool takes none, or fewer."""
    if not names:
        raise BadArgumentsError(
            f"{tool} takes keyword arguments only, and was called with {len(positional)} positional"
        )
    given = names[: len(positional)]
    if len(positional) > len(given) or set(given) & set(arguments):
        raise BadArgumentsError(f"{tool} takes {', '.join(names)}")
    return {**dict(zip(given, positional, strict=True)), **arguments}
