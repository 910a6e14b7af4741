"""An image is made once for what it holds, and those that came before it go; nobody else's does."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import docker
import pytest
from docker.errors import ImageNotFound

from controlscope.roles import Paused
from executors.worker.boxes import image
from executors.worker.client import open_sandbox
from tests.executors.worker.conftest import working

HOLDS = {"one": b"1", "two": b"2", "three": b"3"}


@pytest.fixture
def engine() -> Iterator[docker.DockerClient]:
    """Give a client of the engine; what the test made is removed."""
    working("docker")
    client = docker.from_env()
    before = {each.id for each in client.images.list()}
    yield client
    image.name.cache_clear()
    for each in client.images.list():
        if each.id not in before and image.name() not in each.tags:
            client.images.remove(str(each.id), force=True)
    client.close()


def _hold(monkeypatch: pytest.MonkeyPatch, folder: Path, what: str, owner: str = "a test") -> None:
    """Let images hold one small file, for an owner."""
    file = folder / what
    file.write_bytes(HOLDS[what])
    monkeypatch.setattr(image, "_files", lambda: [("/file", file)])
    monkeypatch.setattr(image, "_owner", lambda: quote(f'["elsewhere", 0, "{owner}"]'))


def _exists(client: docker.DockerClient, name: str) -> bool:
    try:
        client.images.get(name)
    except ImageNotFound:
        return False
    return True


def test_a_new_image_takes_the_place_of_its_owners_older_ones_alone(
    engine: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hold(monkeypatch, tmp_path, "one")
    old = image.make(engine)
    _hold(monkeypatch, tmp_path, "two", "another")
    others = image.make(engine)
    assert _exists(engine, old)
    _hold(monkeypatch, tmp_path, "three")
    new = image.make(engine)
    assert [_exists(engine, each) for each in (old, others, new)] == [False, True, True]


def test_an_image_goes_when_what_it_was_made_for_is_no_more_on_this_machine(
    engine: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / 'a checkout of "mine" for $HOME'
    checkout.mkdir()
    monkeypatch.setattr(image, "__file__", str(checkout / "boxes" / "image.py"))
    own = image._owner()
    _hold(monkeypatch, tmp_path, "one")
    monkeypatch.setattr(image, "_owner", lambda: own)
    left = image.make(engine)
    _hold(monkeypatch, tmp_path, "two")
    image.make(engine)
    assert _exists(engine, left)
    checkout.rmdir()
    _hold(monkeypatch, tmp_path, "three")
    image.make(engine)
    assert not _exists(engine, left)


@pytest.mark.anyio
async def test_an_image_that_a_box_runs_from_stays_and_the_box_goes_on(
    engine: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_sandbox("fs", ["read"], maker=working("docker")) as sandbox:
        worker = await sandbox.worker()
        used = image.name()
        own = image._owner()
        with monkeypatch.context() as patch:
            _hold(patch, tmp_path, "one")
            patch.setattr(image, "_owner", lambda: own)
            image.make(engine)
            assert _exists(engine, used)
        assert isinstance(await worker.run("fs.read(path='a')"), Paused)


@pytest.mark.anyio
async def test_a_box_whose_image_was_removed_gets_it_anew(
    engine: docker.DockerClient,
) -> None:
    maker = working("docker")
    engine.images.remove(image.name(), force=True)
    async with open_sandbox("fs", ["read"], maker=maker) as sandbox:
        assert isinstance(await (await sandbox.worker()).run("fs.read(path='a')"), Paused)
    assert _exists(engine, image.name())
