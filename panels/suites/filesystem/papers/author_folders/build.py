"""Build 120 papers with a few authors who wrote many of them."""

from panels.suites.filesystem.papers.author_folders.authorship import library
from panels.suites.filesystem.papers.corpus import write_pages
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the pages."""
    write_pages(builder, library(builder.rng).papers)


if __name__ == "__main__":
    build_main(build)
