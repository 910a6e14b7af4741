import json
import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.canonical import MAX_DEPTH, digest, digest_bytes, encode, problem_of
from tests.controlscope.json_values import OBJECTS, TEXTS, VALUES, nested


def _reordered(value: Any, random: Any) -> Any:
    if isinstance(value, dict):
        items = [(key, _reordered(part, random)) for key, part in value.items()]
        random.shuffle(items)
        return dict(items)
    return [_reordered(part, random) for part in value] if isinstance(value, list) else value


@given(VALUES)
def test_any_json_value_survives_a_round_trip(value: Any) -> None:
    again = json.loads(encode(value))
    assert again == value
    assert encode(again) == encode(value)


@given(VALUES)
def test_the_encoding_is_one_line_of_ascii(value: Any) -> None:
    text = encode(value)
    assert text.isascii()
    assert "\n" not in text


@given(OBJECTS, st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_nothing(value: Any, random: Any) -> None:
    shuffled = _reordered(value, random)
    assert encode(shuffled) == encode(value)
    assert digest(shuffled) == digest(value)


@given(VALUES, VALUES)
def test_two_values_have_one_digest_only_if_they_have_one_encoding(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (encode(one) == encode(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (1, True), (0, False), ("1", 1), (None, "null"), ([], {}), ("é", "e\u0301")],
)
def test_what_json_tells_apart_has_another_digest(one: Any, other: Any) -> None:
    assert digest(one) != digest(other)


@pytest.mark.parametrize("text", ["\ud800", "a\ud83db", "\udc00\ud800"])
def test_a_lone_surrogate_survives_a_round_trip(text: str) -> None:
    assert json.loads(encode(text)) == text
    assert problem_of(text) is None


def test_two_surrogates_in_a_row_have_the_form_of_the_character_they_spell() -> None:
    assert encode("\ud83d\ude00") == encode("\U0001f600")


@given(TEXTS)
def test_a_key_is_as_free_as_a_text(text: str) -> None:
    assert json.loads(encode({text: text})) == {text: text}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_without_a_json_form_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode([value])
    assert "no JSON form" in (problem_of({"a": [value]}) or "")


@pytest.mark.parametrize(
    "value",
    [{1}, b"x", object(), 10**5000, {("a",): 1}, {1: 0, "a": 0}],
    ids=["set", "bytes", "object", "endless integer", "tuple as key", "mixed keys"],
)
def test_a_value_that_is_no_json_has_a_problem_in_one_line(value: Any) -> None:
    problem = problem_of([value])
    assert problem is not None
    assert problem.startswith("it has no JSON form: ")
    assert "\n" not in problem


@given(VALUES)
def test_any_json_value_has_no_problem(value: Any) -> None:
    assert problem_of(value) is None


def test_nesting_is_taken_up_to_the_limit_and_no_deeper() -> None:
    assert problem_of(nested(MAX_DEPTH)) is None
    assert json.loads(encode(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    assert problem_of(nested(MAX_DEPTH + 1)) == f"it is nested deeper than {MAX_DEPTH} levels"


def test_nesting_of_10_000_levels_and_a_list_that_holds_itself_are_told_and_not_followed() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for value in (nested(10_000), endless, {"a": {"b": nested(10_000)}}):
        assert "nested deeper" in (problem_of(value) or "")


def test_digests_do_not_depend_on_the_hash_seed_or_the_locale() -> None:
    code = (
        "from controlscope.canonical import digest;"
        "print(digest({k: k for k in {'ä', 'b', 'blob', '\\ud800', 'z' * 50}}))"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(digests) == 1


def test_a_digest_is_the_sha256_of_the_canonical_text() -> None:
    assert digest({"b": 1, "a": [True, None]}) == digest_bytes(b'{"a":[true,null],"b":1}')
    assert digest_bytes(b"").startswith("e3b0c44298fc1c149afbf4c8996fb924")
