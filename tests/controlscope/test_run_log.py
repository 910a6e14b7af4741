import json
import math
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlscope.canonical import digest_bytes, encode
from controlscope.errors import InputError
from controlscope.run_log import BLOB_BYTES, SCHEMA_VERSION, RunLog, read_run
from tests.controlscope.json_values import KEYS, VALUES, nested

LARGE = (
    st.integers(BLOB_BYTES - 3, BLOB_BYTES + 3).map(lambda size: "x" * size)
    | st.integers(1, 300).map(lambda size: ["\ud800 blob"] * size)
    | st.integers(1, 300).map(lambda size: {f"{i}": {"blob": "é" * 20} for i in range(size)})
    | st.integers(1, 5000).map(lambda size: [0] * size)
)


def _with_large(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)


EVENT_VALUES = st.recursive(LARGE | VALUES, _with_large, max_leaves=8)
NAMES = st.sampled_from(["blob", "parts", "observation", "variables", "printed"])
EVENTS = st.lists(st.dictionaries(NAMES, EVENT_VALUES, max_size=3), max_size=4)


def _written(folder: Path, *events: dict[str, Any]) -> Path:
    with RunLog(folder / "run", {"task": "t"}) as log:
        for values in events:
            log.event("boundary", **values)
    return folder / "run"


def _read(run: Path) -> list[dict[str, Any]]:
    return list(read_run(run).of_kind("boundary"))


def _size(run: Path) -> int:
    return sum(path.stat().st_size for path in run.rglob("*") if path.is_file())


@given(EVENTS)
def test_any_events_come_back_as_they_were_written(events: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = _written(Path(folder), *events)
        assert _read(run) == [
            {"seq": seq, "kind": "boundary", **values} for seq, values in enumerate(events)
        ]
        for line in (run / "events.jsonl").read_bytes().splitlines():
            assert encode(json.loads(line)).encode() == line
            assert all(len(encode(value)) <= BLOB_BYTES for value in json.loads(line).values())
        for blob in (run / "blobs").iterdir():
            assert digest_bytes(blob.read_bytes()) == blob.name


def test_a_value_above_4_kb_is_a_blob_and_one_of_4_kb_is_not(tmp_path: Path) -> None:
    fits, exceeds = "x" * (BLOB_BYTES - 2), "y" * (BLOB_BYTES - 1)
    run = _written(tmp_path, {"a": fits, "b": exceeds})
    [line] = (run / "events.jsonl").read_text().splitlines()
    name = digest_bytes(encode(exceeds).encode())
    assert json.loads(line) == {
        "seq": 0,
        "kind": "boundary",
        "a": fits,
        "b": {"blob": name},
    }
    assert [path.name for path in (run / "blobs").iterdir()] == [name]


def test_the_same_value_is_kept_once(tmp_path: Path) -> None:
    run = _written(tmp_path, *[{"text": "x" * 10_000}] * 5, {"other": {"text": "x" * 10_000}})
    assert len(list((run / "blobs").iterdir())) == 1


@pytest.mark.parametrize("name", ["blob", "~blob", "parts", "~~parts"])
def test_a_programs_own_key_is_never_taken_for_a_reference(tmp_path: Path, name: str) -> None:
    values = {"variables": {name: "0" * 64, "inner": {name: ["x" * 5000]}, "last": {name: []}}}
    assert _read(_written(tmp_path, values)) == [{"seq": 0, "kind": "boundary", **values}]


def _growing_log(folder: Path, calls: int, size: int) -> int:
    """Log a dictionary that grows by one text of `size` letters a call; return the log's bytes."""
    files: dict[str, str] = {}
    with RunLog(folder, {}) as log:
        for call in range(calls):
            files[f"notes/{call * 7919 % 1000:03}.txt"] = f"{call:05}" * (size // 5)
            log.event("boundary", variables={"block": {}, "module": {"files": files, "n": call}})
    assert list(read_run(folder).of_kind("boundary"))[-1]["variables"]["module"]["files"] == files
    return _size(folder)


@pytest.mark.parametrize(
    ("size", "calls", "copies"), [(1_000, 100, 8), (3_000, 60, 5), (10_000, 40, 2)]
)
def test_a_dictionary_that_grows_by_one_file_a_call_makes_the_log_grow_linearly(
    tmp_path: Path, size: int, calls: int, copies: int
) -> None:
    once = _growing_log(tmp_path / "once", calls, size)
    twice = _growing_log(tmp_path / "twice", 2 * calls, size)
    assert once < copies * calls * size
    assert twice < 2.5 * once


def test_a_list_that_grows_by_one_line_a_call_makes_the_log_grow_linearly(tmp_path: Path) -> None:
    sizes = []
    for calls in (100, 200):
        lines: list[str] = []
        with RunLog(tmp_path / str(calls), {}) as log:
            for call in range(calls):
                lines.append(f"{call:05}" * 200)
                log.event("boundary", variables={"module": {"lines": lines}})
        sizes.append(_size(tmp_path / str(calls)))
    assert sizes[1] < 2.5 * sizes[0]
    assert sizes[0] < 8 * 100 * 1_000


def test_the_order_of_a_dictionary_changes_no_byte_of_the_log(tmp_path: Path) -> None:
    forth = {f"{i}": "é" * 200 for i in range(100)}
    back = dict(reversed(forth.items()))
    logs = []
    for name, value in (("forth", forth), ("back", back)):
        run = _written(tmp_path / name, {"variables": value})
        blobs = sorted(path.name for path in (run / "blobs").iterdir())
        logs.append(((run / "events.jsonl").read_bytes(), blobs))
    assert logs[0] == logs[1]


def test_a_last_line_torn_at_any_byte_is_dropped_and_the_rest_stays(tmp_path: Path) -> None:
    run = _written(tmp_path, {"text": "ä"}, {"text": "b", "more": [1, {"c": None}]})
    events = run / "events.jsonl"
    whole = events.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(len(whole) + 1):
        events.write_bytes(whole[:end])
        assert len(read_run(run).events) == (0 if end < first else 1 if end < len(whole) else 2)
    events.write_bytes(whole + b"\xff\x00{")
    assert len(read_run(run).events) == 2


@pytest.mark.parametrize(
    "tampered",
    [
        b"",
        b"not JSON",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b"7",
        b'{"kind":"boundary"}',
        b'{"seq":0,"kind":"boundary"}',
        b'{"seq":2,"kind":"boundary"}',
        b'{"seq":"1","kind":"boundary"}',
        b'{"seq":1}',
    ],
    ids=lambda line: repr(line[:30]),
)
def test_a_damaged_line_is_refused_with_its_number(tmp_path: Path, tampered: bytes) -> None:
    run = _written(tmp_path, {"n": 0}, {"n": 1}, {"n": 2})
    lines = (run / "events.jsonl").read_bytes().split(b"\n")
    lines[1] = tampered
    (run / "events.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=re.escape("events.jsonl:2: not ")):
        read_run(run)


def test_a_line_that_is_gone_repeated_or_moved_is_refused(tmp_path: Path) -> None:
    run = _written(tmp_path, {"n": 0}, {"n": 1}, {"n": 2})
    a, b, c = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
    for lines in ([b, c], [a, c], [a, b, b, c], [b, a, c], [a, b, c, a]):
        (run / "events.jsonl").write_bytes(b"".join(lines))
        with pytest.raises(InputError, match="not event"):
            read_run(run)


def test_an_altered_or_missing_blob_is_refused_by_its_name(tmp_path: Path) -> None:
    run = _written(tmp_path, {"text": "x" * 10_000})
    [blob] = (run / "blobs").iterdir()
    data = bytearray(blob.read_bytes())
    for at in (0, 5_000, len(data) - 1):
        altered = data.copy()
        altered[at] ^= 1
        blob.write_bytes(altered)
        with pytest.raises(InputError, match=f"blob {blob.name} does not match its name"):
            _read(run)
    blob.write_bytes(data[:-1])
    with pytest.raises(InputError, match="does not match its name"):
        _read(run)
    blob.unlink()
    with pytest.raises(InputError, match=f"blob {blob.name} is missing"):
        _read(run)


@pytest.mark.parametrize("name", ["../run.json", "/etc/passwd", "", "\x00", 7, None, {"a": 1}, []])
def test_a_reference_that_names_no_blob_is_refused(tmp_path: Path, name: Any) -> None:
    run = _written(tmp_path, {})
    line = encode({"seq": 0, "kind": "boundary", "text": {"blob": name}})
    (run / "events.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match="is no name of a blob"):
        _read(run)


@pytest.mark.parametrize("parts", [[], [7], {}, None, "x", [[1], {"a": 1}], [{"a": 1}, [1]]])
def test_parts_that_do_not_join_are_refused(tmp_path: Path, parts: Any) -> None:
    run = _written(tmp_path, {})
    line = encode({"seq": 0, "kind": "boundary", "text": {"parts": parts}})
    (run / "events.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match="parts"):
        _read(run)


@pytest.mark.parametrize("value", [math.nan, object(), {"a": {1}}], ids=["nan", "object", "set"])
def test_a_value_without_a_json_form_leaves_no_trace_in_the_log(tmp_path: Path, value: Any) -> None:
    with RunLog(tmp_path / "run", {}) as log:
        log.event("boundary", n=0)
        with pytest.raises((TypeError, ValueError)):
            log.event("boundary", n=1, value=value)
        log.event("boundary", n=2)
    assert [event["n"] for event in _read(tmp_path / "run")] == [0, 2]


def test_a_value_at_the_deepest_nesting_is_logged(tmp_path: Path) -> None:
    [event] = _read(_written(tmp_path, {"value": nested(100)}))
    assert event["value"] == nested(100)


def test_every_event_is_on_disk_when_it_is_written(tmp_path: Path) -> None:
    with RunLog(tmp_path / "run", {}) as log:
        for count in range(3):
            log.event("boundary", text="x" * 5000 * count)
            assert len(_read(tmp_path / "run")) == count + 1


def test_a_run_is_never_written_over(tmp_path: Path) -> None:
    _written(tmp_path, {"n": 0})
    with pytest.raises(FileExistsError):
        RunLog(tmp_path / "run", {})
    assert [event["n"] for event in _read(tmp_path / "run")] == [0]


def test_the_header_and_the_clocks_stand_in_files_of_their_own(tmp_path: Path) -> None:
    with RunLog(tmp_path / "run", {"task": "ä", "seed": 7}) as log:
        log.timing({"started": 1.5, "seconds": {"worker": 0.25}})
    header = read_run(tmp_path / "run").header
    assert header == {"schema_version": SCHEMA_VERSION, "task": "ä", "seed": 7}
    assert json.loads((tmp_path / "run" / "timing.json").read_text())["started"] == 1.5
    assert (tmp_path / "run" / "events.jsonl").read_bytes() == b""


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("", "is not a run folder"),
        ("{", "is not a run folder"),
        ("[" * 100_000, "is not a run folder"),
        ("[]", "schema version None is not known"),
        ('"x"', "schema version None is not known"),
        ("{}", "schema version None is not known"),
        ('{"schema_version": 99}', "schema version 99 is not known"),
    ],
    ids=range(7),
)
def test_another_header_is_refused(tmp_path: Path, header: str, reason: str) -> None:
    run = _written(tmp_path, {"n": 0})
    (run / "run.json").write_text(header)
    with pytest.raises(InputError, match=reason):
        read_run(run)


@pytest.mark.parametrize("missing", ["run.json", "events.jsonl"])
def test_a_folder_without_one_of_its_files_is_no_run(tmp_path: Path, missing: str) -> None:
    run = _written(tmp_path, {"n": 0})
    (run / missing).unlink()
    with pytest.raises(InputError, match="is not a run folder"):
        read_run(run)
