"""What a panel's specification assigns, and who reviews in its conditions."""

import json
from pathlib import Path

import pytest

from controlscope.budgets import Budget
from controlscope.errors import InputError
from panels.spec import load_panel
from panels.spec_file import ResolvedSpec
from panels.toml import dump_toml

SPECS = Path(__file__).parents[2] / "panels" / "specs"
OFFLINE = SPECS / "filesystem-offline.toml"


def _with(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(text)
    return path


def test_the_offline_panel_is_the_tasks_that_allow_code_by_two_programs_and_three_scopes() -> None:
    panel = load_panel(OFFLINE)
    assert len(panel.tasks) == 20
    assert len({task.category for task in panel.tasks}) == 7
    assert all(task.code for task in panel.tasks)
    assert len({run.id for run in panel.runs}) == 120
    assert {run.scope for run in panel.runs} == {"keep", "arg", "full"}


def test_a_panel_can_leave_categories_out_and_expect_how_many_tasks_remain(tmp_path: Path) -> None:
    whole = load_panel(OFFLINE)
    category = whole.tasks[0].category
    left = [task.id for task in whole.tasks if task.category != category]
    extra = f'left_out = ["{category}"]\nexpects = {len(left)}\n'
    panel = load_panel(_with(extra + OFFLINE.read_text(), tmp_path))
    assert [task.id for task in panel.tasks] == left


@pytest.mark.parametrize(
    ("extra", "refusal"),
    [
        ('left_out = ["garden"]\n', "left_out: no category 'garden' in suite filesystem"),
        ("expects = 21\n", "expects: 21 tasks, and suite filesystem gives 20"),
    ],
)
def test_a_panel_of_other_tasks_than_its_spec_says_is_refused(
    extra: str, refusal: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=refusal):
        load_panel(_with(extra + OFFLINE.read_text(), tmp_path))


def test_a_panel_that_leaves_every_category_out_is_refused(tmp_path: Path) -> None:
    categories = sorted({task.category for task in load_panel(OFFLINE).tasks})
    text = f"left_out = {json.dumps(categories)}\n" + OFFLINE.read_text()
    with pytest.raises(InputError, match="left_out: no task of suite filesystem remains"):
        load_panel(_with(text, tmp_path))


def test_an_unknown_schedule_is_told_the_rules_too(tmp_path: Path) -> None:
    text = OFFLINE.read_text().replace('"continuous"', '"locale"')
    with pytest.raises(InputError, match=r"protected:N; or, in a panel, local, feedback"):
        load_panel(_with(text, tmp_path))


def test_sources_that_are_not_there_are_told_how_they_are_made(tmp_path: Path) -> None:
    path = _with((SPECS / "protection-model.toml").read_text(), tmp_path)
    with pytest.raises(InputError, match="controlscope programs generate SPEC --out sources"):
        load_panel(path)


def test_the_panel_names_the_reviewer_of_every_condition_that_reviews_and_names_none(
    tmp_path: Path,
) -> None:
    other = '[conditions.other]\nscope = "full"\nreviewer = "random:7"\n'
    panel = load_panel(_with(OFFLINE.read_text() + other, tmp_path))
    reviewers = {run.condition: run.reviewer for run in panel.runs}
    assert reviewers == {
        "keep": "keep",
        "arg": "heuristic",
        "full": "heuristic",
        "other": "random:7",
    }


def test_a_condition_may_keep_where_the_panel_names_another_reviewer(tmp_path: Path) -> None:
    sham = '[conditions.sham]\nscope = "full"\nreviewer = "keep"\n'
    panel = load_panel(_with(OFFLINE.read_text() + sham, tmp_path))
    assert {run.reviewer for run in panel.runs if run.condition == "sham"} == {"keep"}


def test_a_panel_without_a_reviewer_keeps(tmp_path: Path) -> None:
    panel = load_panel(_with(OFFLINE.read_text().replace('reviewer = "heuristic"', ""), tmp_path))
    assert {run.reviewer for run in panel.runs} == {"keep"}


def test_an_unknown_reviewer_of_the_panel_is_named_with_its_line(tmp_path: Path) -> None:
    path = _with(OFFLINE.read_text().replace('"heuristic"', '"clever"'), tmp_path)
    with pytest.raises(InputError, match=r"spec\.toml:8: reviewer: .*unknown reviewer 'clever'"):
        load_panel(path)


def test_a_started_panel_reads_back_as_the_same_runs(tmp_path: Path) -> None:
    panel = load_panel(OFFLINE)
    again = load_panel(_with(dump_toml(panel.resolved()), tmp_path), ResolvedSpec)
    assert again.runs == panel.runs
    assert again.resolved().items() >= panel.resolved().items()


def test_rows_and_draws_share_one_keep_run_a_task_and_program(tmp_path: Path) -> None:
    rows = (
        '[rows.first]\nprogram = "P1"\nreplace = "block"\ndraws = 2\n'
        '[rows.second]\nprogram = "P1"\nreviewer = "overeager"\n'
        '[rows.third]\nprogram = "P2"\n'
    )
    panel = load_panel(_with(OFFLINE.read_text() + rows, tmp_path))
    assert [(group.row, group.draw, group.replace) for group in panel.groups] == [
        ("first", 0, "block"),
        ("first", 1, "block"),
        ("second", 0, "reply"),
        ("third", 0, "reply"),
    ]
    # Of 20 tasks: Keep of two programs, and Arg and Full of four groups.
    assert len(panel.runs) == 20 * (2 + 2 * 4)
    first, again, second, _ = panel.groups
    assert first.runs["keep"] == again.runs["keep"] == second.runs["keep"]
    ids = [{plan.id for plan in group.runs["full"]} for group in (first, again, second)]
    assert len(set.union(*ids)) == 3 * 20
    assert second.runs["full"][0].reviewer == "overeager"


def test_runs_are_in_the_order_of_the_tasks() -> None:
    panel = load_panel(OFFLINE)
    tasks = [task.id for task in panel.tasks for _ in range(6)]
    assert [run.task.id for run in panel.runs] == tasks


def test_the_model_panel_is_the_seven_rows_of_table_1_and_shares_keep() -> None:
    panel = load_panel(SPECS / "filesystem.toml")
    rows = [
        (group.program, group.draw, group.replace, plan.mode, plan.models.reviewer.tool_choice)
        for group in panel.groups
        if (plan := group.runs["full"][0]).models.reviewer is not None
    ]
    assert rows == [
        ("P1", 0, "block", "fast", "required"),
        ("P1", 1, "block", "fast", "required"),
        ("P2", 0, "reply", "fast", "required"),
        ("P2", 0, "reply", "fast", "auto"),
        ("P1", 0, "reply", "reasoning", "auto"),
        ("P2", 0, "reply", "reasoning", "auto"),
        ("P2", 1, "reply", "reasoning", "auto"),
    ]
    assert len(panel.runs) == 20 * (2 + 2 * 7)


@pytest.mark.parametrize("name", ["filesystem.toml", "filesystem-record.toml"])
def test_the_model_panels_have_the_papers_settings_and_budgets(name: str) -> None:
    for plan in load_panel(SPECS / name).runs:
        assert plan.task.budget == Budget(calls=100, planning_turns=100, execution_seconds=1800)
        for settings in filter(None, (plan.models.planner, plan.models.reviewer)):
            assert settings.max_tokens == 16_384
            assert settings.fast == {"temperature": 0.7}
        assert plan.models.planner is not None
        assert (plan.models.planner.mode, plan.models.planner.tool_choice) == ("fast", "auto")


def test_the_record_is_all_24_tasks_planned_from_the_start() -> None:
    panel = load_panel(SPECS / "filesystem-record.toml")
    assert len(panel.runs) == 24
    assert sum(not plan.task.code for plan in panel.runs) == 4
    assert {plan.program.replies for plan in panel.runs} == {()}


def test_planning_from_the_start_needs_a_model(tmp_path: Path) -> None:
    text = OFFLINE.read_text().replace('["P1", "P2"]', '["planned"]')
    with pytest.raises(InputError, match="planned needs a planner that is no script"):
        load_panel(_with(text, tmp_path))


def test_a_limit_of_cost_needs_prices(tmp_path: Path) -> None:
    limits = "[limits]\ncost = 1.0\n"
    path = _with((SPECS / "filesystem.toml").read_text() + limits, tmp_path)
    with pytest.raises(InputError, match=r"limits\.cost needs the prices of every model"):
        load_panel(path)


def test_a_limit_is_no_part_of_what_a_panel_is(tmp_path: Path) -> None:
    text = (SPECS / "filesystem.toml").read_text()
    limited = load_panel(_with(text + "[limits]\ntokens = 10\n", tmp_path))
    assert limited.resolved() == load_panel(SPECS / "filesystem.toml").resolved()


def test_sources_take_the_place_of_the_suites_programs(tmp_path: Path) -> None:
    program = tmp_path / "sources" / "desktop" / "music_report" / "p1"
    program.mkdir(parents=True)
    (program / "01.py").write_text("print(1)\n")
    text = OFFLINE.read_text().replace('["P1", "P2"]', '["P1"]\ntasks = ["desktop/music_report"]')
    path = _with(f'sources = "{tmp_path / "sources"}"\n{text}', tmp_path)
    (replies,) = {plan.program.replies for plan in load_panel(path).runs}
    assert replies[0].blocks[0].code == "print(1)\n"


OF_MODELS = {
    "local-model": 40 + 40 * 2 * 2 * 3,
    "feedback-model": 40 + 40 * 2,
    "midpoint-model": 20 + 20 * 4,
    "workload-model": 6 + 6 * 2 * 2,
    "confirmation-model": 6 + 6 * 2 * 2,
    "organization-model": 11 + 11 * 2,
    "protection-model": 20 + 20 * 3,
}


@pytest.mark.parametrize(("name", "runs"), OF_MODELS.items())
def test_each_experiment_has_a_form_for_a_models_endpoint(
    name: str, runs: int, tmp_path: Path
) -> None:
    text = (SPECS / f"{name}.toml").read_text()
    if "sources" in text:
        # The one experiment on programs that are generated for it.
        sources = tmp_path / "sources"
        for task in load_panel(OFFLINE).tasks:
            (sources / task.id / "p3").mkdir(parents=True)
            (sources / task.id / "p3" / "01.py").write_text("x = 1\n")
        text = text.replace('sources = "sources"', f'sources = "{sources}"')
    panel = load_panel(_with(text, tmp_path))
    assert len(panel.runs) == runs
    offline = load_panel(SPECS / f"{name.removesuffix('-model')}.toml")
    for condition, expected in offline.spec.conditions.items():
        assert panel.spec.conditions[condition] == expected
    assert panel.spec.share_until == offline.spec.share_until
    assert panel.spec.contrasts == offline.spec.contrasts
    assert panel.has_models
    for plan in panel.runs:
        if plan.models.reviewer is not None:
            assert plan.models.reviewer.tool_choice == "auto"
            assert plan.models.reviewer.max_tokens == 16_384


def test_a_contract_is_of_tasks_that_have_one(tmp_path: Path) -> None:
    text = 'contract = "v2"\n' + OFFLINE.read_text()
    with pytest.raises(InputError, match="contract: the tasks of filesystem have none"):
        load_panel(_with(text, tmp_path))


def test_the_scope_params_is_refused_where_no_contract_knows_it(tmp_path: Path) -> None:
    text = OFFLINE.read_text() + '[conditions.params]\nscope = "params"\n'
    with pytest.raises(InputError) as refused:
        load_panel(_with(text, tmp_path))
    assert "spec.toml: condition params: the scope params needs the contract v2" in str(
        refused.value
    )
