"""Which row gets a scarce token first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kawe.domain.rows.entries import Entry
from kawe.domain.service.verdicts import RowKey


def in_order(rows: Iterable[Entry], *, first: Sequence[RowKey] = ()) -> list[Entry]:
    """Put rows in the order in which they are sent.

    Those of `first` go before all others, in the order that they have there;
    the others by their urgency. Rows that are equally urgent stay as they are.
    """
    places = {key: place for place, key in enumerate(first)}
    last = len(places)
    return sorted(rows, key=lambda row: (places.get(row.key, last), *urgency(row)))


def urgency(entry: Entry) -> tuple[float, str, int]:
    """Give the sort key of a row: the most urgent row sorts first.

    The person's priority order comes first, then the day to respond by, then
    the order in the sheet.
    """
    content = entry.content
    order = math.inf if content.priority_order is None else content.priority_order
    day = "" if content.respond_by_on is None else content.respond_by_on.isoformat()
    return (order, day, entry.position)
