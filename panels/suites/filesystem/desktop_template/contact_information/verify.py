"""Success: `contacts.csv` lists all people who are named with a number, with all that is known.

The people are gathered anew from the pristine copy: names where a number stands beside them, then
every fact by its number, and the one missing job by the desk. The result is compared as CSV, row by
row, line ends of either kind. Nothing else is new or changed.
"""

import csv
import io
import re
from collections.abc import Iterator

from panels.suites.support import Failed, Folder, expect_unchanged, verify_main

_RESULT = "contacts.csv"
_HEADER = ["name", "phone", "email", "town", "job"]
_KINDS = {
    "full name": "name",
    "name": "name",
    "surname": "surname",
    "first name": "forename",
    "mobile": "phone",
    "telephone": "phone",
    "tel": "phone",
    "phone number": "phone",
    "phone": "phone",
    "e-mail": "email",
    "email": "email",
    "lives in": "town",
    "job": "job",
    "occupation": "job",
    "desk": "desk",
    "firm": "firm",
}
_PHONE = r"\(?0\d{3}\)?[ /-]?\d{3}[ -]?\d{3}"
_CARD_LINE = re.compile(r"^(Name|Phone|Email|Occupation): (.+)$", re.MULTILINE)
_LETTER = re.compile(rf"\A([^,\n]+), .+\n\nDear [\s\S]+\nYours,\n(.+)\n({_PHONE})\n\Z")
_ADDRESS_LINE = re.compile(rf"^({_PHONE}) writes from (\S+)$", re.MULTILINE)
_DESK_LINE = re.compile(rf"^desk (\d+): ({_PHONE})$", re.MULTILINE)

Facts = dict[str, str]


def truth(initial: Folder) -> list[list[str]]:
    """Return the rows of the list below its header."""
    people: dict[str, Facts] = {}
    jobs: Facts = {}
    for facts in _all_facts(initial):
        if "firm" in facts:
            continue
        if "phone" in facts:
            people.setdefault(_digits(facts["phone"]), {}).update(facts)
        elif "desk" in facts and "job" in facts:
            jobs[facts["desk"]] = facts["job"]
    rows = []
    for phone, facts in people.items():
        if "name" not in facts:
            continue
        job = facts.get("job") or jobs[facts["desk"]]
        written = f"{phone[:4]}-{phone[4:7]}-{phone[7:]}"
        rows.append([facts["name"], written, facts.get("email", ""), facts.get("town", ""), job])
    return sorted(rows)


def _digits(phone: str) -> str:
    return "".join(re.findall(r"\d", phone))


def _all_facts(initial: Folder) -> Iterator[Facts]:
    """Yield what each row, card, letter and line says, by kind."""
    for path in initial.files():
        text = initial.text(path)
        if path.endswith(".csv"):
            yield from _rows(text)
            continue
        card = {_KINDS[label.lower()]: value for label, value in _CARD_LINE.findall(text)}
        if card:
            yield card
        for town, name, phone in _LETTER.findall(text):
            yield {"town": town, "name": name, "phone": phone}
        for phone, email in _ADDRESS_LINE.findall(text):
            yield {"phone": phone, "email": email}
        for desk, phone in _DESK_LINE.findall(text):
            yield {"phone": phone, "desk": desk}


def _rows(text: str) -> Iterator[Facts]:
    lines = text.splitlines()
    for row in csv.DictReader(lines, delimiter=";" if ";" in lines[0] else ","):
        facts = {_KINDS[key.lower()]: row[key] for key in row if key.lower() in _KINDS}
        if "surname" in facts:
            facts["name"] = f"{facts.pop('forename')} {facts.pop('surname')}"
        yield facts


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    try:
        found = list(csv.reader(io.StringIO(final.text(_RESULT), newline="")))
    except csv.Error as error:
        raise Failed(f"{_RESULT} is no CSV file: {error}") from None
    expected = [_HEADER, *truth(initial)]
    for number, (want, have) in enumerate(zip(expected, found, strict=False), start=1):
        if want != have:
            raise Failed(f"{_RESULT}, line {number}: expected {want}, found {have}")
    if len(found) != len(expected):
        raise Failed(f"{_RESULT}: expected {len(expected)} lines, found {len(found)}")
    expect_unchanged(final, initial, allow={_RESULT})


if __name__ == "__main__":
    verify_main(verify)
