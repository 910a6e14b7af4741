"""Success: `music/report.txt` has the twenty songs and the five artists, ranked, to three decimals.

The songs are read anew from the artists' folders of the pristine copy, in exact fractions. Nothing
else is new or changed.
"""

import csv
import re
from fractions import Fraction
from typing import NamedTuple

from panels.suites.support import Failed, Folder, expect_text, expect_unchanged, verify_main

_REPORT = "music/report.txt"
_COLUMNS = {
    "title": ("title", "Song"),
    "year": ("year", "Released", "released"),
    "plays": ("plays", "Times played"),
    "rating": ("rating", "Stars (of ten)"),
}
_TITLE = re.compile(r'^(?:Title: |song - )(.+)$|^"(.+?)" came out|^(.+) \(\d{4}\)$', re.MULTILINE)
_YEAR = re.compile(r"(?:^Year: |came out in |\(|spring |autumn )(\d{4})\b", re.MULTILINE)
_PLAYS = re.compile(r"(?:^Plays: |played it |player: |listened to - )([\d,]+)", re.MULTILINE)
_RATING = re.compile(r"(\d+\.\d)(?:/| of | out of )10\b")


class Song(NamedTuple):
    """One song of the collection, as its description has it."""

    artist: str
    title: str
    year: int
    plays: int
    rating: Fraction


def collection(initial: Folder) -> list[Song]:
    """Return the songs that the artists' folders describe."""
    songs = []
    for path in initial.files():
        room, _, rest = path.partition("/")
        artist, _, name = rest.partition("/")
        if room != "music" or artist == "playlists" or name == "about.txt":
            continue
        text = initial.text(path)
        rows = _catalogue(text) if name.endswith(".csv") else [_note(text)]
        for row in rows:
            year, plays = int(row["year"]), int(row["plays"].replace(",", ""))
            songs.append(Song(artist, row["title"], year, plays, Fraction(row["rating"])))
    return songs


def _catalogue(text: str) -> list[dict[str, str]]:
    lines = text.splitlines()
    rows = csv.DictReader(lines, delimiter=";" if ";" in lines[0] else ",")
    return [
        {key: next(row[name] for name in names if name in row) for key, names in _COLUMNS.items()}
        for row in rows
    ]


def _note(text: str) -> dict[str, str]:
    patterns = {"title": _TITLE, "year": _YEAR, "plays": _PLAYS, "rating": _RATING}
    found = {}
    for key, pattern in patterns.items():
        (match,) = pattern.finditer(text)
        found[key] = next(group for group in match.groups() if group)
    return found


def truth(initial: Folder) -> list[str]:
    """Return the 25 lines of the report."""
    songs = collection(initial)
    most = max(song.plays for song in songs)
    scored: list[tuple[str, Fraction]] = []
    by_artist: dict[str, list[Fraction]] = {}
    for song in songs:
        score = song.rating / 2 + Fraction(4 * song.plays, most) + Fraction(song.year - 1980, 45)
        scored.append((song.title, score))
        by_artist.setdefault(song.artist, []).append(score)
    means = [(artist, sum(own, Fraction()) / len(own)) for artist, own in by_artist.items()]
    return [*_ranked(scored), *_ranked(means)]


def _ranked(scored: list[tuple[str, Fraction]]) -> list[str]:
    rounded = [(name, round(score, 3)) for name, score in scored]
    rounded.sort(key=lambda pair: (-pair[1], pair[0]))
    return [f"{name};{float(score):.3f}" for name, score in rounded]


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    if _REPORT not in final.files():
        raise Failed(f"{_REPORT} is missing")
    expect_text(final, _REPORT, "\n".join(truth(initial)))
    expect_unchanged(final, initial, allow={_REPORT})


if __name__ == "__main__":
    verify_main(verify)
