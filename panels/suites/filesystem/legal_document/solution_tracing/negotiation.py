"""Four clauses that were argued over: who proposed what, who refined it, when it was adopted."""

import random
from dataclasses import dataclass

from panels.suites.filesystem.legal_document.agreement import (
    ALL_PARTIES,
    CLAUSES,
    Comment,
    Settlement,
    ordinary_comments,
    texts,
)
from panels.suites.filesystem.legal_document.ideas import TOPICS, Idea, Topic
from panels.suites.filesystem.people import full_names

__all__ = ["TRACED", "Negotiation", "Origin", "negotiate"]

TRACED = ("4.1", "4.12", "6.3", "8.11")

_PROPOSALS = ("{pitch}", "There may be another way out. {pitch}", "A suggestion: {pitch}")
_RIVALS = ("{pitch}", "We see it differently. {pitch}", "Not convinced so far. {pitch}")
_REFINEMENTS = (
    "The {key} works for us, but not with {old}: make it {new}.",
    "We accept the {key} if {old} becomes {new}.",
    "On the {key} we are close. Our auditors ask for {new} in place of {old}.",
)
_OBJECTIONS = (
    "The {key} is too slow for us. We stay with our own idea: {pitch}",
    "Still no friend of the {key}. {pitch}",
)
_ELSEWHERE = (
    "Unlike clause {clause}, this is no place for a {key}.",
    "Do not mix this up with clause {clause}; a {key} has no business here.",
)
_ADOPTIONS = (
    "Agreed for this clause: the {key}, with {new}. To be put into the text.",
    "Settled in the call: {key}, {new}. The next draft will say so.",
)


@dataclass(frozen=True)
class Origin:
    """The truth about one clause: the first version with the adopted idea, and its proposer."""

    clause: str
    version: int
    name: str


@dataclass(frozen=True)
class Negotiation:
    """All drafts' texts and comments, and where the four solutions came from."""

    versions: list[dict[str, str]]
    comments: list[Comment]
    origins: tuple[Origin, ...]


def negotiate(rng: random.Random) -> Negotiation:
    """Plant a chain of proposal, refinement and adoption under each traced clause.

    Rival proposals stand before, beside and after the origin, one with the figure that was finally
    adopted; a comment under some other clause names the idea before the origin does.
    """
    people = full_names(rng, 4)
    comments, origins, settled = [], [], {}
    for clause, topic in zip(TRACED, rng.sample(TOPICS, len(TRACED)), strict=True):
        chain = _chain(rng, clause, topic, people)
        comments += chain.comments
        origins.append(chain.origin)
        settled[clause] = chain.settlement
    comments += ordinary_comments(rng, people, 110, avoid=TRACED)
    return Negotiation(texts(rng, settled), comments, tuple(origins))


@dataclass(frozen=True)
class _Chain:
    comments: list[Comment]
    origin: Origin
    settlement: Settlement


def _chain(rng: random.Random, clause: str, topic: Topic, people: list[str]) -> _Chain:
    adopted, rival, late = rng.sample(topic.ideas, 3)
    proposer, refiner, opponent, fourth = rng.sample(people, 4)
    old, new, other = (topic.quantity(n) for n in rng.sample(topic.quantities, 3))
    start = rng.randint(2, 5)
    refined = start + rng.randint(1, 2)
    agreed = refined + rng.randint(1, 2)
    before = rng.randint(1, start)
    elsewhere = rng.choice([number for number in CLAUSES if number not in TRACED])
    key = {"key": adopted.key, "old": old, "new": new, "clause": clause}

    def said(
        author: str, forms: tuple[str, ...], first: int, last: int, pitch: str = ""
    ) -> Comment:
        text = rng.choice(forms).format(**key, pitch=pitch)
        return Comment(clause, author, text, first, last)

    def pitch(idea: Idea, quantity: str) -> str:
        return idea.pitch.format(n=quantity)

    comments = [
        said(opponent, _RIVALS, before, refined - 1, pitch(rival, new)),
        said(proposer, _PROPOSALS, start, agreed - 1, pitch(adopted, old)),
        said(fourth, _RIVALS, start, start, pitch(late, other)),
        said(refiner, _REFINEMENTS, refined, agreed - 1),
        said(opponent, _OBJECTIONS, refined, refined, pitch(rival, new)),
        said(ALL_PARTIES, _ADOPTIONS, agreed, agreed),
    ]
    mention = rng.choice(_ELSEWHERE).format(**key)
    comments.append(Comment(elsewhere, fourth, mention, start - 1, start))
    return _Chain(
        comments,
        Origin(clause, start, proposer),
        Settlement(topic.heading, agreed + 1, adopted.clause.format(n=new)),
    )
