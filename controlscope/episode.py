"""The loop: a program runs until each tool call, a reviewer may change what follows, and so on.

Counting, review opportunities and cancellation follow the paper's section 3.1 and appendix A.1.
"""

import time
from collections.abc import Awaitable, Coroutine
from dataclasses import asdict, dataclass, field, replace

from controlscope.boundaries import Boundary, PendingCall
from controlscope.budgets import Ending, Ledgers, logged
from controlscope.canonical import JsonObject
from controlscope.clocks import Clocks
from controlscope.errors import PlannerError, WorkerLostError, failing_as
from controlscope.operations import (
    EditParameters,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    edit,
    patch,
)
from controlscope.reviewing import review_at
from controlscope.roles import (
    BlockEnded,
    Environment,
    EventLog,
    Paused,
    Planner,
    Policy,
    Sandbox,
    Score,
    Worker,
    WorkerEvent,
)
from controlscope.tasks import Block, Reply, Task
from controlscope.tools import Observation
from controlscope.trajectory import Parked, Trajectory

__all__ = ["Episode", "Outcome"]

_GIVEN_UP = "The rest of this plan was given up: the review of its next call gave no operation."


@dataclass(frozen=True)
class Outcome:
    """How a run ended, how its terminal state was scored, and what it spent."""

    ending: Ending
    score: Score
    ledgers: Ledgers


class _ParkedError(Exception):
    """The run is to wait here."""

    def __init__(self, parked: Parked) -> None:
        self.parked = parked


class _EndedError(Exception):
    """The trajectory is over, from wherever it stands; no code of the program sees it."""

    def __init__(self, ending: Ending) -> None:
        self.ending: Ending = ending


@dataclass(kw_only=True)
class Episode:
    """One run of one program of one task under one policy."""

    task: Task
    proxy: str
    environment: Environment
    sandbox: Sandbox
    planner: Planner
    policy: Policy
    replace: ReplaceBoundary
    log: EventLog
    _so_far: Trajectory = field(default_factory=Trajectory, init=False)
    _worker: Worker | None = field(default=None, init=False)
    _park_at: int | None = field(default=None, init=False)

    async def run(self) -> Outcome:
        """Run to an ending and score the state it left; InfrastructureError where neither holds."""
        return await self._finish(self._from_the_start())

    async def run_to(
        self, boundary: int, after: tuple[Worker, Parked] | None = None
    ) -> tuple[Worker, Parked] | Outcome:
        """Run as far as a boundary, which is not entered; the Outcome where the run ends before.

        `after` is where it goes on from, as in `go_on`, instead of from the start.
        """
        self._park_at = boundary
        try:
            if after is None:
                return await self.run()
            worker, parked = after
            return await self.go_on(parked, worker)
        except _ParkedError as stop:
            assert self._worker is not None
            return self._worker, stop.parked

    async def go_on(self, parked: Parked, worker: Worker, *, alone: bool = False) -> Outcome:
        """Enter the boundary that a run of the same program was parked at, and run to an ending.

        `worker` is that run's own, or one that waits in the same state. The parked run is left as
        it is. `alone`: the trajectory ends with its block, and no queued block and no planning
        follow.
        """
        self._so_far = parked.so_far.copy()
        self._worker = worker
        return await self._finish(self._from_a_boundary(worker, parked.paused, alone))

    async def _finish(self, trajectory: Coroutine[None, None, Ending]) -> Outcome:
        started = time.time()
        try:
            ending = await trajectory
            files = await self.environment.files()
            digest = await self.environment.digest()
            refused = asdict(self._so_far.refused + self._so_far.refused_in_block)
            self.log.event(
                "episode_ended", ending=ending, digest=digest, files=files, refused=refused
            )
            score = await self._clocks.measure("scoring", self.environment.score())
            counts = {"counts": dict(score.counts)} if score.counts else {}
            self.log.event("scored", success=score.success, message=score.message, **counts)
            return Outcome(ending, score, self._so_far.ledgers)
        finally:
            self.log.timing({"started": started, "seconds": dict(self._clocks.seconds)})

    @property
    def _clocks(self) -> Clocks:
        return self._so_far.clocks

    async def _from_the_start(self) -> Ending:
        self._so_far.digest = await self.environment.digest()
        goal = self.task.instruction
        tools = self.environment.tools
        read_only = sorted(name for name in tools if tools[name].read_only)
        self.log.event(
            "episode_started", goal=goal, digest=self._so_far.digest, read_only=read_only
        )
        try:
            await self._run_replies(await self._ask_planner())
        except _EndedError as end:
            return end.ending
        return "finished"

    async def _from_a_boundary(self, worker: Worker, paused: Paused, alone: bool) -> Ending:
        try:
            goes_on = await self._finish_block(worker, self._at_pause(worker, paused))
            if not alone:
                await self._run_queue(goes_on)
                await self._run_replies(await self._next_reply())
        except _EndedError as end:
            return end.ending
        return "finished"

    async def _run_replies(self, reply: Reply) -> None:
        while reply.blocks:
            self._so_far.queue = list(reply.blocks)
            await self._run_queue(goes_on=True)
            reply = await self._next_reply()

    async def _next_reply(self) -> Reply:
        """Plan once more, where the budgets of planning turns and of blocks allow it."""
        ledgers, budget = self._so_far.ledgers, self.task.budget
        self._check("planning_turns", ledgers.planning_turns, budget.planning_turns)
        self._check("blocks", ledgers.blocks, budget.blocks)
        self._check_seconds()
        ledgers.planning_turns += 1
        return await self._ask_planner()

    async def _ask_planner(self) -> Reply:
        try:
            with failing_as("planner_failed"):
                planned = self.planner.plan(self.task.instruction, self._so_far.history)
                plan = await self._clocks.measure("planner", planned)
        except PlannerError as error:
            self.log.event("planner_failed", error=error.kind, detail=str(error))
            raise _EndedError(error.kind) from None
        reply = plan.reply
        blocks = [asdict(block) for block in reply.blocks]
        self.log.event("reply_planned", text=reply.text, blocks=blocks, **logged(plan.usage))
        self._so_far.history += {"kind": "reply", "text": reply.text, "blocks": blocks}
        return reply

    async def _run_queue(self, goes_on: bool) -> None:
        """Run what a reply still holds, unless an earlier block of it failed."""
        queue = self._so_far.queue
        while goes_on and queue:
            goes_on = await self._run_block(queue.pop(0))
            queue = self._so_far.queue
        self._so_far.cancel_queue("an earlier block of the same reply failed")

    async def _run_block(self, block: Block) -> bool:
        """Run a natural block with whatever replaces it; tell whether the queue may go on."""
        self._check("blocks", self._so_far.ledgers.blocks, self.task.budget.blocks)
        self._so_far.begin(block)
        self.log.event("block_started", block=block.id, code=block.code)
        if self._worker is None:
            self._worker = await self._clocks.measure("worker", self.sandbox.worker())
        running = self._clocks.measure("worker", self._worker.run(block.code))
        return await self._finish_block(self._worker, running)

    async def _finish_block(self, worker: Worker, running: Awaitable[WorkerEvent]) -> bool:
        """Go on from what runs to the block's end; tell whether the queue may go on."""
        so_far = self._so_far
        try:
            event = await running
            while isinstance(event, Paused):
                event = await self._at_pause(worker, event)
        except WorkerLostError as lost:
            self._worker = None
            self.log.event(
                "worker_lost",
                block=so_far.block.id,
                error=lost.kind,
                detail=lost.detail,
                refused=asdict(so_far.refused_in_block),
            )
            so_far.lose(lost.kind, lost.detail)
            self._end_where_over()
            return False
        so_far.heard(event.refused)
        self.log.event(
            "block_ended",
            block=so_far.block.id,
            printed=event.printed,
            error=event.error,
            traceback=event.traceback,
            output_truncated=event.output_truncated,
            refused=asdict(so_far.refused_in_block),
        )
        so_far.end(event.as_seen(), event.error)
        self._end_where_over()
        return event.error is None

    def _end_where_over(self) -> None:
        if self.environment.over is not None:
            raise _EndedError("completed")

    async def _at_pause(self, worker: Worker, paused: Paused) -> WorkerEvent:
        """Enter the boundary, unless a budget ends the run or the block's allowance is spent."""
        so_far, budget = self._so_far, self.task.budget
        so_far.heard(paused.refused)
        self._check("calls", so_far.ledgers.calls, budget.calls)
        self._check_seconds()
        allowed = budget.requests_per_block
        if allowed is not None and so_far.ledgers.requests >= allowed:
            so_far.over_quota()
            text = f"the block's {allowed} requests are spent; this call was not made"
            refusal = Observation(text, True, text)
            return await self._clocks.measure("worker", worker.resume(refusal))
        return await self._at_boundary(worker, paused)

    async def _at_boundary(self, worker: Worker, paused: Paused) -> WorkerEvent:
        """Let the reviewer decide on one pending call, and go on to the next event."""
        so_far = self._so_far
        boundary = so_far.boundary(paused, self.task, self.proxy, self.environment)
        if boundary.index == self._park_at:
            raise _ParkedError(Parked(so_far, paused, boundary))
        so_far.enter(boundary)
        self.log.event("boundary", **boundary.as_json())
        pending = boundary.pending
        match await review_at(boundary, so_far, self.policy, self.replace, self.log):
            case None:
                return await self._give_up(worker)
            case Replace(code):
                self._replace_rest(boundary, code)
                return await self._clocks.measure("worker", worker.replace(code))
            case PatchArguments() as change:
                pending = patch(boundary, change)
            case EditParameters() as change:
                so_far.overrides = edit(boundary, change)
                pending = so_far.overridden(pending)
            case _:
                pass
        return await self._call(worker, pending, paused.pending)

    async def _give_up(self, worker: Worker) -> WorkerEvent:
        """End the block at its pending call, which is never made, as a block that failed."""
        ended = await self._clocks.measure("worker", worker.replace(""))
        assert isinstance(ended, BlockEnded), "nothing calls nothing"
        return replace(ended, error="plan_error", traceback=_GIVEN_UP)

    def _replace_rest(self, boundary: Boundary, code: str) -> None:
        """Cancel the pending call and, at the boundary `reply`, what the reply still holds."""
        cancelled = self._so_far.replace_rest(
            code, queue=self.replace == "reply", renews=self.task.contract == "v1"
        )
        self.log.event(
            "continuation_replaced",
            boundary=boundary.index,
            block=boundary.block.id,
            code=code,
            cancelled=cancelled,
        )

    async def _call(self, worker: Worker, pending: PendingCall, own: PendingCall) -> WorkerEvent:
        """Make one primitive call, which counts whatever comes back.

        `own` is the call as the program makes it: the log says what overrides took the place of.
        """
        call: JsonObject = {"tool": pending.tool, "arguments": pending.arguments}
        so_far = self._so_far
        index = so_far.ledgers.calls
        names = sorted(so_far.overrides.get(own.site, {}))
        overridden = {"overridden": {name: own.arguments.get(name) for name in names}}
        self.log.event("call_started", index=index, **call, **(overridden if names else {}))
        so_far.ledgers.calls += 1
        so_far.ledgers.requests += 1
        observation = await self._clocks.measure(
            "environment", self.environment.call(pending.tool, pending.arguments)
        )
        so_far.digest = await self._clocks.measure("environment", self.environment.digest())
        shown = {} if observation.text == observation.raw else {"shown": observation.text}
        self.log.event(
            "call_completed",
            index=index,
            observation=observation.raw,
            is_error=observation.is_error,
            digest=so_far.digest,
            **call,
            **shown,
        )
        so_far.history += {
            "kind": "call",
            "observation": observation.text,
            "is_error": observation.is_error,
            **call,
        }
        if self.environment.over == "now":
            self._end_where_over()
        return await self._clocks.measure("worker", worker.resume(observation))

    def _check_seconds(self) -> None:
        if self._clocks.execution_seconds >= self.task.budget.execution_seconds:
            self._exhausted("execution_seconds")

    def _check(self, budget: Ending, spent: int, limit: int | None) -> None:
        if limit is not None and spent >= limit:
            self._exhausted(budget)

    def _exhausted(self, budget: Ending) -> None:
        self.log.event("budget_exhausted", budget=budget)
        raise _EndedError(budget)
