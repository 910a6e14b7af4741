"""A person reviews a real run at a real terminal."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.errors import InputError
from panels.spec import load_panel
from reviewers.human_screen import is_hidden, visible
from tests.reviewers.person import CLI, as_json, person

READ = 'text = fs.read_text_file(path="note.txt")\n'
WRITE = 'fs.write_file(path="answer.txt", content=text.upper())\n'
LIST = 'print(fs.list_directory(path="."))\n'


def test_keys_keep_or_quit_and_what_was_typed_ahead_decides_nothing(tmp_path: Path) -> None:
    with person(tmp_path, [READ + WRITE, LIST], "--scope", "full") as at:
        at.presses("k")
        first = at.decides("k")
        second = at.decides("q")
        decisions = at.decisions()
    assert "boundary 0, scope full, left: 100 calls, 100 planning turns" in first
    assert "Read `note.txt` and write its text in upper case" in first
    assert '▶ 1 text = fs.read_text_file(path="note.txt")\n' in first
    assert "  then call_01b, lines: 1\n" in first
    assert '  path: "note.txt"\n' in first
    assert "boundary 1" in second
    assert '  fs.read_text_file {"path": "note.txt"}\n    → The river is high today.\n' in second
    assert 'text = "The river is high today.\\n"' in second
    assert '▶ 2 fs.write_file(path="answer.txt", content=text.upper())\n' in second
    assert "content:\n    THE RIVER IS HIGH TODAY.\n" in second
    assert [(row["realized"], row["reason"]) for row in decisions] == [
        ("keep", ""),
        ("keep", "the person has quit reviewing"),
        ("keep", "the person has quit reviewing"),
    ]


def test_a_patch_is_edited_until_it_is_one_and_shown_before_it_is_applied(tmp_path: Path) -> None:
    edits = (
        "{\n  'path': 1\n}",
        as_json(content="A"),
        as_json(path=7, content="A"),
        as_json(path="answer.txt", content="BY HAND\nTWICE\n"),
    )
    with person(tmp_path, [READ + WRITE], "--scope", "arg", edits=edits) as at:
        # Not offered, so no decision.
        assert "r  replace" not in at.decides("r")
        at.presses("k")
        at.decides("p")
        bad = at.sees("go back")
        at.presses("e")
        at.sees("a patch changes or adds arguments and takes none away: path")
        at.sees("go back")
        at.presses("e")
        at.sees("path: 7 is not of type 'string'")
        at.sees("go back")
        at.presses("e")
        shown = at.sees("go back")
        at.presses("y")
        decisions, calls = at.decisions(), at.calls()
        assert at.seen_by_the_editor(1) == edits[0]
    assert "▶ 2   'path': 1\n" in bad
    assert "this is not valid JSON: Expecting property name" in bad
    assert "  -THE RIVER IS HIGH TODAY.\n  +BY HAND\n  +TWICE\n" in shown
    assert "path\n" not in shown
    assert [row["realized"] for row in decisions] == ["keep", "patch"]
    assert decisions[1]["operation"] == {
        "operation": "patch",
        "arguments": {"content": "BY HAND\nTWICE\n"},
    }
    assert calls[1] == ("write_file", {"path": "answer.txt", "content": "BY HAND\nTWICE\n"})


def test_calls_of_the_rest_of_the_block_are_changed_together(tmp_path: Path) -> None:
    site = {"tool": "write_file", "line": 2, "column": 0}
    pending = {"tool": "read_text_file", "line": 1, "column": 7}
    given = {"arguments": {"path": "note.txt"}, **pending}
    edits = (
        json.dumps([given, {**site, "arguments": {}}]),
        json.dumps([given, {**site, "line": 9, "arguments": {"content": "C"}}]),
        json.dumps(
            [
                {**pending, "arguments": {"path": "note.txt", "head": 1}},
                {**site, "arguments": {"path": "answer.txt", "content": "BY HAND"}},
            ]
        ),
    )
    with person(tmp_path, [READ + WRITE], edits=edits, v2=True) as at:
        assert "c  calls" in at.decides("c")
        at.sees("a patch changes or adds arguments and takes none away: path")
        at.sees("go back")
        at.presses("e")
        at.sees("line 9, column 0 is no call of write_file in the rest of the block")
        at.sees("go back")
        at.presses("e")
        shown = at.sees("go back")
        at.presses("y")
        at.decides("k")
        decisions, calls = at.decisions(), at.calls()
        assert json.loads(at.seen_by_the_editor(0)) == [
            given, {**site, "arguments": {"path": "answer.txt"}},
        ]  # fmt: skip
    assert "content of write_file, line 2\n" in shown
    assert "+BY HAND" in shown
    assert [row["realized"] for row in decisions] == ["parameters", "keep"]
    assert calls[0] == ("read_text_file", {"path": "note.txt", "head": 1})
    assert calls[1] == ("write_file", {"path": "answer.txt", "content": "BY HAND"})


def test_a_change_that_is_refused_at_its_diff_leaves_the_run_alone(tmp_path: Path) -> None:
    edits = (as_json(path="other.txt"),)
    with person(tmp_path, [READ + WRITE], "--scope", "arg", edits=edits) as at:
        at.decides("p")
        assert "  -note.txt\n  +other.txt\n" in at.sees("go back")
        at.presses("n")
        assert '▶ 1 text = fs.read_text_file(path="note.txt")\n' in at.decides("q")
        decisions = at.decisions()
    assert [row["realized"] for row in decisions] == ["keep", "keep"]


@pytest.mark.parametrize(("boundary", "rest"), [("reply", "\n" + LIST), ("block", "")])
def test_a_replacement_starts_from_what_it_stands_in_for(
    tmp_path: Path, boundary: str, rest: str
) -> None:
    edits = ("if\n", "print(text[:9])\n")
    options = ("--scope", "full", "--replace", boundary)
    with person(tmp_path, [READ + WRITE, LIST], *options, edits=edits) as at:
        at.decides("k")
        at.decides("r")
        bad = at.sees("go back")
        at.presses("e")
        shown = at.sees("go back")
        at.presses("y")
        decisions, calls = at.decisions(), at.calls()
        assert at.seen_by_the_editor(0) == WRITE + rest
    assert "▶ 1 if\n" in bad
    assert "this does not parse: invalid syntax" in bad
    assert f"-{WRITE}" in shown
    assert "+print(text[:9])\n" in shown
    assert (f"-{LIST}" in shown) is (boundary == "reply")
    assert decisions[1]["operation"] == {"operation": "replace", "code": edits[1]}
    assert [row["realized"] for row in decisions] == ["keep", "replace"]
    # The queued block is lost where replacing ends the reply.
    listed = ["list_directory"] if boundary == "block" else []
    assert [tool for tool, _ in calls] == ["read_text_file", *listed]


def test_what_is_left_as_it_was_is_no_change_and_all_can_be_shown(tmp_path: Path) -> None:
    note = "".join(f"line {number}\n" for number in range(40))
    with person(tmp_path, [READ + WRITE], "--scope", "full", note=note) as at:
        at.decides("k")
        assert "LINE 39" not in at.decides("p")
        assert "LINE 39" not in at.decides("a")
        assert "LINE 39" in at.decides("q")
        assert [row["realized"] for row in at.decisions()] == ["keep", "keep"]


def test_what_a_terminal_would_obey_or_hide_is_shown_as_escapes(tmp_path: Path) -> None:
    note = "\x1b[2J\x07[red]wipe[/red]\x9b1A\u202e\u200b\n"
    code = READ + "print(text)\n" + WRITE
    with person(tmp_path, [code], "--scope", "full", note=note) as at:
        at.decides("k")
        screen = at.decides("a")
        everything = screen + at.decides("q")
        assert len(at.decisions()) == 2
    assert {char for char in everything if is_hidden(char)} == set()
    assert r"\x1b[2J\x07[red]wipe[/red]\x9b1A\u202e\u200b" in screen
    assert r"\x1b[2J\x07[RED]WIPE[/RED]\x9b1A\u202e\u200b" in screen


def test_an_editor_that_fails_changes_nothing(tmp_path: Path) -> None:
    with person(tmp_path, [READ + WRITE], "--scope", "arg") as at:
        at.sees("quit reviewing")
        (tmp_path / "my editor.sh").unlink()
        at.presses("p")
        assert "exit status 127; VISUAL or EDITOR names another" in " ".join(
            at.sees("go back").split()
        )
        at.presses("n")
        at.decides("q")
        assert [row["realized"] for row in at.decisions()] == ["keep", "keep"]


def test_an_interrupt_ends_the_run_and_gives_the_terminal_back(tmp_path: Path) -> None:
    with person(tmp_path, [READ + WRITE], "--scope", "full") as at:
        at.sees("quit reviewing")
        assert not at.echoes()
        at.presses("\x03")
        status, error = at.finishes()
        assert status == 130
        assert "Traceback" not in error
        assert at.echoes()


def test_standard_input_will_do_where_no_terminal_controls_the_process(tmp_path: Path) -> None:
    with person(tmp_path, [READ + WRITE], "--scope", "arg", controlling=False) as at:
        at.decides("q")
        assert len(at.decisions()) == 2


def test_without_a_terminal_nothing_starts(tmp_path: Path) -> None:
    run = [str(CLI), "run", "filesystem/papers/find_math_paper", "--scope", "full"]
    done = subprocess.run(
        [*run, "--reviewer", "human", "--out", "RUN"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
    )
    line = "controlscope: the reviewer human needs a terminal, and here is none\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    assert list(tmp_path.iterdir()) == []


def test_a_panel_has_no_person(tmp_path: Path) -> None:
    spec = tmp_path / "panel.toml"
    spec.write_text(
        'name = "by_hand"\nsuite = "filesystem"\nreviewer = "human"\n'
        '[conditions.full]\nscope = "full"\n'
    )
    with pytest.raises(InputError, match="a person reviews one run at a time"):
        load_panel(spec)


@given(st.text())
def test_a_shown_text_hides_nothing_and_leaves_the_rest_as_it_was(text: str) -> None:
    shown = visible(text)
    escaped = [char for char in shown.plain if is_hidden(char)]
    assert escaped == []
    kept, end = "", 0
    for span in shown.spans:
        kept, end = kept + shown.plain[end : span.start], span.end
    assert kept + shown.plain[end:] == "".join(char for char in text if not is_hidden(char))
