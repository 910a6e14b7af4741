"""How a block's uncaught exception is told: its own lines only; standard library only."""

import types
from collections.abc import Callable, Iterator

__all__ = ["MAX_TRACEBACK_BYTES", "cut", "traceback_text"]

MAX_TRACEBACK_BYTES = 8192
_MAX_MESSAGE = 2000
_MAX_FRAMES = 10
_MAX_CHAIN = 3
_CAUSE = "\n\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\n\nDuring handling of the above exception, another exception occurred:\n\n"

SourceLines = Callable[[types.CodeType], "list[str] | None"]


def traceback_text(error: BaseException, outer: BaseException | None, lines_of: SourceLines) -> str:
    """Tell an exception and at most two earlier ones of its chain, in at most 8 KiB.

    `outer` was being handled before the block began and is not told. `lines_of` gives the source
    lines of a program's code object, None for any other code, whose frames are left out.
    """
    told: list[str] = []
    for link, part in _chain(error, outer):
        told.append("".join(_frames(part.__traceback__, lines_of)) + _describe(part) + link)
    return cut("".join(reversed(told)))


def _describe(error: BaseException) -> str:
    """Return the type's name and the message, whatever the program's own exception class does."""
    kind = type(error)
    name = str(type.__dict__["__qualname__"].__get__(kind))
    module = type.__dict__["__module__"].__get__(kind)
    if type(module) is str and module not in ("builtins", "__main__"):
        name = f"{module}.{name}"
    try:
        text = str(error)
    except BaseException:
        # Its own __str__ failed, which must not hide how the block ended.
        return f"{name}: <its text could not be made>"
    if len(text) > _MAX_MESSAGE:
        text = text[:_MAX_MESSAGE] + "…"
    return f"{name}: {text}" if text else name


def _chain(
    error: BaseException, outer: BaseException | None
) -> Iterator[tuple[str, BaseException]]:
    """Yield the last exception first, each with the sentence that joins it to the one after it."""
    link = ""
    current: BaseException | None = error
    for _ in range(_MAX_CHAIN):
        if current is None or current is outer:
            return
        yield link, current
        if current.__cause__ is not None:
            link, current = _CAUSE, current.__cause__
        elif not current.__suppress_context__:
            link, current = _CONTEXT, current.__context__
        else:
            return


def _frames(trace: types.TracebackType | None, lines_of: SourceLines) -> Iterator[str]:
    told: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        lines = lines_of(code)
        if lines is not None:
            number = trace.tb_lineno
            source = lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""
            told.append(
                f'  File "<block>", line {number}, in {code.co_name}\n'
                + (f"    {source}\n" if source else "")
            )
        trace = trace.tb_next
    if told:
        yield "Traceback (most recent call last):\n"
    if len(told) > 2 * _MAX_FRAMES:
        between = f"  [{len(told) - 2 * _MAX_FRAMES} more calls]\n"
        told = [*told[:_MAX_FRAMES], between, *told[-_MAX_FRAMES:]]
    yield from told


def cut(text: str) -> str:
    """Return a text's end, as UTF-8 of at most 8 KiB."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > MAX_TRACEBACK_BYTES:
        mark = b"[...]\n"
        data = mark + data[len(mark) - MAX_TRACEBACK_BYTES :]
    return data.decode("utf-8", "ignore")
