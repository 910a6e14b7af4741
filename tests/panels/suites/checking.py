"""What the tests of the tasks share: built folders, a hash over a tree, a verdict in one call."""

import hashlib
import os
import random
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from panels.suites.support import Builder, Failed, Folder, build_tree


@dataclass(frozen=True)
class Trees:
    """A pristine folder and the copy of it that a test works on as a run would."""

    initial: Path
    final: Path

    def put(self, path: str, content: str | bytes) -> None:
        """Write a file of the final folder, parents included."""
        file = self.final / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def move(self, source: str, destination: str) -> None:
        """Move a file of the final folder, the destination's parents included."""
        (self.final / destination).parent.mkdir(parents=True, exist_ok=True)
        (self.final / source).rename(self.final / destination)

    def why_failed(self, verify: Callable[[Folder, Folder], None]) -> str | None:
        """Return the verifier's line, or None where the final folder passes."""
        try:
            verify(Folder(self.final), Folder(self.initial))
        except Failed as failure:
            return str(failure)
        return None


def built(
    build: Callable[[Builder], None], folder: Path, task: str = "category/task", seed: int = 1
) -> Trees:
    """Build a task below an existing folder and copy what was built."""
    trees = Trees(folder / f"initial-{seed}", folder / f"final-{seed}")
    trees.initial.mkdir()
    build_tree(build, trees.initial, task, seed)
    shutil.copytree(trees.initial, trees.final)
    return trees


def copy_of(initial: Path, folder: Path) -> Trees:
    """Copy a built tree, times aside, below an existing folder: cheaper than to build it again."""
    final = shutil.copytree(initial, folder / "final", copy_function=shutil.copyfile)
    return Trees(initial, final)


def rng_of(task: str, seed: int) -> random.Random:
    """Return the source of randomness that `build_tree` gives this task and seed."""
    return random.Random(f"{task}:{seed}")


def tree_hash(root: Path) -> str:
    """Hash all paths, modes, times and contents of a tree."""
    lines = []
    for parent, names, files in os.walk(root):
        for entry in (Path(parent, name) for name in [*names, *files]):
            status = entry.lstat()
            content = entry.read_bytes() if stat.S_ISREG(status.st_mode) else b""
            lines.append(
                f"{entry.relative_to(root)} {status.st_mode:o} {status.st_mtime_ns} "
                f"{hashlib.sha256(content).hexdigest()}"
            )
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()
