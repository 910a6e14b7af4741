"""Success: every file lies in `MM/DD` of its modified time in UTC, nowhere else, unaltered.

Each of these folders also holds `span.txt` with the names and times of its earliest and latest
file, and there is nothing more. The days come from the times of the pristine copy.
"""

from panels.suites.organization.instances import judge_instance
from panels.suites.support import Folder, verify_main


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    judge_instance(final, initial, levels=2)


if __name__ == "__main__":
    verify_main(verify)
