"""The append-only log of one run: run.json, events.jsonl, blobs and timing.json."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from controlscope.canonical import JsonObject, digest, digest_bytes, encode
from controlscope.errors import InputError

__all__ = ["BLOB_BYTES", "SCHEMA_VERSION", "Run", "RunLog", "read_run"]

SCHEMA_VERSION = 1
BLOB_BYTES = 4096


class RunLog:
    """Writes one run's folder. Use as a context manager; every event is on disk when it returns.

    A value whose canonical form exceeds 4 KB becomes `{"blob": sha256}`, its members first. A
    dictionary or list that is still larger becomes `{"parts": [{"blob": sha256}, …]}`, parts of
    some 4 KB to be joined, which are cut so that one that grows by a member a call costs about one
    new part a call, not a copy of all. A branch begins with the events of the folder `prefix`.
    """

    def __init__(self, folder: Path, header: JsonObject, prefix: Path | None = None) -> None:
        self.folder = folder
        self._blobs = folder / "blobs"
        folder.mkdir(parents=True, exist_ok=True)
        self._seq = 0
        if prefix is None:
            self._blobs.mkdir()
        else:
            shutil.copytree(prefix / "blobs", self._blobs)
            shutil.copyfile(prefix / "events.jsonl", folder / "events.jsonl")
            self._seq = (folder / "events.jsonl").read_bytes().count(b"\n")
        (folder / "run.json").write_text(
            json.dumps(
                {"schema_version": SCHEMA_VERSION, **header},
                indent=2,
                sort_keys=True,
                allow_nan=False,
            )
            + "\n"
        )
        self._events: IO[str] = (folder / "events.jsonl").open("a", encoding="ascii")

    def __enter__(self) -> "RunLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._events.close()

    def event(self, kind: str, **values: Any) -> None:
        """Append one event."""
        stored = {key: self._store(value) for key, value in values.items()}
        self._events.write(encode({"seq": self._seq, "kind": kind, **stored}) + "\n")
        self._events.flush()
        self._seq += 1

    def timing(self, clocks: JsonObject) -> None:
        """Write the run's clocks and durations, which stand nowhere else."""
        text = json.dumps(clocks, indent=2, sort_keys=True)
        (self.folder / "timing.json").write_text(text + "\n")

    def _store(self, value: Any) -> Any:
        if isinstance(value, dict):
            value = {_escape(key): self._store(part) for key, part in value.items()}
        elif isinstance(value, list):
            value = [self._store(part) for part in value]
        if len(encode(value)) <= BLOB_BYTES:
            return value
        if isinstance(value, dict | list):
            parts = _cut_dict(value) if isinstance(value, dict) else _cut_list(value)
            value = {"parts": [self._blob(part) for part in parts]}
            if len(encode(value)) <= BLOB_BYTES:
                return value
        return self._blob(value)

    def _blob(self, value: Any) -> JsonObject:
        data = encode(value).encode("ascii")
        path = self._blobs / digest_bytes(data)
        if not path.exists():
            path.write_bytes(data)
        return {"blob": path.name}


def _cut_dict(whole: JsonObject) -> Iterator[JsonObject]:
    """Cut after keys that their own hash chooses, so that a new key moves no other cut."""
    part: JsonObject = {}
    for key, value in sorted(whole.items()):
        part[key] = value
        if int(digest(key)[:8], 16) % BLOB_BYTES < len(encode(value)):
            yield part
            part = {}
    if part:
        yield part


def _cut_list(whole: list[Any]) -> Iterator[list[Any]]:
    """Cut by size from the start, so that a new last member moves no cut."""
    part: list[Any] = []
    size = 0
    for value in whole:
        part.append(value)
        size += len(encode(value))
        if size >= BLOB_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


@dataclass(frozen=True)
class Run:
    """A run read back: its header and its events, with blobs put back in place on demand."""

    folder: Path
    header: JsonObject
    events: tuple[JsonObject, ...]

    def of_kind(self, *kinds: str) -> Iterator[JsonObject]:
        """Yield the events of some kinds, whole."""
        return (self.whole(event) for event in self.events if event["kind"] in kinds)

    def whole(self, value: Any) -> Any:
        """Put every blob below a value back in its place; InputError where one was altered."""
        if isinstance(value, dict):
            if set(value) == {"blob"}:
                return self.whole(self._blob(value["blob"]))
            if set(value) == {"parts"}:
                return self._joined(self.whole(value["parts"]))
            return {_unescape(key): self.whole(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.whole(part) for part in value]
        return value

    def _joined(self, parts: Any) -> Any:
        if isinstance(parts, list) and parts:
            if all(isinstance(part, dict) for part in parts):
                return {key: value for part in parts for key, value in part.items()}
            if all(isinstance(part, list) for part in parts):
                return [value for part in parts for value in part]
        raise InputError(f"{self.folder}: the parts of a value do not join")

    def _blob(self, name: Any) -> Any:
        if not (isinstance(name, str) and re.fullmatch("[0-9a-f]{64}", name)):
            raise InputError(f"{self.folder}: {name!r} is no name of a blob")
        try:
            data = (self.folder / "blobs" / name).read_bytes()
        except OSError:
            raise InputError(f"{self.folder}: blob {name} is missing") from None
        if digest_bytes(data) != name:
            raise InputError(f"{self.folder}: blob {name} does not match its name")
        return json.loads(data)


_REFERENCES = ("blob", "parts")


def _escape(key: str) -> str:
    """Keep a program's own key "blob" or "parts" apart from a reference."""
    return f"~{key}" if key.lstrip("~") in _REFERENCES else key


def _unescape(key: str) -> str:
    return key[1:] if key.startswith("~") and key.lstrip("~") in _REFERENCES else key


def read_run(folder: Path) -> Run:
    """Read a run's folder; a torn last line is dropped, any other damage is an InputError."""
    try:
        header = json.loads((folder / "run.json").read_bytes())
        lines = (folder / "events.jsonl").read_bytes().split(b"\n")
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{folder} is not a run folder: {error}") from None
    version = header.get("schema_version") if isinstance(header, dict) else None
    if version != SCHEMA_VERSION:
        raise InputError(f"{folder}: schema version {version} is not known")
    events = []
    for number, line in enumerate(lines[:-1]):
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{folder}/events.jsonl:{number + 1}: not JSON") from None
        if not isinstance(event, dict) or event.get("seq") != number or "kind" not in event:
            raise InputError(f"{folder}/events.jsonl:{number + 1}: not event {number}")
        events.append(event)
    return Run(folder, header, tuple(events))
