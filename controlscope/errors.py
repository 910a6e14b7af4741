"""The error model: every failure has a kind and is named after the boundary it crossed.

A block that fails is data (`BlockErrorKind`, no exception). The exceptions below cross a room:
what a reviewer or planner could not do, what was lost, and what the user got wrong.
"""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from controlscope.budgets import Usage

__all__ = [
    "BlockErrorKind",
    "CopyRefusedError",
    "InfrastructureError",
    "InfrastructureKind",
    "InputError",
    "InvalidReviewError",
    "PlannerError",
    "PlannerErrorKind",
    "RejectedError",
    "ReviewServiceError",
    "WorkerLossKind",
    "WorkerLostError",
    "failing_as",
]

BlockErrorKind: TypeAlias = Literal[
    "syntax_error",
    "blocked_import",
    "blocked_name",
    "blocked_attribute",
    "proxy_rebound",
    "user_exception",
    "system_exit",
    "memory_error",
    "tool_error",
    "bad_arguments",
    "concurrency_error",
    "timeout_soft",
]
"""How a block ended when its worker and its variables live on."""

WorkerLossKind: TypeAlias = Literal[
    "wall_timeout", "cpu_limit", "oom_killed", "worker_crash", "worker_exit", "protocol_violation"
]
"""How a worker was lost through what its program did; the next block gets a fresh one."""

InfrastructureKind: TypeAlias = Literal[
    "sandbox_start_failed",
    "sandbox_lost",
    "mcp_lost",
    "replay_divergence",
    "environment_lost",
    "reviewer_failed",
    "planner_failed",
    "task_script_failed",
    "controller_lost",
    "runs_lost",
    "limit_reached",
    "data_missing",
]
"""What failed outside the program; never scored as a policy's failure."""

PlannerErrorKind: TypeAlias = Literal["planner_error", "context_limit"]
"""How ordinary planning ended a trajectory."""


class InputError(Exception):
    """Wrong use, spec, task or file: one clear line that says what to do (exit code 2)."""


class RejectedError(Exception):
    """An operation that parsed and was refused, by validation or by scope."""


class InvalidReviewError(Exception):
    """A reviewer's reply that holds no single parseable operation; it was paid for all the same."""

    def __init__(self, detail: str, usage: "Usage | None" = None) -> None:
        super().__init__(detail)
        self.usage = usage


class ReviewServiceError(Exception):
    """A provider's error in place of a review."""


class PlannerError(Exception):
    """Ordinary planning could not answer; the trajectory ends and its state is scored."""

    def __init__(self, kind: PlannerErrorKind, detail: str) -> None:
        super().__init__(detail)
        self.kind: PlannerErrorKind = kind


class WorkerLostError(Exception):
    """The program's worker is gone; the sandbox can give a fresh one."""

    def __init__(self, kind: WorkerLossKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: WorkerLossKind = kind
        self.detail = detail


class CopyRefusedError(Exception):
    """This machine cannot copy a state that waits: replay instead."""


class InfrastructureError(Exception):
    """Something outside the program failed; the run is marked and can be started again."""

    def __init__(self, kind: InfrastructureKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: InfrastructureKind = kind
        self.detail = detail


_NAMED = (
    InputError,
    RejectedError,
    InvalidReviewError,
    ReviewServiceError,
    PlannerError,
    WorkerLostError,
    CopyRefusedError,
    InfrastructureError,
)


@contextmanager
def failing_as(kind: InfrastructureKind) -> Iterator[None]:
    """Let an error that is none of these cross as infrastructure's, with the place it arose at."""
    try:
        yield
    except _NAMED:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        detail = f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
        raise InfrastructureError(kind, detail) from error
