"""When a missing folder is created, and what is redone."""

import pytest

from controlscope.operations import ReplaceBoundary
from reviewers.heuristic import Heuristic
from reviewers.heuristic.parents import missing_parent
from tests.reviewers.stand_in import Run

FAILS = """
report = "all of it"
try:
    fs.write_file(path="out/a.txt", content=report)
except ToolError:
    failed = True
"""
REST = 'fs.write_file(path="b.txt", content="b")\n'


def test_the_folder_is_made_and_a_write_of_a_variable_is_redone() -> None:
    run = Run({}, Heuristic()).play(FAILS + REST)
    assert run.realized.count("replace") == 1
    assert run.files == {"out/a.txt": "all of it", "b.txt": "b"}


def test_a_content_that_no_variable_holds_is_not_written() -> None:
    run = Run({}, Heuristic()).play(FAILS.replace("=report", '="other"') + REST)
    assert (run.folders, run.files) == ({"out"}, {"b.txt": "b"})


def test_a_write_that_the_program_repeats_itself_is_made_once() -> None:
    again = 'fs.write_file(path="out/a.txt", content=report)\n'
    run = Run({}, Heuristic()).play(FAILS + again)
    assert run.files == {"out/a.txt": "all of it"}
    assert len([call for call in run.calls if not call["is_error"]]) == 2


def test_the_rest_of_a_loop_goes_on_where_it_stood() -> None:
    program = """
texts = ["a", "b", "c"]
done = []
for number, text in enumerate(texts):
    try:
        fs.write_file(path=f"out/{number}.txt", content=text)
        done.append(number)
    except ToolError:
        failed = number
"""
    run = Run({}, Heuristic()).play(program)
    assert run.files == {"out/0.txt": "a", "out/1.txt": "b", "out/2.txt": "c"}
    assert run.variables()["done"] == [1, 2]


def test_the_next_reply_continues_after_the_folder_is_made() -> None:
    run = Run({}, Heuristic())
    run.play('report = "r"\nfs.write_file(path="out/a.txt", content=report)\n')
    assert run.error is not None
    run.error = None
    run.play(REST)
    assert run.files == {"out/a.txt": "r", "b.txt": "b"}


@pytest.mark.parametrize("replace", ["reply", "block"])
def test_queued_blocks_still_run_once(replace: ReplaceBoundary) -> None:
    run = Run({}, Heuristic(replace), replace=replace).play(
        FAILS + REST, 'fs.write_file(path="c.txt", content="c")'
    )
    assert [call["arguments"]["path"] for call in run.calls] == [
        "out/a.txt", "out", "out/a.txt", "b.txt", "c.txt",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rest",
    [
        'fs.create_directory(path="out")\nfs.write_file(path="out/a.txt", content=report)\n',
        'fs.read_text_file(path="a.txt")\n' + REST,
        'def run():\n    fs.write_file(path="b.txt", content="b")\nrun()\n',
        'count = [0]\nfor _ in range(2):\n    fs.write_file(path="b.txt", content="b")\n',
        'x = [1]\nx.append(x.pop()) or fs.write_file(path="b.txt", content="b")\n',
    ],
    ids=["repairs itself", "another call between", "function", "unnamed list", "side effect"],
)
def test_where_the_rest_is_uncertain_the_program_goes_on_unchanged(rest: str) -> None:
    run = Run({"a.txt": ""}, Heuristic()).play(FAILS + rest)
    assert run.error is None
    kinds = run.realized
    if "read_text_file" in rest:
        assert kinds.count("replace") == 1
    else:
        assert set(kinds) == {"keep"}


def test_nothing_is_replaced_outside_the_full_scope() -> None:
    run = Run({}, Heuristic(), scope="arg").play(FAILS + REST)
    assert set(run.realized) == {"keep"}


@pytest.mark.parametrize(
    ("tool", "text", "parent"),
    [
        ("write_file", "Parent directory does not exist: /w/a", "/w/a"),
        ("move_file", "Parent directory does not exist: /w/a b", "/w/a b"),
        ("write_file", "ENOENT: no such file or directory, open '/w/it's/x'", "/w/it's"),
        ("edit_file", "ENOENT: no such file or directory, open '/w/a/x'", None),
        ("read_text_file", "ENOENT: no such file or directory, open '/w/a/x'", None),
        ("move_file", "ENOENT: no such file or directory, rename '/w/x' -> '/w/a/x'", None),
        ("write_file", "EISDIR: illegal operation on a directory, open '/w/a'", None),
    ],
)
def test_only_an_error_that_is_sure_to_mean_it_names_a_folder(
    tool: str, text: str, parent: str | None
) -> None:
    call = {"tool": tool, "observation": text, "is_error": True}
    assert missing_parent(call) == parent
    assert missing_parent({**call, "is_error": False}) is None
