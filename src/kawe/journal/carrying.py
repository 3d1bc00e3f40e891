"""A journal goes from a file to a server, or back, with all that it knows."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError
from kawe.journal.copies import JournalCopy
from kawe.journal.history import Verification, verify_store
from kawe.journal.store import Store
from kawe.journal.store.location import check_location
from kawe.journal.store.opening import make_folder
from kawe.journal.store.places import writer

TABLES: Final = (
    *("binding", "batch", "entry", "reading", "line", "event", "file", "iwi_answer"),
    *("batch_owner", "queue_place", "approval", "run", "sent_to", "invitation"),
    *("report_step", "team_project", "first_read"),
)
"""Each after those that it names."""


_KNOWN_BY: Final = ("last_link", "footings")


def carry_journal(
    source: JournalPlace, target: JournalPlace, *, at: datetime
) -> JournalCopy:
    """Take the journal at `source` to `target`; one of them is on a server.

    The copy is one transaction, and verified. Only then does the journal at `source`
    get a dated name, under which nobody uses it. A process that is killed leaves it
    where it was; the same call then ends the move.

    Raises:
        JournalLocked: A run holds one of them.
        JournalError: There is none, it is not whole, or the target has another.
    """
    if isinstance(target, Path):
        check_location(target)
        make_folder(target.parent)
    with closing(writer(source)) as old, closing(writer(target)) as new:
        found, there = _whole(old), _whole(new)
        if not (there.events or there.rows):
            _fill(new, old)
            if (copied := _whole(new)) != found:
                raise _altered(new, f"It has {copied.events:,} events.")
        elif any([*new.rows(each)] != [*old.rows(each)] for each in _KNOWN_BY):
            raise JournalError(
                message=f"There is another journal at {one_line(str(target))}.",
                hint="Nothing was moved. Name another place.",
            )
        kept = old.set_aside(at)
    path = target if isinstance(target, Path) else str(target)
    return JournalCopy(path=path, events=found.events, rows=found.rows, kept=kept)


def _fill(new: Store, old: Store) -> None:
    with new.transaction(writes=True):
        for name in TABLES:
            columns, records = old.table(name)
            new.fill(name, columns, records)


def _whole(store: Store) -> Verification:
    found = verify_store(store)
    if found.fault is not None:
        raise _altered(store, found.fault.what)
    return found


def _altered(store: Store, what: str) -> JournalError:
    return JournalError(
        message=f"The journal {store.place} is not as kawe left it. {one_line(what)}",
        hint="Nothing was moved. Keep a copy of it, and find out why first.",
    )
