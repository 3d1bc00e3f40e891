"""What people decide about a queue or a batch, each within one transaction.

None of it changes what was sent, so none of it is an event.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kawe.domain.rows.entries import BatchName
from kawe.domain.service.states import SETTLED
from kawe.domain.service.verdicts import RowKey
from kawe.errors import JournalError
from kawe.journal.shelf import Shelf
from kawe.journal.words import shown_key, storable


def put_first(shelf: Shelf, *, keys: Sequence[RowKey]) -> None:
    """Let rows be sent before all others, in the order of `keys`.

    Raises:
        JournalError: A row is unknown or named twice.
    """
    chosen, before = frozenset(keys), shelf.queue()
    if len(chosen) < len(keys):
        raise JournalError(message="A row can have only one place in the order.")
    known = shelf.known([*keys, *before])
    for key in keys:
        if key not in known:
            raise JournalError(message=f"The journal does not know {shown_key(key)}.")
    left = (key for key in before if key not in chosen)
    shelf.put_queue([*keys, *(k for k in left if known[k].state not in SETTLED)])


def put_back(shelf: Shelf, *, keys: Collection[RowKey]) -> None:
    """Let rows go in their usual order again."""
    shelf.put_queue([key for key in shelf.queue() if key not in keys])


def keep_owner(shelf: Shelf, *, batch: BatchName, owner: str) -> None:
    """Keep who answers for a batch.

    Raises:
        JournalError: There is no such batch.
    """
    if batch not in {each.name for each in shelf.batches()}:
        raise JournalError(message=f"The journal has no batch {batch}.")
    shelf.put_batch_owner(batch, storable(owner))
