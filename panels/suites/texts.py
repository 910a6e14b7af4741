"""Invented people, towns and everyday prose for generated environments.

Prose holds no digits, dates or addresses that a task could take for its data: tasks plant those
themselves. All but `foreign` is ASCII.
"""

import random

__all__ = [
    "FORENAMES",
    "PLACES",
    "SURNAMES",
    "THINGS",
    "TOWNS",
    "foreign",
    "heading",
    "names",
    "notes",
    "paragraph",
    "slug",
    "table",
    "text",
]

FORENAMES = (
    *("Abena", "Adair", "Alma", "Anselm", "Beata", "Bram", "Callum", "Chiara", "Dagny", "Darius"),
    *("Edda", "Emil", "Farah", "Felix", "Gita", "Goran", "Hanne", "Hugo", "Ilse", "Imran"),
    *("Jonna", "Jorge", "Kasia", "Kofi", "Leonie", "Lucan", "Maren", "Mirza", "Nadia", "Nils"),
    *("Odile", "Oskar", "Paola", "Piet", "Quinn", "Rafa", "Roza", "Selma", "Stellan", "Tamsin"),
    *("Tariq", "Ulla", "Umberto", "Vera", "Viggo", "Wanda", "Wim", "Xenia", "Yusuf", "Zora"),
)

SURNAMES = (
    *("Abernay", "Aldous", "Barrow", "Bellweather", "Calloway", "Castell", "Dorsey", "Drummet"),
    *("Eastlake", "Ellery", "Fairwood", "Fennimore", "Garrick", "Goss", "Hathersage", "Holloway"),
    *("Ingram", "Ivarsen", "Jessop", "Juhl", "Karsten", "Kettler", "Langmere", "Lindqvist"),
    *("Marchetti", "Merriam", "Norrell", "Nyland", "Oakley", "Okonjo", "Pemberly", "Prior"),
    *("Quill", "Quince", "Radley", "Rostova", "Sandoval", "Severin", "Tallis", "Thornbury"),
    *("Underhill", "Ursell", "Vance", "Verhoeven", "Wexford", "Whitlow", "Yarrow", "Zeller"),
)

TOWNS = (
    *("Alderholt", "Bramwick", "Carrowmere", "Dunlow", "Easterby", "Fallowfield", "Gorsehill"),
    *("Harrowgate Mills", "Inchcombe", "Jarlsund", "Kestrel Bay", "Lowmarsh", "Mossend"),
    *("Netherwick", "Oxcroft", "Pellworth", "Quarrybank", "Ravensea", "Saltmere", "Tarnbrook"),
    *("Upper Fenwick", "Vellmouth", "Westerley", "Yewbridge"),
)

THINGS = (
    *("bicycle", "bookshelf", "camera", "canoe", "clock", "curtain", "drill", "easel", "fence"),
    *("guitar", "hammock", "heater", "kettle", "ladder", "lamp", "loom", "mailbox", "map"),
    *("microscope", "mirror", "oven", "piano", "printer", "radio", "rug", "scooter", "sofa"),
    *("stove", "telescope", "tent", "toolbox", "trailer", "umbrella", "violin", "wheelbarrow"),
)
PLACES = (
    *("allotment", "attic", "bakery", "boathouse", "cellar", "chapel", "clinic", "courtyard"),
    *("depot", "garage", "greenhouse", "harbour", "library", "market", "museum", "orchard"),
    *("pharmacy", "school", "station", "studio", "theatre", "town hall", "warehouse", "workshop"),
)
_ADJECTIVES = (
    *("battered", "borrowed", "bright", "broken", "cheap", "dusty", "faded", "folding", "green"),
    *("heavy", "narrow", "painted", "quiet", "rusty", "second", "small", "spare", "tall"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEATHER = ("rain", "fog", "frost", "drizzle", "wind", "hail", "heat", "snow", "thunder")
_TABLES = (
    ("item,price,shop", ("{thing}", "{amount}", "{town}")),
    ("object;weight in kg;kept in", ("{thing}", "{amount}", "{place}")),
    ("room,lamp hours,remark", ("{place}", "{amount}", "{adjective}")),
    ("day;rain in mm;seen", ("{day}", "{amount}", "{weather}")),
    ("lent to,what,deposit", ("{p}", "{thing}", "{amount}")),
)
_SENTENCES = (
    "{p} left the {adjective} {thing} at the {place} and forgot to say so.",
    "On {day} the {place} in {town} stayed shut because of the {weather}.",
    "Nobody knows who ordered the {adjective} {thing}, but {p} has promised to find out.",
    "{p} and {q} argued about the {thing} until the {place} closed.",
    "We should ask {p} whether the {thing} still works before we carry it to {town}.",
    "The {weather} got into the {place}, so the {thing} now stands in the hall.",
    "{p} thinks that the {adjective} {thing} belongs to {q}.",
    "There is room for one more {thing} in the {place}, if it is a {adjective} one.",
    "The bus to {town} was late again, and {p} walked the last stretch.",
    "{q} repaired the {thing} with wire, which will do until {day}.",
    "Somebody painted the door of the {place}; {p} likes it, {q} does not.",
    "A {adjective} {thing} turned up at the {place}, still in its wrapping.",
    "{p} would rather meet in {town} than at the {place}.",
    "After the {weather} on {day}, the path behind the {place} was gone.",
    "{p} keeps the key of the {place} under a {adjective} stone.",
    "If {q} cannot come on {day}, {p} will take the {thing} along.",
    "The {thing} from {town} is heavier than it looks.",
    "{p} wrote a long letter about the {place} and never posted it.",
    "They have stopped selling the {adjective} {thing} that {q} wanted.",
    "In {town} every {place} seems to have its own {thing}.",
    "The meeting about the {place} ended early, since {p} had to catch a train.",
    "{q} heard in {town} that the {place} will get a new roof.",
    "Remember to thank {p} for lending us the {thing}.",
    "The {adjective} {thing} made such a noise that {q} unplugged it.",
    "{p} measured the {place} twice and got two different answers.",
    "Until the {weather} passes, the {thing} stays where it is.",
    "{q} sketched the {place} from memory, with the {thing} in the wrong corner.",
    "Whoever borrowed the {adjective} {thing} should bring it back by {day}.",
    "The neighbours in {town} have offered their {place} for the party.",
    "{p} found an {plan} plan behind the {thing}, and {q} framed it.",
    "A cat has moved into the {place}, and {p} pretends not to have noticed.",
    "The new {thing} does not fit through the door of the {place}.",
)
_FOREIGN = (
    "A child from {town} drew a kite 🪁, a fox 🦊 and a whale 🐋 on the wall of the customs house.",
    "„Grüße aus {town}“, schrieb der Küster, „der Kirchturm trägt wieder eine Mütze aus Schnee.“",
    "À {town}, la fête a duré jusqu'à l'aube ; même le boulanger a dansé près du canal.",
    "Вечером в городе {town} зажгли фонари, и река стала золотой.",
    "{town}の古い橋の上で、子どもたちが凧をあげていた。",
    "W {town} mówią, że żółw pod młynem śpi już sto lat.",
    "The innkeeper of {town} paid with a sack of pepper — “worth more than 40 £,” she said.",
    "En {town} llovió tanto que el señor Núñez cruzó la plaza en una bañera.",
    "The café in {town} spells its name with a loose accent: cafe\u0301.",
)
_PLANS = ("unsigned", "unfinished", "old", "early", "elegant")
_SUBJECTS = (
    *("plans for the {place}", "the {adjective} {thing}", "a weekend in {town}", "{day} errands"),
    *("questions for {p}", "what {p} said", "the {thing} again", "letter to {p}"),
    *(
        "the {place} in {town}",
        "ideas from {town}",
        "after the {weather}",
        "repairs to the {thing}",
    ),
)


def _fill(rng: random.Random, template: str) -> str:
    p, q = rng.sample(FORENAMES, 2)
    return template.format(
        p=p,
        q=q,
        town=rng.choice(TOWNS),
        thing=rng.choice(THINGS),
        place=rng.choice(PLACES),
        plan=rng.choice(_PLANS),
        adjective=rng.choice(_ADJECTIVES),
        day=rng.choice(_DAYS),
        weather=rng.choice(_WEATHER),
        amount=f"{rng.randint(1, 79)}.{rng.randint(0, 9)}",
    )


def names(rng: random.Random, count: int) -> list[str]:
    """Return `count` people, `Forename Surname`, no forename and no surname twice (at most 48)."""
    forenames, surnames = rng.sample(FORENAMES, count), rng.sample(SURNAMES, count)
    return [f"{first} {last}" for first, last in zip(forenames, surnames, strict=True)]


def heading(rng: random.Random) -> str:
    """Return a short title that starts with a capital."""
    title = _fill(rng, rng.choice(_SUBJECTS))
    return title[0].upper() + title[1:]


def foreign(rng: random.Random) -> str:
    """Return a sentence with characters of two to four bytes in UTF-8."""
    return rng.choice(_FOREIGN).format(town=rng.choice(TOWNS))


def slug(title: str) -> str:
    """Turn a title into a file name's stem: lower case, words joined by underscores."""
    kept = "".join(letter if letter.isalnum() else " " for letter in title.lower())
    return "_".join(kept.split())


def paragraph(rng: random.Random, sentences: int) -> str:
    """Return one line of prose, its sentences of different patterns (at most 32)."""
    return " ".join(_fill(rng, template) for template in rng.sample(_SENTENCES, sentences))


def text(rng: random.Random, paragraphs: int) -> str:
    """Return paragraphs of two to five sentences with empty lines between, a newline at the end."""
    return "\n\n".join(paragraph(rng, rng.randint(2, 5)) for _ in range(paragraphs)) + "\n"


def notes(rng: random.Random, count: int) -> dict[str, str]:
    """Return `count` everyday notes by file name (`slug.txt`), of one to three paragraphs each."""
    found: dict[str, str] = {}
    while len(found) < count:
        title = heading(rng)
        found.setdefault(f"{slug(title)}.txt", f"{title}\n\n{text(rng, rng.randint(1, 3))}")
    return found


def table(rng: random.Random, rows: int) -> str:
    """Return a CSV text of everyday things: a header, `rows` lines of three fields, a newline.

    The header says which of comma and semicolon divides. Its numbers have one decimal, below 80.
    """
    header, fields = rng.choice(_TABLES)
    mark = ";" if ";" in header else ","
    return "\n".join([header, *(_fill(rng, mark.join(fields)) for _ in range(rows))]) + "\n"
