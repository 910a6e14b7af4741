"""Build 120 papers, one of which the user remembers by its abstract."""

from panels.suites.filesystem.papers.corpus import write_pages
from panels.suites.filesystem.papers.find_math_paper.remembered import library
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the pages."""
    write_pages(builder, library(builder.rng).papers)


if __name__ == "__main__":
    build_main(build)
