"""What can go wrong around a run, each with its clear outcome and nothing left running."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controlscope.errors import InfrastructureError
from controlscope.run_log import read_run
from tests.play import play, write_suite

CLI = [str(Path(sys.executable).parent / "controlscope")]
SLOW = """import time
for _ in range(100):
    fs.list_directory(path='/workspace')
    time.sleep(0.3)
"""
FOUR_WRITES = """import time
for n in range(4):
    fs.write_file(path=f'/workspace/{n}', content='')
    time.sleep(0.3)
"""
DONE = "fs.write_file(path='/workspace/done.txt', content='')\n"


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CLI, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120
    )


def processes_of(marker: str) -> list[str]:
    """Return the command lines of running processes that hold a marker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if marker in line:
                found.append(line)
    return found


def wait_until_none(marker: str) -> list[str]:
    deadline = time.monotonic() + 10
    while (left := processes_of(marker)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def small_panel(folder: Path, program: str = SLOW) -> Path:
    address = write_suite(folder, {"a.txt": "alpha\n"})
    suite, _, _ = address.rpartition("/small/")
    code = Path(address) / "programs" / "p1"
    code.mkdir(parents=True)
    (code / "01.py").write_text(program)
    spec = folder / "panel.toml"
    spec.write_text(
        f'name = "small"\nsuite = "{suite}"\nprograms = ["P1"]\n'
        '[conditions.keep]\nscope = "keep"\n'
        '[conditions.full]\nscope = "full"\nreviewer = "keep"\n'
    )
    return spec


def test_a_server_that_dies_mid_run_is_infrastructure_and_never_a_score(tmp_path: Path) -> None:
    kill = (
        "fs.list_directory(path='/workspace')\n"
        "import time\ntime.sleep(1.5)\n"
        "fs.list_directory(path='/workspace')\n"
    )
    spec = small_panel(tmp_path, kill)
    out = tmp_path / "out"
    with subprocess.Popen(
        [*CLI, "panel", "run", str(spec), "--out", str(out), "--jobs", "1"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 20
        killed = False
        while not killed and time.monotonic() < deadline:
            for events in out.glob("runs/*.partial/events.jsonl"):
                if "call_completed" in events.read_text():
                    pkill = ["pkill", "-9", "-f", str(events.parent)]
                    killed = subprocess.run(pkill, check=False).returncode == 0
            time.sleep(0.05)
        _, err = process.communicate(timeout=60)
    assert killed
    assert process.returncode == 3
    assert "mcp_lost" in err
    report = json.loads(command("panel", "report", out, "--format", "json").stdout)
    assert [item["condition"] for item in report["infrastructure"]] == ["keep"]
    cell = report["groups"][0]["conditions"]["keep"]
    assert (cell["assigned"], cell["scored"], cell["outstanding"]) == (1, 0, 1)
    assert command("panel", "run", spec, "--out", out).returncode == 0
    report = json.loads(command("panel", "report", out, "--format", "json").stdout)
    assert report["infrastructure"] == []


def test_a_reply_of_20_mb_is_a_tool_error_and_the_run_goes_on(tmp_path: Path) -> None:
    program = (
        "try:\n"
        "    fs.read_text_file(path='/workspace/big.txt')\n"
        "except ToolError as error:\n"
        "    fs.write_file(path='/workspace/done.txt', content=str(error))\n"
    )
    _, row = play(tmp_path, [program], files={"big.txt": "x" * 20_000_000})
    assert (row["success"], row["tool_errors"], row["calls"]) == (True, 1, 2)


def test_a_syntax_error_is_the_programs_own_failure(tmp_path: Path) -> None:
    run, row = play(tmp_path, ["x = = 1\n", DONE])
    assert next(run.of_kind("block_ended"))["error"] == "syntax_error"
    assert (row["success"], row["ending"]) == (True, "finished")


def test_a_killed_controller_leaves_nothing_running_and_resumes(tmp_path: Path) -> None:
    spec = small_panel(tmp_path)
    out = tmp_path / "out"
    with subprocess.Popen(
        [*CLI, "panel", "run", str(spec), "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 20
        while len(list(out.glob("runs/*.partial/events.jsonl"))) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.5)
        assert processes_of(str(out))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert wait_until_none(str(out)) == []
    cut_off = next(out.glob("runs/*.partial"))
    assert read_run(cut_off).header["task"] == "small/task"
    # The slow program would take half a minute: another one is another spec, and is refused.
    (tmp_path / "suite" / "small" / "task" / "programs" / "p1" / "01.py").write_text("x = 1\n")
    refused = command("panel", "run", spec, "--out", out)
    assert refused.returncode == 2
    assert "was started from another spec" in refused.stderr


def test_the_results_file_is_the_same_interrupted_or_not(tmp_path: Path) -> None:
    spec = small_panel(tmp_path, FOUR_WRITES)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert command("panel", "run", spec, "--out", whole, "--jobs", "2").returncode == 0
    with subprocess.Popen(
        [*CLI, "panel", "run", str(spec), "--out", str(cut), "--jobs", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 20
        while not list(cut.glob("runs/????????????????")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130
    assert said.splitlines()[-1] == "interrupted; the same command goes on from here"
    assert command("panel", "run", spec, "--out", cut).returncode == 0
    assert (whole / "results.jsonl").read_bytes() == (cut / "results.jsonl").read_bytes()
    assert len((whole / "results.jsonl").read_text().splitlines()) == 2
    reports = [command("panel", "report", out, "--format", "json").stdout for out in (whole, cut)]
    assert reports[0] == reports[1]


def test_one_panel_has_one_controller(tmp_path: Path) -> None:
    spec = small_panel(tmp_path)
    out = tmp_path / "out"
    with subprocess.Popen(
        [*CLI, "panel", "run", str(spec), "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 20
        while not (out / "panel.toml").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        second = command("panel", "run", spec, "--out", out)
        process.kill()
    assert second.returncode == 2
    assert "run by another process" in second.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('[conditions.full]\nscop = "full"\n', "panel.toml:7: conditions.full.scop"),
        ('tasks = ["small/none"]', "no task 'small/none'"),
        ('programs = ["P9"]', "no program 'P9'"),
        ('programs = ["P1", "P1"]', "panel.toml:1: programs: 'P1' is named twice"),
        ("programs = []", "panel.toml:1: programs: "),
        ('suite = "none"', "no suite 'none'"),
        ('[conditions.arg]\nscope = "arg"\nreviewer = "clever"', "unknown reviewer 'clever'"),
        ('[conditions.arg]\nscope = "arg"\nschedule = "often"', "unknown schedule 'often'"),
    ],
)
def test_a_wrong_spec_is_one_line_and_exit_2_before_anything_starts(
    tmp_path: Path, change: str, message: str
) -> None:
    spec = small_panel(tmp_path)
    key = change.split(" = ")[0]
    lines = [line for line in spec.read_text().splitlines() if not line.startswith(f"{key} =")]
    if change.startswith("["):
        section = change.splitlines()[0]
        lines = "\n".join(lines).split(section)[0].splitlines()
        lines.append(change)
    else:
        lines.insert(0, change)
    spec.write_text("\n".join(lines) + "\n")
    done = command("panel", "run", spec, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_changed_file_of_frozen_operations_is_another_panel(tmp_path: Path) -> None:
    spec = small_panel(tmp_path, DONE)
    frozen = tmp_path / "frozen.json"
    frozen.write_text("[]")
    spec.write_text(spec.read_text().replace('reviewer = "keep"', f'reviewer = "frozen:{frozen}"'))
    out = tmp_path / "out"
    assert command("panel", "run", spec, "--out", out).returncode == 0
    frozen.write_text('[{"boundary": 0, "operation": "keep"}]')
    refused = command("panel", "run", spec, "--out", out)
    assert refused.returncode == 2
    assert "started from another spec" in refused.stderr
    frozen.unlink()
    assert command("panel", "report", out).returncode == 0
    missing = command("panel", "run", spec, "--out", tmp_path / "other")
    assert missing.returncode == 2
    assert "frozen.json" in missing.stderr
    assert not (tmp_path / "other").exists()


def test_a_smaller_limit_keeps_what_is_finished_in_the_results(tmp_path: Path) -> None:
    spec = small_panel(tmp_path, DONE)
    task = tmp_path / "suite" / "small" / "task"
    shutil.copytree(task, task.with_name("other"))
    out = tmp_path / "out"
    assert command("panel", "run", spec, "--out", out, "--limit", "1").returncode == 0
    assert len((out / "results.jsonl").read_text().splitlines()) == 2
    assert command("panel", "run", spec, "--out", out).returncode == 0
    whole = (out / "results.jsonl").read_bytes()
    assert command("panel", "run", spec, "--out", out, "--limit", "1").returncode == 0
    assert (out / "results.jsonl").read_bytes() == whole
    assert len(whole.splitlines()) == 4


def test_a_folder_that_is_no_panel_is_left_as_it_is(tmp_path: Path) -> None:
    spec = small_panel(tmp_path, DONE)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("")
    refused = command("panel", "run", spec, "--out", tmp_path / "mine")
    assert refused.returncode == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    file = tmp_path / "mine" / "notes.txt"
    for out in (file, file / "below"):
        done = command("panel", "run", spec, "--out", out)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert str(file) in done.stderr.splitlines()[-1]


def test_an_unknown_task_is_named_with_what_there_is(tmp_path: Path) -> None:
    done = command("run", "filesystem/none", "--out", tmp_path / "run")
    assert done.returncode == 2
    assert "no task 'none'" in done.stderr


def test_a_run_never_overwrites_another(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    done = command("run", "filesystem/student_database/english_talent", "--out", tmp_path / "run")
    assert done.returncode == 2
    assert "exists already" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("verify", ["import sys\nsys.exit(3)\n", "raise ValueError\n"])
def test_a_verifier_that_crashes_is_infrastructure_and_the_log_says_so(
    tmp_path: Path, verify: str
) -> None:
    with pytest.raises(InfrastructureError, match=r"verify\.py"):
        play(tmp_path, ["x = 1\n"], verify=verify)
    failed = read_run(tmp_path / "run.partial").of_kind("infrastructure_failed")
    assert [event["error"] for event in failed] == ["task_script_failed"]


@pytest.mark.parametrize(
    ("part", "kept", "changed", "finished"),
    [
        ("planner", 'name = "small"', 'name = "small"\nplanner = "broken:Broken"', []),
        ("reviewer", 'reviewer = "keep"', 'reviewer = "broken:Broken"', ["keep"]),
    ],
)
def test_a_run_that_ones_own_part_breaks_is_infrastructure_s_and_the_others_go_on(
    part: str, kept: str, changed: str, finished: list[str], tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n"
        "    def __init__(self, *given): pass\n"
        "    async def plan(self, *given): raise KeyError('mine')\n"
        "    async def review(self, *given): raise KeyError('mine')\n"
    )
    spec = small_panel(tmp_path, DONE)
    spec.write_text(spec.read_text().replace(kept, changed))
    done = subprocess.run(
        [*CLI, "panel", "run", spec, "--out", tmp_path / "out", "--jobs", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 3, done.stderr
    assert "runs done" not in done.stdout
    assert f"{part}_failed: KeyError: 'mine' ({tmp_path}/broken.py:" in done.stderr
    rows = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    assert [json.loads(row)["condition"] for row in rows] == finished
