"""One place on many rows: as a rule, a cell was copied down.

It is asked once for each place, on the second of its rows: a planner may well
have five consents for one site, and would not read the question five times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kawe.domain.service.places import Located, Location
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.counts import counted
from kawe.flows.check.marking import mark
from kawe.flows.check.placing import named_by

MANY_ROWS: Final = 5
"""So many rows with one place are asked about."""
_LISTED: Final = 5


def copied_down(
    rows: Sequence[TableRow], located: Mapping[RowRef, Location]
) -> dict[RowRef, Finding]:
    """Ask about each place that five rows or more name; by its second row."""
    by_place: defaultdict[tuple[float, float], list[TableRow]] = defaultdict(list)
    for row in rows:
        location = located.get(row.ref)
        if isinstance(location, Located):
            by_place[location.place.key()].append(row)
    return {
        same[1].ref: _question(same)
        for same in by_place.values()
        if len(same) >= MANY_ROWS
    }


def _question(same: Sequence[TableRow]) -> Finding:
    spans = list(_spans([row.ref.row for row in same]))
    listed = ", ".join(spans[:_LISTED])
    if len(spans) > _LISTED:
        listed += " and more"
    return mark(
        same[1],
        named_by(same[1]),
        severity=Severity.WARNING,
        rule="place-on-many-rows",
        words=(
            f"The same place stands on {counted(len(same), 'row')}: {listed}.",
            "Check that it was not copied down by mistake.",
        ),
    )


def _spans(numbers: Sequence[int]) -> Iterator[str]:
    """Write numbers as people do: 2 to 6, 9."""
    start = numbers[0]
    for here, after in pairwise((*numbers, numbers[-1] + 2)):
        if after == here + 1:
            continue
        yield str(here) if here == start else f"{start} to {here}"
        start = after
