"""Checking a sheet without the service, however many rows it has.

The whole sheet is glanced over; only rows of which something might be said are
read cell by cell, a few at a time, and of them no more is kept than what is
to be said. What it finds is what `check` finds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from kawe.domain.service.places import Located
from kawe.domain.sheet.content import Attachment
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.placing import locate_rows
from kawe.flows.check.resemblance import mark_resemblance
from kawe.flows.checked_rows import (
    RIGHT,
    CheckedRow,
    Ground,
    QuickCheck,
    Standing,
    attached,
)
from kawe.flows.kinds import Kind
from kawe.kinds.projects.glancing import Glance, glance
from kawe.ports import Sheet

_AT_ONCE: Final = 1_000


def quick_check(sheet: Sheet, *, ground: Ground) -> QuickCheck:
    """Check a sheet that can be glanced at, asking nobody."""
    found = glance(sheet, ground=ground)
    notable: dict[int, Standing] = {}
    files: list[tuple[int, Attachment]] = []
    for row in _by_themselves(sheet, found, ground=ground):
        content = row.project
        if content is not None:
            found.groups.add_row(row.row.ref.row, content)
        notable[row.row.ref.row] = _standing(row)
        files += attached([row])
    alike = found.groups.rows()
    for row in _together(sheet, alike, found=found, ground=ground):
        notable[row.row.ref.row] = _standing(row)
    return QuickCheck(
        sheet=sheet,
        rows_read=found.rows_read,
        notable={at: each for at, each in notable.items() if each != RIGHT},
        attached=[(at, file) for at, file in files if notable[at].is_valid],
    )


def _by_themselves(
    sheet: Sheet, found: Glance, *, ground: Ground
) -> Iterator[CheckedRow]:
    """Check the odd rows, a few at a time; what they share is found afterwards."""
    kind = Kind.of(sheet.head.kind)
    rows = sheet.rows(found.odd) if found.odd else iter(())
    while some := tuple(islice(rows, _AT_ONCE)):
        yield from kind.read(replace(sheet.head, rows=some), ground=ground)
        unseen = [row for row in some if row.ref.row in found.unseen]
        for ref, location in locate_rows(unseen, places=ground.places).items():
            # A row that cannot be taken still stands somewhere.
            if isinstance(location, Located):
                found.groups.add_places([ref.row], [location.place.key()])


def _together(
    sheet: Sheet, alike: Collection[int], *, found: Glance, ground: Ground
) -> tuple[CheckedRow, ...]:
    """Check the rows that have something in common, as if there were no others."""
    if not alike:
        return ()
    kind = Kind.of(sheet.head.kind)
    rows = mark_resemblance(kind.read(sheet.table(alike), ground=ground))
    if found.groups.has_many_organisations:
        return rows
    naming = Naming(team={}, was_asked=False, suggester=ground.suggester)
    return mark_organisations(rows, naming=naming)


def _standing(row: CheckedRow) -> Standing:
    return Standing(findings=row.findings, is_valid=row.is_valid)
