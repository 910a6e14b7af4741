"""Twenty songs in catalogues and free-form notes, one exact tie, friends' playlists as decoys."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction

from panels.suites.support import Builder, build_main, past_moment
from panels.suites.texts import FORENAMES, TOWNS, notes, paragraph, text

_ARTISTS = (
    *("Cedar Ferry", "Glass Harriers", "Iris and the Tide", "Marrow Lane", "Nine Kilometre Choir"),
    *("Paper Abbots", "Salt Orchestra", "The Lamplighters", "Tova Brandt", "Velvet Almanac"),
)
_TITLES = (
    *(
        "A Map of Rain",
        "All My Ladders",
        "Backwards Home",
        "Bell, Book and Kettle",
        "Blue Tarpaulin",
    ),
    *("Carry the Piano", "Cold Tea, Warm Hands", "Don't Wake the Ferryman", "Eleven Windows"),
    *("First Bus North", "Gravel Road Waltz", "Half a Moon", "Hold the Door", "Ink and Pepper"),
    *("Kite Season", "Last Call at the Harbour", "Leave the Light On", "Little Engines"),
    *("My Neighbour's Radio", "No Snow in June", "Over the Viaduct", "Postcards to Nobody"),
    *("Quiet Machines", "River, Slow Down", "Seven Sleepers", "Small Hours", "Sugar in the Tank"),
    *("Swallows", "Ten Penny Parade", "The Tailor's Daughter", "Under the Orange Crane"),
    *("Wait for Sunday", "What the Gulls Know", "Yellow Raincoat"),
)
_FOLDERS = ("garden", "house", "letters", "travel")


@dataclass(frozen=True)
class Song:
    """One planted song; `rating` is in tenths of a point."""

    artist: str
    title: str
    year: int
    plays: int
    rating: int


def plant(rng: random.Random) -> list[Song]:
    """Return the twenty songs, artist by artist; exactly two have the same score."""
    while not _scores_are_clear(songs := _draw(rng)):
        pass
    return songs


def _draw(rng: random.Random) -> list[Song]:
    artists, titles = rng.sample(_ARTISTS, 5), rng.sample(_TITLES, 20)
    songs = [
        Song(
            artists[number // 4],
            title,
            year=rng.randint(1988, 2024),
            plays=rng.randint(40, 1900),
            rating=rng.randint(40, 95),
        )
        for number, title in enumerate(titles)
    ]
    # Nine years and 0.4 points weigh the same: equal scores from different numbers.
    one, other = rng.sample(range(20), 2)
    year = rng.randint(1988, 2015)
    songs[one] = replace(songs[one], year=year)
    songs[other] = replace(
        songs[one],
        artist=songs[other].artist,
        title=songs[other].title,
        year=year + 9,
        rating=songs[one].rating - 4,
    )
    return songs


def _scores_are_clear(songs: list[Song]) -> bool:
    """Whether rounding is beyond doubt and only the planted pair is equal when rounded."""
    most = max(song.plays for song in songs)
    scores = [
        Fraction(song.rating, 20) + Fraction(4 * song.plays, most) + Fraction(song.year - 1980, 45)
        for song in songs
    ]
    means = [sum(scores[number : number + 4], Fraction()) / 4 for number in range(0, 20, 4)]
    clear = all(
        abs(value * 1000 % 1 - Fraction(1, 2)) > Fraction(1, 1000) for value in scores + means
    )
    return clear and len({round(s, 3) for s in scores}) == 19 and len(set(means)) == 5


def build(builder: Builder) -> None:
    """Write three artists' catalogues, two artists' notes, the playlists and a desktop around."""
    rng = builder.rng
    songs = plant(rng)
    layouts = [_plain_catalogue, _semicolon_catalogue, _track_catalogue, _notes, _notes]
    rng.shuffle(layouts)
    for number, layout in enumerate(layouts):
        own = songs[4 * number : 4 * number + 4]
        folder = f"music/{own[0].artist}"
        for name, content in layout(rng, own).items():
            builder.write(f"{folder}/{name}", content, past_moment(rng))
        builder.write(f"{folder}/about.txt", text(rng, 2), past_moment(rng))
    for name, content in _playlists(rng, songs).items():
        builder.write(f"music/playlists/{name}", content, past_moment(rng))
    for folder in _FOLDERS:
        for name, note in notes(rng, 22).items():
            builder.write(f"{folder}/{name}", note, past_moment(rng))


def _points(song: Song) -> str:
    return f"{song.rating // 10}.{song.rating % 10}"


def _quoted(title: str) -> str:
    return f'"{title}"' if "," in title else title


def _plain_catalogue(rng: random.Random, songs: list[Song]) -> dict[str, str]:
    lines = ["title,year,rating,plays"]
    lines += [f"{_quoted(s.title)},{s.year},{_points(s)},{s.plays}" for s in songs]
    return {"catalogue.csv": "\n".join(lines) + "\n"}


def _semicolon_catalogue(rng: random.Random, songs: list[Song]) -> dict[str, str]:
    lines = ["Song;Times played;Stars (of ten);Released"]
    lines += [f"{s.title};{s.plays};{_points(s)};{s.year}" for s in songs]
    return {"songs.csv": "\n".join(lines) + "\n"}


def _track_catalogue(rng: random.Random, songs: list[Song]) -> dict[str, str]:
    lines = ["track,released,length,plays,rating,title"]
    for number, s in enumerate(songs, start=1):
        lines.append(f'{number},{s.year},{_length(rng)},{s.plays},{_points(s)},"{s.title}"')
    return {"tracks.csv": "\n".join(lines) + "\n"}


def _notes(rng: random.Random, songs: list[Song]) -> dict[str, str]:
    styles = [_card, _letter, _clipping, _list]
    rng.shuffle(styles)
    return {
        f"song {number}.txt": style(rng, song)
        for number, (style, song) in enumerate(zip(styles, songs, strict=True), start=1)
    }


def _length(rng: random.Random) -> str:
    return f"{rng.randint(2, 6)}:{rng.randint(0, 59):02}"


def _card(rng: random.Random, song: Song) -> str:
    return (
        f"Title: {song.title}\nYear: {song.year}\nLength: {_length(rng)}\n"
        f"Plays: {song.plays}\nRating: {_points(song)}/10\n\n{paragraph(rng, 2)}\n"
    )


def _letter(rng: random.Random, song: Song) -> str:
    return (
        f'"{song.title}" came out in {song.year}. {paragraph(rng, 1)} I have played it '
        f"{song.plays} times so far and give it {_points(song)} out of 10.\n\n{paragraph(rng, 3)}\n"
    )


def _clipping(rng: random.Random, song: Song) -> str:
    return (
        f"{song.title} ({song.year})\n\n{paragraph(rng, 2)}\n\n"
        f"Counter on the player: {song.plays:,}\nVerdict: {_points(song)} of 10 points\n"
    )


def _list(rng: random.Random, song: Song) -> str:
    return (
        f"song - {song.title}\nrated - {_points(song)} of 10\nlistened to - {song.plays} times\n"
        f"released - {rng.choice(('spring', 'autumn'))} {song.year}\n"
    )


def _playlists(rng: random.Random, songs: list[Song]) -> dict[str, str]:
    """Return three playlists: songs of the collection with other numbers, and songs of no one."""
    friends = rng.sample(FORENAMES, 3)
    titles = [song.title for song in songs]
    foreign = [title for title in _TITLES if title not in titles]
    found = {}
    for friend, town in zip(friends, rng.sample(TOWNS, 3), strict=True):
        chosen = rng.sample(titles, 5) + rng.sample(foreign, 3)
        rng.shuffle(chosen)
        lines = ["title,year,rating,plays"]
        lines += [
            f"{_quoted(title)},{rng.randint(1988, 2024)},"
            f"{rng.randint(60, 99) / 10},{rng.randint(900, 3500)}"
            for title in chosen
        ]
        found[f"{friend} drives to {town}.csv"] = "\n".join(lines) + "\n"
    return found


if __name__ == "__main__":
    build_main(build)
