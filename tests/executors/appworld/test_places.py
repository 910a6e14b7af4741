"""Programs in a world: where their clock stands, and what they may not name."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controlscope.roles import Worker
from executors.appworld.place import AppworldOrigin
from executors.worker.boxes.choosing import chosen
from tests.executors.appworld.worlds import TASK
from tests.executors.worker.programs import ended, printed_by, run

pytestmark = pytest.mark.anyio


@pytest.fixture
async def worker(root: Path) -> AsyncIterator[Worker]:
    origin = AppworldOrigin(root, TASK, "apis", chosen("auto"))
    async with origin.opened(Path("unused")) as place:
        yield await place.sandbox.worker()


async def test_a_programs_clock_stands_where_its_worlds_does(worker: Worker, root: Path) -> None:
    specs = root / "data" / "tasks" / TASK / "specs.json"
    code = "import datetime\nprint(datetime.datetime.now().isoformat())"
    assert await printed_by(worker, code) == json.loads(specs.read_text())["datetime"] + "\n"


async def test_a_program_that_names_the_engines_own_does_not_run(worker: Worker) -> None:
    assert ended(await run(worker, "print(1)\nworld.execute('1')")).error == "blocked_name"
