"""Build 8 files for folders of 3 levels."""

from panels.suites.organization.instances import build_instance
from panels.suites.support import Builder, build_main


def build(builder: Builder) -> None:
    """Write the files into the root folder."""
    build_instance(builder, files=8, levels=3)


if __name__ == "__main__":
    build_main(build)
