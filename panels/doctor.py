"""What works on this machine, found by trying it, and how to get what does not."""

import importlib.util
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError
from executors.mcp.install import NODE
from executors.mcp.server import filesystem_server
from executors.worker.boxes.choosing import MAKERS
from panels.suite import SUITES, load_suite

__all__ = ["Check", "examine"]

_PACKAGES = ("controlscope", "executors", "reviewers", "replay", "panels")


@dataclass(frozen=True)
class Check:
    """One thing: whether it works, what was found, what to do if not, and whether runs need it."""

    name: str
    works: bool
    found: str
    needed: bool = True

    def line(self) -> str:
        """Return the check as one line."""
        word = "ok     " if self.works else "MISSING" if self.needed else "without"
        return f"{word} {self.name}: {self.found}"

    def as_json(self) -> JsonObject:
        """Return the check for `--json`."""
        return asdict(self)


def examine() -> list[Check]:
    """Try each thing in turn."""
    return [
        *(_python(), _packages(), _tried("node", _node), _tried("server", _server)),
        *_workers(),
        _alfworld(),
        *_suites(),
    ]


def _python() -> Check:
    version = platform.python_version()
    return Check("python", sys.version_info >= (3, 11), f"{version} (3.11 or later is needed)")


def _packages() -> Check:
    home = Path(__file__).parents[1]
    places = {name: _place(name) for name in _PACKAGES}
    foreign = [f"{name} comes from {place}" for name, place in places.items() if place != home]
    if not foreign:
        return Check("packages", True, f"all of ours, from {home}")
    advice = "install controlscope in an environment of its own"
    return Check("packages", False, f"{', '.join(foreign)}; {advice}")


def _place(package: str) -> Path | None:
    """Return the folder that a package is imported from: another distribution may shadow it."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parents[1] if spec and spec.origin else None


def _tried(name: str, attempt: Callable[[], str]) -> Check:
    try:
        return Check(name, True, attempt())
    except (InputError, OSError, subprocess.SubprocessError) as error:
        return Check(name, False, str(error))


def _node() -> str:
    done = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True)
    return f"{done.stdout.strip()} from its wheel"


def _server() -> str:
    filesystem_server()
    return "the pinned filesystem server is installed"


def _alfworld() -> Check:
    installed = importlib.util.find_spec("alfworld") is not None
    found = "the household engine is installed" if installed else "not installed: make alfworld"
    return Check("alfworld", installed, found, needed=False)


def _suites() -> Iterator[Check]:
    """Load each built-in suite, whose data may not be on this machine."""
    for path in sorted(SUITES.glob("*/suite.toml")):
        name = f"suite {path.parent.name}"
        try:
            suite = load_suite(path.parent)
            yield Check(name, True, "; ".join([f"{len(suite.tasks)} tasks", *suite.notes]), False)
        except InfrastructureError as error:
            yield Check(name, False, error.detail, needed=False)


def _workers() -> list[Check]:
    """Run each back end; one that works is enough."""
    problems = {name: maker.probe() for name, maker in MAKERS.items()}
    working = [name for name, problem in problems.items() if problem is None]
    chosen = f"{working[0]} runs the workers" if working else "no back end works"
    return [
        Check("worker", bool(working), chosen),
        *(
            Check(f"worker {name}", problem is None, problem or "starts a sandbox", needed=False)
            for name, problem in problems.items()
        ),
    ]
