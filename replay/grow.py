"""Branches of one record by the quickest way that this machine has, and the audit of that way."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controlscope.errors import CopyRefusedError
from controlscope.run_log import Run
from replay.branch import Branch, Method, branch_by_replay, check_branch
from replay.fork import open_trunk
from replay.recorded import Recorded

__all__ = ["KeyAudit", "audit_keys", "grow"]


@dataclass(frozen=True)
class KeyAudit:
    """The state key at one boundary: of a fork, of the replay it was taken of, of the record.

    `unexposed` counts the variables there that no key speaks of.
    """

    boundary: int
    forked: str
    replayed: str
    recorded: str
    unexposed: int

    @property
    def equal(self) -> bool:
        """Tell whether all three are one state."""
        return self.forked == self.replayed == self.recorded


async def grow(
    recorded: Recorded,
    wanted: Sequence[tuple[Branch, Path]],
    scratch: Path,
    method: Method = "fork",
) -> list[Run]:
    """Run branches of a record, each into its new folder; return them in the order asked for.

    By `fork`, one replay serves all of them; where this machine cannot fork, each is replayed, and
    its log says so. `scratch` is a folder on the file system of the recorded run.
    """
    for branch, _ in wanted:
        check_branch(recorded.run, branch.boundary)
    grown: dict[int, Run] = {}
    refusal = ""
    if method == "fork" and wanted:
        order = sorted(range(len(wanted)), key=lambda number: wanted[number][0].boundary)
        try:
            async with open_trunk(recorded, scratch) as trunk:
                for number in order:
                    branch, out = wanted[number]
                    stem = await trunk.to(branch.boundary)
                    grown[number] = await stem.grow(branch, out)
        except CopyRefusedError as refused:
            refusal = str(refused)
    for number, (branch, out) in enumerate(wanted):
        if number not in grown:
            grown[number] = await branch_by_replay(recorded, branch, out, refusal)
    return [grown[number] for number in range(len(wanted))]


async def audit_keys(
    recorded: Recorded, boundaries: Sequence[int], scratch: Path
) -> list[KeyAudit]:
    """Fork a record at some boundaries, and compare what each copy is in with the record.

    InfrastructureError (replay_divergence) where already the replay differs from the record;
    CopyRefusedError where this machine cannot fork.
    """
    keys = [event["state_key"] for event in recorded.run.events if event["kind"] == "boundary"]
    audits = []
    async with open_trunk(recorded, scratch) as trunk:
        for boundary in sorted(boundaries):
            stem = await trunk.to(boundary)
            async with stem.copied() as copy:
                shown = copy.boundary
            audits.append(
                KeyAudit(
                    boundary=boundary,
                    forked=shown.state_key,
                    replayed=stem.parked.boundary.state_key,
                    recorded=keys[boundary],
                    unexposed=len(shown.variables.unexposed),
                )
            )
    return audits
