"""Which row gets a scarce token first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kawe.domain.rows.entries import Entry
from kawe.domain.service.verdicts import RowKey


def in_order(rows: Iterable[Entry], *, first: Sequence[RowKey] = ()) -> list[Entry]:
    """Put rows in the order in which they are sent.

    Rows of `first` go first, in that order; the others by their urgency, equal ones as
    they stand.
    """
    places = {key: place for place, key in enumerate(first)}
    last = len(places)
    return sorted(rows, key=lambda row: (places.get(row.key, last), *urgency(row)))


def urgency(entry: Entry) -> tuple[float, str, int]:
    """Give the sort key of a row: priority, respond by, order in the sheet."""
    content = entry.content
    order = math.inf if content.priority_order is None else content.priority_order
    day = "" if content.respond_by_on is None else content.respond_by_on.isoformat()
    return (order, day, entry.position)
