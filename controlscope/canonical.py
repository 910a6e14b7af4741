"""The one canonical JSON encoding: every hash and every logged line goes through it."""

import hashlib
import json
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]

__all__ = ["MAX_DEPTH", "JsonObject", "digest", "digest_bytes", "encode", "problem_of"]

MAX_DEPTH = 100
"""Deepest nesting taken from outside: well below where Python's own recursion ends."""

_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":")
)


def encode(value: Any) -> str:
    """Encode a JSON value as ASCII with sorted keys and no spaces.

    ASCII, so that a lone surrogate in a program's variable survives a round trip. (A high and a
    low one in a row have the form of the character that they spell: JSON knows no other.) NaN and
    infinities have no JSON form: ValueError.
    """
    return _ENCODER.encode(value)


def problem_of(value: Any) -> str | None:
    """Say in one line why a value from outside cannot be encoded, or None where it can.

    Whatever passes can also be logged, hashed and sent.
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner = [part for part in level if isinstance(part, dict | list)]
        if not inner:
            break
        level = [part for box in inner for part in (box.values() if isinstance(box, dict) else box)]
    else:
        return f"it is nested deeper than {MAX_DEPTH} levels"
    try:
        encode(value)
    except (TypeError, ValueError) as error:
        return f"it has no JSON form: {error}"
    return None


def digest(value: Any) -> str:
    """SHA-256, as 64 hex digits, of the canonical encoding of a JSON value."""
    return digest_bytes(encode(value).encode("ascii"))


def digest_bytes(data: bytes) -> str:
    """SHA-256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()
