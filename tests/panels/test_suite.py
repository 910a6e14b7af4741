import shutil
from pathlib import Path

import pytest

from controlscope.budgets import Budget
from controlscope.errors import InputError
from controlscope.tasks import Server
from panels.spec import Panel
from panels.spec_file import PanelSpec
from panels.suite import SUITES, find_suite, find_task, load_suite

SUITE = '[suite]\nname = "own"\nproxy = "fs"\nseed = 3\n\n[environment]\nserver = "filesystem"\n'


def _write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return _write(
        tmp_path / "own",
        {
            "suite.toml": SUITE,
            "letters/count/task.toml": "[budget]\ncalls = 12\n",
            "letters/count/instruction.md": "\nCount the letters: ä.\n",
            "letters/count/verify.py": "",
            "letters/count/build.py": "",
            "letters/count/programs/p1/01.py": "x = 1\n",
            "letters/count/programs/p2/01a.py": "x = 1\n",
            "letters/count/programs/p2/01b.py": "x = 2\n",
            "letters/sort/task.toml": "code = false\n",
            "letters/sort/instruction.md": "Sort.",
            "letters/sort/verify.py": "",
            "letters/sort/environment/a.txt": "a",
            "words/count/task.toml": "",
            "words/count/instruction.md": "Count.",
            "words/count/verify.py": "",
            "words/count/build.py": "",
        },
    )


def _refused(folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        load_suite(folder)
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_a_suite_is_read_whole(suite: Path) -> None:
    loaded = load_suite(suite)
    assert (loaded.name, loaded.proxy) == ("own", "fs")
    assert list(loaded.tasks) == ["letters/count", "letters/sort", "words/count"]
    count, sort = loaded.tasks["letters/count"], loaded.tasks["letters/sort"]
    assert (count.category, count.instruction, count.seed) == (
        "letters",
        "Count the letters: ä.",
        3,
    )
    assert (count.code, sort.code) == (True, False)
    assert count.budget == Budget(calls=12)
    assert sort.budget == Budget()
    assert list(count.programs) == ["P1", "P2"]
    assert [len(reply.blocks) for reply in count.programs["P2"].replies] == [2]
    assert sort.programs == {}


def test_another_seed_reaches_every_task(suite: Path) -> None:
    assert {task.seed for task in load_suite(suite, 11).tasks.values()} == {11}
    assert {task.seed for task in load_suite(suite, 0).tasks.values()} == {0}


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("suite.toml", 'proxy = "fs"\n', "", "suite.toml:1: suite.proxy: Field required"),
        (
            "suite.toml",
            "seed = 3",
            "seed = -1",
            "suite.toml:4: suite.seed: Input should be greater",
        ),
        ("suite.toml", "seed = 3", "sed = 3", "suite.toml:"),
        ("suite.toml", "seed = 3", "seed = ", "suite.toml: Invalid value (at line 4"),
        ("suite.toml", '"own"', '"Own"', "suite.toml:2: suite.name: String should match"),
        ("suite.toml", '"own"', '"own\\n"', "suite.toml:2: suite.name: String should match"),
        ("suite.toml", '"fs"', '"f-s"', "suite.toml:3: suite.proxy: String should match"),
        (
            "suite.toml",
            '"fs"',
            '"import"',
            "suite.toml:3: suite.proxy: import is a word of Python's own",
        ),
        ("suite.toml", '"filesystem"', '"else"', "suite.toml:7: environment.server: Input"),
        (
            "suite.toml",
            "[environment]\nserver",
            "server",
            "suite.toml:6: suite.server: unknown key",
        ),
        ("suite.toml", 'server = "filesystem"', "", "suite.toml:6: environment: needs either"),
        ("suite.toml", SUITE, b"\xff", "suite.toml cannot be read"),
        (
            "letters/count/task.toml",
            "calls",
            "call",
            "task.toml:2: budget.call: unknown key",
        ),
        ("letters/count/task.toml", "12", "0", "task.toml:2: budget.calls: Input should be"),
        ("letters/count/task.toml", "12", "1.5", "task.toml:2: budget.calls: Input should be"),
        (
            "letters/count/task.toml",
            "calls = 12",
            "execution_seconds = inf",
            "task.toml:2: budget.execution_seconds: Input should be a finite number",
        ),
        ("letters/sort/task.toml", "false", '"no"', "task.toml:1: code: Input should be"),
        ("letters/sort/instruction.md", "Sort.", b"\xff", "instruction.md cannot be read"),
        ("letters/sort/instruction.md", "Sort.", " \n", "instruction.md is empty"),
        ("letters/count/programs/p1/01.py", "x = 1\n", b"\xff", "01.py cannot be read"),
    ],
)
def test_a_wrong_piece_is_named_with_its_file_line_and_key(
    suite: Path, file: str, old: str, new: str | bytes, problem: str
) -> None:
    path = suite / file
    text = path.read_text()
    assert old in text
    path.write_bytes(new if isinstance(new, bytes) else text.replace(old, new).encode())
    message = _refused(suite)
    assert message.startswith(str(path.parent))
    assert problem in message


def test_without_an_environment_table_the_server_is_the_filesystem_one(suite: Path) -> None:
    with_table = load_suite(suite)
    (suite / "suite.toml").write_text('[suite]\nname = "own"\nproxy = "fs"\n')
    loaded = load_suite(suite)
    assert loaded.server == with_table.server == Server()
    assert {task.seed for task in loaded.tasks.values()} == {0}


@pytest.mark.parametrize("line", ['state = "/x"', "readable = []", "variables = {}"])
def test_the_filesystem_server_takes_nothing_that_belongs_to_a_command(
    suite: Path, line: str
) -> None:
    (suite / "suite.toml").write_text(SUITE + line + "\n")
    key = line.split(" ")[0]
    assert f"suite.toml:8: environment.{key}: only a command has one" in _refused(suite)


@pytest.mark.parametrize(
    "change",
    [
        ("suite.toml", SUITE + 'tools = ["read_text_file"]\n'),
        ("suite.toml", SUITE.replace('"fs"', '"files"')),
        ("letters/sort/environment/a.txt", "b"),
        ("letters/sort/verify.py", "pass"),
        ("letters/sort/programs/p1/01.py", "x = 2\n"),
    ],
)
def test_a_panel_knows_when_what_decides_its_runs_has_changed(
    suite: Path, change: tuple[str, str]
) -> None:
    _write(suite, {"letters/sort/programs/p1/01.py": "x = 1\n"})
    spec = PanelSpec.model_validate(
        {
            "name": "own",
            "suite": str(suite),
            "tasks": ["letters/sort"],
            "programs": ["P1"],
            "conditions": {"keep": {"scope": "keep"}},
        }
    )
    before = Panel(spec, load_suite(suite)).resolved()
    assert Panel(spec, load_suite(suite)).resolved() == before
    _write(suite, {change[0]: change[1]})
    assert Panel(spec, load_suite(suite)).resolved() != before


@pytest.mark.parametrize(
    ("piece", "problem"),
    [
        ("suite.toml", "own/suite.toml does not exist"),
        ("letters/sort/task.toml", "letters/sort has no task.toml"),
        ("letters/sort/instruction.md", "letters/sort has no instruction.md"),
        ("letters/sort/verify.py", "letters/sort has no verify.py"),
        ("letters/sort/environment/", "letters/sort needs either build.py or environment/"),
        ("letters/count/build.py", "letters/count needs either build.py or environment/"),
        ("letters/count/programs/p1/01.py", "programs/p1 is no program: it needs 01.py"),
        ("letters/count/programs/p2/01a.py", "programs/p2 has no 01a.py"),
        ("letters/", "words/count"),
    ],
)
def test_a_missing_piece_is_named(suite: Path, piece: str, problem: str) -> None:
    path = suite / piece
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    if piece == "letters/":
        assert list(load_suite(suite).tasks) == [problem]
    else:
        assert problem in _refused(suite)


def test_a_task_cannot_be_built_in_two_ways(suite: Path) -> None:
    _write(suite, {"letters/sort/build.py": ""})
    assert "letters/sort needs either build.py or environment/" in _refused(suite)


def test_two_programs_that_differ_only_in_case_are_refused(suite: Path) -> None:
    _write(suite, {"letters/count/programs/P1/01.py": "x = 9\n"})
    assert "letters/count/programs has two programs P1" in _refused(suite)


def test_a_program_may_end_in_a_planner_that_fails(suite: Path) -> None:
    _write(suite, {"letters/count/programs/p1/03.error": "no answer\n"})
    assert "has 03.error: planning fails after the last reply" in _refused(suite)
    _write(suite, {"letters/count/programs/p1/02.py": "x = 2\n"})
    assert load_suite(suite).tasks["letters/count"].programs["P1"].failure == "no answer"


def test_a_folder_without_tasks_is_no_suite(tmp_path: Path) -> None:
    _write(tmp_path, {"suite.toml": SUITE, "deeper/category/task/task.toml": ""})
    assert "holds no task: a task is CATEGORY/TASK/task.toml" in _refused(tmp_path)


def test_folders_of_helper_modules_are_no_tasks(suite: Path) -> None:
    _write(suite, {"letters/shared/helper.py": "", "letters/notes.md": "", "README.md": ""})
    assert len(load_suite(suite).tasks) == 3


def test_a_built_in_suite_is_found_by_its_name_and_a_users_by_its_folder(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_suite("filesystem") == SUITES / "filesystem"
    assert find_suite(str(suite)) == suite
    monkeypatch.chdir(suite.parent)
    assert find_suite("own").resolve() == suite
    assert find_suite("./own").resolve() == suite
    monkeypatch.chdir(suite)
    assert find_suite(".").resolve() == suite


def test_a_path_names_the_users_folder_even_where_a_built_in_suite_has_its_name(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.rename(suite.parent / "filesystem")
    monkeypatch.chdir(suite.parent)
    assert find_suite("filesystem") == SUITES / "filesystem"
    assert find_suite("./filesystem").resolve() == suite.parent / "filesystem"
    assert find_task("./filesystem/letters/sort")[0].name == "own"


@pytest.mark.parametrize("name", ["none", "filesystem/desktop", "/", "panels"])
def test_another_name_is_refused_with_the_built_in_ones(name: str) -> None:
    with pytest.raises(InputError, match=r"built in are .*filesystem.*; a folder needs a suite"):
        find_suite(name)


def test_a_task_is_found_by_its_id_and_by_a_last_part_that_is_unique(suite: Path) -> None:
    for address in (f"{suite}/letters/sort", f"{suite}/sort", f"{suite}/sort/"):
        found, task = find_task(address, seed=5)
        assert (found.name, task.id, task.seed) == ("own", "letters/sort", 5)


def test_the_longest_prefix_that_is_a_suite_is_the_suite(suite: Path) -> None:
    inner = suite / "letters"
    _write(
        inner,
        {
            "suite.toml": SUITE.replace("own", "inner"),
            "sort/deep/task.toml": "",
            "sort/deep/instruction.md": "Deep.",
            "sort/deep/verify.py": "",
            "sort/deep/build.py": "",
        },
    )
    assert find_task(f"{suite}/letters/sort/deep")[0].name == "inner"
    assert find_task(f"{suite}/words/count")[0].name == "own"
    with pytest.raises(InputError, match="no task 'count' in suite inner; it holds sort/deep"):
        find_task(f"{suite}/letters/count")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("count", "no task 'count' in suite own; it holds letters/count, letters/sort, words/"),
        ("letters", "no task 'letters' in suite own"),
        ("letters/none", "no task 'letters/none' in suite own"),
        ("", "names no task: use SUITE/TASK"),
    ],
)
def test_a_task_that_is_not_there_or_not_unique_is_refused(
    suite: Path, name: str, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        find_task(f"{suite}/{name}")


@pytest.mark.parametrize("address", ["", "/", "filesystem", "none/task", "a b/c"])
def test_an_address_without_a_suite_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="names no task: use SUITE/TASK"):
        find_task(address)


@pytest.mark.parametrize(
    "path",
    sorted(path for path in SUITES.glob("*/suite.toml") if "world" not in path.parent.name),
    ids=lambda path: path.parent.name,
)
def test_every_built_in_suite_loads(path: Path) -> None:
    assert load_suite(path.parent).tasks
