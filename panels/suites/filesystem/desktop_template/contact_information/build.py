"""Twenty-four people whose facts lie apart and meet in their phone numbers, among 110 files."""

import random
from dataclasses import dataclass, replace

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import SURNAMES, THINGS, TOWNS, heading, names, notes, slug, table, text

_FILES = 110
_FOLDERS = ("archive", "club", "house", "letters", "shared", "work/2024", "work/2025")
_JOBS = (
    *("architect", "baker", "beekeeper", "bookbinder", "carpenter", "cartographer", "dentist"),
    *("electrician", "florist", "gardener", "glazier", "goldsmith", "librarian", "locksmith"),
    *("midwife", "optician", "piano tuner", "plumber", "potter", "roofer", "surveyor", "tailor"),
    *("translator", "veterinarian", "weaver"),
)
_HOSTS = ("post.example", "mailbox.example", "letters.example", "inbox.example")


@dataclass(frozen=True)
class Contact:
    """One planted person; `phone` is ten digits, a field is empty where no file tells it.

    `inferred` marks the one whose job follows from the desk alone.
    """

    name: str
    phone: str
    email: str
    town: str
    job: str
    inferred: bool = False


def plant(rng: random.Random) -> list[Contact]:
    """Return the people: 0 to 7 are club members, 8 to 14 in the phone list, the rest on cards."""
    people = names(rng, 23)
    people.insert(rng.randint(8, 14), people[rng.randrange(8)])
    contacts = [
        Contact(name, phone, _email(rng, name, number), rng.choice(TOWNS), rng.choice(_JOBS))
        for number, (name, phone) in enumerate(zip(people, _phones(rng, 24), strict=True))
    ]
    for number in rng.sample(range(24), 4):
        contacts[number] = replace(contacts[number], email="")
    for number in rng.sample(range(24), 6):
        contacts[number] = replace(contacts[number], town="")
    chosen = rng.randrange(24)
    contacts[chosen] = replace(contacts[chosen], inferred=True)
    return contacts


def _phones(rng: random.Random, count: int) -> list[str]:
    return [f"0555{number:06}" for number in rng.sample(range(10_000, 490_000), count)]


def _email(rng: random.Random, name: str, number: int) -> str:
    first, last = name.lower().split()
    first = first if number < 8 else rng.choice((first, first[0]))
    # People of one name are on different sides of this line, and so are their hosts.
    return f"{first}.{last}@{rng.choice(_HOSTS[:2] if number < 8 else _HOSTS[2:])}"


def _spell(rng: random.Random, phone: str) -> str:
    area, middle, end = phone[:4], phone[4:7], phone[7:]
    return rng.choice(
        (
            f"{area} {middle} {end}",
            f"({area}) {middle}-{end}",
            f"{area}/{middle}{end}",
            f"{area}-{middle}-{end}",
            phone,
        )
    )


def build(builder: Builder) -> None:
    """Write the sources, the decoys and everyday files up to 110, over seven folders."""
    rng = builder.rng
    contacts = plant(rng)
    strangers = _strangers(rng)
    texts = [
        _members(rng, contacts[:8]),
        _phone_list(rng, contacts[8:15]),
        _firms(rng),
        _minutes(rng),
        _lost_and_found(rng, strangers),
        *_desks(rng, contacts, strangers),
    ]
    carded, pool = contacts[15:], list(contacts)
    writers = rng.sample([contact for contact in pool if contact.town], 6)
    by_mail = rng.sample(carded, 5)
    by_job = rng.sample([contact for contact in carded if not contact.inferred], 4)
    texts += [_card(rng, one, one in by_mail, one in by_job) for one in carded]
    texts += [_letter(rng, writer) for writer in writers]
    texts += _mail(rng, [one for one in pool if one.email and one not in by_mail], strangers)
    texts.append(_homes(rng, [one for one in pool if one.town and one not in writers]))
    jobs = [one for one in pool if not one.inferred and one not in by_job]
    texts.append(_trades(rng, [*jobs, *strangers]))
    texts += [(f"{slug(heading(rng))}.csv", table(rng, rng.randint(4, 12))) for _ in range(25)]
    texts += list(notes(rng, _FILES - len(texts)).items())
    taken: set[str] = set()
    for name, content in texts:
        path = f"{rng.choice(_FOLDERS)}/{name}"
        while path in taken:
            path = f"{rng.choice(_FOLDERS)}/{slug(heading(rng))}{name[-4:]}"
        taken.add(path)
        builder.write(path, content, past_moment(rng))


def _strangers(rng: random.Random) -> list[Contact]:
    """Return numbers that no file names; their range lies apart from that of the people."""
    numbers = rng.sample(range(500_000, 800_000), 4)
    return [
        Contact("", f"0555{number:06}", f"number.{place}@{_HOSTS[0]}", "", rng.choice(_JOBS))
        for place, number in enumerate(numbers, start=1)
    ]


def _rows(rng: random.Random, header: str, rows: list[str]) -> str:
    rng.shuffle(rows)
    return "\n".join([header, *rows]) + "\n"


def _members(rng: random.Random, contacts: list[Contact]) -> tuple[str, str]:
    rows = [f"{c.name},{_spell(rng, c.phone)},{rng.randint(1990, 2024)}" for c in contacts]
    return "members.csv", _rows(rng, "Full Name,Mobile,Member since", rows)


def _phone_list(rng: random.Random, contacts: list[Contact]) -> tuple[str, str]:
    rows = []
    for c in contacts:
        first, last = c.name.split()
        rows.append(f"{last};{first};{_spell(rng, c.phone)}")
    return "phone_list.csv", _rows(rng, "Surname;First name;Telephone", rows)


def _card(rng: random.Random, c: Contact, mail: bool, job: bool) -> tuple[str, str]:
    lines = [f"Name: {c.name}", f"Phone: {_spell(rng, c.phone)}"]
    lines += [f"Email: {c.email}"] * (mail and bool(c.email))
    lines += [f"Occupation: {c.job}"] * job
    return f"{slug(heading(rng))}.txt", "\n".join(lines) + f"\n\n{text(rng, 1)}"


def _letter(rng: random.Random, c: Contact) -> tuple[str, str]:
    other = names(rng, 1)[0].split()[0]
    hour = rng.choice(("in the morning", "late in the evening", "at noon"))
    start = f"{c.town}, {hour}\n\nDear {other},\n\n{text(rng, 2)}"
    return f"{slug(heading(rng))}.txt", f"{start}\nYours,\n{c.name}\n{_spell(rng, c.phone)}\n"


def _mail(
    rng: random.Random, contacts: list[Contact], strangers: list[Contact]
) -> list[tuple[str, str]]:
    half = len(contacts) // 2
    rows = [f"{_spell(rng, c.phone)},{c.email}" for c in [*contacts[:half], *strangers]]
    lines = [f"{_spell(rng, c.phone)} writes from {c.email}" for c in contacts[half:]]
    return [
        ("newsletter.csv", _rows(rng, "tel,e-mail", rows)),
        ("addresses.txt", _rows(rng, heading(rng) + "\n", lines)),
    ]


def _homes(rng: random.Random, contacts: list[Contact]) -> tuple[str, str]:
    rows = [f"{c.town},{_spell(rng, c.phone)}" for c in contacts]
    return "parcels.csv", _rows(rng, "lives in,phone number", rows)


def _trades(rng: random.Random, contacts: list[Contact]) -> tuple[str, str]:
    rows = [f"{c.job};{_spell(rng, c.phone)}" for c in contacts]
    return "trades.csv", _rows(rng, "job;phone", rows)


def _desks(
    rng: random.Random, contacts: list[Contact], strangers: list[Contact]
) -> list[tuple[str, str]]:
    """Return the extension list and the seating plan; they contradict no other file."""
    seated = [one for one in contacts if one.inferred] + strangers[:2]
    seated += rng.sample([one for one in contacts if not one.inferred], 6)
    desks = rng.sample(range(11, 60), len(seated) + 2)
    jobs = [one.job for one in seated] + rng.sample(_JOBS, 2)
    lines = [
        f"desk {desk}: {_spell(rng, one.phone)}" for desk, one in zip(desks, seated, strict=False)
    ]
    rows = [f"{desk},{job}" for desk, job in zip(desks, jobs, strict=True)]
    return [
        ("extensions.txt", _rows(rng, "Where the telephones ring\n", lines)),
        ("seating.csv", _rows(rng, "desk,job", rows)),
    ]


def _firms(rng: random.Random) -> tuple[str, str]:
    numbers = rng.sample(range(800_000, 999_000), 6)
    rows = [
        f"{name} & Daughters,{_spell(rng, f'0555{number}')},{rng.choice(TOWNS)}"
        for name, number in zip(rng.sample(SURNAMES, 6), numbers, strict=True)
    ]
    return "services.csv", _rows(rng, "firm,phone,town", rows)


def _lost_and_found(rng: random.Random, strangers: list[Contact]) -> tuple[str, str]:
    rows = [f"{rng.choice(THINGS)},{_spell(rng, one.phone)}" for one in strangers]
    return "lost_and_found.csv", _rows(rng, "found,call", rows)


def _minutes(rng: random.Random) -> tuple[str, str]:
    return "minutes.txt", f"Present: {', '.join(names(rng, 6))}\n\n{text(rng, 3)}"


if __name__ == "__main__":
    build_main(build)
