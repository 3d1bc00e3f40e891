"""What every flow works with: its tools, its workers, and the signal to stop."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from kawe.domain.rows.entries import Entry
from kawe.errors import KaweError
from kawe.ports import Clock, Halt, Journal, Lookups, Progress

T = TypeVar("T")
Ending: TypeAlias = Coroutine[Any, Any, None]
"""What is left to do for an item that no other item need wait for."""


@dataclass(slots=True, kw_only=True)
class StopSignal:
    """Whether a run should take no further row, and why.

    Rows in flight finish: their verdicts must reach the journal.
    """

    halt: Halt
    because: KaweError | None = field(default=None, init=False)

    def is_set(self) -> bool:
        return self.because is not None or self.halt.asked

    def set(self, because: KaweError) -> None:
        """Stop the run; the first reason stays."""
        if self.because is None:
            self.because = because


async def each(
    items: Iterable[T],
    work: Callable[[T], Awaitable[Ending | None]],
    *,
    workers: int,
    stop: StopSignal,
) -> None:
    """Do `work` for every item, `workers` at a time, in order of start.

    An ending that `work` gives runs beside the next items, and has ended when this
    returns.

    Raises:
        Exception: The first exception of a worker; the others are cancelled.
    """
    queue = iter(items)

    async def worker(group: asyncio.TaskGroup) -> None:
        for item in queue:
            if stop.is_set():
                return
            if (ending := await work(item)) is not None:
                group.create_task(ending)
                # It begins before the next item, so that both use one commit.
                await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, workers)):
                group.create_task(worker(group))
    except BaseExceptionGroup as troubles:
        raise _first(troubles) from troubles


def _first(troubles: BaseExceptionGroup[BaseException]) -> BaseException:
    trouble: BaseException = troubles
    while isinstance(trouble, BaseExceptionGroup):
        trouble = trouble.exceptions[0]
    return trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """How a command reads the service, tells the time, and speaks to a person."""

    lookups: Lookups
    clock: Clock
    progress: Progress
    stop: StopSignal
    workers: int


async def all_rows(
    journal: Journal, wanted: Callable[[Entry], bool], *of: str
) -> list[Entry]:
    """Give the `wanted` rows of every batch, or of those of some kinds."""
    batches = [e for e in await journal.batches() if not of or e.kind.word in of]
    return [e for b in batches for e in await journal.entries(b.name) if wanted(e)]
