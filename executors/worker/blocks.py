"""A program's blocks: checked, compiled, and found again in its frames; standard library only.

Every block is compiled under the file name "<block>"; which block a frame belongs to is known by
the identity of its code.
"""

import ast
import itertools
import types
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from executors.worker import checks

__all__ = ["Blocks", "RefusedError", "outward"]

Place: TypeAlias = tuple[int, int, int, int]

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_OPTIMIZED = 0x1  # inspect.CO_OPTIMIZED: a function's code, not a module's or a class body's
_MAX_PROBLEMS = 50


class RefusedError(Exception):
    """A block that does not run: the error kind, and one line for each problem."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


class Blocks:
    """The blocks that one worker has run; the last one is the current one."""

    def __init__(self) -> None:
        # The code objects are held, so that an identity never comes to mean another one.
        self._known: dict[int, tuple[types.CodeType, list[str], int]] = {}
        self._current = 0
        self._moved: dict[tuple[int, ...], Place] = {}

    def add(
        self,
        code: str,
        proxy: str,
        namespace: Mapping[str, Any],
        private: frozenset[str] = frozenset(),
    ) -> types.CodeType:
        """Check and compile a block, which becomes the current one; RefusedError otherwise."""
        try:
            tree = checks.parse(code)
            problems = checks.problems(tree, proxy, namespace, private)
            if problems:
                lines = [f"line {problem.line}: {problem.text}" for problem in problems]
                raise RefusedError(problems[0].kind, "\n".join(lines[:_MAX_PROBLEMS]))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                program = compile(tree, "<block>", "exec", dont_inherit=True)
        except SyntaxError as error:
            raise RefusedError("syntax_error", _syntax_text(error)) from None
        except (ValueError, RecursionError) as error:
            raise RefusedError("syntax_error", f"SyntaxError: {error}") from None
        self._current += 1
        self._moved = _moved_calls(tree)
        lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for part in _codes(program):
            self._known[id(part)] = (part, lines, self._current)
        return program

    def lines_of(self, code: types.CodeType) -> list[str] | None:
        """Return the source lines of the block that a code object belongs to, None for others."""
        known = self._known.get(id(code))
        return None if known is None else known[1]

    def position(self, caller: types.FrameType) -> Place:
        """Return where the current block makes the call; helpers of earlier blocks are passed."""
        for frame in outward(caller):
            _, _, block = self._known.get(id(frame.f_code), (None, None, -1))
            if block == self._current:
                instructions = frame.f_code.co_positions()
                line, end_line, column, end_column = next(
                    itertools.islice(instructions, frame.f_lasti // 2, None)
                )
                place = (line or 1, column or 0, end_line or line or 1, end_column or 0)
                return self._moved.get(place, place)
        return (1, 0, 1, 0)

    def locals(self, caller: types.FrameType) -> dict[str, Any]:
        """Return the locals of the program's innermost function, with a comprehension's names."""
        found: dict[str, Any] = {}
        for frame in outward(caller):
            code = frame.f_code
            if id(code) not in self._known:
                continue
            if not code.co_flags & _OPTIMIZED:
                return found
            found = {**frame.f_locals, **found}
            if code.co_name not in _COMPREHENSIONS:
                return found
        return found


def outward(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """Yield a frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            yield from _codes(constant)


def _moved_calls(tree: ast.Module) -> dict[tuple[int, ...], Place]:
    """Map where the compiler puts a method call broken over lines to where the call stands.

    It begins such a call's instruction at the method's name, so that a traceback shows that line.
    """
    moved: dict[tuple[int, ...], Place] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            function = node.func
            if function.lineno != function.end_lineno:
                column = (function.end_col_offset or 0) - len(function.attr.encode())
                end = (node.end_lineno or 0, node.end_col_offset or 0)
                moved[(function.end_lineno or 0, column, *end)] = (
                    node.lineno,
                    node.col_offset,
                    *end,
                )
    return moved


def _syntax_text(error: SyntaxError) -> str:
    where = f"line {error.lineno}: " if error.lineno else ""
    source = f"\n    {error.text.strip()[:200]}" if error.text else ""
    return f"SyntaxError: {where}{error.msg}{source}"
