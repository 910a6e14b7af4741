"""Build 120 papers, 32 of them from before 2023."""

from panels.suites.filesystem.papers.corpus import invent, write_pages
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the pages."""
    write_pages(builder, invent(builder.rng))


if __name__ == "__main__":
    build_main(build)
