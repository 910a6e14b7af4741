"""A person's terminal: what it shows, single keys, and the editor that the person is used to."""

import errno
import os
import signal
import sys
import tempfile
import termios
import tty
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from rich.console import Console, RenderableType

from controlscope.errors import InputError, ReviewServiceError

__all__ = ["EditorError", "Terminal", "open_terminal"]


class EditorError(Exception):
    """The editor did not start, or ended with an error: what it left does not count."""


class Terminal:
    """An open terminal.

    Its methods raise ReviewServiceError where it is gone.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def show(self, *parts: RenderableType) -> None:
        """Show these, one below the other, at the width that the terminal has now."""
        with self._lost_is_an_error():
            # 0 is what a terminal says whose size nobody set.
            width = os.get_terminal_size(self._descriptor).columns or 80
            with open(self._descriptor, "w", encoding="utf-8", closefd=False) as file:
                console = Console(file=file, width=width, markup=False, highlight=False)
                for part in parts:
                    console.print(part)

    async def key(self, prompt: RenderableType, keys: Collection[str]) -> str:
        """Show a prompt and wait for one of these keys; others do nothing."""
        with self._lost_is_an_error():
            before = termios.tcgetattr(self._descriptor)
            # Flushes what was typed before: a key meant for the last screen must not decide here.
            tty.setcbreak(self._descriptor)
            try:
                self.show(prompt)
                while True:
                    await anyio.wait_readable(self._descriptor)
                    typed = os.read(self._descriptor, 1024)
                    if not typed:
                        raise OSError(errno.EIO, "it was closed")
                    # An escape starts the name of another key, whose letters mean nothing here.
                    if not typed.startswith(b"\x1b"):
                        for key in typed.decode("utf-8", "replace").lower():
                            if key in keys:
                                return key
            finally:
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    async def edit(self, name: str, text: str) -> str:
        """Return what $VISUAL, $EDITOR or vi makes of a text; `name` tells it the kind of file.

        Bytes that are no UTF-8 come back as lone surrogates, and go out as the same bytes.
        EditorError where the editor fails.
        """
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            # A shell, since these variables may hold arguments. An interrupt is the editor's.
            with _interrupts_do_nothing():
                done = await anyio.run_process(
                    ["sh", "-c", f'{editor} "$@"', editor, str(path)],
                    stdin=self._descriptor,
                    stdout=self._descriptor,
                    stderr=self._descriptor,
                    check=False,
                )
            if done.returncode != 0:
                raise EditorError(
                    f"the editor {editor!r} ended with exit status {done.returncode}; "
                    "VISUAL or EDITOR names another"
                )
            try:
                return path.read_bytes().decode("utf-8", "surrogateescape")
            except OSError as error:
                raise EditorError(f"the editor {editor!r} left no file: {error}") from None

    @contextmanager
    def _lost_is_an_error(self) -> Iterator[None]:
        try:
            yield
        except (OSError, termios.error) as error:
            raise ReviewServiceError(f"the terminal is gone: {error}") from None


@contextmanager
def open_terminal() -> Iterator[Terminal]:
    """Open the terminal that this process belongs to; InputError where there is none."""
    descriptor = os.open(_terminal(), os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        yield Terminal(descriptor)
    finally:
        os.close(descriptor)


def _terminal() -> str:
    """Find the controlling terminal, or the one that standard input or error is."""
    try:
        os.close(os.open(os.ctermid(), os.O_RDWR | os.O_NOCTTY))
    except OSError:
        for stream in (sys.stdin, sys.stderr):
            if stream is not None and stream.isatty():
                return os.ttyname(stream.fileno())
        raise InputError("the reviewer human needs a terminal, and here is none") from None
    return os.ctermid()


@contextmanager
def _interrupts_do_nothing() -> Iterator[None]:
    # A handler rather than SIG_IGN, which the editor would inherit.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
