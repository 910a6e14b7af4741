import subprocess
import sys
from pathlib import Path

from executors.bubblewrap import bwrap_path, library_closure


def _sandboxed(binds: list[Path], *command: str) -> "subprocess.CompletedProcess[str]":
    arguments = [part for path in binds for part in ("--ro-bind", str(path), str(path))]
    return subprocess.run(
        [bwrap_path(), "--unshare-all", "--die-with-parent", *arguments, *command],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_binary_runs_in_a_sandbox_that_holds_its_closure_alone() -> None:
    echo = Path("/bin/echo")
    done = _sandboxed([echo, *library_closure([echo])], str(echo), "hello")
    assert (done.returncode, done.stdout) == (0, "hello\n")


def test_a_binary_does_not_run_without_its_closure() -> None:
    echo = Path("/bin/echo")
    assert _sandboxed([echo], str(echo), "hello").returncode != 0


def test_a_closure_is_sorted_and_shared_libraries_stand_once() -> None:
    both = [Path(sys.executable).resolve(), Path("/bin/echo")]
    closure = library_closure([*both, *both])
    assert closure == sorted(set(closure))
    assert all(path.is_file() for path in closure)


def test_a_script_has_no_libraries(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert library_closure([script]) == []
