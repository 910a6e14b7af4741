"""A small panel of scripted models, through the command, over a real server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from tests.play import DONE, READ_A, write_suite
from tests.reviewers.model_server import KEY, Exchange, Script, calls, fails, says, serving

CLI = Path(sys.executable).parent / "controlscope"
READ_B = READ_A.replace("a.txt", "b.txt")
SPEC = """
name = "models"
suite = "{suite}"
programs = ["P1"]
planner = "model:fast"
reviewer = "model:fast"
{top}
[models.fast]
model = "small"
tool_choice = "required"
max_tokens = 100
context = 1000
prices = {{ input = 1.0, cached_input = 0.5, output = 2.0, reasoning = 2.0 }}
[models.slow]
model = "small"
mode = "reasoning"
reasoning = {{ reasoning_effort = "high" }}
tool_choice = "required"
max_tokens = 100
context = 1000
prices = {{ input = 1.0, cached_input = 0.5, output = 2.0, reasoning = 2.0 }}
[conditions.keep]
scope = "keep"
[conditions.again]
scope = "keep"
fresh = true
[conditions.arg]
scope = "arg"
[conditions.full]
scope = "full"
[conditions.sham]
scope = "keep"
offered = "full"
{rest}
"""


def _answer(exchange: Exchange) -> None:
    """Plan nothing; review with the widest operation that is offered."""
    offered = {tool["function"]["name"] for tool in exchange.asked["tools"]}
    if "run_python" in offered:
        reply = says("Done.")
    elif "replace_continuation" in offered:
        reply = calls(("replace_continuation", {"problem": "", "code": DONE}))
    else:
        reply = calls(("keep", {"problem": ""}))
    reply(exchange)


def _spec(folder: Path, top: str = "", rest: str = "") -> Path:
    address = Path(write_suite(folder, {"a.txt": "alpha\n", "b.txt": "beta\n"}))
    program = address / "programs" / "p1"
    program.mkdir(parents=True)
    (program / "01.py").write_text(READ_A + READ_B)
    spec = folder / "spec.toml"
    spec.write_text(SPEC.format(suite=folder / "suite", top=top, rest=rest))
    return spec


def _command(script: Script, *arguments: object) -> subprocess.CompletedProcess[str]:
    names = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": script.url, "NO_PROXY": "*"}
    return subprocess.run(
        [str(CLI), *map(str, arguments)],
        env=os.environ | names,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _report(script: Script, out: Path) -> JsonObject:
    done = _command(script, "panel", "report", out, "--format", "json")
    assert done.returncode == 0, done.stderr
    report: JsonObject = json.loads(done.stdout)
    return report


def test_a_model_panel_reports_effects_controls_floor_tokens_and_audits(tmp_path: Path) -> None:
    rows = '[rows.fast]\nprogram = "P1"\n[rows.slow]\nprogram = "P1"\nreviewer = "model:slow"\n'
    spec, out = _spec(tmp_path, rest=rows), tmp_path / "out"
    with serving(_answer) as script:
        bound = _command(script, "panel", "run", spec, "--out", out, "--dry-run")
        assert "8 runs of 1 tasks, 0 of them done\nat most 1,400 requests with 140,000 output" in (
            bound.stdout
        )
        assert "cost at most 1.6800" in bound.stdout
        assert not script.requests
        done = _command(script, "panel", "run", spec, "--out", out)
        assert done.returncode == 0, done.stderr
        asked = len(script.requests)
        report = _report(script, out)
        assert _command(script, "panel", "run", spec, "--out", out).returncode == 0
        assert len(script.requests) == asked
    assert report["kind"] == "model panel"
    fast, slow = report["groups"]
    assert (fast["mode"], slow["mode"]) == ("fast", "reasoning")
    cells = fast["conditions"]
    assert [cells[name]["success"] for name in ("keep", "arg", "full", "sham")] == [0, 0, 1, 0]
    assert cells["sham"]["rejected"] == cells["sham"]["reviews"] > 0
    assert slow["conditions"]["keep"]["reused"]
    assert fast["floor"]["draws"] == 2
    pairs = {(pair["a"], pair["b"]): pair for pair in fast["paired"]}
    won = pairs["full", "keep"]
    assert (won["mcnemar_p"], won["holm_p"], won["exceeds_floor"]) == (1.0, 1.0, True)
    assert won["bootstrap"]["reason"] == "fewer than two clusters"
    assert pairs["arg", "keep"]["mcnemar_p"] is None
    assert set(pairs) == {
        *(("full", "keep"), ("arg", "keep"), ("full", "arg"), ("sham", "keep")),
    }
    assert fast["by_operation"]["full"] == {"replacements alone": {"n": 1, "wins": 1, "losses": 0}}
    assert cells["full"]["valid_replies"]["valid"] == cells["full"]["reviews"] == 1
    tokens = cells["full"]["tokens"]["reviewer"]
    assert (tokens["input"], tokens["fresh_output"], tokens["unreported"]) == (100, 20, 0)
    assert cells["full"]["cost"]["reviewer"]["logical"] == pytest.approx(1.1e-4)
    assert cells["keep"]["cost"]["reviewer"] is None
    assert report["audits"]["first_requests"] == {"checked": 3, "equal": 3}
    assert all(audit["checked"] == audit["equal"] > 0 for audit in report["audits"].values())
    text = (out / "report" / "report.md").read_text()
    assert "keep (reused)" in text
    assert "noise floor of 2 draws of Keep" in text
    for path in out.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
            assert b"localhost" not in path.read_bytes(), path


def test_planner_replies_are_shared_unless_the_spec_says_otherwise(tmp_path: Path) -> None:
    counts = {}
    for share in ("true", "false"):
        folder = tmp_path / share
        folder.mkdir()
        with serving(_answer) as script:
            spec = _spec(folder, top=f"share = {share}")
            assert _command(script, "panel", "run", spec, "--out", folder / "out").returncode == 0
        counts[share] = sum(len(asked["tools"]) > 3 for asked in script.requests)
    # Keep, arg and sham ask their planner the same; the fresh Keep and full ask apart.
    assert counts == {"true": 3, "false": 5}


def test_a_token_limit_stops_a_panel_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    spec, out = _spec(tmp_path, top="limits = { tokens = 200 }"), tmp_path / "out"
    with serving(_answer) as script:
        stopped = _command(script, "panel", "run", spec, "--out", out, "--jobs", 1)
        assert stopped.returncode == 3
        assert "of limits.tokens = 200; raise it in" in stopped.stderr.splitlines()[-1]
        assert len(script.requests) == 2
        cut = _report(script, out)
        assert cut["infrastructure"] == []
        assert sum(c["outstanding"] for c in cut["groups"][0]["conditions"].values()) > 0
        spec.write_text(spec.read_text().replace("tokens = 200", "tokens = 100000"))
        done = _command(script, "panel", "run", spec, "--out", out, "--jobs", 1)
        assert done.returncode == 0, done.stderr
        resumed = len(script.requests)
    whole = tmp_path / "whole"
    with serving(_answer) as script:
        assert _command(script, "panel", "run", spec, "--out", whole).returncode == 0
        assert len(script.requests) == resumed
    assert (out / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()


def test_a_pilot_foretells_what_the_whole_panel_spends(tmp_path: Path) -> None:
    with serving(_answer) as script:
        spec = _spec(tmp_path)
        done = _command(script, "panel", "run", spec, "--out", tmp_path / "out", "--pilot", 1)
    assert done.returncode == 0, done.stderr
    spent = 120 * len(script.requests)
    assert f"pilot of 1 of 1 tasks: the whole panel uses about {spent:,} (" in done.stdout
    assert "(standard deviation —; " in done.stdout


def test_a_registered_contrast_stands_apart_from_exploratory_ones(tmp_path: Path) -> None:
    registered, out = tmp_path / "registered.json", tmp_path / "out"
    with serving(_answer) as script:
        spec = _spec(tmp_path)
        said = ("--primary", "full:keep", "--stopping", "all runs are scored")
        done = _command(script, "panel", "register", spec, "--out", registered, *said)
        assert done.returncode == 0, done.stderr
        assert _command(script, "panel", "run", spec, "--out", out).returncode == 0
        text = _command(script, "panel", "report", out, "--registration", registered).stdout
        plan = ("panel", "plan", "--tasks", 20, "--pilot", out, "--json")
        assert json.loads(_command(script, *plan).stdout)["tasks"] == 20
    assert "registered: full against keep: 1 won" in text
    assert "exploratory: arg against keep" in text


def test_a_provider_that_fails_is_counted_and_is_no_valid_reply(tmp_path: Path) -> None:
    with serving(fails(400)) as script:
        spec = _spec(tmp_path)
        assert _command(script, "panel", "run", spec, "--out", tmp_path / "out").returncode == 0
        cell = _report(script, tmp_path / "out")["groups"][0]["conditions"]["full"]
    assert cell["valid_replies"]["valid"] == 0
    assert cell["fallbacks"]["service"] == cell["reviews"] > 0
    assert cell["endings"] == {"planner_error": 1}
