"""Checking a sheet without the service, however many rows it has.

A quick scan finds the rows that may have a finding; only those are read cell by cell, a
few at a time, and only their findings are kept. The result is that of `check`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from kawe.domain.batch.sending import Sending
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import blocks
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import Table
from kawe.domain.sheet.warned import strictly
from kawe.flows.check.duplicates import mark_duplicates
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.checked_rows import (
    RIGHT,
    CheckContext,
    CheckedRow,
    QuickCheck,
    Standing,
    attached,
)
from kawe.flows.kinds import Kind
from kawe.kinds.projects.quick_scan import QuickScan, quick_scan
from kawe.ports import Sheet

_AT_ONCE: Final = 1_000


def quick_check(sheet: Sheet, *, context: CheckContext) -> QuickCheck:
    """Check a sheet that is right as a whole, without asking the service."""
    found = quick_scan(sheet, context=context)
    notable: dict[int, Standing] = {}
    files: list[tuple[int, Attachment]] = []
    for row in _by_themselves(sheet, found, context=context):
        if row.project is not None:
            found.groups.add_row(row.row.ref.row, row.project)
        notable[row.row.ref.row] = _standing(row)
        found.add_sends([row.row.ref.row], [row.row.value("send")])
        files += attached([row])
    alike = found.groups.rows()
    for row in _together(sheet, alike, found=found, context=context):
        notable[row.row.ref.row] = _standing(row)
    if context.is_strict:
        notable = {at: _strict(each) for at, each in notable.items()}
    return QuickCheck(
        sheet=sheet,
        rows_read=found.rows_read,
        notable={at: each for at, each in notable.items() if each != RIGHT},
        attached=[(at, file) for at, file in files if notable[at].is_valid],
        sending=_sending(found, sheet.head, notable, sends_all=context.send_by_default),
    )


def _strict(standing: Standing) -> Standing:
    findings = strictly(standing.findings)
    return Standing(
        findings=findings, is_valid=standing.is_valid and not blocks(findings)
    )


def _sending(
    found: QuickScan, head: Table, notable: Mapping[int, Standing], *, sends_all: bool
) -> Sending:
    wrong = {at for at, each in notable.items() if not each.is_valid}
    right = found.rows_read - len(wrong)
    no = sorted(found.send[False] - wrong)
    asked = right - len(no) if sends_all else len(found.send[True] - wrong)
    heading = head.heading_of("send")
    column = 0 if heading is None else heading.column
    return Sending(
        heading="" if heading is None else heading.text,
        sends_all=sends_all,
        asked=asked,
        quiet=right - asked,
        says_no=tuple(str(RowRef(sheet=head.sheet, row=at).cell(column)) for at in no),
    )


def _by_themselves(
    sheet: Sheet, found: QuickScan, *, context: CheckContext
) -> Iterator[CheckedRow]:
    """Check the odd rows, a few at a time; what they share is found afterwards."""
    kind = Kind.of(sheet.head.kind)
    rows = sheet.rows(found.odd) if found.odd else iter(())
    while some := tuple(islice(rows, _AT_ONCE)):
        yield from kind.read(replace(sheet.head, rows=some), context=context)


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
