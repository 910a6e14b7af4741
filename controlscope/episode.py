"""The loop: a program runs until each tool call, a reviewer may change what follows, and so on.

Counting, review opportunities and cancellation follow the paper's section 3.1 and appendix A.1.
"""

import time
from collections import Counter
from dataclasses import asdict, dataclass, field

from controlscope.boundaries import Boundary, History, PendingCall, Remaining
from controlscope.budgets import Ending, Ledgers, Usage
from controlscope.canonical import JsonObject, problem_of
from controlscope.clocks import Clocks
from controlscope.continuations import Position, site_of
from controlscope.errors import (
    InvalidReviewError,
    PlannerError,
    RejectedError,
    ReviewServiceError,
    WorkerLostError,
)
from controlscope.operations import (
    Keep,
    Operation,
    PatchArguments,
    Replace,
    ReplaceBoundary,
    as_json,
    patch,
    realize,
)
from controlscope.roles import (
    Environment,
    Paused,
    Planner,
    Policy,
    Sandbox,
    Score,
    Worker,
    WorkerEvent,
)
from controlscope.run_log import RunLog
from controlscope.schedules import Moment
from controlscope.tasks import Block, Reply, Task

__all__ = ["Episode", "Outcome"]


@dataclass(frozen=True)
class Outcome:
    """How a run ended, how its terminal state was scored, and what it spent."""

    ending: Ending
    score: Score
    ledgers: Ledgers


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
    log: RunLog
    _ledgers: Ledgers = field(default_factory=Ledgers, init=False)
    _clocks: Clocks = field(default_factory=Clocks, init=False)
    _history: History = field(default_factory=History, init=False)
    _decisions: list[JsonObject] = field(default_factory=list, init=False)
    _boundaries: int = field(default=0, init=False)
    _reviewed_at_call: int | None = field(default=None, init=False)
    _replaced_at_call: int | None = field(default=None, init=False)
    _worker: Worker | None = field(default=None, init=False)
    _digest: str = field(default="", init=False)
    _block: Block = field(default=Block("", ""), init=False)
    _replaced: bool = field(default=False, init=False)
    _queue: list[Block] = field(default_factory=list, init=False)
    _hits: Counter[Position] = field(default_factory=Counter, init=False)

    async def run(self) -> Outcome:
        """Run to an ending and score the state it left; InfrastructureError where neither holds."""
        started = time.time()
        try:
            self._digest = await self.environment.digest()
            self.log.event("episode_started", goal=self.task.instruction, digest=self._digest)
            ending = await self._trajectory()
            files = await self.environment.files()
            digest = await self.environment.digest()
            self.log.event("episode_ended", ending=ending, digest=digest, files=files)
            score = await self._clocks.measure("scoring", self.environment.score())
            self.log.event("scored", success=score.success, message=score.message)
            return Outcome(ending, score, self._ledgers)
        finally:
            self.log.timing({"started": started, "seconds": dict(self._clocks.seconds)})

    async def _trajectory(self) -> Ending:
        try:
            reply = await self._ask_planner()
            while reply.blocks:
                await self._run_reply(reply)
                reply = await self._next_reply()
        except _EndedError as end:
            return end.ending
        return "finished"

    async def _next_reply(self) -> Reply:
        """Plan once more, where the budget of planning turns allows it."""
        if self._ledgers.planning_turns >= self.task.budget.planning_turns:
            self._exhausted("planning_turns")
        self._check_seconds()
        self._ledgers.planning_turns += 1
        return await self._ask_planner()

    async def _ask_planner(self) -> Reply:
        try:
            planned = self.planner.plan(self.task.instruction, self._history)
            plan = await self._clocks.measure("planner", planned)
        except PlannerError as error:
            self.log.event("planner_failed", error=error.kind, detail=str(error))
            raise _EndedError(error.kind) from None
        reply = plan.reply
        blocks = [asdict(block) for block in reply.blocks]
        self.log.event("reply_planned", text=reply.text, blocks=blocks, **_used(plan.usage))
        self._history += {"kind": "reply", "text": reply.text, "blocks": blocks}
        return reply

    async def _run_reply(self, reply: Reply) -> None:
        self._queue = list(reply.blocks)
        while self._queue:
            if not await self._run_block(self._queue.pop(0)):
                self._cancel_queue("an earlier block of the same reply failed")

    async def _run_block(self, block: Block) -> bool:
        """Run a natural block with whatever replaces it; tell whether the queue may go on."""
        self._begin(block)
        self._replaced = False
        self.log.event("block_started", block=block.id, code=block.code)
        try:
            if self._worker is None:
                self._worker = await self._clocks.measure("worker", self.sandbox.worker())
            event = await self._clocks.measure("worker", self._worker.run(block.code))
            while isinstance(event, Paused):
                event = await self._at_boundary(self._worker, event)
        except WorkerLostError as lost:
            self._worker = None
            self.log.event("worker_lost", block=block.id, error=lost.kind, detail=lost.detail)
            self._record_result(
                f"[{lost.kind}] The Python worker was lost ({lost.detail}). "
                "All variables are gone; the next block starts with an empty namespace.",
                lost.kind,
            )
            return False
        self.log.event(
            "block_ended",
            block=block.id,
            printed=event.printed,
            error=event.error,
            traceback=event.traceback,
            output_truncated=event.output_truncated,
        )
        self._record_result(event.as_seen(), event.error)
        return event.error is None

    def _begin(self, block: Block) -> None:
        self._block = block
        self._hits.clear()

    def _record_result(self, content: str, error: str | None) -> None:
        if self._replaced:
            content = (
                "The rest of this block was replaced while it ran. The code that ran instead:\n"
                f"{self._block.code}\n\nWhat the block printed:\n{content}"
            )
        entry = {"kind": "result", "block": self._block.id, "content": content, "error": error}
        self._history += entry

    def _cancel_queue(self, why: str) -> None:
        """Give each queued block its receipt, so that the tool-call protocol stays whole."""
        for block in self._queue:
            receipt = f"Cancelled before it ran: {why}."
            self._history += {"kind": "receipt", "block": block.id, "content": receipt}
        self._queue = []

    async def _at_boundary(self, worker: Worker, paused: Paused) -> WorkerEvent:
        """Let the reviewer decide on one pending call, and go on to the next event."""
        if self._ledgers.calls >= self.task.budget.calls:
            self._exhausted("calls")
        self._check_seconds()
        boundary = self._expose(paused)
        match await self._review(boundary):
            case Replace(code):
                self._cancel_for(boundary)
                return await self._clocks.measure("worker", worker.replace(code))
            case PatchArguments() as edit:
                pending = patch(boundary, edit)
            case _:
                pending = boundary.pending
        return await self._call(worker, pending)

    def _expose(self, paused: Paused) -> Boundary:
        position = paused.pending.position
        site = site_of(self._block.code, position, self.proxy, self._hits[position])
        self._hits[position] += 1
        boundary = Boundary(
            index=self._boundaries,
            goal=self.task.instruction,
            proxy=self.proxy,
            history=self._history,
            block=self._block,
            queued=tuple(self._queue),
            pending=paused.pending,
            site=site,
            variables=paused.variables,
            printed=paused.printed,
            decisions=tuple(self._decisions),
            tools=self.environment.tools,
            remaining=Remaining(
                calls=self.task.budget.calls - self._ledgers.calls,
                planning_turns=self.task.budget.planning_turns - self._ledgers.planning_turns,
            ),
            environment=self._digest,
        )
        self._boundaries += 1
        self.log.event(
            "boundary",
            index=boundary.index,
            block=boundary.block.id,
            pending=boundary.pending.as_json(),
            site=asdict(site),
            variables=boundary.variables.as_json(),
            printed=boundary.printed,
            queued=[block.id for block in boundary.queued],
            remaining=asdict(boundary.remaining),
            environment=boundary.environment,
            state_key=boundary.state_key,
        )
        return boundary

    async def _review(self, boundary: Boundary) -> Operation:
        """Offer a review where one is due; whatever does not hold continues as Keep."""
        progress = self._reviewed_at_call is None or self._ledgers.calls > self._reviewed_at_call
        moment = Moment(
            boundary.index, len(self._decisions), self._ledgers.calls, self._replaced_at_call
        )
        if not (progress and self.policy.schedule.offers(moment)):
            return Keep()
        self._reviewed_at_call = self._ledgers.calls
        scope = self.policy.scope
        self.log.event("review_requested", boundary=boundary.index, granted=scope)
        operation: Operation | None = None
        usage: Usage | None = None
        try:
            review = await self._clocks.measure(
                "reviewer", self.policy.reviewer.review(boundary, scope)
            )
            usage, operation, reason = review.usage, review.operation, review.reason
            realized: str = realize(operation, boundary, scope, self.replace)
        except InvalidReviewError as error:
            realized, reason = "invalid", str(error)
            usage = usage or error.usage
        except ReviewServiceError as error:
            realized, reason = "service", str(error)
        except RejectedError as error:
            realized, reason = "rejected", str(error)
        proposed = None if operation is None else as_json(operation)
        decision = {
            "boundary": boundary.index,
            "granted": scope,
            "realized": realized,
            # A reviewer of the user's own may propose what has no JSON form: it was rejected.
            "operation": None if problem_of(proposed) else proposed,
        }
        self._decisions.append(decision)
        self.log.event("review_decided", reason=reason, **decision, **_used(usage))
        return operation if operation is not None and realized in {"patch", "replace"} else Keep()

    def _cancel_for(self, boundary: Boundary) -> None:
        """Cancel the pending call and, at the boundary `reply`, what the reply still holds."""
        operation = self._decisions[-1]["operation"]
        cancelled = [block.id for block in self._queue] if self.replace == "reply" else []
        self.log.event(
            "continuation_replaced",
            boundary=boundary.index,
            block=self._block.id,
            code=operation["code"],
            cancelled=cancelled,
        )
        if cancelled:
            self._cancel_queue("the unfinished reply was replaced")
        self._begin(Block(self._block.id, operation["code"]))
        self._replaced = True
        self._replaced_at_call = self._ledgers.calls

    async def _call(self, worker: Worker, pending: PendingCall) -> WorkerEvent:
        """Make one primitive call, which counts whatever comes back."""
        call: JsonObject = {"tool": pending.tool, "arguments": pending.arguments}
        index = self._ledgers.calls
        self.log.event("call_started", index=index, **call)
        self._ledgers.calls += 1
        observation = await self._clocks.measure(
            "environment", self.environment.call(pending.tool, pending.arguments)
        )
        self._digest = await self._clocks.measure("environment", self.environment.digest())
        shown = {} if observation.text == observation.raw else {"shown": observation.text}
        self.log.event(
            "call_completed",
            index=index,
            observation=observation.raw,
            is_error=observation.is_error,
            digest=self._digest,
            **call,
            **shown,
        )
        self._history += {
            "kind": "call",
            "observation": observation.text,
            "is_error": observation.is_error,
            **call,
        }
        return await self._clocks.measure("worker", worker.resume(observation))

    def _check_seconds(self) -> None:
        if self._clocks.execution_seconds >= self.task.budget.execution_seconds:
            self._exhausted("execution_seconds")

    def _exhausted(self, budget: Ending) -> None:
        self.log.event("budget_exhausted", budget=budget)
        raise _EndedError(budget)


def _used(usage: Usage | None) -> JsonObject:
    return {} if usage is None else {"usage": usage.as_json()}
