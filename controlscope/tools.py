"""Primitive tools and the one check of a call's arguments, made before the call is sent."""

import json
from dataclasses import dataclass
from functools import cached_property

from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from controlscope.canonical import JsonObject, problem_of

__all__ = ["MAX_ARGUMENT_BYTES", "Observation", "Tool", "unsendable"]

MAX_ARGUMENT_BYTES = 4 * 1024 * 1024
"""Largest UTF-8 size of the text in a call's arguments."""

_MAX_JSON_BYTES = 8 * 1024 * 1024
"""Largest size of the arguments as JSON, where escapes and many small parts count as well: the
original server exits on a request line of 10 MiB."""

_OF_ONE = ("properties", "$defs", "definitions")


@dataclass(frozen=True)
class Observation:
    """What a call returned: `text` as shown to the program, `raw` as the environment said it.

    They differ only in clock fields and in random names (the frozen clock). `text` is what
    history, digests and state keys hold.
    """

    text: str
    is_error: bool
    raw: str


@dataclass(frozen=True)
class Tool:
    """One primitive tool of an environment.

    `read_only` is the server's own annotation. `program_parameters` names the parameters that
    encode programs: they lie outside the data arguments that Arg may edit (paper, section 3.1).
    `values`: a program gets an answer that is JSON as its value, not as text.
    """

    name: str
    description: str
    input_schema: JsonObject
    read_only: bool
    program_parameters: frozenset[str] = frozenset()
    values: bool = False

    @cached_property
    def _validator(self) -> Validator:
        return validator_for(self.input_schema, default=Draft202012Validator)(self.input_schema)

    @cached_property
    def _part_validator(self) -> Validator:
        """Checks each argument by itself, and nothing of how they go together."""
        schema = {key: self.input_schema[key] for key in _OF_ONE if key in self.input_schema}
        return validator_for(self.input_schema, default=Draft202012Validator)(schema)

    def problem(self, arguments: JsonObject, *, whole: bool = True) -> str | None:
        """Say in one line why these arguments cannot be sent, or None where they can.

        Without `whole` they are a part of a call's arguments, of which the others are not known.
        Stricter than the server in one point: it ignores an unknown argument, which answers a
        misspelt one misleadingly, so an unknown argument is a problem here.
        """
        problem = unsendable(arguments)
        if problem is not None:
            return problem
        known = self.input_schema.get("properties", {})
        unknown = sorted(set(arguments) - set(known))
        if unknown:
            taken = ", ".join(known) or "none"
            return f"unknown argument {unknown[0]!r}; {self.name} takes {taken}"
        validator = self._validator if whole else self._part_validator
        errors = sorted(validator.iter_errors(arguments), key=lambda error: error.json_path)
        if not errors:
            return None
        where = errors[0].json_path.removeprefix("$.").removeprefix("$")
        message = errors[0].message
        return f"{where}: {message[:200]}" if where else message[:200]


def unsendable(arguments: JsonObject) -> str | None:
    """Say in one line why no tool can be sent these arguments, or None where one can."""
    problem = problem_of(arguments)
    if problem is not None:
        return f"the arguments cannot be sent: {problem}"
    try:
        size = sum(len(text.encode()) for text in _strings(arguments))
    except UnicodeEncodeError:
        return "a string argument holds a lone surrogate, which has no UTF-8 form"
    if size > MAX_ARGUMENT_BYTES:
        return f"the arguments hold {size} bytes of text; the limit is {MAX_ARGUMENT_BYTES}"
    size = len(json.dumps(arguments, ensure_ascii=False).encode())
    if size > _MAX_JSON_BYTES:
        return f"the arguments are {size} bytes as JSON; the limit is {_MAX_JSON_BYTES}"
    return None


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in _strings(part)]
    return []
