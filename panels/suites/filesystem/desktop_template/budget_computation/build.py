"""A hundred and ten files: receipts, notes and offers that the household pays, or someone else."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import (
    SURNAMES,
    THINGS,
    TOWNS,
    heading,
    notes,
    paragraph,
    slug,
    table,
)

_FOLDERS = ("bathroom", "bikes", "cellar", "garden", "kitchen", "letters", "music", "office")
_OTHERS = ("office", "club")


@dataclass(frozen=True)
class Planted:
    """One file: its path, its text, and its price in cents where the household pays."""

    path: str
    content: str
    price: int | None


def plant(rng: random.Random) -> list[Planted]:
    """Return all files: 40 of the household's, 28 that others pay, 6 that no one pays, 36 more."""
    payers = [*["household"] * 40, *[rng.choice(_OTHERS) for _ in range(28)], *[""] * 6]
    planted: dict[str, Planted] = {}
    for number, payer in enumerate(payers):
        suffix, kind = _KINDS[number % len(_KINDS)]
        content, price = kind(rng, payer)
        path = _path(rng, suffix, planted)
        planted[path] = Planted(path, content, price if payer == "household" else None)
    more = [(".txt", note) for note in notes(rng, 24).values()]
    more += [(".csv", table(rng, 7)) for _ in range(12)]
    for suffix, content in more:
        path = _path(rng, suffix, planted)
        planted[path] = Planted(path, content, None)
    return list(planted.values())


def _path(rng: random.Random, suffix: str, taken: dict[str, Planted]) -> str:
    while True:
        stem = slug(heading(rng)) if rng.random() < 0.5 else rng.choice(THINGS)
        path = f"{rng.choice(_FOLDERS)}/{stem}{suffix}"
        if path not in taken:
            return path


def _cents(rng: random.Random) -> int:
    return rng.randint(300, 49_999)


def _bare(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _written(rng: random.Random, cents: int) -> str:
    number = _bare(cents)
    comma = number.replace(".", ",")
    return rng.choice((f"EUR {number}", f"{number} EUR", f"€{number}", f"{comma} €"))


def _payer_line(payer: str) -> str:
    return f"Paid by: {payer}\n" if payer else ""


def _receipt(rng: random.Random, payer: str) -> tuple[str, int]:
    prices = [_cents(rng) for _ in range(rng.randint(2, 4))]
    lines = [f"{rng.choice(THINGS)}: {_written(rng, price)}" for price in prices]
    if rng.random() < 0.5:
        # Not part of the total: adding up all amounts goes wrong.
        lines.append(f"deposit, to be returned: {_written(rng, _cents(rng))}")
    lines.append(f"Total: {_written(rng, sum(prices))}")
    head = f"{rng.choice(SURNAMES)}'s shop, {rng.choice(TOWNS)}\n\n"
    return head + "\n".join(lines) + f"\n\n{_payer_line(payer)}", sum(prices)


def _note(rng: random.Random, payer: str) -> tuple[str, int]:
    price = _cents(rng)
    thing = rng.choice(THINGS)
    bought = f"The new {thing} costs {_written(rng, price)}."
    paid = f" {rng.choice(('We take it', 'It comes', 'That goes'))} from the {payer} purse."
    text = f"{paragraph(rng, 2)} {bought}{paid if payer else ''} {paragraph(rng, 2)}"
    return f"{heading(rng)}\n\n{text}\n", price


def _offers(rng: random.Random, payer: str) -> tuple[str, int]:
    firms = rng.sample(SURNAMES, rng.randint(3, 6))
    prices = sorted(rng.sample(range(2_000, 60_000), len(firms)))
    sold_out = rng.randint(0, 1)
    offers = [
        f"Offer from {firm}: {_written(rng, price)}{' (sold out)' * (number < sold_out)}"
        for number, (firm, price) in enumerate(zip(firms, prices, strict=True))
    ]
    rng.shuffle(offers)
    text = f"Wanted: one {rng.choice(THINGS)}\n\n" + "\n".join(offers)
    return f"{text}\n\n{_payer_line(payer)}", prices[sold_out]


def _bill(rng: random.Random, payer: str) -> tuple[str, int]:
    prices = [_cents(rng) for _ in range(rng.randint(2, 6))]
    rows = [f"{rng.choice(THINGS)},{_bare(price)}" for price in prices]
    rows.append(f"total,{_bare(sum(prices))}")
    rows += [f"paid by,{payer}"] * bool(payer)
    return "\n".join(["item,price", *rows]) + "\n", sum(prices)


_KINDS: tuple[tuple[str, Callable[[random.Random, str], tuple[str, int]]], ...] = (
    (".txt", _receipt),
    (".txt", _note),
    (".txt", _offers),
    (".csv", _bill),
)


def build(builder: Builder) -> None:
    """Write the planted files."""
    for file in plant(builder.rng):
        builder.write(file.path, file.content, past_moment(builder.rng))


if __name__ == "__main__":
    build_main(build)
