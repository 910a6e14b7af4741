"""Build eleven drafts of an agreement with comments all over them."""

import random

from panels.suites.filesystem.legal_document.agreement import (
    Comment,
    ordinary_comments,
    texts,
    write_drafts,
)
from panels.suites.filesystem.people import full_names
from panels.suites.support import Builder, build_main


def comments_of(rng: random.Random) -> list[Comment]:
    """Plant the comments; some clauses hold several at a time."""
    people = full_names(rng, 4)
    scattered = ordinary_comments(rng, people, 110)
    busy = rng.sample(scattered, 12)
    crowded = ordinary_comments(rng, people, 40, among=[comment.clause for comment in busy])
    return [*scattered, *crowded]


def build(builder: Builder) -> None:
    """Write the drafts."""
    comments = comments_of(builder.rng)
    write_drafts(builder, texts(builder.rng, {}), comments)


if __name__ == "__main__":
    build_main(build)
