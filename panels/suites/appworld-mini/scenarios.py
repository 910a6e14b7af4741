"""What the mini world's tasks ask of each supervisor, and what holds when one is done.

It runs in AppWorld's environment; a scenario has one instance for each supervisor.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from base import OTHERS, Person

__all__ = ["SCENARIOS", "Scenario"]

Data = dict[str, Any]


@dataclass(frozen=True)
class Scenario:
    """An instruction with `{names}`, its values by instance, and what its evaluator compares with.

    `truth(models, person, public)` reads the private data from the databases of the start.
    """

    instruction: str
    values: tuple[Data, Data, Data]
    truth: Callable[[Any, Person, Data], Data]


def _long_songs(models: Any, person: Person, public: Data) -> Data:
    user = models.spotify.User.find_one(email=person.email)
    owned = {link.song_id for link in models.spotify.UserLibrarySong.find_all(user_id=user.id)}
    songs = [song for song in models.spotify.Song.all() if song.id in owned]
    return {"song_ids": sorted(song.id for song in songs if song.duration > 300)}


def _packing(models: Any, person: Person, public: Data) -> Data:
    user = models.simple_note.User.find_one(email=person.email)
    note = models.simple_note.Note.find_one(user_id=user.id, title=public["title"])
    return {"note_id": note.id, "content": f"{note.content}\n{public['line']}"}


def _starred(models: Any, person: Person, public: Data) -> Data:
    user = models.gmail.User.find_one(email=person.email)
    threads = models.gmail.UserEmailThread.find_all(user_id=user.id)
    wanted = [thread for thread in threads if public["sender"] in thread.sender_email_addresses]
    return {"thread_ids": sorted(thread.id for thread in wanted)}


def _requests(models: Any, person: Person, public: Data) -> Data:
    users = models.venmo.User
    found = models.venmo.PaymentRequest.find_all(
        sender_id=users.find_one(email=public["sender"]).id,
        receiver_id=users.find_one(email=person.email).id,
    )
    return {
        "request_ids": sorted(request.id for request in found),
        "amounts": sorted(request.amount for request in found),
    }


def _project(models: Any, person: Person, public: Data) -> Data:
    user = models.todoist.User.find_one(email=person.email)
    project = models.todoist.Project.find_one(name=public["project"], user_id=user.id)
    tasks = models.todoist.Task.find_all(project_id=project.id)
    return {"task_ids": sorted(task.id for task in tasks)}


def _coworkers(models: Any, person: Person, public: Data) -> Data:
    users = models.phone.User
    found = [users.find_one(phone_number=other.phone_number) for other in OTHERS[:7]]
    return {"receiver_ids": sorted(user.id for user in found)}


SCENARIOS = {
    "longsongs": Scenario(
        "Make a Spotify playlist called '{title}' with every song of my song library that is"
        " longer than 300 seconds.",
        ({"title": "Slow Road"}, {"title": "Long Evenings"}, {"title": "No Hurry"}),
        _long_songs,
    ),
    "packing": Scenario(
        "Append the line '{line}' to the end of my note titled exactly '{title}'.",
        (
            {"title": "Packing for Lisbon", "line": "- sun hat"},
            {"title": "Packing for Oslo", "line": "- wool socks"},
            {"title": "Packing for Kyoto", "line": "- rail pass"},
        ),
        _packing,
    ),
    "starred": Scenario(
        "Star every email thread in my Gmail inbox that was sent by {sender}.",
        tuple({"sender": other.email} for other in OTHERS[:3]),
        _starred,
    ),
    "requests": Scenario(
        "Approve all pending Venmo payment requests from {sender}, paid from my Venmo balance."
        " Leave the requests of others alone.",
        tuple({"sender": other.email} for other in OTHERS[:3]),
        _requests,
    ),
    "project": Scenario(
        "Mark every task of my Todoist project '{project}' as completed.",
        ({"project": "Attic"}, {"project": "Balcony"}, {"project": "Cellar"}),
        _project,
    ),
    "coworkers": Scenario(
        "Send each of my coworkers in my phone's contacts this text message: '{message}'",
        (
            {"message": "The door code changes on Monday."},
            {"message": "Lunch is on the roof today."},
            {"message": "Please bring the blue folders."},
        ),
        _coworkers,
    ),
}
