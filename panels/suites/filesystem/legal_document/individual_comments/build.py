"""Build eleven drafts of an agreement in which six clauses are commented on most."""

import random

from panels.suites.filesystem.legal_document.agreement import (
    Comment,
    ordinary_comments,
    texts,
    write_drafts,
)
from panels.suites.filesystem.legal_document.individual_comments.verify import COUNTED
from panels.suites.filesystem.people import full_names
from panels.suites.support import Builder, build_main


def comments_of(rng: random.Random) -> list[Comment]:
    """Plant the comments; a fifth person speaks in other clauses only."""
    people = full_names(rng, 5)
    counted = ordinary_comments(rng, people[:4], 48, among=COUNTED)
    others = ordinary_comments(rng, people, 90, avoid=COUNTED)
    clause = next(comment.clause for comment in others)
    return [*counted, *others, Comment(clause, people[4], "Noted, and no more than that.", 5, 6)]


def build(builder: Builder) -> None:
    """Write the drafts."""
    comments = comments_of(builder.rng)
    write_drafts(builder, texts(builder.rng, {}), comments)


if __name__ == "__main__":
    build_main(build)
