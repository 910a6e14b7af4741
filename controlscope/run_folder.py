"""The folder of a run, which appears under its own name only when the run is whole."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controlscope.canonical import JsonObject
from controlscope.errors import InfrastructureError, InputError
from controlscope.run_log import RunLog

__all__ = ["new_run"]


@contextmanager
def new_run(
    out: Path, header: JsonObject, prefix: Path | None = None
) -> Iterator[tuple[RunLog, Path]]:
    """Open the log of a new run, and say where its workspace belongs, which is gone at the end.

    Until the run is whole its folder is `out.partial`, which an earlier attempt may have left and
    which starts again; an infrastructure failure is logged there. A branch begins with the events
    of the folder `prefix`. InputError where `out` exists.
    """
    if out.exists():
        raise InputError(f"{out} exists already: choose another folder or remove it")
    partial_run = out.with_name(out.name + ".partial")
    shutil.rmtree(partial_run, ignore_errors=True)
    workspace = partial_run / "workspace"
    with RunLog(partial_run, header, prefix) as log:
        try:
            yield log, workspace
        except InfrastructureError as error:
            log.event("infrastructure_failed", error=error.kind, detail=error.detail)
            raise
        finally:
            shutil.rmtree(workspace, ignore_errors=True)
    partial_run.rename(out)
