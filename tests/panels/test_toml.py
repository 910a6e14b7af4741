import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator

from controlscope.errors import InputError
from panels.toml import Strict, dump_toml, read_text, read_toml


class _Inner(Strict):
    scope: str
    count: int = Field(default=1, ge=0)


class _File(Strict):
    name: str
    seed: int = 0
    inner: _Inner | None = None
    conditions: dict[str, _Inner] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_name_is_bad(self) -> "_File":
        if self.name == "bad":
            raise ValueError("bad is no name")
        return self


def _problem(tmp_path: Path, text: str | bytes) -> str:
    path = tmp_path / "file.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as refused:
        read_toml(path, _File)
    message = str(refused.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


def test_a_right_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text('name = "ä"\n[conditions.a]\nscope = "x"\n')
    assert read_toml(path, _File) == _File(name="ä", conditions={"a": _Inner(scope="x")})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('name = "a"\nsed = 1\n', ":2: sed: unknown key (known: conditions, inner, name, seed)"),
        ("\n\nseed = 1\n", ":1: name: Field required"),
        ('name = "a"\nseed = "1"', ":2: seed: Input should be a valid integer"),
        ('name = "a"\nseed = true', ":2: seed: Input should be a valid integer"),
        ('name = "a"\nseed = 1.0', ":2: seed: Input should be a valid integer"),
        ('name = "a"\n\n"seed" = 1979-05-27', ":3: seed: Input should be a valid integer"),
        ("'name' = 7", ":1: name: Input should be a valid string"),
        ('# seed = 1\nname = "seed = 1"\nseed = []', ":3: seed: Input should be a valid integer"),
        ('name = "a"\n[inner]\ncount = 2\n', ":2: inner.scope: Field required"),
        ('name = "a"\n[inner]\nscope = "x"\ncount = -1', ":4: inner.count: Input should be"),
        ('name = "a"\ninner = {scope = "x", count = -1}', ":2: inner.count: Input should be"),
        ('name = "a"\ninner.scope = "x"\ninner.more = 1', ":3: inner.more: unknown key"),
        ('name = "a"\r\n\r\nseed = "x"\r\n', ":3: seed: Input should be a valid integer"),
        ('name = "\u2028\x85"\nseed = "x"\n', ":2: seed: Input should be a valid integer"),
        ('name = "bad"', ":1: bad is no name"),
        (
            'name = "a"\n[conditions.a]\ncount = 2\n[conditions.b]\nscope = "x"\n',
            ":2: conditions.a.scope: Field required",
        ),
        (
            'name = "a"\n[conditions.a]\nscope = "x"\n[conditions.b]\nscope = 1\n',
            ":5: conditions.b.scope: Input should be a valid string",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_its_key(
    tmp_path: Path, text: str, problem: str
) -> None:
    assert _problem(tmp_path, text).startswith(problem)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name = a", "(at line 1, column 8)"),
        ('name = "a"\nname = "b"\n', "(at line 2, column 11)"),
        ('name = "a"\n[inner', "(at "),
        ('name = "a\x00"', "(at line 1, column 10)"),
        ("seed = 2026-13-01", "(at line 1"),
    ],
)
def test_what_is_no_toml_is_named_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    assert place in _problem(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [b"\xff\xfe", b"seed = " + b"[" * 10_000, b"seed = " + b"9" * 5_000],
    ids=["no UTF-8", "deep", "a long integer"],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: bytes) -> None:
    assert _problem(tmp_path, text)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml does not exist"):
        read_toml(tmp_path / "none.toml", _File)
    with pytest.raises(InputError, match=f"{tmp_path} cannot be read"):
        read_toml(tmp_path, _File)


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(b'\xef\xbb\xbfname = "a"\n')
    assert read_text(path) == 'name = "a"\n'
    assert read_toml(path, _File).name == "a"


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_PLAIN = _TEXT | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e9, 1e9).map(abs)
_VALUES = st.recursive(
    _PLAIN | st.lists(_PLAIN, max_size=3),
    lambda inner: st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(_TEXT | st.sampled_from(["a/b", "a.b", "a", "", "ä"]), _VALUES, max_size=4))
def test_any_table_comes_back_from_its_text(table: dict[str, Any]) -> None:
    text = dump_toml(table)
    assert text.isascii()
    assert tomllib.loads(text) == table


def test_values_come_before_tables_in_the_given_order() -> None:
    table = {
        "b": {"task/one": "x", "inner": {"n": 1}},
        "a": 1,
        "c": {},
        "list": ["x", "y"],
    }
    assert dump_toml(table) == (
        'a = 1\nlist = ["x", "y"]\n\n[b]\n"task/one" = "x"\n\n[b.inner]\nn = 1\n\n[c]\n'
    )
