"""The append-only log of one run: run.json, events.jsonl, blobs and timing.json."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from controlscope.canonical import JsonObject, digest_bytes, encode
from controlscope.errors import InputError

__all__ = ["BLOB_BYTES", "SCHEMA_VERSION", "Run", "RunLog", "read_run"]

SCHEMA_VERSION = 1
BLOB_BYTES = 4096


class RunLog:
    """Writes one run's folder. Use as a context manager; every event is on disk when it returns.

    A value whose canonical form exceeds 4 KB becomes `{"blob": sha256}`, its parts first: a
    dictionary that grows by one file a call then costs one new part a call, not a copy of all.
    """

    def __init__(self, folder: Path, header: JsonObject) -> None:
        self.folder = folder
        self._blobs = folder / "blobs"
        self._blobs.mkdir(parents=True)
        (folder / "run.json").write_text(
            json.dumps({"schema_version": SCHEMA_VERSION, **header}, indent=2, sort_keys=True)
            + "\n"
        )
        self._events: IO[str] = (folder / "events.jsonl").open("x", encoding="ascii")
        self._seq = 0

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
        text = encode(value)
        if len(text) <= BLOB_BYTES:
            return value
        name = digest_bytes(text.encode("ascii"))
        path = self._blobs / name
        if not path.exists():
            path.write_text(text, encoding="ascii")
        return {"blob": name}


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
            return {_unescape(key): self.whole(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.whole(part) for part in value]
        return value

    def _blob(self, name: str) -> Any:
        path = self.folder / "blobs" / os.fspath(name)
        try:
            data = path.read_bytes()
        except OSError:
            raise InputError(f"{self.folder}: blob {name} is missing") from None
        if digest_bytes(data) != name:
            raise InputError(f"{self.folder}: blob {name} does not match its name")
        return json.loads(data)


def _escape(key: str) -> str:
    """Keep a program's own key "blob" apart from a reference."""
    return f"~{key}" if key.lstrip("~") == "blob" else key


def _unescape(key: str) -> str:
    return key[1:] if key != "blob" and key.lstrip("~") == "blob" else key


def read_run(folder: Path) -> Run:
    """Read a run's folder; a torn last line is dropped, any other damage is an InputError."""
    try:
        header = json.loads((folder / "run.json").read_text())
        lines = (folder / "events.jsonl").read_bytes().split(b"\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} is not a run folder: {error}") from None
    if header.get("schema_version") != SCHEMA_VERSION:
        raise InputError(f"{folder}: schema version {header.get('schema_version')} is not known")
    events = []
    for number, line in enumerate(lines[:-1]):
        try:
            event = json.loads(line)
        except ValueError:
            raise InputError(f"{folder}/events.jsonl:{number + 1}: not JSON") from None
        if not isinstance(event, dict) or event.get("seq") != number or "kind" not in event:
            raise InputError(f"{folder}/events.jsonl:{number + 1}: not event {number}")
        events.append(event)
    return Run(folder, header, tuple(events))
