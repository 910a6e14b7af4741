"""The one canonical JSON encoding: every hash and every logged line goes through it."""

import hashlib
import json
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]

__all__ = ["JsonObject", "digest", "digest_bytes", "encode"]


def encode(value: Any) -> str:
    """Encode a JSON value as ASCII with sorted keys and no spaces.

    ASCII, so that a lone surrogate in a program's variable survives a round trip. NaN and
    infinities have no JSON form: ValueError.
    """
    return json.dumps(
        value, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":")
    )


def digest(value: Any) -> str:
    """SHA-256, as 64 hex digits, of the canonical encoding of a JSON value."""
    return digest_bytes(encode(value).encode("ascii"))


def digest_bytes(data: bytes) -> str:
    """SHA-256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()
