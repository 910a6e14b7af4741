import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CompletedProcess, run

import pytest

from controlscope.tasks import INSTANT
from panels.suites.support import (
    Builder,
    Failed,
    Folder,
    build_tree,
    expect_text,
    expect_unchanged,
)
from tests.panels.suites.checking import Trees, built, rng_of, tree_hash

MOMENT = datetime(2025, 4, 5, 6, 7, 8, tzinfo=UTC)


def build(builder: Builder) -> None:
    builder.write("notes/a.txt", f"{builder.rng.random()}\nzwölf\n", MOMENT)
    builder.write("b.bin", b"\xff\r\n", MOMENT)
    builder.directory("empty")


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


def script(folder: Path, name: str, text: str, *arguments: str) -> CompletedProcess[str]:
    file = folder / "things" / "sorting" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    command = [sys.executable, str(file), *arguments]
    return run(command, capture_output=True, text=True, check=False)


def test_a_built_tree_depends_on_its_task_and_seed_alone(tmp_path: Path) -> None:
    hashes = []
    for number, (task, seed) in enumerate([("a/b", 1), ("a/b", 1), ("a/b", 2), ("a/c", 1)]):
        root = tmp_path / str(number)
        root.mkdir()
        mask = os.umask(0o077 if number == 1 else 0o022)
        try:
            build_tree(build, root, task, seed)
        finally:
            os.umask(mask)
        hashes.append(tree_hash(root))
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_files_get_their_own_time_and_folders_the_one_time(trees: Trees) -> None:
    times = {path.name: path.stat().st_mtime for path in trees.initial.rglob("*")}
    assert times["a.txt"] == times["b.bin"] == MOMENT.timestamp()
    assert times["notes"] == times["empty"] == trees.initial.stat().st_mtime
    assert times["notes"] < INSTANT.timestamp()


@pytest.mark.parametrize("modified", [INSTANT, MOMENT.replace(microsecond=1)])
def test_a_time_that_a_run_could_have_written_is_refused(
    modified: datetime, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"a\.txt"):
        Builder(tmp_path, rng_of("a/b", 1), 1).write("a.txt", "", modified)
    assert not any(tmp_path.iterdir())


def test_a_file_is_built_once(tmp_path: Path) -> None:
    builder = Builder(tmp_path, rng_of("a/b", 1), 1)
    builder.write("a.txt", "", MOMENT)
    with pytest.raises(FileExistsError):
        builder.write("a.txt", "", MOMENT)


def test_a_view_lists_links_and_never_follows_them(trees: Trees) -> None:
    (trees.final / "link.txt").symlink_to("b.bin")
    (trees.final / "link").symlink_to("notes")
    os.mkfifo(trees.final / "pipe")
    folder = Folder(trees.final)
    assert list(folder.files()) == ["b.bin", "link", "link.txt", "notes/a.txt", "pipe"]
    assert folder.files()["link"] == b"symbolic link to notes"
    assert folder.files()["pipe"] == b"special file"
    assert folder.directories() == ["empty", "notes"]
    with pytest.raises(Failed, match=r"^link\.txt is not a regular file$"):
        folder.text("link.txt")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("c.txt", "c.txt is missing"),
        ("notes", "notes is a folder, not a file"),
        ("b.bin", "b.bin is not UTF-8"),
    ],
)
def test_a_text_that_cannot_be_read_fails_with_its_reason(
    path: str, why: str, trees: Trees
) -> None:
    with pytest.raises(Failed) as failure:
        Folder(trees.final).text(path)
    assert str(failure.value) == why


def test_a_modified_time_is_read_in_utc(trees: Trees) -> None:
    assert Folder(trees.final).modified("notes/a.txt") == MOMENT
    with pytest.raises(Failed, match=r"^c\.txt is missing$"):
        Folder(trees.final).modified("c.txt")


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("b.bin", "other", "b.bin was changed"),
        ("b.bin", None, "b.bin is gone"),
        ("notes/new.txt", "", "notes/new.txt should not be there"),
        ("new", None, "the empty folder new should not be there"),
        ("empty", None, "the empty folder empty is gone"),
    ],
)
def test_every_change_is_named_unless_it_is_allowed(
    path: str, content: str | None, why: str, trees: Trees
) -> None:
    target = trees.final / path
    if content is not None:
        trees.put(path, content)
    elif target.is_file():
        target.unlink()
    elif target.is_dir():
        target.rmdir()
    else:
        target.mkdir()
    final, initial = Folder(trees.final), Folder(trees.initial)
    with pytest.raises(Failed) as failure:
        expect_unchanged(final, initial)
    assert str(failure.value) == why
    expect_unchanged(final, initial, allow={path})
    expect_unchanged(final, initial, allow=lambda other: other == path)


def test_a_folder_that_only_lost_its_files_is_no_change_of_its_own(trees: Trees) -> None:
    trees.move("notes/a.txt", "new/a.txt")
    expect_unchanged(Folder(trees.final), Folder(trees.initial), allow={"notes/a.txt", "new/a.txt"})


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("one\ntwo\n", None),
        ("one\ntwo", None),
        ("one\ntwo\n\n", "r.txt: expected 2 lines, found 3"),
        ("one\n", "r.txt: expected 2 lines, found 1"),
        ("one\r\ntwo\n", "r.txt, line 1: expected 'one', found 'one\\r'"),
        ("one\ntwo \n", "r.txt, line 2: expected 'two', found 'two '"),
    ],
)
def test_a_text_is_compared_line_by_line(found: str, why: str | None, trees: Trees) -> None:
    trees.put("r.txt", found)
    folder = Folder(trees.final)
    if why is None:
        expect_text(folder, "r.txt", "one\ntwo\n")
        return
    with pytest.raises(Failed) as failure:
        expect_text(folder, "r.txt", "one\ntwo\n")
    assert str(failure.value) == why


BUILD = """
from datetime import UTC, datetime
from panels.suites.support import Builder, build_main
def build(builder: Builder) -> None:
    builder.write("a.txt", str(builder.rng.random()), datetime(2025, 1, 1, tzinfo=UTC))
build_main(build)
"""
VERIFY = """
from panels.suites.support import Failed, verify_main
def verify(final, initial):
    if "crash" in final.files():
        raise ValueError("broken")
    if final.files() != initial.files():
        raise Failed("two\\nlines \\udcff")
verify_main(verify)
"""


def test_a_build_script_knows_its_task_by_its_folders(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    assert script(tmp_path, "build.py", BUILD, str(target), "7").returncode == 0
    assert (target / "a.txt").read_text() == str(rng_of("things/sorting", 7).random())


def test_a_build_script_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    refused = script(tmp_path, "build.py", BUILD, str(tmp_path), "7")
    assert refused.returncode == 1
    assert refused.stderr == f"{tmp_path} is not an empty folder\n"


def test_a_build_script_refuses_a_seed_that_is_no_whole_number(tmp_path: Path) -> None:
    assert "usage" in script(tmp_path, "build.py", BUILD, str(tmp_path), "x").stderr


def test_a_verify_script_ends_in_0_1_2_or_3(tmp_path: Path, trees: Trees) -> None:
    folders = str(trees.final), str(trees.initial)
    passed = script(tmp_path, "verify.py", VERIFY, *folders)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
    trees.put("extra", "")
    failed = script(tmp_path, "verify.py", VERIFY, *folders)
    assert (failed.returncode, failed.stdout) == (1, "two lines \\udcff\n")
    trees.put("crash", "")
    crashed = script(tmp_path, "verify.py", VERIFY, *folders)
    assert (crashed.returncode, crashed.stdout) == (3, "")
    assert "ValueError: broken" in crashed.stderr
    assert script(tmp_path, "verify.py", VERIFY, str(tmp_path / "no"), "x").returncode == 2
