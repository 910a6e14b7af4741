"""The image of a container: the running Python's tree, and no older one of ours beside it.

An image bears who it was made for: the machine, user, checkout and Python. Those that were made for
the same, or for what this user has no more, are removed when another is made; one that a
container runs from stays until then.
"""

import hashlib
import io
import json
import os
import platform
import sys
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

import docker
from docker.errors import APIError
from docker.models.images import Image

from executors.worker.rootfs import PROGRAM_FOLDER, root

__all__ = ["make", "name"]

_REPOSITORY = "controlscope-worker"
_LABEL = "controlscope.worker"


@cache
def name() -> str:
    """Name the tree after its files, so that another Python or another guest is another image."""
    known = hashlib.sha256()
    for target, path in sorted(_files()):
        if target.startswith(PROGRAM_FOLDER):
            # The same in every checkout, whatever its times are.
            mark = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            mark = str(path.stat().st_mtime_ns)
        known.update(f"{target} {path.stat().st_size} {mark}\n".encode(errors="replace"))
    return f"{_REPOSITORY}:{known.hexdigest()[:16]}"


def make(client: docker.DockerClient) -> str:
    """Import the tree as it is now; return its name. DockerException where the engine refuses."""
    name.cache_clear()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for target, path in sorted(_files()):
            tar.add(path.resolve(), target.lstrip("/"), recursive=False)
    repository, _, tag = name().partition(":")
    client.api.import_image_from_data(
        archive.getvalue(),
        repository=repository,
        tag=tag,
        changes=[f"LABEL {_LABEL}={_owner()}"],
    )
    _remove_old(client)
    return name()


def _owner() -> str:
    places = [str(Path(__file__).parents[1]), sys.base_prefix]
    # Quoted, for the engine reads a label as it does a line of a script.
    return quote(json.dumps([platform.node(), os.getuid(), *places]))


def _remove_old(client: docker.DockerClient) -> None:
    for old in client.images.list(filters={"label": _LABEL}):
        if name() in old.tags or not _is_stale(old):
            continue
        try:
            client.images.remove(str(old.id))
        except APIError:
            # A container runs from it, or another controller is removing it at this moment.
            continue


def _is_stale(old: Image) -> bool:
    owner = old.labels[_LABEL]
    if owner == _owner():
        return True
    machine, user, *places = json.loads(unquote(owner))
    # Another user's places may be out of sight.
    own = (machine, user) == (platform.node(), os.getuid())
    return own and not all(Path(place).exists() for place in places)


def _files() -> Iterator[tuple[str, Path]]:
    """Yield each file of the tree: its path inside, and where it is here."""
    tree = root()
    for source, target in tree.binds:
        path = Path(source)
        if path.is_file():
            yield target, path
            continue
        for folder, names, files in os.walk(path):
            inside = target / Path(folder).relative_to(path)
            names[:] = [name for name in names if str(inside / name) not in tree.covered]
            for file in map(Path(folder).joinpath, files):
                if file.is_file():
                    yield str(inside / file.name), file
