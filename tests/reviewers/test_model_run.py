import asyncio
from functools import partial
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.episode import Episode
from controlscope.roles import Policy
from controlscope.run_log import Run, RunLog, read_run
from controlscope.schedules import Continuous
from executors.mcp.environment import open_environment
from executors.mcp.server import server_spec
from executors.mcp.workspace import prepare
from executors.worker.client import open_sandbox
from panels import scripts
from panels.suite import find_task
from reviewers.model import ModelReviewer
from reviewers.model_planner import ModelPlanner
from tests.play import DONE, READ_A, READ_B, calls, write_suite
from tests.reviewers.asking import asking
from tests.reviewers.model_server import Answer, Script, fails, says, serving
from tests.reviewers.model_server import calls as replies

A, B = {"path": "/workspace/a.txt"}, {"path": "/workspace/b.txt"}
SOURCE = replies(
    ("run_python", {"code": READ_A}), ("read_text_file", A), ("run_python", {"code": DONE})
)


async def _run(script: Script, folder: Path, show_decisions: bool) -> None:
    """Plan and review by one scripted model, with everything else real, into `folder/run`."""
    suite, task = find_task(write_suite(folder, {"a.txt": "alpha\n", "b.txt": "beta\n"}))
    await scripts.build(task, folder / "initial")
    prepare(folder / "initial", folder / "workspace")
    judge = partial(scripts.score, task, initial=folder / "initial")
    with RunLog(folder / "run", {}) as log:
        async with (
            asking(script, folder) as endpoint,
            open_environment(server_spec(suite.server), folder / "workspace", judge) as environment,
            open_sandbox("fs", environment.tools) as sandbox,
        ):
            await Episode(
                task=task,
                proxy="fs",
                environment=environment,
                sandbox=sandbox,
                planner=ModelPlanner(
                    endpoint, environment.tools, "fs", None, show_decisions=show_decisions
                ),
                policy=Policy(
                    "full",
                    Continuous(),
                    ModelReviewer(endpoint, "reply", lambda at: f"full/1/{at.index}"),
                ),
                replace="reply",
                log=log,
            ).run()


def _played(
    folder: Path, *answers: Answer, show_decisions: bool = False
) -> tuple[Run, list[JsonObject]]:
    with serving(*answers) as script:
        asyncio.run(_run(script, folder, show_decisions))
    return read_run(folder / "run"), script.requests


KEEP = replies(("keep", {"problem": ""}))


def test_a_model_plans_and_reviews_a_whole_run(tmp_path: Path) -> None:
    run, requests = _played(
        tmp_path,
        SOURCE,
        KEEP,
        replies(("patch_arguments", {"problem": "the other file", "arguments": B})),
        replies(("replace_continuation", {"problem": "", "code": READ_B + DONE})),
        # The replacement's first call has no review; its second one has this.
        KEEP,
        says("Done."),
    )
    reviews = list(run.of_kind("review_decided"))
    realized = [event["realized"] for event in reviews]
    assert realized == ["keep", "patch", "replace", "keep"]
    assert reviews[1]["reason"] == "the other file"
    assert calls(run) == [
        ("read_text_file", A),
        ("read_text_file", B),
        ("read_text_file", B),
        ("write_file", {"path": "/workspace/done.txt", "content": "yes"}),
    ]
    used = [*run.of_kind("reply_planned"), *reviews]
    assert all(event["usage"]["tokens"]["input"] == 100 for event in used)
    assert len({event["usage"]["served"]["request"] for event in used}) == 6
    assert [event["success"] for event in run.of_kind("scored")] == [True]
    chat = requests[-1]["messages"][2:]
    assert [message.get("tool_call_id") for message in chat] == [
        None,
        "call_01_1",
        "call_01_2",
        "call_01_3",
    ]
    assert chat[1]["content"] == "alpha"
    assert chat[2]["content"] == "beta"
    assert "The code that ran instead" in chat[3]["content"]


def test_review_failures_continue_and_a_planner_failure_is_scored(tmp_path: Path) -> None:
    run, _ = _played(
        tmp_path, SOURCE, says("I keep it."), fails(400), KEEP, fails(400, "the prompt is too long")
    )
    reviews = list(run.of_kind("review_decided"))
    assert [event["realized"] for event in reviews] == ["invalid", "service", "keep"]
    assert ["usage" in event for event in reviews] == [True, False, True]
    assert [event["error"] for event in run.of_kind("planner_failed")] == ["context_limit"]
    assert [event["ending"] for event in run.of_kind("episode_ended")] == ["context_limit"]
    assert [event["success"] for event in run.of_kind("scored")] == [True]


def test_decisions_reach_the_planner_where_the_panel_says_so_and_change_no_state(
    tmp_path: Path,
) -> None:
    patched = replies(("patch_arguments", {"problem": "", "arguments": B}))
    source = replies(("run_python", {"code": READ_A}))
    chats, keys = [], []
    for shown in (False, True):
        folder = tmp_path / str(shown)
        folder.mkdir()
        answers = (source, patched, replies(("run_python", {"code": READ_A})), KEEP, says("Done."))
        run, requests = _played(folder, *answers, show_decisions=shown)
        chats.append(requests[2]["messages"][-1]["content"])
        keys.append([event["state_key"] for event in run.of_kind("boundary")])
    assert chats == ["beta", "A review during this block: patch.\nbeta"]
    assert keys[0] == keys[1]
