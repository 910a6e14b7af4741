from pathlib import Path

import pytest

from controlscope.boundaries import Boundary
from controlscope.errors import InvalidReviewError, ReviewServiceError
from controlscope.operations import Keep, PatchArguments, Replace, Scope
from controlscope.roles import Review
from tests.play import DONE, READ_A, READ_B, calls, play


class Failing:
    """A reviewer whose provider, or whose own reply, always fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        raise self._error


def invalid() -> Failing:
    return Failing(InvalidReviewError("two operations in one reply"))


def service() -> Failing:
    return Failing(ReviewServiceError("HTTP 400"))


def replace(boundary: int, code: str) -> dict[str, object]:
    return {"boundary": boundary, "operation": "replace", "code": code}


def patch(boundary: int, **arguments: object) -> dict[str, object]:
    return {"boundary": boundary, "operation": "patch", "arguments": arguments}


def test_keep_makes_no_reviews(tmp_path: Path) -> None:
    _, row = play(tmp_path, [READ_A + DONE])
    assert row["reviews"] == 0


def test_the_budget_is_checked_before_a_review_is_offered(tmp_path: Path) -> None:
    _, row = play(tmp_path, [READ_A * 3], scope="full", reviewer="keep", budget="calls = 2")
    assert (row["calls"], row["reviews"], row["ending"]) == (2, 2, "calls")


def test_the_same_patch_has_the_same_effect_under_arg_and_full(tmp_path: Path) -> None:
    rows = {}
    scopes: tuple[Scope, ...] = ("arg", "full")
    for scope in scopes:
        (tmp_path / scope).mkdir()
        run, rows[scope] = play(
            tmp_path / scope,
            [READ_A + DONE],
            scope=scope,
            decisions=[patch(0, path="/workspace/b.txt")],
        )
        assert calls(run)[0] == ("read_text_file", {"path": "/workspace/b.txt"})
        assert next(run.of_kind("block_ended"))["printed"] == "beta\n\n"
    assert rows["arg"]["digest"] == rows["full"]["digest"]
    assert rows["arg"]["state_keys"] == rows["full"]["state_keys"]


def test_a_patch_that_changes_nothing_is_a_no_op_and_an_invalid_one_is_rejected(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [READ_A + READ_A + READ_A + DONE],
        scope="arg",
        decisions=[
            patch(0, path="/workspace/a.txt"),
            patch(1, path=7),
            patch(2, file="/workspace/b.txt"),
            replace(3, "pass"),
        ],
    )
    assert (row["no_op"], row["rejected"], row["patches"], row["success"]) == (1, 3, 0, True)
    decided = list(run.of_kind("review_decided"))
    assert decided[3]["reason"] == "replace is outside the scope arg"
    assert decided[3]["operation"]["code"] == "pass"
    assert {call[1]["path"] for call in calls(run)[:3]} == {"/workspace/a.txt"}


def test_a_replacement_cancels_the_pending_call_and_the_reply_with_receipts(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [[READ_A, READ_B], DONE],
        scope="full",
        decisions=[replace(0, "x = 5\nprint('instead')\n")],
    )
    assert [tool for tool, _ in calls(run)] == ["write_file"]
    assert row["replacements"] == 1
    assert next(run.of_kind("continuation_replaced"))["cancelled"] == ["call_01b"]


def test_at_the_boundary_block_the_queued_blocks_still_run(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [[READ_A, READ_B], DONE],
        scope="full",
        replace="block",
        decisions=[replace(0, "print('instead')\n")],
    )
    assert [tool for tool, _ in calls(run)] == ["read_text_file", "write_file"]


class ReplaceFirst:
    """A reviewer that replaces at the first boundary and remembers what it was shown."""

    seen: list[Boundary]

    def __init__(self) -> None:
        self.seen = []

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        self.seen.append(boundary)
        return Review(Replace("print('instead')\n") if boundary.index == 0 else Keep())


REPLACE_FIRST = ReplaceFirst()


def replace_first() -> ReplaceFirst:
    REPLACE_FIRST.seen = []
    return REPLACE_FIRST


def test_the_planner_is_told_what_ran_in_place_of_the_block(tmp_path: Path) -> None:
    run, _ = play(
        tmp_path,
        [["print('before')\n" + READ_A, READ_B], READ_A, DONE],
        scope="full",
        reviewer="tests.controlscope.test_reviews:replace_first",
    )
    ended = next(run.of_kind("block_ended"))
    assert (ended["block"], ended["printed"]) == ("call_01a", "before\ninstead\n")
    _, decision, receipt, result, *_ = REPLACE_FIRST.seen[1].history.entries
    assert (decision["kind"], decision["realized"]) == ("decision", "replace")
    assert (receipt["kind"], receipt["block"]) == ("receipt", "call_01b")
    assert (result["kind"], result["block"]) == ("result", "call_01a")
    assert "print('instead')" in result["content"]
    assert result["content"].endswith("before\ninstead")


def test_variables_survive_a_replacement_and_nothing_of_the_old_block_runs_on(
    tmp_path: Path,
) -> None:
    program = (
        "x = 1\n"
        "try:\n"
        f"    {READ_A.strip()}\n"
        "except BaseException:\n"
        "    x = 2\n"
        "finally:\n"
        "    x = 3\n"
        "x = 4\n"
    )
    run, _ = play(
        tmp_path,
        [program, "print(x)\n" + DONE],
        scope="full",
        decisions=[replace(0, "print(x)\n")],
    )
    assert [event["printed"] for event in run.of_kind("block_ended")] == ["1\n", "1\n"]


def test_a_review_needs_a_completed_call_since_the_last_one(tmp_path: Path) -> None:
    run, row = play(
        tmp_path,
        [READ_A + DONE],
        scope="full",
        decisions=[replace(0, READ_B + DONE), replace(1, READ_B), replace(2, DONE)],
    )
    decided = [event["boundary"] for event in run.of_kind("review_decided")]
    assert decided == [0, 2]
    assert row["success"]


def test_once_gives_one_opportunity_and_a_fallback_consumes_it(tmp_path: Path) -> None:
    run, row = play(
        tmp_path,
        [READ_A + READ_B + DONE],
        scope="full",
        schedule="once:1",
        reviewer="tests.controlscope.test_reviews:invalid",
    )
    assert [event["boundary"] for event in run.of_kind("review_decided")] == [1]
    assert (row["reviews"], row["fallbacks"]["invalid"], row["success"]) == (1, 1, True)


def test_protection_suppresses_reviews_after_a_replacement_and_a_patch_does_not_arm_it(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path,
        [READ_A * 3, READ_A * 4],
        scope="full",
        schedule="protected:3",
        decisions=[patch(0, path="/workspace/b.txt"), replace(1, READ_B)],
    )
    # Calls 1 to 3 are protected: the replacement's own, and two of the next reply's.
    assert [event["boundary"] for event in run.of_kind("review_decided")] == [0, 1, 5, 6]
    assert (row["calls"], row["patches"], row["replacements"]) == (6, 1, 1)


class Undefined:
    """A reviewer that proposes arguments without a JSON form."""

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        return Review(PatchArguments({"path": float("nan")}))


def test_a_proposal_without_a_json_form_is_rejected_and_the_log_stays_readable(
    tmp_path: Path,
) -> None:
    run, row = play(
        tmp_path, [DONE], scope="arg", reviewer="tests.controlscope.test_reviews:Undefined"
    )
    assert (row["rejected"], row["success"]) == (1, True)
    assert next(run.of_kind("review_decided"))["operation"] is None


@pytest.mark.parametrize("kind", ["invalid", "service"])
def test_a_review_that_fails_is_counted_by_its_kind_and_continues_as_keep(
    tmp_path: Path, kind: str
) -> None:
    _, row = play(
        tmp_path,
        [READ_A + DONE],
        scope="full",
        reviewer=f"tests.controlscope.test_reviews:{kind}",
    )
    assert (row["reviews"], row["fallbacks"][kind], row["success"]) == (2, 2, True)


def test_per_block_offers_one_review_at_each_natural_blocks_first_call(tmp_path: Path) -> None:
    run, row = play(
        tmp_path,
        [[READ_A + READ_B, READ_B + READ_A], READ_A + DONE],
        scope="full",
        decisions=[replace(0, READ_B * 2 + READ_A)],
        schedule="per_block",
    )
    # The replacement's three calls are unreviewed, and cancel the reply's second block.
    reviewed = [event["boundary"] for event in run.of_kind("review_decided")]
    assert (reviewed, row["calls"]) == ([0, 4], 5)


def test_from_a_boundary_on_reviews_are_continuous(tmp_path: Path) -> None:
    run, _ = play(tmp_path, [READ_A * 5], scope="full", reviewer="keep", schedule="from:3")
    assert [event["boundary"] for event in run.of_kind("review_decided")] == [3, 4]
