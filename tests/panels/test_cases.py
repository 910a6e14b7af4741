import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from controlscope.boundaries import Boundary, History
from controlscope.errors import InputError
from controlscope.operations import Scope
from controlscope.roles import Review
from controlscope.schedules import Continuous
from panels.case import CASES, load_case, run_case, what_failed
from reviewers.frozen import Frozen

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", sorted(path.parent.name for path in CASES.glob("*/case.toml")))
async def test_a_case_shows_what_it_is_about(name: str, tmp_path: Path) -> None:
    case = load_case(CASES / name)
    assert what_failed(case, await run_case(case, tmp_path)) == []


async def test_a_case_that_does_not_hold_says_what_failed(tmp_path: Path) -> None:
    case = load_case(CASES / "wider_batch")
    rows = await run_case(case, tmp_path)
    rows["full"] = {**rows["full"], "calls": 60, "success": False, "state_keys": ["another"]}
    failed = what_failed(case, rows)
    assert len(failed) == 3
    assert failed[0].startswith("full: success is False, not True")
    assert failed[1:] == ["full: 60 calls, keep 53", "full: its prefix differs from Keep's"]


async def test_runs_that_are_not_the_same_are_told_apart_part_by_part(tmp_path: Path) -> None:
    folder = shutil.copytree(CASES / "parser_repair", tmp_path / "case")
    text = (folder / "case.toml").read_text()
    wrong = 'same_as = "full"\nfewer_reviews_than = "full"'
    (folder / "case.toml").write_text(text.replace('same_as = "keep"', wrong))
    case = load_case(folder)
    assert what_failed(case, await run_case(case, tmp_path / "runs")) == [
        "arg: 1 reviews, full 1",
        "arg: calls not the same as full's",
        "arg: files not the same as full's",
        "arg: score not the same as full's",
    ]


def test_a_run_to_compare_with_must_exist(tmp_path: Path) -> None:
    text = (CASES / "wider_batch" / "case.toml").read_text()
    (tmp_path / "case.toml").write_text(text.replace('than = "keep"', 'than = "kept"'))
    with pytest.raises(InputError, match="there is no run 'kept' to compare with"):
        load_case(tmp_path)


class Witness:
    """Gives a case's operations and remembers the history that it was last shown."""

    history = History()

    def __init__(self) -> None:
        self._frozen = Frozen(CASES / "cancelled_queue" / "operations.json")

    async def review(self, boundary: Boundary, scope: Scope) -> Review:
        Witness.history = boundary.history
        return await self._frozen.review(boundary, scope)


async def test_a_cancelled_block_has_one_receipt_and_a_block_that_runs_has_none(
    tmp_path: Path,
) -> None:
    case = load_case(CASES / "cancelled_queue")
    receipts = {}
    for name in ("reply", "block"):
        plan = replace(
            case.plans[name],
            schedule=Continuous(),
            reviewer=f"{Witness.__module__}:{Witness.__name__}",
        )
        await run_case(replace(case, plans={name: plan}), tmp_path / name)
        entries = Witness.history.entries
        receipts[name] = [entry["block"] for entry in entries if entry["kind"] == "receipt"]
    assert receipts == {"reply": ["call_02b"], "block": []}
