"""A small panel of scripted models, through the command, over a real server."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from controlscope.canonical import JsonObject
from tests.panels.model_panels import command, plan_nothing_and_widen, started, write_tasks
from tests.play import READ_A
from tests.reviewers.model_server import KEY, Exchange, Script, fails, serving

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
[conditions.full_prompt_arg]
scope = "arg"
offered = "full"
{rest}
"""


def _spec(folder: Path, top: str = "", rest: str = "", tasks: int = 1) -> Path:
    write_tasks(folder / "suite", tasks, READ_A + READ_B)
    spec = folder / "spec.toml"
    spec.write_text(SPEC.format(suite=folder / "suite", top=top, rest=rest))
    return spec


def _report(script: Script, out: Path) -> JsonObject:
    done = command(script, "panel", "report", out, "--format", "json")
    assert done.returncode == 0, done.stderr
    report: JsonObject = json.loads(done.stdout)
    return report


@dataclass(frozen=True)
class Whole:
    """A panel of three tasks in two rows: bounded, piloted, run, run again, reported."""

    out: Path
    spec: Path
    bound: CompletedProcess[str]
    asked_by_bound: int
    pilot: CompletedProcess[str]
    asked_by_pilot: int
    done: CompletedProcess[str]
    asked: int
    asked_again: int
    report: JsonObject
    registered: str
    plan: JsonObject


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    rows = '[rows.fast]\nprogram = "P1"\n[rows.slow]\nprogram = "P1"\nreviewer = "model:slow"\n'
    spec, out = _spec(folder, rest=rows, tasks=3), folder / "out"
    registration = folder / "registered.json"
    said = ("--primary", "full:keep", "--stopping", "all runs are scored")
    run = ("panel", "run", spec, "--out", out)
    with serving(plan_nothing_and_widen) as script:
        bound, asked_by_bound = command(script, *run, "--dry-run"), len(script.requests)
        filed = command(script, "panel", "register", spec, "--out", registration, *said)
        assert filed.returncode == 0, filed.stderr
        pilot, asked_by_pilot = command(script, *run, "--pilot", 2), len(script.requests)
        done, asked = command(script, *run), len(script.requests)
        assert command(script, *run).returncode == 0
        asked_again = len(script.requests) - asked
        report = _report(script, out)
        told = command(script, "panel", "report", out, "--registration", registration)
        plan = command(script, "panel", "plan", "--tasks", 20, "--pilot", out, "--json")
    return Whole(
        out=out,
        spec=spec,
        bound=bound,
        asked_by_bound=asked_by_bound,
        pilot=pilot,
        asked_by_pilot=asked_by_pilot,
        done=done,
        asked=asked,
        asked_again=asked_again,
        report=report,
        registered=told.stdout,
        plan=json.loads(plan.stdout),
    )


def test_a_dry_run_bounds_what_is_spent_and_spends_nothing(whole: Whole) -> None:
    # A task has ten runs with 100 planning turns each, eight of them with 100 reviews.
    assert whole.bound.stdout.startswith(
        "30 runs of 3 tasks, 0 of them done\nat most 5,400 requests with 540,000 output tokens"
    )
    assert "cost at most 6.4800" in whole.bound.stdout
    assert whole.asked_by_bound == 0


def test_a_pilot_foretells_what_the_whole_panel_then_spends(whole: Whole) -> None:
    assert whole.pilot.returncode == whole.done.returncode == 0
    # Each reply of the scripted provider has 120 tokens, and like tasks ask alike.
    foretold = 120 * whole.asked_by_pilot * 3 // 2
    assert f"pilot of 2 of 3 tasks: the whole panel uses about {foretold:,} (" in whole.pilot.stdout
    assert "(standard deviation 0; " in whole.pilot.stdout
    assert 120 * whole.asked == foretold


def test_a_finished_panel_asks_nothing_again(whole: Whole) -> None:
    assert whole.asked_again == 0


def test_effects_stand_beside_the_noise_floor(whole: Whole) -> None:
    assert whole.report["kind"] == "model panel"
    fast, slow = whole.report["groups"]
    assert (fast["mode"], slow["mode"]) == ("fast", "reasoning")
    assert slow["conditions"]["keep"]["reused"]
    assert fast["floor"]["draws"] == 2
    pairs = {(pair["a"], pair["b"]): pair for pair in fast["paired"]}
    won = pairs["full", "keep"]
    assert (won["n"], won["wins"], won["exceeds_floor"]) == (3, 3, True)
    assert won["mcnemar_p"] == 0.25
    assert won["bootstrap"]["reason"] == "fewer than two clusters"
    assert pairs["arg", "keep"]["difference"] == 0
    text = (whole.out / "report" / "report.md").read_text()
    assert "keep (reused)" in text
    assert "noise floor of 2 draws of Keep" in text


def test_controls_are_conditions_and_are_compared_with_keep(whole: Whole) -> None:
    fast = whole.report["groups"][0]
    cells = fast["conditions"]
    assert {name: cell["success"] for name, cell in cells.items()} == {
        "keep": 0,
        "again": 0,
        "arg": 0,
        "full": 3,
        "sham": 0,
        "full_prompt_arg": 0,
    }
    # Both were offered Full, asked for it, and were held to what was granted.
    for name in ("sham", "full_prompt_arg"):
        assert cells[name]["rejected"] == cells[name]["reviews"] > 0
    assert {(pair["a"], pair["b"]) for pair in fast["paired"]} == {
        *(("full", "keep"), ("arg", "keep"), ("full", "arg"), ("sham", "keep")),
        *(("full_prompt_arg", "keep"), ("full_prompt_arg", "arg")),
    }


def test_replies_tokens_and_cost_are_told_by_ledger_and_operation(whole: Whole) -> None:
    fast = whole.report["groups"][0]
    cells = fast["conditions"]
    assert fast["by_operation"]["full"] == {"replacements alone": {"n": 3, "wins": 3, "losses": 0}}
    assert cells["full"]["valid_replies"]["valid"] == cells["full"]["reviews"] == 3
    tokens = cells["full"]["tokens"]["reviewer"]
    assert (tokens["input"], tokens["fresh_output"], tokens["unreported"]) == (300, 60, 0)
    assert cells["full"]["cost"]["reviewer"]["logical"] == pytest.approx(3.3e-4)
    assert cells["keep"]["cost"]["reviewer"] is None


def test_every_audit_holds_and_has_checked_something(whole: Whole) -> None:
    audits = whole.report["audits"]
    assert audits["first_requests"] == {"checked": 12, "equal": 12}
    for name in ("state_keys", "first_inputs", "prefixes", "queues", "first_requests"):
        assert audits[name]["checked"] == audits[name]["equal"] > 0, name


def test_a_registered_contrast_stands_apart_from_exploratory_ones(whole: Whole) -> None:
    assert "registered: full against keep: 3 won" in whole.registered
    assert "exploratory: arg against keep" in whole.registered
    assert whole.plan["tasks"] == 20


def test_no_file_of_a_panel_holds_the_key_or_the_host(whole: Whole) -> None:
    for path in whole.out.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
            assert b"localhost" not in path.read_bytes(), path


def test_a_killed_panel_repeats_no_paid_request(whole: Whole, tmp_path: Path) -> None:
    answered = 0

    def three_then_hang(exchange: Exchange) -> None:
        nonlocal answered
        if answered == 3:
            time.sleep(20)
        answered += 1
        plan_nothing_and_widen(exchange)

    spec, out = tmp_path / "spec.toml", tmp_path / "out"
    spec.write_text(whole.spec.read_text())
    run = ("panel", "run", spec, "--out", out, "--jobs", 1)
    with serving(three_then_hang) as script:
        process = started(script, *run)
        while len(script.requests) < 4:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
        process.communicate()
    with serving(plan_nothing_and_widen) as script:
        assert command(script, *run).returncode == 0
        assert 3 + len(script.requests) == whole.asked
    assert (out / "results.jsonl").read_bytes() == (whole.out / "results.jsonl").read_bytes()


def test_planner_replies_are_shared_unless_the_spec_says_otherwise(tmp_path: Path) -> None:
    counts = {}
    for share in ("true", "false"):
        folder = tmp_path / share
        folder.mkdir()
        with serving(plan_nothing_and_widen) as script:
            spec = _spec(folder, top=f"share = {share}")
            assert command(script, "panel", "run", spec, "--out", folder / "out").returncode == 0
        counts[share] = sum(len(asked["tools"]) > 3 for asked in script.requests)
    # Only the fresh Keep and full, whose record is another one, share with no other condition.
    assert counts == {"true": 3, "false": 6}


@pytest.mark.parametrize(
    ("limit", "told", "larger"),
    [
        ("tokens = 200", "of limits.tokens = 200", "tokens = 100000"),
        ("cost = 0.0002", "of limits.cost = 0.0002", "cost = 10.0"),
    ],
)
def test_a_limit_stops_a_panel_and_a_larger_one_goes_on(
    limit: str, told: str, larger: str, tmp_path: Path
) -> None:
    spec, out = _spec(tmp_path, top=f"limits = {{ {limit} }}"), tmp_path / "out"
    with serving(plan_nothing_and_widen) as script:
        stopped = command(script, "panel", "run", spec, "--out", out, "--jobs", 1)
        assert stopped.returncode == 3
        assert f"{told}; raise it in" in stopped.stderr.splitlines()[-1]
        assert len(script.requests) == 2
        cut = _report(script, out)
        assert cut["infrastructure"] == []
        assert sum(c["outstanding"] for c in cut["groups"][0]["conditions"].values()) > 0
        spec.write_text(spec.read_text().replace(limit, larger))
        done = command(script, "panel", "run", spec, "--out", out, "--jobs", 1)
        assert done.returncode == 0, done.stderr
        resumed = len(script.requests)
    whole = tmp_path / "whole"
    with serving(plan_nothing_and_widen) as script:
        assert command(script, "panel", "run", spec, "--out", whole).returncode == 0
        assert len(script.requests) == resumed
    assert (out / "results.jsonl").read_bytes() == (whole / "results.jsonl").read_bytes()


def test_a_provider_that_fails_is_counted_and_is_no_valid_reply(tmp_path: Path) -> None:
    with serving(fails(400)) as script:
        spec = _spec(tmp_path)
        assert command(script, "panel", "run", spec, "--out", tmp_path / "out").returncode == 0
        cell = _report(script, tmp_path / "out")["groups"][0]["conditions"]["full"]
    assert cell["valid_replies"]["valid"] == 0
    assert cell["fallbacks"]["service"] == cell["reviews"] > 0
    assert cell["endings"] == {"planner_error": 1}


def test_where_runs_are_lost_the_best_and_worst_case_stand_in_the_report(tmp_path: Path) -> None:
    spec, out = _spec(tmp_path, tasks=2), tmp_path / "out"
    verifier = tmp_path / "suite" / "small" / "task2" / "verify.py"
    # A verifier that crashes on what Full leaves: that run is lost, and no failure of Full.
    verifier.write_text(verifier.read_text().replace("print(", "done and 1 / 0\nprint("))
    with serving(plan_nothing_and_widen) as script:
        done = command(script, "panel", "run", spec, "--out", out)
        assert done.returncode == 3
        assert "1 runs, the first: task_script_failed" in done.stderr
        report = _report(script, out)
    assert [lost["condition"] for lost in report["infrastructure"]] == ["full"]
    group = report["groups"][0]
    cell = group["conditions"]["full"]
    assert (cell["assigned"], cell["scored"], cell["success"]) == (2, 1, 1)
    (won,) = [pair for pair in group["paired"] if (pair["a"], pair["b"]) == ("full", "keep")]
    assert (won["n"], won["difference"]) == (1, 1.0)
    assert won["bounds"] == {"low": 0.5, "high": 1.0, "lost_a": 1, "lost_b": 0}
