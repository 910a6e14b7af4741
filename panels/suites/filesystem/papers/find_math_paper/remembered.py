"""The one paper that the user remembers, and six whose abstracts miss one of its traits each.

Each trait has wordings that fit the memory and wordings that do not. The wordings that do not fit
use the same keywords, so that only reading tells them apart.
"""

import random
from dataclasses import dataclass, replace

from panels.suites.filesystem.papers.corpus import Paper, invent
from panels.suites.filesystem.papers.prose import FIELDS

__all__ = ["TRAITS", "Library", "Trait", "fits", "library"]


@dataclass(frozen=True)
class Trait:
    """One thing the user remembers: wordings that say so, and wordings that say otherwise."""

    fitting: tuple[str, ...]
    other: tuple[str, ...]


TRAITS = (
    Trait(
        ("We introduce a test set of", "This paper presents a new collection of", "We release"),
        ("We revisit a known collection of", "We re-examine, without adding to it, a test set of"),
    ),
    Trait(
        (
            "word problems in mathematics",
            "mathematical word problems",
            "word problems from algebra",
        ),
        ("word problems in physics", "mathematical proofs without words", "word puzzles in logic"),
    ),
    Trait(
        (
            "written for this purpose by schoolteachers",
            "which forty teachers composed from scratch",
            "devised anew by a panel of practising teachers",
        ),
        (
            "taken from the textbooks that most teachers use",
            "gathered from olympiads and checked by teachers",
            "produced by a generator and read by teachers",
        ),
    ),
    Trait(
        (
            "each in three languages",
            "with parallel versions in five languages",
            "every one of them in Basque, Swahili and two other languages",
        ),
        (
            "all in English, other languages being left to later work",
            "of which each exists in one language only",
        ),
    ),
    Trait(
        (
            "Every step of a solution is graded, not the answer alone.",
            "Solutions are marked step by step, so that a lucky answer earns little.",
            "A score is given for each step that leads to the answer.",
        ),
        (
            "Only the final answer is graded, whatever the steps that lead to it.",
            "Since marking each step is costly, we compare final answers by exact match.",
        ),
    ),
    Trait(
        (
            "Irrelevant numbers in the text turn out to be the main cause of failure.",
            "Models fail above all where a text holds numbers that are irrelevant to the question.",
            "What misleads the models most are numbers with no bearing on the question.",
        ),
        (
            "Irrelevant numbers do little harm; long texts are the main cause of failure.",
            "Models fail above all where numbers are large, much less where they are irrelevant.",
            "What misleads the models most is an unusual order of the sentences.",
        ),
    ),
)

_TITLES = (
    "Show your working: language models at the blackboard",
    "How far does arithmetic carry a language model?",
    "Apples, trains & taxes: what language models make of school questions",
    "Reading before reckoning",
    "A closer look at reasoning in language models",
    "Marked in red: language models in the classroom",
    "Sums that tell a story",
    "Do language models understand the question?",
)
_NEUTRAL = (
    "We test {n} language models of different sizes.",
    "The best of {n} models reaches {p} per cent.",
    "Larger models gain {p} points, but not everywhere.",
    "Prompts and transcripts are listed in the appendix.",
)


@dataclass(frozen=True)
class Library:
    """All papers, and the id of the one remembered."""

    papers: list[Paper]
    remembered: str


def fits(abstract: str) -> bool:
    """Tell whether an abstract has all the traits."""
    return all(any(wording in abstract for wording in trait.fitting) for trait in TRAITS)


def library(rng: random.Random) -> Library:
    """Invent 120 papers: one remembered, six near misses, and bodies that talk of the traits."""
    papers = invent(rng)
    special = rng.sample([n for n, paper in enumerate(papers) if paper.submitted.year >= 2023], 7)
    models = next(field for field in FIELDS if field.name == "language models")
    titles = rng.sample(_TITLES, len(special))
    for missing, (place, heading) in enumerate(zip(special, titles, strict=True), start=-1):
        papers[place] = replace(
            papers[place],
            title=heading,
            field=models,
            abstract=_abstract(rng, missing),
            aside=_aside(rng) if missing >= 0 else "",
        )
    ordinary = [number for number in range(len(papers)) if number not in special]
    for place in rng.sample(ordinary, 12):
        papers[place] = replace(papers[place], aside=_aside(rng))
    return Library(papers, papers[special[0]].id)


def _wordings(rng: random.Random, missing: int) -> list[str]:
    return [
        rng.choice(trait.other if number == missing else trait.fitting)
        for number, trait in enumerate(TRAITS)
    ]


def _abstract(rng: random.Random, missing: int) -> str:
    """Make an abstract that has all traits but the one numbered `missing` (-1: has all)."""
    novelty, kind, source, languages, *findings = _wordings(rng, missing)
    opening = f"{novelty} {rng.randint(6, 40) * 50} {kind}, {source}, {languages}."
    neutral = [
        text.format(n=rng.randint(7, 30), p=rng.randint(31, 79)) for text in rng.sample(_NEUTRAL, 2)
    ]
    rest = [*findings, *neutral]
    rng.shuffle(rest)
    return " ".join([opening, *rest])


def _aside(rng: random.Random) -> str:
    """Make a related-work sentence about the remembered paper, in its own words."""
    _, kind, source, languages, grading, finding = _wordings(rng, -1)
    return f"A recent test set holds {kind}, {source}, {languages}. {grading} {finding}"
