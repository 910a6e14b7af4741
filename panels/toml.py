"""Read a TOML file into a pydantic model; what is wrong is named with its file, line and key."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from controlscope.errors import InputError

__all__ = ["Strict", "dump_toml", "place", "read_text", "read_toml"]

M = TypeVar("M", bound=BaseModel)


class Strict(BaseModel):
    """A table of a file that users write: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def read_text(path: Path) -> str:
    """Read a UTF-8 file of a user's, a byte-order mark left out; InputError naming it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def read_toml(path: Path, model: type[M]) -> M:
    """Parse and validate; InputError with `file:line: key: what is wrong`."""
    text = read_text(path)
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        # A misspelt key is also a missing one: name what the user wrote.
        first = min(error.errors(), key=lambda found: not _unknown(found))
        keys = [str(part) for part in first["loc"] if isinstance(part, str)]
        known = sorted(model.model_fields)
        hint = f" (known: {', '.join(known)})" if len(keys) == 1 and _unknown(first) else ""
        message = "unknown key" if _unknown(first) else first["msg"].removeprefix("Value error, ")
        # A missing key has no line; what its table would match belongs to another one.
        found = keys[:-1] if first["type"] == "missing" else keys
        parts = [f"{path}:{_line_of(text, found)}", *filter(None, [".".join(keys)]), message]
        raise InputError(": ".join(parts) + hint) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from None


def place(path: Path, *keys: str) -> str:
    """Return `file:line: key`, the beginning of a complaint about a key of a file."""
    return f"{path}:{_line_of(read_text(path), list(keys))}: {'.'.join(keys)}"


def dump_toml(table: Mapping[str, Any]) -> str:
    """Write a table as ASCII TOML, in the given order: plain values first, then each sub-table.

    Values are strings, booleans, finite numbers and lists of them: what a specification holds.
    """
    return "\n".join(_lines(table, [])).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    if path and (plain or not table):
        yield f"\n[{'.'.join(path)}]"
    yield from (f"{_key(key)} = {_scalar(value)}" for key, value in plain.items())
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lines(value, [*path, _key(key)])


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _scalar(key)


def _scalar(value: Any) -> str:
    """Write JSON that is TOML too: JSON's own escapes know no character above U+FFFF."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[^\x20-\x7e]", lambda found: f"\\U{ord(found[0]):08x}", text)


def _unknown(error: Any) -> bool:
    return bool(error["type"] == "extra_forbidden")


def _line_of(text: str, keys: list[str]) -> int:
    """Return the line of the innermost key that stands in the text, below its outer ones."""
    line = 0
    lines = text.split("\n")
    for key in keys:
        for number in range(line, len(lines)):
            head = re.sub("""["']""", "", lines[number].split("=")[0]).strip(" \t[]")
            if key == head or key in head.split("."):
                line = number
                break
    return line + 1
