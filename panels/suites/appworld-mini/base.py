"""The mini world's people and what their apps hold, written through the engine's own interfaces.

It runs in AppWorld's environment. All text is ours; nothing depends on a clock or a random source.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from appworld.apps import get_all_apps
from appworld.apps.api_lib import CompanyNotifier
from appworld.collections.apis import ApiCollection
from appworld.collections.models import ModelCollection

__all__ = ["APPS", "OTHERS", "PASSWORD", "SUPERVISORS", "Person", "build_base"]

APPS = ["admin", *get_all_apps(skip_admin=True)]
PASSWORD = "quiet-harbour-9"
STARTED = datetime.fromisoformat("2024-03-01T09:00:00")
MEMORY = ":memory:mini"
ACCOUNTS = ("spotify", "simple_note", "gmail", "venmo", "todoist", "phone")
LIBRARY = (18, 47, 66)
"""Songs of each supervisor's library: in one page of 20, in three of them, in more than three."""


@dataclass(frozen=True)
class Person:
    """Somebody of the mini world."""

    first_name: str
    last_name: str
    number: int

    @property
    def email(self) -> str:
        """Return the address that all of the person's accounts have."""
        return f"{self.first_name}.{self.last_name}@mini.com".lower()

    @property
    def phone_number(self) -> str:
        """Return the ten digits of the person's telephone."""
        return f"555010{self.number:04d}"


SUPERVISORS = (Person("Ana", "Ferro", 1), Person("Bram", "Okoye", 2), Person("Cleo", "Lind", 3))
OTHERS = tuple(
    Person(first, last, 10 + number)
    for number, (first, last) in enumerate(
        [
            ("Dora", "Vance"),
            ("Emil", "Sato"),
            ("Fay", "Quist"),
            ("Goran", "Bell"),
            ("Hila", "Moss"),
            ("Ivo", "Tran"),
            ("Juno", "Park"),
            ("Karl", "Abel"),
        ]
    )
)


def build_base(folder: Path, docs: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the databases that all tasks start from; `docs` are the API docs by app and API."""
    models = ModelCollection.load(
        to_db_home_path=MEMORY, from_db_home_path=MEMORY, load_apps=APPS, create_db=True
    )
    for person in (*SUPERVISORS, *OTHERS):
        models.admin.MainUser.create_save(
            first_name=person.first_name,
            last_name=person.last_name,
            email=person.email,
            phone_number=person.phone_number,
            birthday="1990-04-12",
            sex=None,
        )
    for described in docs.values():
        for doc in described.values():
            # The engine's field is not called `app_name`, which its models use themselves.
            renamed = {("app_name_" if key == "app_name" else key): doc[key] for key in doc}
            models.api_docs.ApiDoc.create_save(**renamed)
    apis, requester = ApiCollection.load(
        to_db_home_path=MEMORY,
        from_db_home_path=MEMORY,
        date_and_time=STARTED,
        load_apps=APPS,
        max_num_requests=20_000,
    )
    for app in get_all_apps(skip_admin=True):
        CompanyNotifier(app).create_accounts()
    for person in (*SUPERVISORS, *OTHERS):
        _sign_up(apis, person)
    _verify(models)
    songs = _songs(models)
    for index, person in enumerate(SUPERVISORS):
        _library(apis, person, songs[: LIBRARY[index]])
        _notes(apis, person)
        _mail(apis, person)
        _payments(apis, models, person)
        _todo(apis, person)
        _contacts(apis, person)
    models.save(str(folder), format="full", app_names=APPS, delete_if_exists=True)
    requester.close()
    models.close()


def _sign_up(apis: Any, person: Person) -> None:
    for app in ACCOUNTS:
        login = {"phone_number": person.phone_number} if app == "phone" else {"email": person.email}
        apis[app].signup(
            first_name=person.first_name, last_name=person.last_name, password=PASSWORD, **login
        )


def _verify(models: Any) -> None:
    """Take every account as verified: the codes are mail of an earlier day."""
    for app in ACCOUNTS:
        for user in models[app].User.all():
            if hasattr(user, "verified"):
                user.verified = True
                user.save()


def _token(apis: Any, app: str, person: Person) -> str:
    name = person.phone_number if app == "phone" else person.email
    return str(apis[app].login(username=name, password=PASSWORD)["access_token"])


def _songs(models: Any) -> list[int]:
    """Add songs; every third is longer than five minutes, so that each page of five has one."""
    artist = models.spotify.Artist.create_save(name="The Lanterns", genre="folk")
    titles = [f"{word} No. {n}" for n in range(1, 23) for word in ("Ember", "Tide", "Meadow")]
    return [
        models.spotify.Song.create_save(
            title=title,
            artist_ids=[artist.id],
            album_id=None,
            duration=330 + index if index % 3 == 2 else 150 + index,
            release_date=datetime.fromisoformat(f"2020-01-{1 + index % 28:02d}"),
            genre="folk",
        ).id
        for index, title in enumerate(titles)
    ]


def _library(apis: Any, person: Person, songs: list[int]) -> None:
    token = _token(apis, "spotify", person)
    for song in songs:
        apis.spotify.add_song_to_library(song_id=song, access_token=token)


def _notes(apis: Any, person: Person) -> None:
    token = _token(apis, "simple_note", person)
    for place in ("Lisbon", "Oslo", "Kyoto"):
        for title in (f"Packing for {place}", f"Packing for {place} (old)", f"Cafes in {place}"):
            apis.simple_note.create_note(
                title=title, content=f"{title}:\n- first thing", access_token=token
            )


def _mail(apis: Any, person: Person) -> None:
    for turn in range(3):
        for sender in OTHERS[:4]:
            apis.gmail.send_email(
                email_addresses=[person.email],
                subject=f"Garden plan {turn + 1} from {sender.first_name}",
                body="The beds by the wall are next.",
                access_token=_token(apis, "gmail", sender),
            )


def _payments(apis: Any, models: Any, person: Person) -> None:
    user = models.venmo.User.find_one(email=person.email)
    user.venmo_balance = 500.0
    user.save()
    for turn, amount in enumerate((12.0, 20.0, 7.5)):
        for sender in OTHERS[:3]:
            apis.venmo.create_payment_request(
                user_email=person.email,
                amount=amount,
                description=f"{('Boat', 'Dinner', 'Tickets')[turn]}, {sender.first_name}",
                access_token=_token(apis, "venmo", sender),
            )


def _todo(apis: Any, person: Person) -> None:
    token = _token(apis, "todoist", person)
    for name in ("Attic", "Balcony", "Cellar"):
        project = apis.todoist.create_project(name=name, access_token=token)["project_id"]
        for number in range(8):
            apis.todoist.create_task(
                project_id=project,
                title=f"{name}: job {number + 1}",
                due_date=f"2024-04-{number + 10}",
                access_token=token,
            )


def _contacts(apis: Any, person: Person) -> None:
    token = _token(apis, "phone", person)
    for index, other in enumerate(OTHERS):
        apis.phone.add_contact(
            first_name=other.first_name,
            last_name=other.last_name,
            phone_number=other.phone_number,
            email=other.email,
            relationships=["coworker" if index < 7 else "neighbor"],
            access_token=token,
        )
