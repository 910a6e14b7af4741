"""Dotted tools, answers as values, the clock of a run, and calls that never come to a pause."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from controlscope.budgets import Refused
from controlscope.roles import Worker
from executors.worker.client import Manner, forked, open_sandbox
from executors.worker.exposure import read_value
from tests.executors.worker.programs import ended, paused, printed_by, run, text

pytestmark = pytest.mark.anyio

APIS = ("mail.send", "mail.show", "music.songs.list", "supervisor.complete_task")


@asynccontextmanager
async def _worker(**manner: Any) -> AsyncIterator[Worker]:
    async with open_sandbox("apis", APIS, manner=Manner(**manner)) as sandbox:
        yield await sandbox.worker()


async def test_a_tool_is_a_method_at_its_dotted_name() -> None:
    async with _worker() as worker:
        first = paused(await run(worker, "apis.mail.send(to='x')\napis.music.songs.list()"))
        assert (first.pending.tool, first.pending.arguments) == ("mail.send", {"to": "x"})
        assert first.pending.position[:2] == (1, 0)
        second = paused(await worker.resume(text("ok")))
        assert second.pending.tool == "music.songs.list"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"songs": [{"id": 1}], "next": null}', "{'songs': [{'id': 1}], 'next': None}"),
        ("[]", "[]"),
        ("12", "12"),
        ("1.5", "1.5"),
        ("true", "True"),
        ("null", "None"),
        ('"text"', "'text'"),
        ("no JSON", "'no JSON'"),
        ("NaN", "'NaN'"),
        ("1e999", "'1e999'"),
        ("", "''"),
        ("[" * 5000, None),
        ("9" * 5000, None),
    ],
    ids=lambda value: str(value)[:12],
)  # fmt: skip
async def test_an_answer_that_is_json_comes_back_as_its_value(
    answer: str, value: str | None
) -> None:
    async with _worker(values=True) as worker:
        paused(await run(worker, "print(repr(apis.mail.show()))"))
        end = ended(await worker.resume(text(answer)))
        assert end.printed == f"{answer!r}\n" if value is None else f"{value}\n"


async def test_without_values_an_answer_stays_text_and_an_error_is_text_always() -> None:
    async with _worker() as worker:
        paused(await run(worker, "print(repr(apis.mail.show()))"))
        assert ended(await worker.resume(text("[1]"))).printed == "'[1]'\n"
    async with _worker(values=True) as worker:
        code = "try:\n    apis.mail.show()\nexcept ToolError as error:\n    print(error)"
        paused(await run(worker, code))
        assert ended(await worker.resume(text("[1]", is_error=True))).printed == "[1]\n"


async def test_a_value_is_the_programs_own_and_is_shown_at_the_next_pause() -> None:
    async with _worker(values=True) as worker:
        code = "found = apis.mail.show()\nfound['new'] = 1\napis.mail.send()"
        paused(await run(worker, code))
        again = paused(await worker.resume(text('{"old": [1]}')))
        assert again.variables.module == {"found": {"old": [1], "new": 1}}


async def test_values_are_read_whatever_the_program_made_of_the_json_module() -> None:
    async with _worker(values=True) as worker:
        code = """
            import json
            json.loads = json.JSONDecoder = json.decoder.scanstring = None
            print(apis.mail.show())
            """
        paused(await run(worker, code))
        assert ended(await worker.resume(text('{"a": "b"}'))).printed == "{'a': 'b'}\n"


def test_reading_a_value_is_the_inverse_of_writing_it() -> None:
    values: list[Any] = [{"a": [1, 2.5, None, True, "x\udcff"]}, [], "", 0, -1.5, None, False]
    for value in values:
        assert read_value(json.dumps(value)) == value


async def test_the_programs_clock_stands_where_the_run_has_it() -> None:
    instant = datetime(2023, 5, 18, 12, 30, tzinfo=UTC)
    async with _worker(instant=instant) as worker:
        code = """
            import time
            from datetime import date, datetime
            print(datetime.now(), date.today(), time.time())
            """
        shown = f"2023-05-18 12:30:00 2023-05-18 {instant.timestamp()}\n"
        assert await printed_by(worker, code) == shown


MISTAKES = """
for call in (lambda: apis.mial.send(to="x"), lambda: apis.mail.sned(), lambda: apis.mail.show(1)):
    try:
        call()
    except (AttributeError, TypeError) as error:
        print(error)
"""


async def test_wrong_names_and_positions_are_counted_though_the_program_catches_them() -> None:
    async with _worker() as worker:
        pause = paused(await run(worker, MISTAKES + "apis.mail.show()\napis.mail.show(1)"))
        assert pause.printed == (
            "apis has no tool 'mial'; it has mail, music, supervisor\n"
            "apis.mail has no tool 'sned'; it has send, show\n"
            "apis.mail.show takes keyword arguments only, and was called with 1 positional\n"
        )
        assert pause.refused == Refused(unknown=2, positional=1)
        end = ended(await worker.resume(text("ok")))
        assert (end.error, end.refused) == ("bad_arguments", Refused(unknown=2, positional=2))
        # Counted by block, and not what a look for an underscored name finds.
        end = ended(await run(worker, "hasattr(apis, '_x'), hasattr(apis.mail, '__len__')"))
        assert end.refused == Refused()


async def test_a_copy_of_a_worker_has_counted_the_same() -> None:
    async with _worker() as worker:
        paused(await run(worker, MISTAKES + "apis.mail.show()\napis.mail.show(1)"))
        async with forked(worker) as (_, copy, pause):
            assert pause.refused == Refused(unknown=2, positional=1)
            assert ended(await copy.resume(text("ok"))).refused == Refused(2, 2)


async def test_what_tools_are_called_through_is_no_data_under_another_name_either() -> None:
    async with _worker() as worker:
        code = "mail, send, everything, n = apis.mail, apis.mail.send, apis, 1\nmail.show()"
        variables = paused(await run(worker, code)).variables
        assert (variables.module, variables.unexposed) == ({"n": 1}, ())


async def test_below_the_proxy_nothing_can_be_set_or_deleted() -> None:
    async with _worker() as worker:
        for code in ("apis.mail.show = 1", "del apis.mail.show", "setattr(apis.mail, 'x', 1)"):
            assert ended(await run(worker, code)).error == "user_exception"
        assert paused(await run(worker, "apis.mail.show()")).pending.tool == "mail.show"
