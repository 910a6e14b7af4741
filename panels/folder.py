"""The layout of a panel's folder, its one writer at a time, and its results file."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from controlscope.canonical import JsonObject, encode
from controlscope.errors import InputError
from controlscope.run_log import read_run
from controlscope.tasks import Task
from panels.plans import RunPlan
from panels.results import row_of
from panels.siting import Ineligible, Sited
from panels.spec import Panel
from panels.toml import dump_toml

__all__ = ["PanelFolder"]


class PanelFolder:
    """`panel.toml`, `results.jsonl`, `environments/<task>`, `runs/<id>` and `audits/<id>.json`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.spec = path / "panel.toml"
        self._new_spec = path / "panel.partial"
        self.results = path / "results.jsonl"
        self.requests = path / "requests.sqlite"

    def run(self, plan: RunPlan) -> Path:
        """Return where a run is, once it is whole."""
        return self.path / "runs" / plan.id

    def audit(self, plan: RunPlan) -> Path:
        """Return where the audit of a run's states is written down."""
        return self.path / "audits" / f"{plan.id}.json"

    def environment(self, task: Task) -> Path:
        """Return where a task's built environment is."""
        return self.path / "environments" / task.id.replace("/", "--")

    def located(self, plan: RunPlan) -> RunPlan | Ineligible | None:
        """Return a plan with its boundary, where a rule finds that in a finished Keep run.

        Ineligible where the rule finds none; None where the Keep run is not there.
        """
        if not isinstance(plan.schedule, Sited):
            return plan
        keep = self.path / "runs" / plan.source
        if not keep.exists():
            return None
        found = plan.schedule.sited(read_run(keep))
        if isinstance(found, Ineligible):
            return found
        return replace(plan, schedule=found, rule=str(plan.schedule))

    @contextmanager
    def opened(self, panel: Panel) -> Iterator[None]:
        """Hold the panel as its one controller; InputError if another does or the spec changed."""
        spec = dump_toml(panel.resolved())
        self.path.mkdir(parents=True, exist_ok=True)
        if not self.spec.exists() and self._foreign():
            raise InputError(f"{self.path} is neither empty nor a panel: choose another --out")
        with (self.path / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(f"{self.path} is being run by another process") from None
            self._write_spec(spec)
            (self.path / "runs").mkdir(exist_ok=True)
            for left in (self.path / "runs").glob("*.partial"):
                shutil.rmtree(left)
            yield

    def _foreign(self) -> bool:
        ours = {"lock", self._new_spec.name}
        return any(path.name not in ours for path in self.path.iterdir())

    def _write_spec(self, text: str) -> None:
        if not self.spec.exists():
            self._new_spec.write_text(text)
            self._new_spec.rename(self.spec)
        elif self.spec.read_text() != text:
            raise InputError(
                f"{self.spec} was started from another spec or other tasks: choose another --out"
            )

    def write_results(self, panel: Panel) -> list[JsonObject]:
        """Rebuild `results.jsonl` from the finished runs, in the spec's order."""
        # Whatever this call was limited to: what is finished stays in the file.
        everything = Panel(panel.spec, panel.suite)
        done = [plan for plan in everything.runs if self.run(plan).exists()]
        paid: set[tuple[str, str]] = set()
        rows = [row_of(read_run(self.run(plan)), paid) for plan in done]
        temporary = self.results.with_suffix(".partial")
        temporary.write_text("".join(encode(row) + "\n" for row in rows))
        temporary.rename(self.results)
        return rows
