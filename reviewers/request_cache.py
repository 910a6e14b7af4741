"""The exact-request cache of a panel: each request is paid for once, whatever is killed when."""

import asyncio
import itertools
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from controlscope.budgets import Tokens
from controlscope.canonical import JsonObject, digest, encode
from controlscope.errors import InputError

__all__ = ["RequestCache"]

_VERSION = 2
_BUSY_SECONDS = 30.0
_LEASE_SECONDS = 7200.0
"""No request lasts so long, retries included: an older claim belongs to a process that hangs."""

_FIRST_POLL, _LONGEST_POLL = 0.02, 0.5

_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (request TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS responses (
    request TEXT NOT NULL, draw TEXT NOT NULL, payer TEXT NOT NULL, response TEXT NOT NULL,
    PRIMARY KEY (request, draw)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (
    request TEXT NOT NULL, draw TEXT NOT NULL, owner TEXT NOT NULL, claim INTEGER NOT NULL,
    since REAL NOT NULL, PRIMARY KEY (request, draw)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (
    model TEXT PRIMARY KEY, input INTEGER NOT NULL, cached_input INTEGER NOT NULL,
    output INTEGER NOT NULL, reasoning INTEGER NOT NULL
) WITHOUT ROWID;
"""


class RequestCache:
    """A SQLite file of requests and their responses. Use as a context manager.

    Safe under several processes of one machine. A request is claimed by a row before it is sent;
    its response is stored in the transaction that ends the claim, so that a kill repeats at most
    what had not been answered. The claim of a dead process is taken over at once. InputError where
    the file is something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._owner = _identity(os.getpid())
        self._claims = itertools.count()
        self._db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            self._set_up()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> "RequestCache":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _set_up(self) -> None:
        try:
            self._write_ahead()
            # Survives a kill of the process; a power cut may take the last responses with it.
            self._db.execute("PRAGMA synchronous = NORMAL")
            with self._writing():
                version = self._one("PRAGMA user_version")[0]
                for statement in _SCHEMA.split(";") if version == 0 else ():
                    self._db.execute(statement)
                if version == 0:
                    self._db.execute(f"PRAGMA user_version = {_VERSION}")
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self._path} is no request cache: {error}") from None
        if version not in {0, _VERSION}:
            raise InputError(f"{self._path}: version {version} of a request cache is not known")

    def _write_ahead(self) -> None:
        """Turn the write-ahead log on; SQLite itself does not wait where another does the same."""
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(_FIRST_POLL)

    async def once(
        self,
        request: JsonObject,
        draw: str,
        payer: str,
        send: Callable[[], Awaitable[JsonObject]],
    ) -> tuple[JsonObject, str]:
        """Return the response to a request under a draw key, and who paid for it.

        Where there is none yet, `send` is awaited for it, by one asker at a time: others wait, and
        the next one sends where it fails. What `send` raises is raised, and nothing is stored.
        """
        key = (digest(request), draw)
        claim = next(self._claims)
        pause = _FIRST_POLL
        while (known := self._response(key)) is None:
            if self._claimed(key, claim):
                try:
                    response = await send()
                    self._store(key, claim, payer, request, response)
                finally:
                    self._release(key, claim)
                return response, payer
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_POLL)
        return known

    def request(self, key: str) -> JsonObject:
        """Return an answered request by its digest; InputError where it is not here."""
        row = self._one("SELECT body FROM requests WHERE request = ?", key)
        if row is None:
            raise InputError(f"{self._path} has no request {key}")
        body: JsonObject = json.loads(zlib.decompress(row[0]))
        return body

    def spent(self) -> dict[str, Tokens]:
        """Return the tokens of all stored responses, by the model asked for.

        Where a provider did not report them they count at their bound: the request's bytes and
        the cap of its reply.
        """
        rows = self._db.execute("SELECT * FROM spent").fetchall()
        return {model: Tokens(*counts) for model, *counts in rows}

    def _response(self, key: tuple[str, str]) -> tuple[JsonObject, str] | None:
        row = self._one(
            "SELECT response, payer FROM responses WHERE (request, draw) = (?, ?)", *key
        )
        return None if row is None else (json.loads(row[0]), row[1])

    def _claimed(self, key: tuple[str, str], claim: int) -> bool:
        """Claim a request that has neither an answer nor an owner that lives."""
        with self._writing():
            if self._response(key) is not None:
                return False
            row = self._one("SELECT owner, since FROM claims WHERE (request, draw) = (?, ?)", *key)
            now = time.time()
            if row is not None and now - row[1] < _LEASE_SECONDS and _lives(row[0]):
                return False
            self._db.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)",
                (*key, self._owner, claim, now),
            )
        return True

    def _store(
        self,
        key: tuple[str, str],
        claim: int,
        payer: str,
        request: JsonObject,
        response: JsonObject,
    ) -> None:
        text = json.dumps(request, separators=(",", ":")).encode()
        row = (*key, payer, encode(response))
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO requests VALUES (?, ?)", (key[0], zlib.compress(text))
            )
            self._db.execute("INSERT OR IGNORE INTO responses VALUES (?, ?, ?, ?)", row)
            self._spend(request["model"], _tokens(request, len(text), response))
            self._release(key, claim)

    def _spend(self, model: str, tokens: Tokens) -> None:
        total = self.spent().get(model, Tokens()) + tokens
        self._db.execute(
            "INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?, ?)", (model, *astuple(total))
        )

    def _release(self, key: tuple[str, str], claim: int) -> None:
        self._db.execute(
            "DELETE FROM claims WHERE (request, draw, owner, claim) = (?, ?, ?, ?)",
            (*key, self._owner, claim),
        )

    def _one(self, statement: str, *values: Any) -> Any:
        return self._db.execute(statement, values).fetchone()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _tokens(request: JsonObject, size: int, response: JsonObject) -> Tokens:
    if response["served"].get("tokens") == "not reported":
        cap = request.get("max_tokens") or request.get("max_completion_tokens") or 0
        return Tokens(input=size, output=cap)
    return Tokens(**response["tokens"])


def _identity(pid: int) -> str:
    """Name a process so that no other, on this machine or after a restart, has the same name."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {pid} {_started(pid)}"


def _lives(owner: str) -> bool:
    return owner == _identity(int(owner.split()[1]))


def _started(pid: int) -> str:
    """Return when a process started, in ticks since the boot, or "" where it does not run."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    fields = status.rpartition(")")[2].split()
    # A zombie is dead, and only its parent does not know yet.
    return "" if fields[0] in {"Z", "X"} else fields[19]
