"""Build 150 student folders; about half of the addresses hold unquoted commas."""

from panels.suites.filesystem.student_database.records import students, write_students
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the students' folders at the root."""
    write_students(builder, students(builder.rng))


if __name__ == "__main__":
    build_main(build)
