"""AppWorld's own process: it waits with all apps imported, and each world is a fork of it.

It runs in AppWorld's environment, as a script in a folder of its own: `host.py DATA USE SOCKET`,
where USE is "worlds" or "evaluations". Each message is a line of JSON. Only this loop calls the
engine, on behalf of programs that run elsewhere: nothing of it is in their reach, and none of its
interfaces needs a guard.
"""

import gc
import hashlib
import json
import os
import random
import re
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__: list[str] = []

_CHUNK = 1 << 16
_RUN = "run"
_SECONDS = 300
_MOST_TEXT = 8 * 1024 * 1024
# The engine's own switches of a call, which no documentation offers to an agent.
_SWITCHES = {"client", "raise_on_failure", "show", "track", "_system_datetime"}

_LEADS_ELSEWHERE = re.compile(r"[/?#%\\]|^\.{1,2}$")


class _World:
    """One task's world, and running digests of what the engine has recorded of it."""

    def __init__(self, task: str) -> None:
        from appworld import AppWorld

        # Requests are counted elsewhere, by block; the engine would count those of its own cells.
        self._world = AppWorld(
            task, _RUN, load_ground_truth=False, max_api_calls_per_interaction=None
        )
        self._apps = [*self._world.task.allowed_apps, "admin"]
        self._start = {app: len(changes) for app, changes in self._changes().items()}
        self._hashes = {app: hashlib.sha256() for app in [*self._apps, "requests"]}
        self._hashed = dict.fromkeys(self._hashes, 0)

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make one request, as a cell of the engine would, and time it."""
        app, _, api = tool.partition(".")
        started = _now()
        try:
            _check(app, api, arguments)
            value = getattr(getattr(self._world.apis, app), api)(**arguments)
            text, is_error = json.dumps(value, ensure_ascii=False), False
            if len(text) > _MOST_TEXT:
                raise ValueError(f"an answer of {len(text)} characters; the limit is {_MOST_TEXT}")
        except Exception as error:
            plain = type(error) is Exception
            text = str(error) if plain else traceback.format_exception_only(error)[-1].strip()
            is_error = True
        took = _now() - started
        return {"text": text, "is_error": is_error, "digest": self.digest(), "seconds": took}

    def digest(self) -> str:
        """Hash what was written, by app, what was asked, and the state of the random source.

        All databases follow from what was written: so the engine itself saves and loads them.
        """
        records = {**self._changes(), "requests": self._world.requester.requests}
        for name, rows in records.items():
            for row in rows[self._hashed[name] :]:
                self._hashes[name].update(_encoded(row) + b"\n")
            self._hashed[name] = len(rows)
        found: dict[str, Any] = {name: state.hexdigest() for name, state in self._hashes.items()}
        found["random"] = random.getstate()
        return hashlib.sha256(_encoded(found)).hexdigest()

    def state(self) -> dict[str, Any]:
        """Return what was written since the start, by app, and what was asked."""
        changes = {app: rows[self._start[app] :] for app, rows in self._changes().items()}
        records = {**changes, "requests": self._world.requester.requests}
        return {name: {"records": rows} for name, rows in records.items() if rows}

    def saved(self) -> dict[str, str]:
        """Return the databases' changes as the files that the engine keeps them in."""
        with tempfile.TemporaryDirectory() as folder:
            self._world._save_state(folder)
            return {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir()}

    def own(self) -> None:
        """Make a forked world whole: the thread that its client answered in was not copied."""
        from appworld.requester import Requester

        Requester.clients.clear()
        self._world.requester.client = self._world.requester._get_client()

    def _changes(self) -> dict[str, list[Any]]:
        models = self._world.models
        return {app: models[app].SQLModel.get_tracked_db_changes() for app in sorted(self._apps)}


class _Host:
    """Answers one controller; a fork answers it on another socket."""

    def __init__(self, channel: socket.socket, data: Path) -> None:
        self._channel = channel
        self._data = data
        self._bytes = b""
        self._passed: list[int] = []
        self._world: _World | None = None

    def serve(self) -> None:
        """Answer until the other end is closed."""
        while (request := self._receive()) is not None:
            # Ends this process by itself, however deep in the engine it is late.
            signal.alarm(_SECONDS)
            match request:
                case {"fork": _}:
                    self._fork()
                case {"open": task, "files": files}:
                    with _root(self._data, f"data/tasks/{task}", files):
                        self._world = _World(task)
                    self._send({"digest": self._world.digest()})
                case {"call": tool, "arguments": arguments}:
                    self._send(self._opened().call(tool, arguments))
                case {"state": _}:
                    self._send(self._opened().state())
                case {"save": _}:
                    self._send({"files": self._opened().saved()})
                case {"evaluate": task, "files": files}:
                    with _root(self._data, f"experiments/outputs/{_RUN}/tasks/{task}/dbs", files):
                        self._send(_evaluated(task))
                case _:
                    raise ValueError(f"no request: {sorted(request)}")
            signal.alarm(0)

    def _opened(self) -> _World:
        assert self._world is not None, "no world is open"
        return self._world

    def _fork(self) -> None:
        other = socket.socket(fileno=self._passed.pop(0))
        drawn = random.getstate()
        if os.fork() == 0:
            # Python gives a fork a seed of its own.
            random.setstate(drawn)
            self._channel.close()
            for descriptor in self._passed:
                os.close(descriptor)
            self._channel, self._bytes, self._passed = other, b"", []
            if self._world is not None:
                self._world.own()
            self._send({"forked": True})
        else:
            other.close()

    def _send(self, value: dict[str, Any]) -> None:
        self._channel.sendall(json.dumps(value).encode() + b"\n")

    def _receive(self) -> dict[str, Any] | None:
        while b"\n" not in self._bytes:
            data, descriptors, _, _ = socket.recv_fds(self._channel, _CHUNK, 1)
            self._passed += descriptors
            if not data:
                return None
            self._bytes += data
        line, self._bytes = self._bytes.split(b"\n", 1)
        request: dict[str, Any] = json.loads(line)
        return request


def _check(app: str, api: str, arguments: dict[str, Any]) -> None:
    """Refuse what would make another request of this one.

    The engine writes some arguments into the request's path as they are, where `../../admin/credit`
    would lead to another API, of an app that no agent is offered.
    """
    from appworld.requester import _get_api_name_to_doc

    if taken := sorted(_SWITCHES & arguments.keys()):
        raise TypeError(f"{app}.{api} takes no argument {taken[0]!r}")
    path = _get_api_name_to_doc(app, include_private_apis=True)[api]["path"]
    for name, value in arguments.items():
        if "{" + name + "}" in path and _LEADS_ELSEWHERE.search(str(value)):
            raise ValueError(f"{app}.{api}: {name} stands in the request's path, as one part of it")


def _evaluated(task: str) -> dict[str, Any]:
    """Evaluate a saved world; a criterion is told by its label alone, never by its text."""
    from appworld.evaluator import evaluate_task

    try:
        verdict = evaluate_task(task, _RUN, save_report=False).to_dict()
    except Exception as error:
        return {"crashed": traceback.format_exception_only(error)[-1].strip()}
    return {
        "success": verdict["success"],
        "criteria": verdict["num_tests"],
        "failed": sorted(failure["label"] or "" for failure in verdict["failures"]),
    }


def _now() -> float:
    # The engine freezes the clocks that have functions of their own.
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def _encoded(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


@contextmanager
def _root(data: Path, target: str, files: dict[str, str]) -> Iterator[None]:
    """Let the engine look at a root of its own: links to the data, and these files at a place."""
    from appworld.common.path_store import path_store

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        if target.startswith("data"):
            (root / "data").mkdir()
            for name in ("api_docs", "base_dbs"):
                (root / "data" / name).symlink_to(data / name)
        else:
            (root / "data").symlink_to(data)
        for name, text in files.items():
            path = root / target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        path_store.update_root(folder)
        yield


def _import_all(use: str) -> None:
    """Import and build all that every world, or every evaluation, needs: forks share it."""
    from appworld.apps import build_main_app, get_all_apps
    from appworld.collections.api_docs import ApiDocCollection
    from appworld.common.utils import import_models_module
    from appworld.requester import _get_api_name_to_doc

    for app in get_all_apps():
        import_models_module(app)
    if use == "evaluations":
        return
    for app in get_all_apps():
        _get_api_name_to_doc(app, include_private_apis=True)
    build_main_app(get_all_apps())
    ApiDocCollection.load(
        load_apps=tuple(get_all_apps(skip_admin=True)), include_response_schemas=True
    )


def main() -> None:
    """Import everything, then serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Forks are nobody's to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    data, here = Path(sys.argv[1]), Path.cwd()
    # The engine and what it imports keep files of their own in such places.
    places = ("HOME", "TMPDIR", "IPYTHONDIR", "APPWORLD_CACHE")
    os.environ.update(dict.fromkeys(places, str(here)))
    # Else its shell copies this one there with its mode, which not every sandbox allows.
    readme = here / "profile_default" / "startup" / "README"
    readme.parent.mkdir(parents=True)
    readme.touch()
    with _root(data, "data", {}):
        _import_all(sys.argv[2])
    # What is never freed need not be written to, and stays shared.
    gc.collect()
    gc.freeze()
    _Host(socket.socket(fileno=int(sys.argv[3])), data).serve()


if __name__ == "__main__":
    main()
