"""Read a TOML file into a pydantic model; what is wrong is named with its file, line and key."""

import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from controlscope.errors import InputError

__all__ = ["Strict", "dump_toml", "read_toml"]

M = TypeVar("M", bound=BaseModel)


class Strict(BaseModel):
    """A table of a file that users write: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def read_toml(path: Path, model: type[M]) -> M:
    """Parse and validate; InputError with `file:line: key: what is wrong`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        keys = [str(part) for part in first["loc"] if isinstance(part, str)]
        known = sorted(model.model_fields)
        hint = f" (known: {', '.join(known)})" if len(keys) == 1 and _unknown(first) else ""
        message = "unknown key" if _unknown(first) else first["msg"]
        where = f"{path}:{_line_of(text, keys)}"
        raise InputError(f"{where}: {'.'.join(keys)}: {message}{hint}") from None


def dump_toml(table: dict[str, Any]) -> str:
    """Write plain values first, then sub-tables, in the given order; JSON scalars are TOML's."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in _plain(table)]
    for name, value in table.items():
        if isinstance(value, dict):
            for key, sub in value.items():
                if isinstance(sub, dict):
                    lines += ["", f"[{name}.{json.dumps(key)}]"]
                    lines += [f"{k} = {json.dumps(v)}" for k, v in _plain(sub)]
            plain = _plain(value)
            if plain:
                lines += ["", f"[{name}]", *(f"{k} = {json.dumps(v)}" for k, v in plain)]
    return "\n".join(lines) + "\n"


def _plain(table: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in table.items() if not isinstance(value, dict)]


def _unknown(error: Any) -> bool:
    return bool(error["type"] == "extra_forbidden")


def _line_of(text: str, keys: list[str]) -> int:
    """Return the line of the innermost key that stands in the text, below its outer ones."""
    line = 0
    lines = text.splitlines()
    for key in keys:
        for number in range(line, len(lines)):
            head = lines[number].split("=")[0].replace('"', "").strip(" []")
            if key == head or key in head.split("."):
                line = number
                break
    return line + 1
