"""A real served model answers through the real client: `make model-check`, apart from the tests.

Only the protocol is checked. A model of 135 million parameters decides nothing well: what it
chooses is no evidence about the method.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import pytest

from controlscope.boundaries import History
from controlscope.canonical import encode
from controlscope.episode import Episode
from controlscope.errors import InvalidReviewError, PlannerError
from controlscope.operations import Keep, as_json
from controlscope.roles import Policy
from controlscope.run_log import RunLog, read_run
from controlscope.schedules import Continuous
from controlscope.tasks import Block, Reply, SourceProgram
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.mcp.workspace import prepare
from executors.worker.client import open_sandbox
from panels import scripts
from panels.suite import find_task
from reviewers.endpoint import Endpoint, Patience
from reviewers.model import ModelReviewer
from reviewers.model_planner import ModelPlanner
from reviewers.settings import chat_request
from tests.controlscope.pausing import TOOLS, boundary_at
from tests.model_check import serve
from tests.play import DONE, READ_A, write_suite
from tests.reviewers.asking import asking
from tests.reviewers.model_server import Script

pytestmark = pytest.mark.anyio

SEEDS = 4
CODE = 'text = fs.read(path="a.txt")\nfs.write(path="b.txt", content=text)\n'


@pytest.fixture(scope="module")
def server() -> Iterator[Script]:
    command = [sys.executable, str(serve.__file__)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        yield Script([], f"{address}/v1")
        process.communicate()


def _asking(
    server: Script, folder: Path, max_tokens: int = 800, seed: int = 1
) -> AbstractAsyncContextManager[Endpoint]:
    return asking(
        server,
        folder,
        patience=Patience(timeout=300.0, attempts=1),
        protocol="json_schema",
        max_tokens=max_tokens,
        fast={"temperature": 0.7, "seed": seed, "cache_prompt": False},
    )


async def test_the_schema_alone_makes_a_decision_valid(server: Script, tmp_path: Path) -> None:
    async with _asking(server, tmp_path) as endpoint:
        reviewer = ModelReviewer(endpoint, "reply", lambda _: "")
        review = await reviewer.review(boundary_at(CODE, 1), "keep")
    assert review.operation == Keep()
    assert len(review.reason) <= 600
    assert review.usage is not None
    assert review.usage.tokens.input > 0
    assert 0 < review.usage.tokens.output <= 800


async def test_a_full_decision_is_an_operation_or_was_cut_off(
    server: Script, tmp_path: Path
) -> None:
    async with _asking(server, tmp_path, max_tokens=300) as endpoint:
        reviewer = ModelReviewer(endpoint, "reply", lambda _: "")
        try:
            operation = (await reviewer.review(boundary_at(CODE, 1), "full")).operation
            ending = as_json(operation)["operation"]
        except InvalidReviewError as error:
            ending = str(error)
    assert ending in {"keep", "patch", "replace", "the reply was cut off at its token limit"}


async def test_a_block_is_extracted(server: Script, tmp_path: Path) -> None:
    goal = "Print the text of a.txt. Reply with one short block of code."
    replies = []
    for seed in range(SEEDS):
        async with _asking(server, tmp_path, max_tokens=300, seed=seed) as endpoint:
            planner = ModelPlanner(endpoint, TOOLS, "fs", None)
            replies.append((await planner.plan(goal, History())).reply)
    blocks = [block for reply in replies for block in reply.blocks]
    # Where the cap cut a reply off, its one block says so when it runs.
    assert any("cut off" not in block.code for block in blocks)


async def test_a_request_that_is_too_long_is_known_as_that(server: Script, tmp_path: Path) -> None:
    async with _asking(server, tmp_path) as endpoint:
        planner = ModelPlanner(endpoint, TOOLS, "fs", None)
        with pytest.raises(PlannerError) as caught:
            await planner.plan("word " * 20_000, History())
    assert caught.value.kind == "context_limit"


async def test_a_loop_of_planning_and_reviews_ends(server: Script, tmp_path: Path) -> None:
    address = write_suite(tmp_path, {"a.txt": "alpha\n"}, "calls = 3\nplanning_turns = 1")
    with (tmp_path / "suite" / "suite.toml").open("a") as file:
        file.write('tools = ["read_text_file", "write_file"]\n')
    suite, task = find_task(address)
    await scripts.build(task, tmp_path / "initial")
    prepare(tmp_path / "initial", tmp_path / "workspace")
    judge = partial(scripts.score, task, initial=tmp_path / "initial")
    program = SourceProgram("P1", (Reply((Block("call_01", READ_A + DONE),)),))
    with RunLog(tmp_path / "run", {}) as log:
        async with (
            _asking(server, tmp_path, max_tokens=300) as endpoint,
            open_environment(
                server_spec(suite.server), tmp_path / "workspace", judge
            ) as environment,
            open_sandbox("fs", environment.tools) as sandbox,
        ):
            await Episode(
                task=task,
                proxy="fs",
                environment=environment,
                sandbox=sandbox,
                planner=ModelPlanner(endpoint, environment.tools, "fs", program),
                policy=Policy(
                    "full", Continuous(), ModelReviewer(endpoint, "reply", lambda at: str(at.index))
                ),
                replace="reply",
                log=log,
            ).run()
    run = read_run(tmp_path / "run")
    assert [event["success"] in {True, False} for event in run.of_kind("scored")] == [True]
    assert [event["kind"] for event in run.of_kind("planner_failed")] == []
    realized = {event["realized"] for event in run.of_kind("review_decided")}
    assert realized
    assert "service" not in realized


async def test_the_same_seed_gives_the_same_reply(server: Script, tmp_path: Path) -> None:
    async with _asking(server, tmp_path, max_tokens=60) as endpoint:
        request = chat_request(
            endpoint.settings, [{"role": "user", "content": "Name a few colours."}]
        )
        one, other = [await endpoint.ask(request, draw) for draw in ("1", "2")]
    assert one.text
    assert (one.text, one.usage.tokens) == (other.text, other.usage.tokens)
    assert encode(one.usage.served) != encode(other.usage.served)
