"""Paths that a server without a place of its own sees elsewhere than programs name them."""

from posixpath import join, normpath

__all__ = ["inward"]


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
