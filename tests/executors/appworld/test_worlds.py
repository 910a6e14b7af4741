"""Worlds of the engine: what calls answer, what a digest holds, and how a world is scored."""

from pathlib import Path

import pytest

from controlscope.roles import Score
from controlscope.tools import MAX_ARGUMENT_BYTES, Observation
from executors.appworld.engine import Engine
from tests.executors.appworld.worlds import opened, packed, token_of, value

pytestmark = pytest.mark.anyio


async def test_a_call_answers_in_json_and_an_error_in_the_engines_words(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        token = await token_of(environment)
        notes = await value(environment, "simple_note.search_notes", query="Oslo", **token)
        assert {"Packing for Oslo", "Cafes in Oslo"} <= {note["title"] for note in notes}
        missing = await environment.call("simple_note.show_note", {"note_id": 9999, **token})
        text = 'Response status code is 409:\n{"message":"The note with id 9999 does not exist."}'
        assert missing == Observation(text, True, text)
        wrong = await environment.call("simple_note.show_note", {"note_id": "one", **token})
        assert wrong.is_error
        assert wrong.text.startswith("Response status code is 422:\n")


async def test_an_unknown_api_and_the_engines_own_switches_are_refused(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        before = await environment.digest()
        for tool in ("simple_note.no_such_api", "_requester.request", "simple_note", ""):
            answer = await environment.call(tool, {})
            assert answer.text == f"there is no API {tool}"
            assert answer.is_error
        for switch in ("raise_on_failure", "track", "show", "client", "_system_datetime"):
            answer = await environment.call("supervisor.show_profile", {switch: False})
            assert answer.text == f"TypeError: supervisor.show_profile takes no argument {switch!r}"
            assert answer.is_error
        assert await environment.digest() == before


async def test_a_task_is_complete_only_once_the_engine_has_taken_it(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        refused = await environment.call("supervisor.complete_task", {"answer": {"a": 1}})
        assert refused.is_error
        assert environment.over is None
        await value(environment, "supervisor.complete_task")
        assert environment.over == "after_block"


@pytest.mark.parametrize(
    ("tool", "name", "value"),
    [
        ("spotify.show_song", "song_id", "../../admin"),
        ("spotify.show_song", "song_id", "1/reviews?x=1#"),
        ("spotify.show_song", "song_id", ["../../admin"]),
        ("spotify.show_song", "song_id", ".."),
        ("spotify.show_song", "song_id", "%2e%2e/%2e%2e/admin"),
        ("spotify.show_song", "song_id", "1#"),
        ("spotify.show_song", "song_id", "..\\..\\admin"),
        ("spotify.like_song", "song_id", "../../admin/credit?amount=9#"),
        ("venmo.add_friend", "user_email", "../../admin/validate_card"),
    ],
)
async def test_no_argument_makes_another_request_of_a_call(
    engine: Engine, root: Path, tool: str, name: str, value: object
) -> None:
    async with opened(engine, root) as environment:
        before = await environment.digest()
        answer = await environment.call(tool, {name: value})
        assert answer.is_error
        assert answer.text == (
            f"ValueError: {tool}: {name} stands in the request's path, as one part of it"
        )
        assert await environment.digest() == before


async def test_what_is_too_large_is_refused_in_either_direction(engine: Engine, root: Path) -> None:
    async with opened(engine, root) as environment:
        token = await token_of(environment)
        digest = await environment.digest()
        note = {"title": "large", "content": "x" * (MAX_ARGUMENT_BYTES + 1), **token}
        refused = await environment.call("simple_note.create_note", note)
        assert refused.is_error
        assert f"bytes of text; the limit is {MAX_ARGUMENT_BYTES}" in refused.text
        surrogate = await environment.call("spotify.search_songs", {"query": "\ud800"})
        assert "a lone surrogate" in surrogate.text
        assert await environment.digest() == digest
        (note, *_) = await value(environment, "simple_note.search_notes", **token)
        one = {"note_id": note["note_id"], **token}
        part = {"added_content": "x" * (MAX_ARGUMENT_BYTES - 1000), "append_or_prepend": "append"}
        for _ in range(3):
            await value(environment, "simple_note.add_content_to_note", **part, **one)
        answer = await environment.call("simple_note.show_note", one)
        assert answer.is_error
        assert answer.text.endswith("; the limit is 8388608")


async def test_a_slash_elsewhere_than_in_a_path_is_text(engine: Engine, root: Path) -> None:
    async with opened(engine, root) as environment:
        found = await value(environment, "spotify.search_songs", query="../../admin?#%")
        assert isinstance(found, list)


async def test_the_engine_takes_an_argument_that_it_does_not_know_as_its_own_cells_would(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        plain = await environment.call("supervisor.show_profile", {})
        assert await environment.call("supervisor.show_profile", {"colour": "red"}) == plain


async def test_equal_requests_to_two_worlds_give_equal_answers_digests_and_states(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as one, opened(engine, root) as other:
        assert await one.digest() == await other.digest()
        assert await token_of(one) == await token_of(other)
        assert await one.digest() == await other.digest()
        assert await one.files() == await other.files()
        token = await token_of(one)
        await value(one, "simple_note.create_note", title="New", content="-", **token)
        assert await one.digest() != await other.digest()
        assert set(await one.files()) == {"simple_note", "requests"}
        assert set(await other.files()) == {"requests"}


async def test_a_digest_tells_apart_states_that_were_only_asked_differently(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        digests = {await environment.digest()}
        for _ in range(3):
            await value(environment, "supervisor.show_profile")
            digests.add(await environment.digest())
        assert len(digests) == 4


@pytest.mark.long
async def test_more_requests_than_the_engine_allows_a_cell_are_answered(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        for _ in range(1001):
            await value(environment, "api_docs.show_app_descriptions")


async def test_a_solution_passes_and_an_untouched_world_keeps_to_what_is_protected(
    engine: Engine, root: Path
) -> None:
    async with opened(engine, root) as environment:
        untouched = await environment.score()
        assert not untouched.success
        assert untouched.counts["failed"] > 0
        assert untouched.counts["protected_failed"] == 0
        assert environment.over is None
        await packed(environment)
        assert environment.over == "after_block"
        solved = await environment.score()
        assert solved == Score(True, solved.message, {**solved.counts, "failed": 0})
        criteria = solved.counts["criteria"]
        assert solved.message == f"{criteria} of {criteria} criteria hold"
        token = await token_of(environment, "todoist")
        await value(environment, "todoist.create_project", name="Stray", **token)
        stray = await environment.score()
        assert not stray.success
        assert stray.counts["protected_failed"] == stray.counts["failed"] == 1


async def test_a_score_changes_nothing_in_the_world(engine: Engine, root: Path) -> None:
    async with opened(engine, root) as environment:
        await token_of(environment)
        before = [await environment.digest(), await environment.files()]
        await environment.score()
        assert [await environment.digest(), await environment.files()] == before


async def test_a_copy_is_equal_and_both_go_on_by_themselves(engine: Engine, root: Path) -> None:
    async with opened(engine, root) as environment:
        token = await token_of(environment)
        copy = await environment.copied()
        second = await copy.copied()
        digests = [await world.digest() for world in (environment, copy, second)]
        assert len(set(digests)) == 1
        await value(copy, "simple_note.create_note", title="Copy", content="-", **token)
        await packed(second)
        copy_of_later = await second.copied()
        assert copy_of_later.over == "after_block"
        assert await environment.digest() == digests[0]
        for world, count in ((environment, 0), (copy, 1), (second, 0)):
            found = await value(world, "simple_note.search_notes", query="Copy", **token)
            assert [note["title"] for note in found].count("Copy") == count
        assert (await copy_of_later.score()).success
        assert not (await environment.score()).success
        for world in (copy_of_later, second, copy):
            world.close()


async def test_what_copies_do_alike_stays_equal(engine: Engine, root: Path) -> None:
    async with opened(engine, root) as environment:
        copy = await environment.copied()
        for world in (environment, copy):
            await packed(world)
        assert await environment.digest() == await copy.digest()
        assert await environment.files() == await copy.files()
        copy.close()
