"""A suite whose tools are another public server's: the memory server, its state one JSON file."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.errors import InputError
from controlscope.operations import Scope
from controlscope.run_log import read_run
from executors.mcp.install import NODE
from panels.suite import load_suite
from tests.play import calls, play_task

CLI = Path(sys.executable).parent / "controlscope"
PACKAGES = Path(__file__).parents[2] / "executors" / "mcp" / "node_modules"
SUITE = Path(__file__).parent / "memory_suite"
TOML = f"""
[suite]
name = "memory"
proxy = "mem"

[environment]
command = ["{NODE}", "{PACKAGES}/@modelcontextprotocol/server-memory/dist/index.js"]
readable = ["{NODE.parent}", "{PACKAGES}"]
state = "/state"
variables = {{ MEMORY_FILE_PATH = "/state/memory.jsonl" }}
"""
LEAVERS = ["Ada Brook", "Cy Dunn", "Di Ede", "Fay Gill", "Gus Hay", "Hal Ives"]
READS = ["open_nodes", "read_graph", "search_nodes"]
REST = f"mem.delete_entities(entityNames={LEAVERS})\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    shutil.copytree(SUITE, folder)
    (folder / "suite.toml").write_text(TOML)
    return folder


def _command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("task", ["staff/anniversaries", "rooms/seats"])
def test_a_program_does_its_task_through_the_servers_own_tools(suite: Path, task: str) -> None:
    run, row = play_task(suite.parent, f"{suite}/{task}")
    assert (row["success"], row["ending"]) == (True, "finished"), row["message"]
    assert all(tool in [*READS, "add_observations", "create_relations"] for tool, _ in calls(run))
    files = next(run.of_kind("episode_ended"))["files"]
    assert sorted(files) == [".", "memory.jsonl"]


def test_the_same_program_has_the_same_states_each_time(suite: Path) -> None:
    _, one = play_task(suite.parent / "one", f"{suite}/rooms/seats")
    _, other = play_task(suite.parent / "other", f"{suite}/rooms/seats")
    assert one == other
    assert len(one["state_keys"]) == 2


@pytest.mark.parametrize(
    ("scope", "decision", "success", "ending"),
    [
        ("keep", None, False, "calls"),
        ("arg", {"operation": "patch", "arguments": {"entityNames": LEAVERS}}, True, "calls"),
        ("full", {"operation": "replace", "code": REST}, True, "finished"),
        ("arg", {"operation": "replace", "code": REST}, False, "calls"),
    ],
)
def test_the_scopes_mean_the_same_at_another_server(
    suite: Path, scope: Scope, decision: JsonObject | None, success: bool, ending: str
) -> None:
    decisions = [{"boundary": 1, **decision}] if decision else []
    run, row = play_task(suite.parent, f"{suite}/staff/leavers", scope=scope, decisions=decisions)
    assert (row["success"], row["ending"]) == (success, ending)
    pending = list(run.of_kind("boundary"))[1]["pending"]
    assert (pending["tool"], pending["arguments"]) == (
        "delete_entities",
        {"entityNames": [LEAVERS[0]]},
    )


def test_a_scripted_reviewer_that_knows_no_server_works_at_this_one(suite: Path) -> None:
    _, row = play_task(
        suite.parent, f"{suite}/staff/anniversaries", scope="full", reviewer="overeager"
    )
    assert row["reviews"] > 0
    assert row["calls"] <= 100


def test_a_tool_that_is_not_allowed_does_not_exist_for_a_program(suite: Path) -> None:
    (suite / "suite.toml").write_text(TOML + f"tools = {json.dumps(READS)}\n")
    run, row = play_task(suite.parent, f"{suite}/rooms/seats")
    assert not row["success"]
    assert [tool for tool, _ in calls(run)] == ["read_graph"]
    (ended,) = run.of_kind("block_ended")
    assert ended["error"] == "user_exception"
    assert "create_relations" in ended["traceback"]


def test_a_parameter_that_encodes_programs_is_outside_arg(suite: Path) -> None:
    (suite / "suite.toml").write_text(
        TOML + 'program_parameters = { "delete_entities" = ["entityNames"] }\n'
    )
    patch = {"boundary": 1, "operation": "patch", "arguments": {"entityNames": LEAVERS}}
    _, row = play_task(suite.parent, f"{suite}/staff/leavers", scope="arg", decisions=[patch])
    assert (row["patches"], row["rejected"], row["success"]) == (0, 1, False)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('tools = ["read_graph", "drop"]', ":11: environment.tools: the server has no tool 'drop'"),
        ('program_parameters = { "x" = ["y"] }', ":11: environment.program_parameters: the server"),
        (
            'tools = ["read_graph"]\nprogram_parameters = { "search_nodes" = ["code"] }',
            ":12: environment.program_parameters.search_nodes: search_nodes takes no 'code'",
        ),
        (
            'path_parameters = { "search_nodes" = ["path"] }',
            ":11: environment.path_parameters.search_nodes: search_nodes takes no 'path'",
        ),
    ],
)
def test_a_name_that_the_server_does_not_know_is_refused_before_anything_starts(
    suite: Path, line: str, problem: str
) -> None:
    (suite / "suite.toml").write_text(f"{TOML}{line}\n")
    spec = suite.parent / "panel.toml"
    spec.write_text(
        f'name = "memory"\nsuite = "{suite}"\nprograms = ["P1"]\n'
        '[conditions.keep]\nscope = "keep"\n'
    )
    run, panel = suite.parent / "run", suite.parent / "panel"
    for command in (f"run {suite}/rooms/seats --out {run}", f"panel run {spec} --out {panel}"):
        done = _command(*command.split())
        assert done.returncode == 2
        assert f"suite.toml{problem}" in done.stderr
    assert not run.with_name("run.partial").exists()
    assert list((panel / "runs").iterdir()) == []


def test_a_server_that_does_not_start_says_why(suite: Path) -> None:
    toml = TOML.replace("/server-memory/dist/index.js", "/server-memory/dist/none.js")
    (suite / "suite.toml").write_text(toml)
    out = suite.parent / "run"
    done = _command("run", f"{suite}/rooms/seats", "--out", str(out))
    assert done.returncode == 3
    assert "mcp_lost" in done.stderr
    assert "Cannot find module" in done.stderr
    failed = read_run(out.with_name("run.partial")).of_kind("infrastructure_failed")
    assert [event["error"] for event in failed] == ["mcp_lost"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            f'command = ["{NODE}"',
            'command = ["no-such-command"',
            ":7: environment.command: no comm",
        ),
        (
            f'command = ["{NODE}"',
            'command = ["./none"',
            "environment.command: .*none does not exist",
        ),
        (
            f'command = ["{NODE}"',
            'command = ["staff"',
            ":7: environment.command: no command 'staff'",
        ),
        (f'command = ["{NODE}"', 'command = ["./suite.toml"', "suite.toml is no program"),
        (f'command = ["{NODE}"', 'command = ["~none/x"', ":7: environment.command: .*home dir"),
        (f'command = ["{NODE}"', 'command = ["a\\u0000"', ":7: environment.command: String should"),
        ("command = [", 'server = "filesystem"\ncommand = [', ":6: environment: needs either"),
        ('state = "/state"', 'state = "state"', ":9: environment.state: String should match"),
        ('state = "/state"', 'state = "/a/../b"', ":9: environment.state: String should match"),
        ('state = "/state"', 'state = "/"', ":9: environment.state: String should match"),
        ('state = "/state"', 'state = "/usr/x"', ":9: environment.state: /usr/x and /usr would"),
        ('state = "/state"', 'state = "/proc"', ":9: environment.state: /proc and /proc would"),
        ('state = "/state"', 'state = "/etc"', ":9: environment.state: /etc and /etc/ld.so.cache"),
        ("MEMORY_FILE_PATH =", '"A B" =', ":10: environment.variables.A B"),
        ('"/state/memory.jsonl"', "7", ":10: environment.variables.MEMORY_FILE_PATH: Input should"),
        (f'"{NODE.parent}", ', "", ":7: environment.command: the server could not see .*/node: "),
        (f'"{NODE.parent}"', '"/none"', ":8: environment.readable: /none does not exist"),
        (f'"{NODE.parent}"', '"/"', ":9: environment.state: /state and / would hide"),
        (f'"{NODE.parent}"', '"rooms"', "environment.command: the server could not see"),
        (f'"{NODE.parent}"', f'"{NODE.parent}", "rooms"', ":6: environment: .*task rooms/seats"),
        (f'"{NODE.parent}"', f'"{NODE.parent}", "."', ":6: environment: the server can read"),
        (
            f'"{NODE.parent}"',
            f'"{NODE.parent}", "rooms/seats/verify.py"',
            ":6: environment: .* can read .*verify.py, and may read nothing of task rooms/seats",
        ),
    ],
)
def test_a_server_that_could_not_run_is_refused_when_the_suite_is_read(
    suite: Path, old: str, new: str, problem: str
) -> None:
    assert old in TOML
    (suite / "suite.toml").write_text(TOML.replace(old, new))
    with pytest.raises(InputError, match=problem) as refused:
        load_suite(suite)
    assert "\n" not in str(refused.value)


def test_the_paths_of_a_server_are_read_from_the_suites_folder_and_home(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(suite.parent))
    (suite.parent / "tools").mkdir()
    (suite.parent / "tools" / "server").symlink_to(NODE)
    (suite / "suite.toml").write_text(
        TOML.replace(f'["{NODE}"', '["../tools/server"').replace(
            "readable = [", 'readable = ["~/tools", '
        )
    )
    server = load_suite(suite).server
    assert server.command[0] == str(suite.parent / "tools" / "server")
    assert server.readable[0] == suite.parent / "tools"
    monkeypatch.setenv("PATH", f"{NODE.parent}:/usr/bin")
    (suite / "suite.toml").write_text(TOML.replace(f'["{NODE}"', '["node"'))
    assert load_suite(suite).server.command[0] == str(NODE)
