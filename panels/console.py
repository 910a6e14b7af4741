"""How the commands speak: exit codes, lines that can be searched, and one JSON document."""

import json
import sys
from collections.abc import Sequence
from typing import TypeVar

from rich.console import Console

from controlscope.errors import InputError

__all__ = [
    "DID_NOT_HOLD",
    "ERR",
    "INFRASTRUCTURE",
    "INTERRUPTED",
    "OUT",
    "WRONG_USE",
    "emit",
    "one_of",
    "say",
]

DID_NOT_HOLD, WRONG_USE, INFRASTRUCTURE, INTERRUPTED = 1, 2, 3, 130
"""Exit codes. 1: a check did not hold. 2: wrong use or input. 3: infrastructure missing, lost, or
at its limit. 130: interrupted."""

ERR = Console(stderr=True)
OUT = Console()

T = TypeVar("T", bound=str)


def say(console: Console, line: str, style: str = "") -> None:
    """Print a line as it is: no wrapping, no markup, so that it can be searched and copied."""
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def emit(document: object) -> None:
    """Print one JSON document on standard output, in ASCII: any terminal and any text will do."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def one_of(value: str, choices: Sequence[T], what: str) -> T:
    """Return a value as one of the known ones; InputError names them."""
    for choice in choices:
        if value == choice:
            return choice
    raise InputError(f"unknown {what} {value!r}: use {' or '.join(choices)}")
