from pathlib import Path

import pytest

from panels.case import CASES, load_case, run_case, what_failed

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
