"""What the documents tell a reader to type works."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.households import our_games
from tests.reviewers.model_server import KEY, Exchange, calls, says, serving

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(path: Path) -> list[str]:
    return _BLOCK.findall(path.read_text(encoding="utf-8"))


def _shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-eux", "-c", script],
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:{os.defpath}", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def _mcpmark(folder: Path) -> None:
    """Write a checkout in MCPMark's form, as a reader of docs/suites.md would have one."""
    task = folder / "tasks" / "filesystem" / "standard" / "desktop" / "music_report"
    task.mkdir(parents=True)
    (task / "description.md").write_text("Write a report.\n")
    (task / "meta.json").write_text("{}")
    (task / "verify.py").write_text("raise SystemExit('no report')\n")
    environment = folder / "test_environments" / "desktop"
    environment.mkdir(parents=True)
    (environment / "song.txt").write_text("la\n")


def test_every_command_about_suites_runs(tmp_path: Path) -> None:
    _mcpmark(tmp_path / "mcpmark")
    blocks = _blocks(ROOT / "docs" / "suites.md")
    assert len(blocks) == 5
    done = _shell("\n".join(blocks), tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for said in (
        "passed; finished, 2 calls, 0 reviews, 0 patched, 0 replaced",
        "failed: answer.txt is missing",
        "not done yet",
        "passed",
        "2 runs done; controlscope panel report runs/panel",
        "marks/desktop/music_report  P1",
        "failed: no report; finished, 1 calls, 0 reviews, 0 patched, 0 replaced",
    ):
        assert said in lines, done.stdout
    assert [line.split(";")[0] for line in lines if "2 calls" in line] == ["passed", "passed"]


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.name
)
def test_every_make_target_that_a_document_names_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for block in _blocks(path) for name in re.findall(r"\bmake ([a-z]+)", block)}
    assert named <= targets
    if path.name == "README.md":
        assert {"demo", "test"} <= named


def test_the_readmes_commands_run_and_print_the_tables_it_shows(tmp_path: Path) -> None:
    _, commands = _blocks(ROOT / "README.md")
    # From an empty folder: the spec by its full path, and the folders that the README makes here.
    script = commands.replace("panels/specs", str(ROOT / "panels" / "specs"))
    done = _shell(script + "controlscope panel report runs/demo\n", tmp_path)
    assert done.returncode == 0, done.stderr
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    tables, boundary = re.findall(r"^```text\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    shown = [line for line in (tables + boundary).splitlines() if not line.startswith("+… ")]
    assert [line for line in shown if line not in printed] == []


def test_the_contributors_reviewer_works_by_its_name(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(
        r"^```python\n# my_reviewers.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    (tmp_path / "my_reviewers.py").write_text(code)
    done = _shell(
        "controlscope run filesystem/file_context/file_splitting --scope arg --json "
        "--reviewer my_reviewers:OnlyFirstLines --out run",
        tmp_path,
    )
    row = json.loads(done.stdout)
    assert row["patches"] > 0
    assert row["reviews"] == row["calls"]


def test_every_command_about_models_runs_in_its_order(tmp_path: Path) -> None:
    spec = (ROOT / "panels" / "specs" / "filesystem.toml").read_text()
    named = ["file_context/file_splitting", "file_context/uppercase", "desktop/music_report"]
    # Three of its tasks, and the sources that the first command makes.
    text = spec.replace(
        "seed = 7\n", f'seed = 7\nsources = "sources"\ntasks = {json.dumps(named)}\n'
    )
    (tmp_path / "panel.toml").write_text(text)
    environment, commands = _blocks(ROOT / "docs" / "models.md")
    assert environment.startswith("export OPENAI_BASE_URL=")
    listing = calls(("run_python", {"code": "print(fs.list_directory(path='/workspace'))"}))

    def answer(exchange: Exchange) -> None:
        offered = {tool["function"]["name"] for tool in exchange.asked["tools"]}
        begun = any(message["role"] == "assistant" for message in exchange.asked["messages"])
        reply = says("Done.") if begun else listing
        (reply if "run_python" in offered else calls(("keep", {"problem": ""})))(exchange)

    with serving(answer) as script:
        exports = f"export OPENAI_BASE_URL={script.url} OPENAI_API_KEY={KEY} NO_PROXY='*'\n"
        done = _shell(exports + commands, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "48 runs of 3 tasks, 0 of them done" in done.stdout
    assert "pilot of 2 of 3 tasks" in done.stdout
    assert "6 of 6: " in done.stderr


def test_the_planner_of_ones_own_works_by_its_name(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    (code,) = re.findall(
        r"^```python\n# my_planners.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    (tmp_path / "my_planners.py").write_text(code)
    run = "controlscope run filesystem/file_context/file_splitting --json --out"
    once = json.loads(_shell(f"{run} once", tmp_path).stdout)
    twice = json.loads(_shell(f"{run} twice --planner my_planners:Twice", tmp_path).stdout)
    replayed = _shell("controlscope replay prefix twice", tmp_path)
    assert twice["planner_turns"] == once["planner_turns"] + 1
    assert twice["calls"] > once["calls"]
    assert replayed.returncode == 0, replayed.stderr


def test_every_command_about_appworld_runs(tmp_path: Path, mini_world: Path) -> None:
    install, commands = _blocks(ROOT / "docs" / "appworld.md")
    assert install == "make appworld\n"
    # From a folder with the specs, and the operations that one of them names.
    (tmp_path / "panels").mkdir()
    (tmp_path / "panels" / "specs").symlink_to(ROOT / "panels" / "specs")
    done = _shell(commands, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mini world (ours), not AppWorld: passed" in done.stdout
    assert "54 runs of 3 tasks, 0 of them done" in done.stdout


def test_every_command_about_the_experiments_runs(tmp_path: Path) -> None:
    blocks = _blocks(ROOT / "docs" / "experiments.md")
    assert len(blocks) == 2
    script = "".join(blocks).replace("panels/specs", str(ROOT / "panels" / "specs"))
    done = _shell(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "eligible: " in done.stdout
    assert "states equal as recorded, replayed and forked: " in done.stdout
    names = ("experiments.md", "appworld.md", "households.md")
    documents = [ROOT / "docs" / name for name in names]
    named = {name for path in documents for name in re.findall(r"`([a-z-]+)`", path.read_text())}
    specs = {path.stem for path in (ROOT / "panels" / "specs").glob("*.toml")}
    assert specs - named <= {
        "demo",
        "filesystem-record",
        *(s for s in specs if s.endswith("-model")),
    }


def test_every_command_about_households_runs(tmp_path: Path) -> None:
    our_games()
    _, commands = _blocks(ROOT / "docs" / "households.md")
    done = _shell(commands.replace("panels/specs", str(ROOT / "panels" / "specs")), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "household games (ours), not ALFWorld" in " ".join(done.stdout.split())
    drawn = {path.name for path in (tmp_path / "runs" / "households" / "report").glob("*.svg")}
    assert {"effort-P1.svg", "effort-P2.svg"} <= drawn
