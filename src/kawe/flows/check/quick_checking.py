"""Checking a sheet without the service, however many rows it has.

A quick scan finds the rows that may have a finding; only those are read cell by cell, a
few at a time, and only their findings are kept. The result is that of `check`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from kawe.domain.service.places import Located
from kawe.domain.sheet.content import Attachment, project_of
from kawe.domain.sheet.findings import Finding, blocks
from kawe.domain.sheet.tables import Table
from kawe.flows.check.duplicates import mark_duplicates
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.placing import locate_rows
from kawe.flows.check.quick_scan import QuickScan, quick_scan
from kawe.flows.checked_rows import CheckContext, CheckedRow, attached
from kawe.flows.kinds import Kind
from kawe.ports import Sheet

_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one row stands after a check."""

    findings: tuple[Finding, ...]
    is_valid: bool


RIGHT: Final = Standing(findings=(), is_valid=True)
"""Nothing is to be said of the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickCheck:
    """A sheet, checked without the service."""

    sheet: Sheet = field(repr=False)
    rows_read: int
    notable: Mapping[int, Standing] = field(repr=False)
    """The rows of which something is to be said, by their number."""
    attached: Sequence[tuple[int, Attachment]] = field(default=(), repr=False)
    """The files of the right rows, each with the number of its row."""

    @property
    def head(self) -> Table:
        """Give the table without its rows."""
        return self.sheet.head

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give every finding: the sheet's, then each row's."""
        return (
            *self.head.findings,
            *(
                finding
                for number in sorted(self.notable)
                for finding in self.notable[number].findings
            ),
        )

    @property
    def refuses_all(self) -> bool:
        """Say whether the sheet itself is wrong, so that no row can be taken."""
        return blocks(self.head.findings)


def can_be_checked_quickly(sheet: Sheet) -> bool:
    """Say whether a sheet can be checked quickly: it is right as a whole."""
    head = sheet.head
    return Kind.of(head.kind).can_be_checked_quickly and not blocks(head.findings)


def quick_check(sheet: Sheet, *, context: CheckContext) -> QuickCheck:
    """Check a sheet that can be checked quickly, without asking anybody."""
    found = quick_scan(sheet, context=context)
    notable: dict[int, Standing] = {}
    files: list[tuple[int, Attachment]] = []
    for row in _by_themselves(sheet, found, context=context):
        content = project_of(row.content)
        if content is not None:
            found.groups.add_row(row.row.ref.row, content)
        notable[row.row.ref.row] = _standing(row)
        files += attached([row])
    alike = found.groups.rows()
    for row in _together(sheet, alike, found=found, context=context):
        notable[row.row.ref.row] = _standing(row)
    return QuickCheck(
        sheet=sheet,
        rows_read=found.rows_read,
        notable={at: each for at, each in notable.items() if each != RIGHT},
        attached=[(at, file) for at, file in files if notable[at].is_valid],
    )


def _by_themselves(
    sheet: Sheet, found: QuickScan, *, context: CheckContext
) -> Iterator[CheckedRow]:
    """Check the odd rows, a few at a time; what they share is found afterwards."""
    kind = Kind.of(sheet.head.kind)
    rows = sheet.rows(found.odd) if found.odd else iter(())
    while some := tuple(islice(rows, _AT_ONCE)):
        yield from kind.read(replace(sheet.head, rows=some), context=context)
        unseen = [row for row in some if row.ref.row in found.unseen]
        for ref, location in locate_rows(unseen, places=context.places).items():
            # A row that cannot be submitted still has an outcome.
            if isinstance(location, Located):
                found.groups.add_places([ref.row], [location.place.key()])


def _together(
    sheet: Sheet, alike: Collection[int], *, found: QuickScan, context: CheckContext
) -> tuple[CheckedRow, ...]:
    """Check the rows that have something in common, as if there were no others."""
    if not alike:
        return ()
    kind = Kind.of(sheet.head.kind)
    rows = mark_duplicates(kind.read(sheet.table(alike), context=context))
    if found.groups.has_many_organisations:
        return rows
    naming = Naming(team={}, was_asked=False, suggester=context.suggester)
    return mark_organisations(rows, naming=naming)


def _standing(row: CheckedRow) -> Standing:
    return Standing(findings=row.findings, is_valid=row.is_valid)
