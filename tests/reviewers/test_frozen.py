"""Frozen operations come from a file, at the state that they were recorded in."""

import json
from pathlib import Path

import pytest

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError
from controlscope.operations import Keep, PatchArguments, Replace
from reviewers.frozen import Frozen
from tests.reviewers.stand_in import Run

FILES = {"a": "A", "b": "B", "c": "C"}
PROGRAM = "x = [fs.read_text_file(path='a'), fs.read_text_file(path='b')]\n"
PATCH: JsonObject = {"boundary": 1, "operation": "patch", "arguments": {"path": "c"}}
REPLACE: JsonObject = {"boundary": 0, "operation": "replace", "code": "x = 'new'"}


def test_an_operation_is_given_at_its_boundary_and_keep_elsewhere() -> None:
    run = Run(dict(FILES), Frozen([PATCH])).play(PROGRAM)
    assert run.operations == [Keep(), PatchArguments({"path": "c"})]
    assert run.variables()["x"] == ["A", "C"]


def test_a_file_is_read_like_a_list(tmp_path: Path) -> None:
    file = tmp_path / "operations.json"
    file.write_text(json.dumps([REPLACE]))
    run = Run(dict(FILES), Frozen(file)).play(PROGRAM)
    assert run.operations == [Replace("x = 'new'")]
    assert run.variables()["x"] == "new"


def test_a_recorded_state_is_found_again_and_another_state_is_a_divergence() -> None:
    recorded = Run(dict(FILES)).play(PROGRAM).boundaries[1].state_key
    entry = {**PATCH, "state_key": recorded}
    assert Run(dict(FILES), Frozen([entry])).play(PROGRAM).realized == ["keep", "patch"]
    other = Run({**FILES, "a": "changed"}, Frozen([entry])).play(PROGRAM)
    assert other.error is not None
    assert other.error.startswith(
        f"InfrastructureError: replay_divergence: boundary 1: expected state {recorded}, got "
    )
    assert issubclass(InfrastructureError, Exception)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"operation": "keep"}, "boundary: Field required"),
        ({"boundary": "1", "operation": "keep"}, "boundary: Input should be a valid integer"),
        ({"boundary": -1, "operation": "keep"}, "boundary: Input should be greater than"),
        ({"boundary": 1, "operation": "keep", "state_key": "ab"}, "state_key: String should match"),
        ({"boundary": 1, "operation": "delete"}, "an operation is"),
        ({"boundary": 1, "operation": "patch"}, "an operation is"),
        ({"boundary": 1, "operation": "keep", "note": "x"}, "an operation is"),
        ("keep", "Input should be a valid dictionary"),
        (PATCH, "boundary 1 is named twice"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file(
    tmp_path: Path, entry: object, complaint: str
) -> None:
    file = tmp_path / "operations.json"
    file.write_text(json.dumps([PATCH, entry]))
    with pytest.raises(InputError) as failure:
        Frozen(file)
    assert str(failure.value).startswith(f"{file}: entry 1: {complaint}")


@pytest.mark.parametrize("text", ["{}", "[", '"x"'])
def test_a_file_that_is_no_list_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "operations.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"operations\.json"):
        Frozen(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json"):
        Frozen(tmp_path / "gone.json")
