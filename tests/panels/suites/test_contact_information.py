import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop_template.contact_information.build import (
    Contact,
    build,
    plant,
)
from panels.suites.filesystem.desktop_template.contact_information.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

RESULT = "contacts.csv"
HEADER = ["name", "phone", "email", "town", "job"]


def rows(contacts: list[Contact]) -> list[list[str]]:
    ordered = sorted(contacts, key=lambda contact: (contact.name, contact.phone))
    return [
        [c.name, "-".join((c.phone[:4], c.phone[4:7], c.phone[7:])), c.email, c.town, c.job]
        for c in ordered
    ]


def table(contacts: list[Contact], end: str = "\n") -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator=end).writerows([HEADER, *rows(contacts)])
    return stream.getvalue()


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.fixture
def contacts() -> list[Contact]:
    return plant(rng_of("category/task", 1))


@pytest.mark.parametrize("seed", range(10))
def test_the_verifier_finds_the_planted_people(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert len(initial.files()) == 110
    assert truth(initial) == rows(plant(rng_of("category/task", seed)))


@pytest.mark.parametrize("seed", range(10))
def test_two_people_share_a_name_and_no_two_an_address(seed: int) -> None:
    contacts = plant(rng_of("category/task", seed))
    assert len({contact.name for contact in contacts}) == 23
    assert len({contact.phone for contact in contacts}) == 24
    emails = [contact.email for contact in contacts if contact.email]
    assert len(emails) == len(set(emails)) == 20
    assert sum(contact.inferred for contact in contacts) == 1


def test_no_table_card_or_letter_states_the_inferred_job(
    trees: Trees, contacts: list[Contact]
) -> None:
    (person,) = (contact for contact in contacts if contact.inferred)
    for path, content in Folder(trees.initial).files().items():
        if path.endswith("seating.csv"):
            continue
        for line in content.decode().splitlines():
            digits = "".join(letter for letter in line if letter.isdigit())
            if person.phone in digits or person.name in line:
                assert person.job not in line


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_right_list_passes_with_either_line_end(
    end: str, trees: Trees, contacts: list[Contact]
) -> None:
    trees.put(RESULT, table(contacts, end))
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert trees.why_failed(verify) == "contacts.csv is missing"


def without_the_inferred_job(contacts: list[Contact]) -> list[Contact]:
    return [replace(contact, job="" if contact.inferred else contact.job) for contact in contacts]


def with_namesakes_merged(contacts: list[Contact]) -> list[Contact]:
    return list({contact.name: contact for contact in contacts}.values())


def with_an_unnamed_number(contacts: list[Contact]) -> list[Contact]:
    return [*contacts, Contact("", "0555600000", "number.1@post.example", "", "baker")]


def with_one_wrong_town(contacts: list[Contact]) -> list[Contact]:
    return [replace(contacts[0], town=f"New {contacts[0].town}"), *contacts[1:]]


@pytest.mark.parametrize(
    "spoil",
    [
        without_the_inferred_job,
        with_namesakes_merged,
        with_an_unnamed_number,
        with_one_wrong_town,
        lambda contacts: contacts[1:],
    ],
)
def test_a_list_with_one_thing_wrong_fails(
    spoil: Callable[[list[Contact]], list[Contact]], trees: Trees, contacts: list[Contact]
) -> None:
    trees.put(RESULT, table(spoil(contacts)))
    assert (trees.why_failed(verify) or "").startswith("contacts.csv, line ")


def test_a_list_that_stops_early_or_goes_on_fails(trees: Trees, contacts: list[Contact]) -> None:
    lines = table(contacts).splitlines()
    trees.put(RESULT, "\n".join(lines[:-1]))
    assert trees.why_failed(verify) == "contacts.csv: expected 25 lines, found 24"
    trees.put(RESULT, "\n".join([*lines, lines[-1]]))
    assert trees.why_failed(verify) == "contacts.csv: expected 25 lines, found 26"


def test_a_list_without_its_header_fails(trees: Trees, contacts: list[Contact]) -> None:
    trees.put(RESULT, table(contacts).partition("\n")[2])
    assert (trees.why_failed(verify) or "").startswith("contacts.csv, line 1: ")


def test_a_list_that_is_no_csv_fails(trees: Trees) -> None:
    trees.put(RESULT, "name," + "x" * 200_000)
    assert (trees.why_failed(verify) or "").startswith("contacts.csv is no CSV file: ")


def test_a_list_in_another_place_fails(trees: Trees, contacts: list[Contact]) -> None:
    trees.put("shared/contacts.csv", table(contacts))
    assert trees.why_failed(verify) == "contacts.csv is missing"


def test_an_extra_file_fails(trees: Trees, contacts: list[Contact]) -> None:
    trees.put(RESULT, table(contacts))
    trees.put("answer.txt", "baker")
    assert trees.why_failed(verify) == "answer.txt should not be there"


def test_a_source_that_was_moved_fails(trees: Trees, contacts: list[Contact]) -> None:
    trees.put(RESULT, table(contacts))
    source = next(trees.final.glob("**/members.csv")).relative_to(trees.final).as_posix()
    trees.move(source, "members.csv")
    assert trees.why_failed(verify) in (f"{source} is gone", "members.csv should not be there")
