"""The wire between controller, supervisor and worker: length, worker id, then one JSON object.

Standard library only: the same text runs on both sides of the sandbox. Worker id 0 is the
supervisor itself. A worker's own socket carries the same frames with its own id.
"""

import json
import struct
from typing import Any

__all__ = [
    "HEADER",
    "MAX_PAYLOAD_BYTES",
    "SUPERVISOR",
    "FrameError",
    "Frames",
    "frame",
    "message",
    "value_of",
]

HEADER = struct.Struct("!II")
SUPERVISOR = 0

MAX_PAYLOAD_BYTES = 32 * 1024 * 1024
"""Largest JSON text of one message. 4 MiB of argument text may grow sixfold as ASCII escapes."""


class FrameError(Exception):
    """A peer announced a message above the cap."""


# Made once, and held: in a worker the program may change what the json module's names mean.
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


def message(value: dict[str, Any]) -> bytes:
    """Encode one JSON object as ASCII, so that lone surrogates survive; NaN is a ValueError."""
    return _encode(value).encode("ascii")


def value_of(payload: bytes) -> dict[str, Any]:
    """Decode a message of a trusted peer; a worker's word is read by `events`."""
    value: dict[str, Any] = _decode(payload.decode("ascii"))
    return value


def frame(worker: int, payload: bytes) -> bytes:
    """Put a worker's id and the length before a payload."""
    return HEADER.pack(len(payload), worker) + payload


class Frames:
    """Cuts a byte stream into frames; holds what is not yet complete."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take what was received."""
        self._bytes += data

    def __bool__(self) -> bool:
        """Say whether a part of a frame waits here."""
        return bool(self._bytes)

    def next(self) -> tuple[int, bytes] | None:
        """Return the next worker id and payload, None while incomplete; FrameError if too large."""
        if len(self._bytes) < HEADER.size:
            return None
        length, worker = HEADER.unpack_from(self._bytes)
        if length > MAX_PAYLOAD_BYTES:
            raise FrameError(f"a message of {length} bytes; the limit is {MAX_PAYLOAD_BYTES}")
        end = HEADER.size + length
        if len(self._bytes) < end:
            return None
        payload = bytes(memoryview(self._bytes)[HEADER.size : end])
        del self._bytes[:end]
        return worker, payload
