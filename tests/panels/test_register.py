import copy
import json
from pathlib import Path
from typing import Any

import pytest

from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError
from panels.register import Standing, compare, read_registration, register
from panels.spec import Panel, load_panel
from panels.spec_file import ResolvedSpec
from panels.toml import dump_toml

PRIMARY = ("full", "keep")
STOPPING = "all assigned runs are scored"
SPEC = """
name = "small"
suite = "filesystem"
tasks = ["desktop/music_report", "papers/find_math_paper"]
reviewer = "heuristic"
[conditions.keep]
scope = "keep"
[conditions.arg]
scope = "arg"
[conditions.full]
scope = "full"
"""


def _panel(tmp_path: Path, text: str = SPEC) -> Panel:
    path = tmp_path / "spec.toml"
    path.write_text(text)
    return load_panel(path)


@pytest.fixture
def spec(tmp_path: Path) -> JsonObject:
    return _panel(tmp_path).resolved()


def test_each_part_and_the_whole_have_a_hash(spec: JsonObject) -> None:
    exclusions = {"desktop/other": "it forbids code"}
    document = register(spec, exclusions, PRIMARY, STOPPING)
    assert document["hashes"] == {
        "spec": digest(spec),
        "exclusions": digest(exclusions),
        "primary": digest(["full", "keep"]),
        "stopping": digest(STOPPING),
    }
    assert document["hash"] == digest([1, document["hashes"]])


def test_the_order_of_exclusions_does_not_matter_and_every_part_does(spec: JsonObject) -> None:
    reasons = {"a/b": "one", "a/c": "two"}
    turned = dict(reversed(reasons.items()))
    first = register(spec, reasons, PRIMARY, STOPPING)
    assert json.dumps(first) == json.dumps(register(spec, turned, PRIMARY, STOPPING))
    others = [
        register({**spec, "seed": 8}, reasons, PRIMARY, STOPPING),
        register(spec, {"a/b": "one"}, PRIMARY, STOPPING),
        register(spec, reasons, ("arg", "keep"), STOPPING),
        register(spec, reasons, PRIMARY, "after ten tasks"),
    ]
    assert len({document["hash"] for document in (first, *others)}) == 5


@pytest.mark.parametrize(
    ("exclusions", "primary", "stopping", "problem"),
    [
        ({}, ("full", "sham"), STOPPING, "no condition 'sham'; it has keep, arg, full"),
        ({}, ("full", "full"), STOPPING, "full is compared with itself"),
        ({"desktop/music_report": "hard"}, PRIMARY, STOPPING, "the spec assigns desktop/music"),
        ({"desktop/other": " "}, PRIMARY, STOPPING, "desktop/other has no reason"),
        ({}, PRIMARY, "\n", "stopping: say when"),
    ],
)
def test_what_cannot_be_registered_is_named(
    spec: JsonObject,
    exclusions: dict[str, str],
    primary: tuple[str, str],
    stopping: str,
    problem: str,
) -> None:
    with pytest.raises(InputError, match=problem):
        register(spec, exclusions, primary, stopping)


def test_the_primary_contrast_of_the_registered_panel_is_registered(spec: JsonObject) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    assert compare(document, spec, PRIMARY) == Standing("registered")
    assert compare(document, spec, ("keep", "full")) == Standing("registered")


def test_a_started_panel_read_back_is_still_the_registered_one(
    tmp_path: Path, spec: JsonObject
) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    path = tmp_path / "panel.toml"
    path.write_text(dump_toml(spec))
    started = load_panel(path, ResolvedSpec).resolved()
    assert compare(document, started, PRIMARY).status == "registered"


def test_other_contrasts_and_panels_without_a_registration_are_exploratory(
    spec: JsonObject,
) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    assert compare(document, spec, ("full", "arg")) == Standing("exploratory")
    assert compare(document, {**spec, "seed": 8}, ("full", "arg")) == Standing("exploratory")
    assert compare(None, spec, PRIMARY) == Standing("exploratory")


def test_a_deviation_is_named_by_its_keys(tmp_path: Path, spec: JsonObject) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    changed = SPEC.replace('scope = "full"', 'scope = "full"\nschedule = "once:0"')
    changed = changed.replace(', "papers/find_math_paper"', "").replace("[conditions.arg]", "")
    changed = changed.replace('scope = "arg"\n', "")
    found = compare(document, _panel(tmp_path, changed).resolved(), PRIMARY)
    assert found == Standing(
        "deviated",
        ("conditions.arg", "conditions.full.schedule", "contents.papers/find_math_paper", "tasks"),
    )


def test_what_was_added_to_a_panel_is_a_deviation_too(tmp_path: Path, spec: JsonObject) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    more = _panel(tmp_path, f'{SPEC}[conditions.late]\nscope = "arg"\n').resolved()
    assert compare(document, more, PRIMARY) == Standing("deviated", ("conditions.late",))


def test_the_content_of_a_task_belongs_to_the_registration(spec: JsonObject) -> None:
    document = register(spec, {}, PRIMARY, STOPPING)
    changed = copy.deepcopy(spec)
    changed["contents"]["desktop/music_report"] = digest("other files")
    found = compare(document, changed, PRIMARY)
    assert found == Standing("deviated", ("contents.desktop/music_report",))


def test_true_and_one_are_not_the_same_setting(spec: JsonObject) -> None:
    document = register({**spec, "seed": 1}, {}, PRIMARY, STOPPING)
    assert compare(document, {**spec, "seed": True}, PRIMARY).differences == ("seed",)


def test_a_registration_is_read_back_as_it_was(tmp_path: Path, spec: JsonObject) -> None:
    document = register(spec, {"a/b": "ä\ud800"}, PRIMARY, STOPPING)
    path = tmp_path / "registration.json"
    path.write_text(json.dumps(document, indent=2))
    assert read_registration(path) == document


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("stopping", "when it looks good"),
        ("primary", ["arg", "keep"]),
        ("exclusions", {"a/b": "hard"}),
        ("hash", "0" * 64),
        ("hashes", {}),
    ],
)
def test_an_altered_registration_is_refused(
    tmp_path: Path, spec: JsonObject, key: str, value: Any
) -> None:
    path = tmp_path / "registration.json"
    path.write_text(json.dumps({**register(spec, {}, PRIMARY, STOPPING), key: value}))
    with pytest.raises(InputError, match="it was altered") as refused:
        read_registration(path)
    assert str(refused.value).startswith(f"{path} is no registration: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "Expecting property name"),
        ("[]", "dictionary"),
        ("{}", "schema_version: Field required"),
        ('{"schema_version": 2}', "schema_version: Input should be 1"),
        ("[" * 100_000, "recursion"),
    ],
)
def test_what_is_no_registration_is_refused_in_one_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "registration.json"
    path.write_text(text)
    with pytest.raises(InputError, match=problem) as refused:
        read_registration(path)
    assert "\n" not in str(refused.value)


def test_a_registration_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"registration\.json does not exist"):
        read_registration(tmp_path / "registration.json")
