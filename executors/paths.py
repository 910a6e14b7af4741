"""Paths that a server without a place of its own sees elsewhere than programs name them."""

import re
from collections.abc import Iterable
from posixpath import join, normpath

__all__ = ["inward", "inward_in_text", "outward"]


def inward(path: str, state: str, root: str) -> str:
    """Return a path of a program's as the server must be given it.

    A program names its workspace `state`, on this machine it is at `root`. What lies in it is found
    there, in the spelling that was given; what lies outside, above `root` too, is told as it would
    be from `state`, so that no answer names a folder of this machine.
    """
    own = path == state or path.startswith(f"{state}/")
    if own or not path.startswith("/"):
        rest = path[len(state) :] if own else path
        if not normpath(f"./{rest}").startswith(".."):
            return root + rest if own else path
    whole = "/" + normpath(join(state, path)).lstrip("/")
    if whole == state or whole.startswith(f"{state}/"):
        return root + whole[len(state) :]
    return whole


def inward_in_text(text: str, places: Iterable[tuple[str, str]]) -> str:
    """Return what a suite's author wrote for a server, with the places that it names moved.

    `places` are (as named, as the server sees it). One is named where it stands as a whole path or
    the beginning of one: `--root=/state`, `/state/a:/state/b`, but not `/statement` or `/x/state`.
    """
    moved = dict(places)
    names = "|".join(re.escape(name) for name in sorted(moved, key=len, reverse=True))
    pattern = rf"(?:(?<![\w.~/-])|(?<=://))(?:{names})(?![\w.-])"
    return re.sub(pattern, lambda found: moved[found[0]], text)


def outward(text: str, state: str, root: str) -> str:
    """Return what a server said as if it saw its workspace at `state`."""
    return text.replace(root, state)
