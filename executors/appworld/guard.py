"""What of the engine no program may name (paper, appendix A.2: the private-runtime guard of V2).

The engine is in another process, so that there is nothing to reach. A program that reads one of
these names, unless it is the program's own, is told so before it runs; so is one that reads an
attribute of the proxy, or of an app, that begins with an underscore.
"""

__all__ = ["PRIVATE"]

PRIVATE = (
    "AppWorld",
    "ApiCollection",
    "ModelCollection",
    "Requester",
    "Task",
    "evaluate",
    "get_ipython",
    "ground_truth",
    "requester",
    "safety_guard",
    "shell",
    "world",
)
"""The objects that the engine's own process holds beside `apis`, and their classes."""
