import ast
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlscope.continuations import (
    CallSite,
    Position,
    Site,
    literal_arguments,
    parse_block,
    rest_of_block,
    site_of,
    sites_ahead,
)
from tests.controlscope.pausing import run

UNKNOWN = Site(known=False, module_level=False, straight=False, unique=False)
STRAIGHT = (True, True)
MODULE = (True, False)
INNER = (False, False)

SAMPLES: dict[str, tuple[str, list[tuple[bool, bool]]]] = {
    "plain": ('t = fs.read(path="a")', [STRAIGHT]),
    "a bare statement": ('fs.write(path="a", content="")', [STRAIGHT]),
    "nested in another call": ('print(len(fs.read(path="a")))', [STRAIGHT]),
    "two on a line": ('fs.read(path="a"); fs.read(path="b")', [STRAIGHT, STRAIGHT]),
    "one inside the other": ('fs.read(path=fs.read(path="a"))', [STRAIGHT, STRAIGHT]),
    "over lines": ('t = fs.read(\n    path="a",\n)', [STRAIGHT]),
    "a chain over lines": ('t = (\n    fs\n    .read(path="a")\n)', [STRAIGHT]),
    "a backslash": ('t = fs.\\\n  read(path="a")', [STRAIGHT]),
    "a method of the answer over lines": ('t = fs.read(path="a").strip(\n)', [STRAIGHT]),
    "spaces around the dot": ('t = fs . read ( path = "a" )', [STRAIGHT]),
    "text before it on the line": ('é = "äö😀"; t = fs.read(path=é)', [STRAIGHT]),
    "a tab before it": ('t =\tfs.read(path="a")', [STRAIGHT]),
    "a form feed": ('\fx = 1; t = fs.read(path="a")\f', [STRAIGHT]),
    "carriage returns": ('x = 1\r\nt = fs.read(\r\n    path="a")\r\n', [STRAIGHT]),
    "lone carriage returns": ('x = 1\rt = fs.read(path="a")\r', [STRAIGHT]),
    "a formatted text": ("t = f\"{fs.read(path='a')} {fs.read(path='b')}\"", [STRAIGHT] * 2),
    "a formatted text over lines": ("t = f'''é\n{fs.read(path=1)}\n'''", [STRAIGHT]),
    "assigned in passing": ('print(t := fs.read(path="a"))', [STRAIGHT]),
    "an argument list": ('x = ["a"]\nfs.read(**{"path": x[0]})', [STRAIGHT]),
    "a for": ('for p in "ab":\n    fs.read(path=p)', [MODULE, MODULE]),
    "what a for goes over": ('for c in fs.read(path="a"):\n    pass', [MODULE]),
    "an else of a for": ('for p in []:\n    pass\nelse:\n    fs.read(path="p")', [MODULE]),
    "a while": ("n = 2\nwhile n:\n    fs.read(path=str(n)); n -= 1", [MODULE, MODULE]),
    "an if": ('if True:\n    fs.read(path="a")', [MODULE]),
    "the question of an if": ('if fs.read(path="a"):\n    pass', [MODULE]),
    "an inline if": ('t = 0 if False else fs.read(path="a")', [MODULE]),
    "an or": ('t = "" or fs.read(path="a")', [MODULE]),
    "a try": ('try:\n    fs.read(path="a")\nfinally:\n    fs.read(path="b")', [MODULE] * 2),
    "an except": ('try:\n    1 / 0\nexcept Exception:\n    fs.read(path="a")', [MODULE]),
    "an except star": ('try:\n    fs.read(path="a")\nexcept* OSError:\n    pass', [MODULE]),
    "a with": (
        'from contextlib import nullcontext as n\nwith n(fs.read(path="a")):\n    fs.read(path=1)',
        [MODULE, MODULE],
    ),
    "a match": ('match 1:\n    case 1:\n        fs.read(path="a")', [MODULE]),
    "a list comprehension": ('t = [fs.read(path=p) for p in "ab"]', [MODULE, MODULE]),
    "a set comprehension": ('t = {fs.read(path=p) for p in "a"}', [MODULE]),
    "a dict comprehension": ('t = {p: fs.read(path=p) for p in "é"}', [MODULE]),
    "a generator": ('t = list(fs.read(path=p) for p in "ab")', [MODULE, MODULE]),
    "a function": ('def f():\n    return fs.read(path="a")\nf()', [INNER]),
    "a default": ('def f(x=fs.read(path="a")):\n    return x', [INNER]),
    "a lambda": ('f = lambda: fs.read(path="a")\nf(); f()', [INNER, INNER]),
    "a class": ('class A:\n    t = fs.read(path="a")', [INNER]),
    "a method": (
        'class A:\n    def m(self):\n        return fs.read(path="a")\nA().m()',
        [INNER],
    ),
    "a coroutine": (
        'import asyncio\nasync def f():\n    return fs.read(path="a")\nasyncio.run(f())',
        [INNER],
    ),
    "a loop in a function": (
        'def f():\n    for p in "ab":\n        fs.read(path=p)\nf()',
        [INNER, INNER],
    ),
    "under another name": ('r = fs.read\nt = r(path="a")', [MODULE]),
    "through getattr": ('t = getattr(fs, "read")(path="a")', [MODULE]),
    "through a partial": (
        'from functools import partial\nr = partial(fs.read, path="a")\nr()',
        [MODULE],
    ),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_reported_call_is_found_in_the_text_and_described(name: str) -> None:
    code, expected = SAMPLES[name]
    calls = run(code, {})
    sites = [site_of(code, call.position, "fs", hits=0) for call in calls]
    assert all(site.known for site in sites)
    assert [(site.module_level, site.straight) for site in sites] == expected
    assert [site.unique for site in sites] == [straight for _, straight in expected]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_rest_starts_at_the_statement_that_holds_the_call_and_parses(name: str) -> None:
    code, _ = SAMPLES[name]
    body = parse_block(code).body
    for call in run(code, {}):
        rest = parse_block(rest_of_block(code, call.position)).body
        assert 1 <= len(rest) <= len(body)
        assert [type(node) for node in rest] == [type(node) for node in body[-len(rest) :]]


def test_a_straight_call_that_was_reached_before_is_not_unique() -> None:
    site = site_of("fs.read()", Position(1, 0, 1, 9), "fs", hits=1)
    assert (site.straight, site.unique) == (True, False)


def test_a_call_of_another_object_is_not_straight() -> None:
    assert not site_of("gs.read()", Position(1, 0, 1, 9), "fs", hits=0).straight
    assert not site_of("fs().read()", Position(1, 0, 1, 11), "fs", hits=0).straight


@pytest.mark.parametrize(
    ("code", "proxy"), [("apis.mail.send(to=1)", "apis"), ("act('look')", "act")]
)
def test_a_tool_is_called_by_its_dotted_name_or_as_the_proxy_itself(code: str, proxy: str) -> None:
    assert site_of(code, Position(1, 0, 1, len(code)), proxy, hits=0).unique


@pytest.mark.parametrize(
    "position",
    [
        Position(1, 0, 1, 9),
        Position(1, 4, 1, 12),
        Position(1, 5, 1, 13),
        Position(2, 4, 2, 13),
        Position(1, 6, 1, 13),
        Position(0, 0, 0, 0),
        Position(-1, 10**9, 10**9, -1),
    ],
)
def test_a_position_that_is_no_call_of_the_block_is_unknown(position: Position) -> None:
    assert site_of("t = fs.read()\nx = 1\n", position, "fs", hits=0) == UNKNOWN
    assert rest_of_block("t = fs.read()\nx = 1\n", position) == ""


@pytest.mark.parametrize("code", ["x = (", "x = '\x00'", "x = '\ud800'", "(" * 10_000])
def test_a_pause_reported_of_a_block_that_does_not_parse_is_unknown(code: str) -> None:
    assert site_of(code, Position(1, 0, 1, 1), "fs", hits=0) == UNKNOWN


@given(st.text(max_size=30), st.tuples(*[st.integers(-2, 40)] * 4))
def test_no_text_and_no_position_break_the_controller(code: str, numbers: Any) -> None:
    site_of(code, Position(*numbers), "fs", hits=0)


def test_a_deep_program_is_described_as_a_flat_one_is() -> None:
    code = 't = fs.read(path="a") + ' + " + ".join(['"x"'] * 2_000)
    [call] = run(code, {})
    assert site_of(code, call.position, "fs", hits=0) == Site(
        known=True, module_level=True, straight=True, unique=True
    )


def test_the_parsers_warnings_are_no_errors_here() -> None:
    code = "x = '\\d'; fs.read(path=x)"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert site_of(code, Position(1, 10, 1, 25), "fs", hits=0).unique
        assert rest_of_block(code, Position(1, 10, 1, 25)) == "fs.read(path=x)"


def test_a_decorated_function_is_carried_over_with_its_decorators() -> None:
    code = (
        "x = 1\n"
        "# kept\n"
        "@(\n"
        "    lambda function: fs.read(path='a') and function\n"
        ")\n"
        "@staticmethod\n"
        "def f():\n"
        "    return 1\n"
        "y = 2\n"
    )
    [call] = run(code, {})
    assert rest_of_block(code, call.position) == code.removeprefix("x = 1\n")


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        ("é = 'ü'; ", "fs.read(path='a'); z = 1\nw = 2"),
        ("'''\n\n'''; ", "fs.read(path='a')"),
        ("x = 1; \\\n   ", "y = fs.read(path='a')\n"),
        ("\f", "y = fs.read(path='a') # end"),
        ("x = '\u2028'\n", "y = fs.read(path='\x0c')\n\x0cz = 1"),
        ("if 1:\n\tx = 1\n\n", "y = (fs.read(path='a')\n\t)\nif y:\n\tz = 1"),
    ],
)
def test_the_rest_is_the_text_from_the_statement_on(before: str, rest: str) -> None:
    [call] = run(before + rest, {})
    assert rest_of_block(before + rest, call.position) == rest


SIMPLE = [
    't{i} = fs.read(path="n{i}")',
    'é{i} = "äö\U0001f600"; t{i} = fs.read(path=é{i})',
    't{i} = (\n    fs\n    .read(\n\t\tpath="n{i}",\n    )\n)',
    'fs.write(path="o{i}", content="""a\n  b\n""")',
    'print(fs.read(path="\\t{i}"), "é{i}")',
    "t{i} = f\"{{'é'}}{{fs.read(path='n{i}')}}\"",
    "t{i} = f'''é\n{{fs.read(path=1)}}'''",
    '(fs.write(path="w{i}",\n content="c"))',
    "x{i} = 1; \\\n  y{i} = fs.read(path=1)",
    'assert fs.read(path="n{i}")',
    "x{i} = [{i},\n\t{i}]",
    'print("\U0001f600 {i}")',
    "a{i}: int = {i}",
]
COMPOUND = [
    "# a comment {i}",
    "",
    "\f",
    "if True:\n\tk{i} = {i}",
    "def f{i}():\n    return {i}",
    "@staticmethod\ndef g{i}():\n    return {i}",
    "for j in range(2):\n    m{i} = j",
    "'''a text\n\nalone'''",
]


def _lines(ends: str) -> st.SearchStrategy[str]:
    joined = st.lists(st.sampled_from(SIMPLE), min_size=1, max_size=3).map("; ".join)
    lines = st.lists(joined | st.sampled_from(COMPOUND), min_size=1, max_size=6)
    numbered = lines.map(lambda all_: [text.format(i=i) for i, text in enumerate(all_)])
    return numbered.map(lambda all_: "\n".join(all_).replace("\n", ends))


def _data(namespace: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str | int | list) else name
        for name, value in namespace.items()
        if name != "__builtins__"
    }


def _played(
    code: str, namespace: dict[str, Any], stop: int | None = None
) -> tuple[list[Any], list[str]]:
    printed: list[str] = []
    namespace["print"] = lambda *parts: printed.append(" ".join(parts))
    calls = [(call.tool, call.arguments) for call in run(code, namespace, stop)]
    return calls, printed


@settings(max_examples=150)
@given(st.sampled_from(["\n", "\r\n", "\r"]).flatmap(_lines), st.data())
def test_the_rest_of_a_straight_program_does_what_its_own_tail_does(
    code: str, data: st.DataObject
) -> None:
    whole: dict[str, Any] = {}
    calls, printed = _played(code, whole)
    if not calls:
        return
    at = data.draw(st.integers(0, len(calls) - 1))
    position = run(code, {})[at].position
    assert site_of(code, position, "fs", hits=0).unique

    namespace: dict[str, Any] = {}
    before, printed_before = _played(code, namespace, stop=at)
    after, printed_after = _played(rest_of_block(code, position), namespace)
    assert before + after == calls
    assert printed_before + printed_after == printed
    assert _data(namespace) == _data(whole)


@pytest.mark.parametrize(
    ("code", "at", "ahead"),
    [
        ("fs.a()\nfs.b()\nfs.c()", 1, [2, 3]),
        ("fs.a(); fs.b()\nif x:\n    fs.c()", 0, [1, 1, 3]),
        ("for n in fs.a():\n    fs.b()\n    fs.c()", 2, [2, 3]),
        ("while fs.a():\n    fs.b()", 1, [1, 2]),
        ('fs.a()\nfor n in "xy":\n    fs.b()\nfs.c()', 1, [3, 4]),
        ("x = [fs.b(n=n) for n in fs.a()]", 1, [1]),
        ("def f():\n    fs.a()\nfs.b()\nf()", 0, [2, 3]),
        ("fs.a(n=fs.b())\nfs.c()", 0, [1, 1, 2]),
        ("fs.a(n=fs.b())\nfs.c()", 1, [1, 2]),
    ],
)
def test_what_a_block_may_still_call_is_told_by_its_text(
    code: str, at: int, ahead: list[int]
) -> None:
    pending = run(code, {"x": 1}, stop=at + 1)[at]
    found = sites_ahead(code, pending.position, "fs")
    assert [site.line for site in found] == ahead
    assert CallSite(pending.tool, *pending.position[:2]) in found


def test_a_place_without_a_call_has_nothing_ahead() -> None:
    assert sites_ahead("fs.a()", Position(1, 1, 1, 6), "fs") == {}
    assert sites_ahead("fs.a(", Position(1, 0, 1, 6), "fs") == {}


def test_a_sites_tool_is_the_dotted_name_below_the_proxy_or_the_proxy_itself() -> None:
    code = 'apis.mail.send(to="x")\nact("go")'
    (dotted,) = sites_ahead(code, Position(1, 0, 1, 22), "apis")
    (own,) = sites_ahead(code, Position(2, 0, 2, 9), "act")
    assert (dotted, own) == (CallSite("mail.send", 1, 0), CallSite("act", 2, 0))


def test_only_arguments_that_are_json_stand_in_the_text() -> None:
    code = 'f(a=1, b=[{"x": None}], c=(1,), d={1: 2}, e=n, f=b"x", g=-1.5, **h)'
    (call,) = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    assert literal_arguments(call) == {"a": 1, "b": [{"x": None}], "g": -1.5}
    assert literal_arguments(None) == {}
