"""The two simplest roles: a scripted planner and a reviewer that never intervenes."""

from controlscope import operations
from controlscope.boundaries import History
from controlscope.operations import SCOPES
from controlscope.tasks import Block, Reply, SourceProgram
from reviewers.keep import Keep
from reviewers.planner import ScriptedPlanner
from tests.reviewers.stand_in import Run, now

REPLIES = tuple(Reply((Block(f"b{number}", "pass"),)) for number in range(3))


def test_the_planner_gives_each_reply_in_turn_and_then_stops() -> None:
    planner = ScriptedPlanner(SourceProgram("P1", REPLIES))
    history = History()
    given = []
    for _ in range(5):
        given.append(now(planner.plan("goal", history)).reply)
        history += {"kind": "reply", "blocks": [], "text": ""}
        history += {"kind": "result", "block": "b", "content": "", "error": "tool_error"}
    assert given == [*REPLIES, Reply(()), Reply(())]


def test_two_branches_of_one_history_get_the_same_reply() -> None:
    planner = ScriptedPlanner(SourceProgram("P1", REPLIES))
    history = History() + {"kind": "reply", "blocks": [], "text": ""}
    plans = [now(planner.plan("goal", history)) for _ in range(2)]
    assert [plan.reply for plan in plans] == [REPLIES[1]] * 2


def test_keep_keeps_under_every_scope() -> None:
    for scope in SCOPES:
        run = Run({"a": "A"}, Keep(), scope=scope).play(
            "for _ in 'xy':\n  fs.read_text_file(path='a')"
        )
        assert run.operations == [operations.Keep()] * 2
