"""What the view `code_only` hides, and that a view which hid less would be caught."""

from dataclasses import replace

import pytest

from controlscope.boundaries import Boundary, History, Variables
from reviewers.record import public_record
from reviewers.views import leaks
from tests.controlscope.pausing import boundary_at

CODE = 'text = fs.read(path="known")\nfs.read(path=text.strip())\n'


def _boundary() -> Boundary:
    before = {"kind": "result", "block": "call_00", "content": "told earlier", "error": None}
    reply = {"kind": "reply", "text": "I go on.", "blocks": [{"id": "call_01", "code": CODE}]}
    call = {
        "kind": "call",
        "tool": "read",
        "arguments": {"path": "known"},
        "observation": 'an "answer"\n',
        "is_error": False,
    }
    paused = boundary_at('fs.read(path="secret-path")\n', printed="printed text\n")
    return replace(
        paused,
        block=replace(paused.block, code=CODE),
        history=History() + before + reply + call,
        variables=Variables({"inner": "of a function"}, {"text": "told earlier", "n": 123456}, ()),
    )


HIDDEN = ["123456", 'an "answer"', "inner", "of a function", "printed text", "secret-path"]


def test_code_only_holds_what_was_known_when_the_reply_was_generated() -> None:
    boundary = _boundary()
    shown = public_record(boundary.seen("code_only"), show_budget=True)
    assert leaks(boundary, shown) == []
    for text in ("told earlier", "I go on.", CODE, "fs.read"):
        assert text in shown


def test_with_feedback_is_the_whole_record_and_tells_all_that_the_other_hides() -> None:
    boundary = _boundary()
    assert boundary.seen("with_feedback") == boundary
    assert leaks(boundary, public_record(boundary, show_budget=True)) == HIDDEN


@pytest.mark.parametrize(
    ("part", "leaked"),
    [
        ("history", ['an "answer"']),
        ("pending", []),
        ("printed", []),
    ],
)
def test_a_view_that_forgot_a_part_is_caught_where_the_record_shows_it(
    part: str, leaked: list[str]
) -> None:
    boundary = _boundary()
    forgetful = replace(boundary.seen("code_only"), **{part: getattr(boundary, part)})
    # The record itself leaves arguments and output out of this view: both would have to fail.
    assert leaks(boundary, public_record(forgetful, show_budget=True)) == leaked
    as_shown = replace(forgetful, view="with_feedback")
    assert leaks(boundary, public_record(as_shown, show_budget=True)) != []
