"""What a program would ask of the mini world."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controlscope.canonical import JsonObject
from executors.appworld.apis import tools_in
from executors.appworld.engine import Engine
from executors.appworld.place import AppworldEnvironment

TASK = "packing_1"


@asynccontextmanager
async def opened(
    engine: Engine, root: Path, task: str = TASK
) -> AsyncIterator[AppworldEnvironment]:
    environment = AppworldEnvironment(await engine.open(task), tools_in(root))
    try:
        yield environment
    finally:
        environment.close()


async def value(environment: AppworldEnvironment, tool: str, **arguments: Any) -> Any:
    """Call a tool that answers, and read its answer."""
    observation = await environment.call(tool, arguments)
    assert not observation.is_error, observation.text
    return json.loads(observation.text)


async def token_of(environment: AppworldEnvironment, app: str = "simple_note") -> JsonObject:
    """Log in to an app as the supervisor would, and return what every later call takes."""
    profile = await value(environment, "supervisor.show_profile")
    accounts = await value(environment, "supervisor.show_account_passwords")
    (password,) = [account["password"] for account in accounts if account["account_name"] == app]
    login = {"username": profile["email"], "password": password}
    answer = await value(environment, f"{app}.login", **login)
    return {"access_token": answer["access_token"]}


async def packed(environment: AppworldEnvironment) -> None:
    """Do what the task asks: append a line to the right one of the notes."""
    token = await token_of(environment)
    notes = await value(
        environment, "simple_note.search_notes", query="Packing for Lisbon", **token
    )
    (number,) = [note["note_id"] for note in notes if note["title"] == "Packing for Lisbon"]
    note = await value(environment, "simple_note.show_note", note_id=number, **token)
    content = f"{note['content']}\n- sun hat"
    await value(environment, "simple_note.update_note", note_id=number, content=content, **token)
    await value(environment, "supervisor.complete_task")
