"""Build 75 student folders: the subset of seed 103."""

from panels.suites.filesystem.student_database.subsets import build_subset
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the students' folders at the root."""
    build_subset(builder, count=75, subset_seed=103)


if __name__ == "__main__":
    build_main(build)
