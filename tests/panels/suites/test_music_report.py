from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop.music_report.build import Song, build, plant
from panels.suites.filesystem.desktop.music_report.verify import collection, truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

REPORT = "music/report.txt"


def report(songs: list[Song]) -> list[str]:
    """Rank planted songs by another route than the verifier: decimals instead of fractions."""
    most = max(song.plays for song in songs)
    scores = {
        song.title: Decimal(song.rating) / 20
        + Decimal(4 * song.plays) / most
        + Decimal(song.year - 1980) / 45
        for song in songs
    }
    means = {
        artist: sum(scores[song.title] for song in songs if song.artist == artist) / Decimal(4)
        for artist in {song.artist for song in songs}
    }
    return [*ranked(scores), *ranked(means)]


def ranked(scores: dict[str, Decimal]) -> list[str]:
    rounded = {name: str(_rounded(score)) for name, score in scores.items()}
    return [f"{name};{rounded[name]}" for name in sorted(scores, key=lambda n: _place(n, rounded))]


def _rounded(score: Decimal) -> Decimal:
    return score.quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN)


def _place(name: str, rounded: dict[str, str]) -> tuple[Decimal, str]:
    return -Decimal(rounded[name]), name


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.fixture
def lines() -> list[str]:
    return report(plant(rng_of("category/task", 1)))


@pytest.mark.parametrize("seed", range(8))
def test_the_verifier_finds_the_planted_songs_and_their_ranking(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    planted = plant(rng_of("category/task", seed))
    found = [(s.artist, s.title, s.year, s.plays, int(s.rating * 10)) for s in collection(initial)]
    assert sorted(found) == sorted((s.artist, s.title, s.year, s.plays, s.rating) for s in planted)
    assert truth(initial) == report(planted)


@pytest.mark.parametrize("seed", range(8))
def test_one_pair_of_songs_ties_through_different_numbers(seed: int) -> None:
    songs = plant(rng_of("category/task", seed))
    lines = report(songs)
    scores = [line.rpartition(";")[2] for line in lines[:20]]
    assert len(scores) - len(set(scores)) == 1
    tied = [line.rpartition(";")[0] for line in lines[:20] if scores.count(line[-5:]) == 2]
    one, other = (song for song in songs if song.title in tied)
    assert one.year != other.year


def test_the_desktop_holds_too_many_files_to_read_one_by_one(trees: Trees) -> None:
    assert len(Folder(trees.initial).files()) > 100


def test_the_right_report_passes_with_or_without_a_last_newline(
    trees: Trees, lines: list[str]
) -> None:
    trees.put(REPORT, "\n".join(lines))
    assert trees.why_failed(verify) is None
    trees.put(REPORT, "\n".join(lines) + "\n")
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert trees.why_failed(verify) == "music/report.txt is missing"


def swapped_tie(lines: list[str]) -> list[str]:
    scores = [line.rpartition(";")[2] for line in lines[:20]]
    place = next(number for number in range(19) if scores[number] == scores[number + 1])
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return lines


def rounded_to_two(lines: list[str]) -> list[str]:
    return [lines[0][:-1], *lines[1:]]


def off_by_a_thousandth(lines: list[str]) -> list[str]:
    title, _, score = lines[3].rpartition(";")
    return [*lines[:3], f"{title};{Decimal(score) + Decimal('0.001')}", *lines[4:]]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (swapped_tie, "line "),
        (rounded_to_two, "line 1: "),
        (off_by_a_thousandth, "line 4: "),
        (lambda lines: lines[:20], "expected 25 lines, found 20"),
        (lambda lines: [*lines, ""], "expected 25 lines, found 26"),
        (lambda lines: [*lines[:20], *reversed(lines[20:])], "line 21: "),
    ],
)
def test_a_report_with_one_thing_wrong_fails(
    spoil: Callable[[list[str]], list[str]], why: str, trees: Trees, lines: list[str]
) -> None:
    trees.put(REPORT, "\n".join(spoil(lines)) + "\n")
    assert why in (trees.why_failed(verify) or "")


def test_a_friends_rating_leads_to_another_report(trees: Trees) -> None:
    songs = plant(rng_of("category/task", 1))
    decoy = Song(songs[0].artist, songs[0].title, 2024, songs[0].plays, 99)
    trees.put(REPORT, "\n".join(report([decoy, *songs[1:]])))
    assert "expected" in (trees.why_failed(verify) or "")


def test_the_report_in_another_place_fails(trees: Trees, lines: list[str]) -> None:
    trees.put("report.txt", "\n".join(lines))
    assert trees.why_failed(verify) == "music/report.txt is missing"


def test_an_extra_file_fails(trees: Trees, lines: list[str]) -> None:
    trees.put(REPORT, "\n".join(lines))
    trees.put("music/scores.json", "{}")
    assert trees.why_failed(verify) == "music/scores.json should not be there"


def test_a_touched_catalogue_fails(trees: Trees, lines: list[str]) -> None:
    trees.put(REPORT, "\n".join(lines))
    catalogue = next((trees.final / "music").glob("*/*.csv"))
    catalogue.write_text(catalogue.read_text() + "\n")
    assert (trees.why_failed(verify) or "").endswith(".csv was changed")
