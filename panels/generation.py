"""Sample source programs by a spec's planner before any comparison, and freeze them as files."""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import TypeAlias

import anyio

from controlscope.boundaries import History
from controlscope.canonical import JsonObject, digest
from controlscope.errors import InputError, PlannerError
from controlscope.roles import Plan
from controlscope.tasks import Reply, Suite, Task
from controlscope.tools import Tool
from panels import scripts
from panels.origins import origin_of
from panels.spec import chosen_tasks
from panels.spec_file import PLANNED, PanelSpec
from reviewers.endpoint import Endpoint, OnRetry
from reviewers.limits import purse_of
from reviewers.model_planner import ModelPlanner
from reviewers.request_cache import RequestCache
from reviewers.transport import open_client

__all__ = ["Generated", "generate", "wanted_programs"]

_REQUEST = "request.json"


@dataclass(frozen=True)
class Generated:
    """One program that was asked for: `problem` is "", or why there is none.

    `known` tells that it stood there already, `refused` that the provider gave no reply at all.
    """

    task: str
    program: str
    problem: str = ""
    known: bool = False
    refused: bool = False

    def as_json(self) -> JsonObject:
        """Return it for `--json`."""
        return asdict(self)


def wanted_programs(spec: PanelSpec, suite: Suite, limit: int | None) -> list[tuple[Task, str]]:
    """Return the (task, program name) pairs that a spec's rows compare, for its first tasks."""
    names = dict.fromkeys(row.program for row in spec.all_rows().values())
    tasks = chosen_tasks(spec, suite)[:limit]
    return [(task, name) for task in tasks for name in names if name != PLANNED]


Done: TypeAlias = Callable[[Generated], None]


async def generate(
    wanted: Sequence[tuple[Task, str]],
    spec: PanelSpec,
    suite: Suite,
    out: Path,
    jobs: int,
    done: Done,
    retried: OnRetry,
) -> list[Generated]:
    """Sample one program for each (task, program name), at most `jobs` requests at once.

    `out` holds `<task>/<program>/01.py` (or `01a.py`, `01b.py`, …), what the reply says beside its
    code as `01.txt`, and `request.json`: the exact request, the reply and who served it. What is
    there already stays, and a request that was answered is not sent again. A reply without code is
    no program and is told as a problem, as is a provider's failure. InputError where the spec's
    planner is no model, or where `out` holds a program of another request.
    """
    settings = spec.model(spec.planner)
    if settings is None:
        raise InputError("planner: a script generates nothing: name one of the models")
    out.mkdir(parents=True, exist_ok=True)
    tools = await _tools(suite, wanted[0][0])
    results: dict[tuple[str, str], Generated] = {}
    purse = purse_of(spec.limits, spec.models.values())
    limiter = anyio.CapacityLimiter(jobs)
    async with open_client() as client:
        with RequestCache(out / "requests.sqlite") as cache:

            async def one(task: Task, name: str) -> None:
                async with limiter:
                    endpoint = Endpoint(
                        settings=settings,
                        client=client,
                        cache=cache,
                        run=f"{task.id}/{name}",
                        on_retry=retried,
                        purse=purse,
                    )
                    planner = ModelPlanner(endpoint, tools, suite.proxy, None, draw_key=name)
                    found = await _generated(planner, task, name, out / task.id / name.lower())
                results[task.id, name] = found
                done(found)

            async with anyio.create_task_group() as tasks:
                for task, name in wanted:
                    tasks.start_soon(one, task, name)
    return [results[task.id, name] for task, name in wanted]


async def _tools(suite: Suite, task: Task) -> Mapping[str, Tool]:
    """Ask the suite's own environment which tools its programs can call."""
    with tempfile.TemporaryDirectory() as scratch:
        initial = Path(scratch) / "initial"
        await scripts.build(task, initial)
        async with origin_of(suite, task, initial).opened(Path(scratch) / "at") as place:
            return place.environment.tools


async def _generated(planner: ModelPlanner, task: Task, name: str, folder: Path) -> Generated:
    request = planner.request(task.instruction, History())
    if folder.exists():
        _check_request(folder, request)
        return Generated(task.id, name, known=True)
    try:
        plan = await planner.plan(task.instruction, History())
        files = _files(plan.reply)
    except PlannerError as error:
        return Generated(task.id, name, str(error), refused=True)
    except _NoProgramError as error:
        return Generated(task.id, name, str(error))
    _freeze(folder, files, request, plan)
    return Generated(task.id, name)


def _check_request(folder: Path, request: JsonObject) -> None:
    try:
        before = json.loads((folder / _REQUEST).read_bytes())["request"]
    except (OSError, ValueError, KeyError):
        raise InputError(f"{folder} holds a program that was not generated here") from None
    if digest(before) != digest(request):
        raise InputError(f"{folder} was generated by another request: choose another --out")


class _NoProgramError(Exception):
    """A reply that no files can hold as a program."""


def _files(reply: Reply) -> dict[str, bytes]:
    """Name a reply's blocks as the loader of programs reads them."""
    count = len(reply.blocks)
    if not 0 < count <= len(ascii_lowercase):
        raise _NoProgramError(f"the reply holds {count or 'no'} blocks of code")
    letters = ascii_lowercase if count > 1 else ("",)
    texts = {
        f"01{letter}.py": block.code for letter, block in zip(letters, reply.blocks, strict=False)
    }
    if reply.text:
        texts["01.txt"] = reply.text
    try:
        return {name: text.encode() for name, text in texts.items()}
    except UnicodeEncodeError:
        raise _NoProgramError("the reply holds a text that is not Unicode") from None


def _freeze(folder: Path, files: Mapping[str, bytes], request: JsonObject, plan: Plan) -> None:
    """Write a program's folder, which appears only when it is whole."""
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name, data in files.items():
        (partial / name).write_bytes(data)
    assert plan.usage is not None, "a model gave this reply"
    document = {"request": request, "reply": asdict(plan.reply), "usage": plan.usage.as_json()}
    (partial / _REQUEST).write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
    partial.rename(folder)
