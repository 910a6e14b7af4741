"""What the scripts of a task share: `build.py TARGET SEED` and `verify.py FINAL INITIAL`.

A build script fills an empty folder, the same on every machine for one seed. A verify script
judges the folder that a run left, beside a pristine copy of what was built. Both run apart from the
worker.
"""

import os
import random
import stat
import sys
import traceback
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from controlscope.tasks import INSTANT

__all__ = [
    "Builder",
    "Failed",
    "Folder",
    "build_main",
    "build_tree",
    "expect_text",
    "expect_unchanged",
    "past_moment",
    "rng_of",
    "verify_main",
]

_DIRECTORY_TIME = datetime(2025, 12, 31, tzinfo=UTC)


class Builder:
    """Fills an environment's folder: modes, times and line ends never depend on the machine.

    `rng` is the task's own; what several tasks share is drawn from the `seed`.
    """

    def __init__(self, root: Path, rng: random.Random, seed: int) -> None:
        self.root = root
        self.rng = rng
        self.seed = seed

    def write(self, path: str, content: str | bytes, modified: datetime) -> None:
        """Write a new file with its parents; text becomes UTF-8 as it stands.

        `modified` is an aware time in whole seconds before `INSTANT`, so that nothing built looks
        as if a run had written it. ValueError for another time, FileExistsError for a second write.
        """
        if modified >= INSTANT or modified.microsecond:
            raise ValueError(f"{path}: {modified} is not a whole second before {INSTANT}")
        file = self.root / path
        self.directory(str(Path(path).parent))
        with file.open("xb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        file.chmod(0o644)
        os.utime(file, (modified.timestamp(), modified.timestamp()))

    def directory(self, path: str) -> None:
        """Create a folder and its parents where they are missing."""
        (self.root / path).mkdir(parents=True, exist_ok=True)

    def finish(self) -> None:
        """Give every folder its mode and the one time; call it after the last write."""
        moment = _DIRECTORY_TIME.timestamp()
        for folder, _, _ in os.walk(self.root):
            Path(folder).chmod(0o755)
            os.utime(folder, (moment, moment))


def past_moment(rng: random.Random) -> datetime:
    """Return a whole second of the first 360 days of 2025, UTC."""
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(360 * 86400))


def rng_of(task: str, seed: int) -> random.Random:
    """Return the source of randomness of a task (`category/name`) at a seed."""
    return random.Random(f"{task}:{seed}")


def build_tree(build: Callable[[Builder], None], root: Path, task: str, seed: int) -> None:
    """Fill the empty folder `root`; `task` (`category/name`) and `seed` determine every byte."""
    builder = Builder(root, rng_of(task, seed), seed)
    build(builder)
    builder.finish()


def build_main(build: Callable[[Builder], None]) -> None:
    """Run a build script: `TARGET SEED`. The task's name is that of the script's two folders."""
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        sys.exit(f"usage: {sys.argv[0]} TARGET SEED (SEED is a whole number)")
    target = Path(sys.argv[1])
    if not target.is_dir() or any(target.iterdir()):
        sys.exit(f"{target} is not an empty folder")
    script = Path(sys.argv[0]).resolve()
    build_tree(build, target, "/".join(script.parts[-3:-1]), int(sys.argv[2]))


class Failed(Exception):  # noqa: N818 (a verdict, not an error)
    """The run did not do what the instruction asks; one line says why."""


class Folder:
    """Read-only view of a folder, read once; paths are relative, POSIX, sorted by code point."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def files(self) -> dict[str, bytes]:
        """Return all files and their contents.

        A link or a special file is listed with a content that only says what it is; links are never
        followed.
        """
        return self._entries[0]

    def directories(self) -> list[str]:
        """Return all folders below the root."""
        return self._entries[1]

    def text(self, path: str) -> str:
        """Return a file's text; Failed when it is missing, no regular file or not UTF-8."""
        if path in self.directories():
            raise Failed(f"{path} is a folder, not a file")
        if path not in self.files():
            raise Failed(f"{path} is missing")
        if not stat.S_ISREG((self.root / path).lstat().st_mode):
            raise Failed(f"{path} is not a regular file")
        try:
            return self.files()[path].decode()
        except UnicodeDecodeError:
            raise Failed(f"{path} is not UTF-8") from None

    def modified(self, path: str) -> datetime:
        """Return when a file was last modified, in UTC; Failed when it is missing."""
        if path not in self.files():
            raise Failed(f"{path} is missing")
        return datetime.fromtimestamp((self.root / path).lstat().st_mtime, UTC)

    @cached_property
    def _entries(self) -> tuple[dict[str, bytes], list[str]]:
        files: dict[str, bytes] = {}
        directories: list[str] = []
        for parent, names, others in os.walk(self.root):
            for name in [*names, *others]:
                entry = Path(parent, name)
                mode = entry.lstat().st_mode
                path = entry.relative_to(self.root).as_posix()
                if stat.S_ISDIR(mode):
                    directories.append(path)
                elif stat.S_ISLNK(mode):
                    files[path] = b"symbolic link to " + os.fsencode(entry.readlink())
                elif stat.S_ISREG(mode):
                    files[path] = entry.read_bytes()
                else:
                    files[path] = b"special file"
        return dict(sorted(files.items())), sorted(directories)


def expect_unchanged(
    final: Folder, initial: Folder, allow: Collection[str] | Callable[[str], bool] = ()
) -> None:
    """Require that only allowed paths are new, changed or gone; Failed names the first other one.

    Folders count where they are empty: a new empty one and a lost one that was empty need to be
    allowed, all others follow from their files.
    """
    allowed = allow if callable(allow) else frozenset(allow).__contains__
    before, after = initial.files(), final.files()
    for path in sorted(before.keys() | after.keys()):
        if allowed(path) or before.get(path) == after.get(path):
            continue
        if path not in after:
            raise Failed(f"{path} is gone")
        raise Failed(f"{path} was changed" if path in before else f"{path} should not be there")
    for path in sorted(_empty(final) - set(initial.directories())):
        if not allowed(path):
            raise Failed(f"the empty folder {path} should not be there")
    for path in sorted(_empty(initial) - set(final.directories())):
        if not allowed(path):
            raise Failed(f"the empty folder {path} is gone")


def _empty(folder: Folder) -> set[str]:
    paths = [*folder.files(), *folder.directories()]
    parents = {path.rpartition("/")[0] for path in paths}
    return set(folder.directories()) - parents


def expect_text(folder: Folder, path: str, expected: str) -> None:
    """Require a file's text, the last line's end being optional; Failed shows the first difference.

    Lines end in LF only: a CR is a difference.
    """
    wanted = expected.removesuffix("\n").split("\n")
    found = folder.text(path).removesuffix("\n").split("\n")
    for number, (want, have) in enumerate(zip(wanted, found, strict=False), start=1):
        if want != have:
            raise Failed(f"{path}, line {number}: expected {want[:120]!r}, found {have[:120]!r}")
    if len(wanted) != len(found):
        raise Failed(f"{path}: expected {len(wanted)} lines, found {len(found)}")


def verify_main(verify: Callable[[Folder, Folder], None]) -> None:
    """Run a verify script, `FINAL INITIAL`, and exit.

    0: passed; 1: failed, one line on stdout says why; 2: wrong use; 3: the verifier itself crashed,
    with the traceback on stderr.
    """
    if len(sys.argv) != 3 or not all(Path(folder).is_dir() for folder in sys.argv[1:]):
        print(f"usage: {sys.argv[0]} FINAL INITIAL (two folders)", file=sys.stderr)
        sys.exit(2)
    try:
        verify(Folder(Path(sys.argv[1])), Folder(Path(sys.argv[2])))
        code, line = 0, "pass"
    except Failed as failure:
        code, line = 1, " ".join(str(failure).split())
    except Exception:
        traceback.print_exc()
        sys.exit(3)
    sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.flush()
    sys.exit(code)
