"""Build 16 files for folders of 3 levels: the task's name draws instance 1 of 3."""

from panels.suites.organization.instances import build_instance
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the files into the root folder."""
    build_instance(builder, files=16, levels=3)


if __name__ == "__main__":
    build_main(build)
