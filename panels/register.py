"""What is said of a panel before its outcomes are known, and whether a report keeps to it.

The hashes prove what was said, not when: whoever registers publishes the document's `hash` before
the first run.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import Field, ValidationError, model_validator

from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError
from panels.toml import Strict, read_text

__all__ = ["Contrast", "Standing", "Status", "compare", "read_registration", "register"]

SCHEMA_VERSION = 1

Contrast: TypeAlias = tuple[str, str]
"""Two conditions (a, b); the difference is a − b."""

Status: TypeAlias = Literal["registered", "deviated", "exploratory"]
"""What a contrast of a report is.
registered: the primary contrast, of a panel that is exactly the registered one.
deviated: the primary contrast, of a panel that differs from the registered one.
exploratory: any other contrast, or one of a panel without a registration."""


class _Registration(Strict):
    """A registration as read back from its file."""

    schema_version: Literal[1]
    spec: dict[str, Any]
    exclusions: dict[str, str]
    primary: list[str] = Field(min_length=2, max_length=2)
    stopping: str
    hashes: dict[str, str]
    hash: str

    @model_validator(mode="after")
    def _unaltered(self) -> "_Registration":
        parts = self.model_dump(include={"spec", "exclusions", "primary", "stopping"})
        if self.model_dump() != _sealed(parts):
            raise ValueError("its hashes are not those of its content: it was altered")
        return self


@dataclass(frozen=True)
class Standing:
    """What one contrast may be called, and the keys of the spec that differ, dotted and sorted."""

    status: Status
    differences: tuple[str, ...] = ()


def register(
    spec: JsonObject, exclusions: Mapping[str, str], primary: Contrast, stopping: str
) -> JsonObject:
    """Return the registration of a resolved specification (`Panel.resolved()`), with its hashes.

    `exclusions` gives a reason for each task that is left out, by id. `primary` is the one contrast
    that is confirmed; `stopping` says in words when the panel is over. Each part has a SHA-256 in
    `hashes`, and `hash` covers them all. InputError where a part cannot hold.
    """
    for condition in primary:
        if condition not in spec["conditions"]:
            known = ", ".join(spec["conditions"])
            raise InputError(f"primary: the spec has no condition {condition!r}; it has {known}")
    if primary[0] == primary[1]:
        raise InputError(f"primary: {primary[0]} is compared with itself")
    for task, reason in exclusions.items():
        if task in spec["contents"]:
            raise InputError(f"exclusions: the spec assigns {task}: leave it out of its tasks")
        if not reason.strip():
            raise InputError(f"exclusions: {task} has no reason")
    if not stopping.strip():
        raise InputError("stopping: say when the panel is over")
    return _sealed(
        {
            "spec": spec,
            "exclusions": dict(sorted(exclusions.items())),
            "primary": list(primary),
            "stopping": stopping,
        }
    )


def _sealed(parts: JsonObject) -> JsonObject:
    hashes = {name: digest(part) for name, part in parts.items()}
    whole = digest([SCHEMA_VERSION, hashes])
    return {"schema_version": SCHEMA_VERSION, **parts, "hashes": hashes, "hash": whole}


def read_registration(path: Path) -> JsonObject:
    """Read a registration's JSON file; InputError where it is none or was altered since."""
    text = read_text(path)
    try:
        return _Registration.model_validate(json.loads(text)).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        said = ": ".join(filter(None, [where, first["msg"]]))
        raise InputError(f"{path} is no registration: {said}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no registration: {error}") from None


def compare(registration: JsonObject | None, spec: JsonObject, contrast: Contrast) -> Standing:
    """Say what a contrast of a panel is, given the panel's resolved specification.

    Every key of the specification counts, the content of each task among them. The stopping rule is
    words: whether the panel kept to it is for the reader, who sees it beside assigned and scored.
    """
    if registration is None or set(contrast) != set(registration["primary"]):
        return Standing("exploratory")
    differences = tuple(sorted(_differences(registration["spec"], spec, "")))
    return Standing("deviated" if differences else "registered", differences)


def _differences(registered: Any, found: Any, key: str) -> Iterator[str]:
    if isinstance(registered, dict) and isinstance(found, dict):
        for name in registered.keys() | found.keys():
            inner = f"{key}.{name}" if key else name
            if name in registered and name in found:
                yield from _differences(registered[name], found[name], inner)
            else:
                yield inner
    elif digest(registered) != digest(found):
        yield key
