"""A person at a real terminal, before the real command, with an editor that follows a script."""

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controlscope.run_log import read_run
from panels.new_task import new_suite

CLI = Path(sys.executable).parent / "controlscope"
_ROOT = Path(__file__).parents[2]
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_LINE_END = re.compile(r" *\r\n")
_EDITOR = """\
#!/bin/sh
# Keeps what it was given, and leaves the next of the texts that were prepared.
number=$(ls "$1" | grep -c '^seen')
cp "$2" "$1/seen$number"
if [ -f "$1/edit$number" ]; then cp "$1/edit$number" "$2"; fi
"""


class Person:
    """What stands on the screen so far, without its colours, and keys to press."""

    def __init__(self, screen: int, process: subprocess.Popen[str], folder: Path) -> None:
        self._screen = screen
        self._raw = b""
        self._read = 0
        self._process = process
        self._folder = folder

    @property
    def text(self) -> str:
        plain = _STYLE.sub("", self._raw.decode("utf-8", "replace"))
        return _LINE_END.sub("\n", plain)

    def sees(self, words: str) -> str:
        """Wait until these words follow what was seen before; return all up to them."""
        deadline = time.monotonic() + 30
        while (found := self.text.find(words, self._read)) < 0:
            assert time.monotonic() < deadline, f"{words!r} is not in {self.text[self._read :]}"
            if select.select([self._screen], [], [], 0.2)[0]:
                self._raw += os.read(self._screen, 65536)
            else:
                ended = self._process.poll()
                assert ended is None, f"ended ({ended}) before {words!r}: {self.finishes()}"
        before, self._read = self._read, found + len(words)
        return self.text[before : self._read]

    def presses(self, key: str) -> None:
        os.write(self._screen, key.encode())

    def decides(self, key: str) -> str:
        """Wait for the next boundary's keys and press one of them; return its screen."""
        screen = self.sees("quit reviewing")
        self.presses(key)
        return screen

    def finishes(self) -> tuple[int, str]:
        """Return the exit status and what stood on standard error."""
        _, error = self._process.communicate(timeout=60)
        return self._process.returncode, error

    def echoes(self) -> bool:
        """Tell whether the terminal is as it was before the command."""
        return bool(termios.tcgetattr(self._screen)[3] & termios.ECHO)

    def decisions(self) -> list[dict[str, Any]]:
        status, error = self.finishes()
        assert (status, error) == (0, "")
        return list(read_run(self._folder / "RUN").of_kind("review_decided"))

    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        done = read_run(self._folder / "RUN").of_kind("call_completed")
        return [(event["tool"], event["arguments"]) for event in done]

    def seen_by_the_editor(self, number: int) -> str:
        return (self._folder / "editor" / f"seen{number}").read_text()


@contextmanager
def person(
    folder: Path,
    blocks: list[str],
    *options: str,
    edits: tuple[str, ...] = (),
    note: str = "The river is high today.\n",
    controlling: bool = True,
    v2: bool = False,
) -> Iterator[Person]:
    """Run a program of one reply with these blocks, reviewed by hand; `edits` are the editor's.

    `v2`: under that contract and the scope params, which no command gives this task.
    """
    new_suite(folder / "mine")
    (folder / "mine" / "example" / "first" / "environment" / "note.txt").write_text(note)
    for name in ("program", "editor"):
        (folder / name).mkdir()
    for letter, code in zip("abc", blocks, strict=False):
        (folder / "program" / f"01{letter}.py").write_text(code)
    for number, text in enumerate(edits):
        (folder / "editor" / f"edit{number}").write_text(text)
    editor = folder / "my editor.sh"
    editor.write_text(_EDITOR)
    editor.chmod(0o755)
    screen, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (40, 80))
    command = [str(CLI), "run", "mine/example/first", "--program", "program", "--reviewer", "human"]
    command += [*options, "--out", "RUN"]
    if v2:
        command = [sys.executable, "-m", "tests.reviewers.under_v2"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={
            **os.environ,
            "VISUAL": f"'{editor}' {folder / 'editor'}",
            "TERM": "xterm",
            "PYTHONPATH": str(_ROOT),
        },
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if controlling else None,
    )
    try:
        yield Person(screen, process, folder)
    finally:
        process.kill()
        process.communicate()
        os.close(terminal)
        os.close(screen)


def as_json(**arguments: object) -> str:
    return json.dumps(arguments)
