"""The panel of the official test tasks, with a scripted model and data of their numbers.

The tasks are the mini world's under other names, all but one scenario of them empty.
"""

import json
import shutil
from pathlib import Path

import pytest

from panels.suite import SUITES
from tests.panels.model_panels import command, started
from tests.reviewers.model_server import Exchange, calls, says, serving

SPEC = Path(__file__).parents[2] / "panels" / "specs" / "appworld-test.toml"
SCENARIOS = {"test_normal": 56, "test_challenge": 139}
SCENARIO, NAME = "packing", "Packing for Lisbon"


@pytest.fixture
def official(tmp_path: Path, mini_world: Path) -> Path:
    """Write a data root that holds as many tasks as the benchmark's."""
    world, data = mini_world / "data", tmp_path / "official" / "data"
    for shared in ("api_docs", "base_dbs"):
        shutil.copytree(world / shared, data / shared)
    (data / "datasets").mkdir()
    specs = world / "tasks" / f"{SCENARIO}_1" / "specs.json"
    for split, count in SCENARIOS.items():
        names = [f"{split[5:9]}{number:03}_{n}" for number in range(count) for n in (1, 2, 3)]
        (data / "datasets" / f"{split}.txt").write_text("\n".join(names) + "\n")
        for name in names:
            folder = data / "tasks" / name
            if name.startswith("norm000"):
                shutil.copytree(world / "tasks" / f"{SCENARIO}_{name[-1]}", folder)
                continue
            (folder / "dbs").mkdir(parents=True)
            (folder / "ground_truth").mkdir()
            (folder / "ground_truth" / "evaluation.py").touch()
            shutil.copyfile(specs, folder / "specs.json")
    return data.parent


def _answer(exchange: Exchange) -> None:
    """Plan the authored program, then nothing more; review with Keep."""
    offered = [tool["function"]["name"] for tool in exchange.asked["tools"]]
    if "run_python" not in offered:
        calls(("keep", {"problem": ""}))(exchange)
        return
    # Hundreds of APIs are listed and are no functions of the request.
    assert offered == ["run_python"]
    assert "simple_note.search_notes(access_token" in exchange.asked["messages"][0]["content"]
    if any(message["role"] == "assistant" for message in exchange.asked["messages"]):
        says("Done.")(exchange)
        return
    program = SUITES / "appworld-mini" / "programs" / SCENARIO / "p1" / "01.py"
    calls(("run_python", {"code": program.read_text()}))(exchange)


def test_the_official_panel_is_run_and_shown_in_totals_alone(
    tmp_path: Path, official: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPWORLD_ROOT", str(official))
    out = tmp_path / "panel"
    with serving(_answer) as script:
        run = started(script, "panel", "run", SPEC, "--out", out, "--limit", 1, "--jobs", 2)
        # On a busy machine the engine's imports alone take minutes.
        output, progress = run.communicate(timeout=600)
        assert run.returncode == 0, progress
        shown = command(script, "panel", "report", out, "--format", "json")
        text = command(script, "panel", "report", out).stdout
    report = json.loads(shown.stdout)
    (group,) = report["groups"]
    normal = group["splits"][0]
    assert {name: cell["tgc"] for name, cell in normal["conditions"].items()} == {
        "keep": 1,
        "arg": 1,
        "full": 1,
    }
    assert (normal["split"], normal["tasks"], normal["scenarios"]) == ("test_normal", 168, 56)
    assert [cell["scored"] for cell in normal["conditions"].values()] == [1, 1, 1]
    # The initial plan is one draw, which the three conditions share.
    agent = [cell["tokens"]["agent"] for cell in group["conditions"].values()]
    assert sum(tokens["fresh_output"] for tokens in agent) == agent[0]["output"] > 0
    assert group["conditions"]["full"]["reviews"] == 1
    assert "quota rejections" in text
    assert "none by itself" in text
    for secret in ("norm000", NAME, *(path.name for path in (out / "runs").iterdir())):
        assert secret not in shown.stdout + text + output
    assert "norm000" not in progress
