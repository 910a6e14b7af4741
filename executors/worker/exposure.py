"""What of a program's data has an exact JSON form, in both directions; standard library only.

Exact type checks alone: `isinstance`, `repr`, `len` or `==` on a program's object could run its
code. Containers are copied, so what is shown is what was there at the pause.
"""

import json
import math
import types
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

__all__ = ["exact_arguments", "read_value", "show"]

MAX_DEPTH = 32
MAX_NODES = 100_000
MAX_BYTES = 1024 * 1024
MAX_VARIABLE_BYTES = 256 * 1024
MAX_NAMES = 10_000
"""More variables than this are counted as one unexposed name, `...`."""
MAX_NAME = 200
MAX_INTEGER_BITS = 4096
"""Python refuses to write integers of more than 4300 digits; this is 1234."""

_CODE: tuple[type, ...] = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.GenericAlias,
    types.UnionType,
)


class _NotExactError(Exception):
    """The value, or something in it, has no exact JSON form within the budget."""


class _Copier:
    """Copies values as JSON within one budget of nodes and encoded bytes."""

    def __init__(self, nodes: int, size: int, tuples: bool) -> None:
        self.nodes = nodes
        self.size = size
        self._tuples = tuples

    def copy(self, value: Any, depth: int = 0) -> Any:
        """Copy a value, or _NotExactError saying why not."""
        self.nodes -= 1
        kind = type(value)
        if depth > MAX_DEPTH:
            raise _NotExactError(f"it is nested deeper than {MAX_DEPTH} levels or holds itself")
        if kind is str:
            self._spend_text(value)
            return value
        self._spend(2)
        if value is None or kind is bool:
            self._spend(4)
            return value
        if kind is int:
            if value.bit_length() > MAX_INTEGER_BITS:
                raise _NotExactError(f"an integer has more than {MAX_INTEGER_BITS} bits")
            self._spend(value.bit_length() // 3)
            return value
        if kind is float:
            if not math.isfinite(value):
                raise _NotExactError("NaN and infinities have no JSON form")
            self._spend(24)
            return value
        if kind is list or (kind is tuple and self._tuples):
            return [self.copy(part, depth + 1) for part in value]
        if kind is dict:
            return {self._key(key): self.copy(part, depth + 1) for key, part in value.items()}
        hint = "; use a list" if _is_one_of(kind, (tuple, set, frozenset)) else ""
        raise _NotExactError(f"a {_type_name(kind)} has no JSON form{hint}")

    def _key(self, key: Any) -> str:
        if type(key) is not str:
            raise _NotExactError(f"a dictionary's key is a {_type_name(type(key))}, not a str")
        self._spend_text(key)
        return key

    def _spend_text(self, text: str) -> None:
        if len(text) > self.size:
            raise _NotExactError("it is too large")
        self._spend(len(text) if text.isascii() else len(encode_basestring_ascii(text)))

    def _spend(self, size: int) -> None:
        self.size -= size
        if self.size < 0 or self.nodes < 0:
            raise _NotExactError("it is too large")


class _Shown:
    """Variables in their JSON form, and the names of those without one."""

    def __init__(self) -> None:
        self.unexposed: set[str] = set()
        self._nodes = MAX_NODES
        self._size = MAX_BYTES

    def variables(self, scope: Mapping[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
        """Copy a scope's data in the order of names; code and dunder names are no data."""
        shown: dict[str, Any] = {}
        # A copy first: a garbage collection in the middle may run the program's own code.
        pairs = [(name, value) for name, value in dict(scope).items() if type(name) is str]
        for name, value in sorted(pairs, key=_first):
            dunder = name.startswith("__") and name.endswith("__")
            if dunder or name in hidden or not name.isidentifier() or _is_code(value):
                continue
            if len(shown) + len(self.unexposed) >= MAX_NAMES:
                self.unexposed.add("...")
                break
            copier = _Copier(self._nodes, min(self._size, MAX_VARIABLE_BYTES), tuples=True)
            budget = copier.size
            try:
                copier.copy(name)
                shown[name] = copier.copy(value)
            except _NotExactError:
                self.unexposed.add(name[:MAX_NAME])
            else:
                self._nodes = copier.nodes
                self._size -= budget - copier.size
        return shown


def show(
    block: Mapping[str, Any], module: Mapping[str, Any], hidden: frozenset[str]
) -> dict[str, Any]:
    """Return the variables of a pause: `block`, `module` and the sorted names `unexposed`."""
    shown = _Shown()
    return {
        "block": shown.variables(block, hidden),
        "module": shown.variables(module, hidden),
        "unexposed": sorted(shown.unexposed),
    }


def exact_arguments(arguments: dict[str, Any], limit: int) -> dict[str, Any]:
    """Copy a call's arguments as JSON; TypeError naming the argument that has no exact form."""
    copier = _Copier(limit, limit, tuples=False)
    exact = {}
    for name, value in arguments.items():
        try:
            copier.copy(name)
            exact[name] = copier.copy(value)
        except _NotExactError as error:
            raise TypeError(f"argument {name}: {error}") from None
    return exact


def read_value(text: str) -> Any:
    """Return the value of a text that is JSON; any other text, and NaN too, is itself."""
    try:
        return _decode(text)
    except (ValueError, RecursionError):
        return text


def _refuse(text: str) -> float:
    raise ValueError(f"{text} has no JSON form")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


# Made once, and held: the program may change what the json module's names mean.
_decode = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite).decode


def _is_code(value: Any) -> bool:
    kind = type(value)
    if _is_one_of(kind, _CODE) or _is_one_of(type, type.__dict__["__mro__"].__get__(kind)):
        return True
    # Names such as Optional or annotations, and what tools are called through.
    module = type.__dict__["__module__"].__get__(kind)
    return type(module) is str and module in ("typing", "__future__", "executors.worker.proxy")


def _is_one_of(kind: type, kinds: tuple[type, ...]) -> bool:
    """Compare by identity: `in` would ask a program's metaclass for __eq__ or __hash__."""
    return any(kind is each for each in kinds)


def _type_name(kind: type) -> str:
    name = type.__dict__["__name__"].__get__(kind)
    return str(name)


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]
