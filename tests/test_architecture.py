"""What holds over all rooms: the direction of imports, and the shape of the folders."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("controlscope", "executors", "reviewers", "replay", "panels", "tests")
MAX_LINES = 350
INSIDE = "executors.worker"


def _sources() -> list[Path]:
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [
        path
        for path in found
        if not {"programs", "node_modules", "__pycache__"} & set(path.relative_to(ROOT).parts)
    ]


def _imported(path: Path) -> set[str]:
    """Return the full dotted names that a file imports, `from a import b` as `a.b`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _rooms(path: Path) -> set[str]:
    return {name.split(".")[0] for name in _imported(path)}


def test_imports_go_one_way() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kept, 0 broken" in done.stdout


def test_nothing_but_tests_imports_the_command_line() -> None:
    for path in _sources():
        if path.relative_to(ROOT).parts[0] != "tests":
            imported = _imported(path)
            assert not any(f"{name}.".startswith("panels.cli.") for name in imported), path


@pytest.mark.parametrize("name", ["guest", "supervisor"])
def test_what_runs_inside_the_sandbox_needs_the_standard_library_alone(name: str) -> None:
    folder = ROOT.joinpath(*INSIDE.split("."))
    pending, seen = {name}, set[str]()
    while pending:
        module = pending.pop()
        seen.add(module)
        for imported in _imported(folder / f"{module}.py"):
            if imported.startswith(f"{INSIDE}."):
                pending |= {imported.removeprefix(f"{INSIDE}.").split(".")[0]} - seen
            else:
                assert imported.split(".")[0] in sys.stdlib_module_names, (module, imported)
    assert len(seen) > 1


def test_the_core_starts_no_process_and_opens_no_connection() -> None:
    forbidden = {"subprocess", "socket", "multiprocessing", "asyncio", "anyio", "mcp", "openai"}
    for path in sorted((ROOT / "controlscope").glob("*.py")):
        assert _rooms(path) & forbidden == set(), path


def test_no_file_is_too_long_to_be_one_idea() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in _sources()
    }
    assert lengths
    assert {name: count for name, count in lengths.items() if count > MAX_LINES} == {}


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    with_parents = {ROOT / "tests", *folders}
    for folder in folders:
        with_parents |= {above for above in folder.parents if ROOT / "tests" in above.parents}
    assert [
        folder for folder in sorted(with_parents) if not (folder / "__init__.py").is_file()
    ] == []


def test_the_folders_of_programs_are_no_packages() -> None:
    inside = list(ROOT.glob("panels/**/programs/**/__init__.py"))
    assert inside == []
