"""The worker's frozen clock, seeded entropy and refused concurrency; standard library only.

A program must read the same in every branch: clocks stand at the run's instant and entropy comes
from one seeded stream. `time.monotonic` and `time.sleep` stay real, for event loops need them.
"""

import ctypes
import datetime
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, Self

__all__ = ["ConcurrencyError", "fix_addresses", "freeze", "refuse_concurrency"]

_ASK = 0xFFFFFFFF  # personality(2): change nothing
_NO_RANDOM_ADDRESSES = 0x0040000


def fix_addresses() -> bool:
    """Switch address randomisation off for what this process executes next.

    A program may print an object with its address. Return False where it is off already, or where
    the sandbox refuses it.
    """
    personality = ctypes.CDLL(None).personality
    now = personality(_ASK)
    return not now & _NO_RANDOM_ADDRESSES and personality(now | _NO_RANDOM_ADDRESSES) == now


class _Kind(type):
    """Lets instances of a real class pass for instances of the frozen one that stands for it."""

    real: ClassVar[type | None] = None

    def __instancecheck__(cls, value: object) -> bool:
        real = cls.__dict__.get("real")
        return type.__instancecheck__(cls, value) if real is None else isinstance(value, real)

    def __subclasscheck__(cls, kind: type) -> bool:
        real = cls.__dict__.get("real")
        return type.__subclasscheck__(cls, kind) if real is None else issubclass(kind, real)


class _FrozenDate(datetime.date, metaclass=_Kind):
    real = datetime.date
    instant: ClassVar[float]

    @classmethod
    def today(cls) -> Self:
        return cls.fromtimestamp(cls.instant)

    def __repr__(self) -> str:
        return _qualified(self, _FrozenDate, super().__repr__())


class _FrozenDatetime(datetime.datetime, metaclass=_Kind):
    real = datetime.datetime
    instant: ClassVar[float]

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Self:
        return cls.fromtimestamp(cls.instant, tz)

    @classmethod
    def today(cls) -> Self:
        return cls.fromtimestamp(cls.instant)

    @classmethod
    def utcnow(cls) -> Self:
        return cls.fromtimestamp(cls.instant, datetime.UTC).replace(tzinfo=None)

    def __repr__(self) -> str:
        return _qualified(self, _FrozenDatetime, super().__repr__())


def _qualified(value: object, kind: type, text: str) -> str:
    """Write the module before the class, as the real classes alone do by themselves."""
    return f"datetime.{text}" if type(value) is kind else text


class ConcurrencyError(RuntimeError):
    """A program tried to start a thread or a process."""


ConcurrencyError.__module__ = "builtins"


def refuse_concurrency() -> None:
    """Make starting threads and processes raise ConcurrencyError.

    Call it before anything imports threading or subprocess: they keep their own references.
    """
    import _posixsubprocess
    import _thread

    def no_thread(*_: object, **__: object) -> NoReturn:
        raise ConcurrencyError("threads are not available to a program")

    def no_process(*_: object, **__: object) -> NoReturn:
        raise ConcurrencyError("processes are not available to a program")

    modules: list[tuple[Any, tuple[str, ...], Callable[..., NoReturn]]] = [
        (_thread, ("start_new_thread", "start_new", "start_joinable_thread"), no_thread),
        (_posixsubprocess, ("fork_exec",), no_process),
        (os, ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system"), no_process),
    ]
    for module, names, refusal in modules:
        for name in names:
            if hasattr(module, name):
                setattr(module, name, refusal)


def freeze(instant: float) -> None:
    """Stop the clocks at `instant` (seconds since 1970, UTC) and seed every source of entropy."""
    _freeze_time(instant)
    _freeze_datetime(instant)
    _seed_entropy()


def _freeze_time(instant: float) -> None:
    nanoseconds = round(instant * 1e9)
    module: Any = time

    def with_default(original: Callable[..., Any], *, position: int, default: Any) -> Any:
        def call(*arguments: Any) -> Any:
            if len(arguments) == position or arguments[position:] == (None,):
                arguments = (*arguments[:position], default)
            return original(*arguments)

        call.__name__ = original.__name__
        return call

    now = time.localtime(instant)
    for name in ("gmtime", "localtime", "ctime"):
        setattr(module, name, with_default(getattr(time, name), position=0, default=instant))
    module.asctime = with_default(time.asctime, position=0, default=now)
    module.strftime = with_default(time.strftime, position=1, default=now)
    module.time = lambda: instant
    module.time_ns = lambda: nanoseconds
    for name in ("perf_counter", "process_time", "thread_time"):
        setattr(module, name, lambda: 0.0)
        setattr(module, f"{name}_ns", lambda: 0)
    wall = {time.CLOCK_REALTIME}
    real_gettime, real_gettime_ns = time.clock_gettime, time.clock_gettime_ns
    module.clock_gettime = lambda clock: instant if clock in wall else real_gettime(clock)
    module.clock_gettime_ns = lambda clock: nanoseconds if clock in wall else real_gettime_ns(clock)


def _freeze_datetime(instant: float) -> None:
    module: Any = datetime
    for name, frozen in (("date", _FrozenDate), ("datetime", _FrozenDatetime)):
        frozen.instant = instant
        frozen.__name__ = frozen.__qualname__ = name
        frozen.__module__ = "datetime"
        setattr(module, name, frozen)


def _seed_entropy() -> None:
    own: Any = random.random
    stream = random.Random(0)
    real_seed = random.Random.seed

    def urandom(size: int) -> bytes:
        return stream.randbytes(size)

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        # Without a value the real one would draw from the kernel, past os.urandom.
        real_seed(self, urandom(32) if a is None else a, version)

    modules: list[tuple[Any, str, Any]] = [
        (os, "urandom", urandom),
        (os, "getrandom", lambda size, flags=0: urandom(size)),
        (random, "_urandom", urandom),
        (random.Random, "seed", seed),
        # A method of the module's own generator, bound before.
        (random, "seed", seed.__get__(own.__self__)),
    ]
    for owner, name, value in modules:
        setattr(owner, name, value)
    # Its uuid1 would read the real clock; without it uuid uses time.time_ns.
    loaded: dict[str, Any] = sys.modules
    loaded["_uuid"] = None
    random.seed(0)
