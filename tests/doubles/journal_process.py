"""A process that writes a journal, to be killed: `python -m`, with a path.

`hold` takes the journal and waits. `note N` notes N intents, telling of each
as it is durable, then waits. `spill` dies in the middle of a large commit.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from doubles.journal_gate import open_hooked
from doubles.journal_values import NOW, batch, content, entry, intent, key
from kawe.domain.service.states import State, Step
from kawe.journal.journal import StoreJournal


async def _note(journal: StoreJournal, count: int) -> None:
    rows = [entry(number) for number in range(1, count + 1)]
    await journal.open_batch(batch(), lines=(), entries=rows)
    for number in range(1, count + 1):
        await journal.move(key(number), State.FILES_READY, at=NOW)
        await journal.note([intent(number, Step.CREATE)])
        _tell(str(number))


async def _spill(journal: StoreJournal) -> None:
    # Far more than SQLite holds in memory, so that much of it is in the file.
    long = content(1, description="x" * 20_000)
    rows = [entry(number, content=long) for number in range(1, 501)]
    await journal.open_batch(batch(), lines=(), entries=rows)


def _die(_calls: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def _main(what: str, path: Path, count: int) -> None:
    if what == "spill":
        await _spill(open_hooked(path, _die))
    journal = StoreJournal.open(path)
    if what == "note":
        await _note(journal, count)
    _tell("ready")
    await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
