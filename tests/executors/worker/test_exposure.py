import collections
import json
import types
from typing import Any, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.worker.exposure import exact_arguments, show
from tests.executors.worker.programs import a_worker, ended, paused, run, text

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(), part, max_size=4),
    max_leaves=20,
)  # fmt: skip


def shown(**module: Any) -> dict[str, Any]:
    return show({}, module, frozenset())


@given(value=json_values)
def test_a_json_value_is_shown_as_it_is_and_encodes_exactly(value: Any) -> None:
    found = shown(x=value)
    assert found == {"block": {}, "module": {"x": value}, "unexposed": []}
    assert json.loads(json.dumps(found["module"]["x"], allow_nan=False)) == value
    assert exact_arguments({"x": value}, 1 << 20) == {"x": value}


@given(names=st.permutations(list("abcdefgh")))
def test_what_is_shown_does_not_depend_on_the_order_of_assignment(names: list[str]) -> None:
    # Six of eight fit the whole budget, and it must be the same six.
    found = shown(**{name: name * 190_000 for name in names})
    assert list(found["module"]) == list("abcde")
    assert found["unexposed"] == ["f", "g", "h"]


class Mine(dict[str, int]):
    pass


@pytest.mark.parametrize(
    "value",
    [
        {1, 2}, frozenset(), b"bytes", 1j, float("nan"), float("-inf"), 1 << 5000, {1: 2},
        {None: 1},
        Mine(a=1), collections.Counter("a"), collections.OrderedDict(a=1), iter(()),
        "a" * 300_000, [[0] * 1000] * 200, object(), range(3),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_has_no_exact_form_or_is_too_large_is_named_unexposed(value: Any) -> None:
    assert shown(a=1, x=[value], z=2) == {
        "block": {},
        "module": {"a": 1, "z": 2},
        "unexposed": ["x"],
    }


def test_code_and_names_of_the_interpreter_are_no_data() -> None:
    found = shown(
        __name__="__main__", __doc__=None, math=json, f=len, g=shown, C=Mine, T=Optional,
        U=int | str,
        G=list[int], E=types.SimpleNamespace, x=1,
    )  # fmt: skip
    assert found == {"block": {}, "module": {"x": 1}, "unexposed": []}


def test_a_value_that_holds_itself_is_unexposed() -> None:
    loop: list[Any] = []
    loop.append(loop)
    knot: dict[str, Any] = {}
    knot["self"] = [knot]
    assert shown(loop=loop, knot=knot)["unexposed"] == ["knot", "loop"]


def test_a_shared_part_is_counted_each_time_it_is_written() -> None:
    bomb: list[Any] = ["x" * 1000]
    for _ in range(20):
        bomb = [bomb, bomb]
    assert shown(bomb=bomb) == {"block": {}, "module": {}, "unexposed": ["bomb"]}


def test_tuples_are_shown_as_lists_and_refused_as_arguments() -> None:
    assert shown(x=(1, ("a",)))["module"] == {"x": [1, ["a"]]}
    with pytest.raises(TypeError, match="argument x: a tuple has no JSON form; use a list"):
        exact_arguments({"x": (1,)}, 1000)


def test_names_without_number_end_in_one_mark() -> None:
    found = shown(**{f"n{number:05}": set() for number in range(12_000)})
    assert len(found["unexposed"]) == 10_001
    assert "..." in found["unexposed"]


@pytest.mark.anyio
async def test_hostile_objects_run_no_code_at_a_pause() -> None:
    async with a_worker() as worker:
        code = """
            ran = []
            def note(*_): ran.append("ran"); raise SystemExit
            class Hostile:
                __class__ = property(note)
                __repr__ = __str__ = __eq__ = __len__ = __iter__ = __getattribute__ = note
                __hash__ = object.__hash__
                __del__ = __bool__ = __reduce__ = __format__ = note
            class Meta(type):
                __eq__ = __instancecheck__ = __subclasscheck__ = __getattribute__ = note
                __hash__ = type.__hash__
            class Odd(metaclass=Meta): pass
            class Text(str):
                __eq__ = __len__ = note
                __hash__ = str.__hash__
            h, o, t, both = Hostile(), Odd(), Text("x"), [Hostile()]
            keyed = {h: 1}
            globals()[Text("name")] = 1
            result = fs.read(path="a")
            """
        pause = paused(await run(worker, code))
        assert pause.variables.module == {"ran": []}
        assert pause.variables.unexposed == ("both", "h", "keyed", "o", "t")
        assert ended(await worker.resume(text("ok"))).error is None


@pytest.mark.anyio
async def test_lone_surrogates_in_arguments_variables_and_answers_survive() -> None:
    async with a_worker() as worker:
        pause = paused(await worker.run("x = 'a\\udcff'\nx = fs.read(path=x)"))
        assert pause.pending.arguments == {"path": "a\udcff"}
        assert pause.variables.module == {"x": "a\udcff"}
        end = ended(await worker.resume(text("b\udcfe")))
        assert end.error is None
        assert ended(await worker.run("print(x == 'b\\udcfe', x)")).printed == "True b\\udcfe\n"
