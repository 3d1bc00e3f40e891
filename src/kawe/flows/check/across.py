"""Rows that stand on several sheets of one run: each is done once, or not at all.

The journal knows a row by its key wherever it stands, so that what one sheet has sent,
the next one does not send. Two sheets that say different things of one row are asked
about before either is sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.texts import one_line
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark

_LISTED = 5


def mark_across(sheets: Sequence[Checked]) -> tuple[Checked, ...]:
    """Add to some checked sheets what is wrong with rows that two of them have.

    A row that says the same on both gets a warning, and is done once; one that says
    something else is an error on both.
    """
    places: dict[tuple[str, str], list[CheckedRow]] = defaultdict(list)
    for sheet in sheets:
        for row in sheet.rows:
            if row.key is not None and row.said is not None:
                places[sheet.table.kind.value, row.key].append(row)
    found = {
        row.row.ref: finding
        for rows in places.values()
        if len({row.row.ref.sheet for row in rows}) > 1
        for row in rows
        if (finding := _finding(row, rows)) is not None
    }
    return tuple(
        replace(
            sheet,
            rows=tuple(
                row.with_findings(found[row.row.ref]) if row.row.ref in found else row
                for row in sheet.rows
            ),
        )
        for sheet in sheets
    )


def _finding(row: CheckedRow, rows: Sequence[CheckedRow]) -> Finding | None:
    others = [each for each in rows if each.row.ref.sheet != row.row.ref.sheet]
    if row.said is None or not others:
        return None
    named = ", ".join(one_line(str(each.row.ref)) for each in others[:_LISTED])
    field, same = row.said.identified_by
    is_same = all(each.fingerprint == row.fingerprint for each in others)
    if is_same:
        words = (
            f"The same row stands at {named} as well: it is done once.",
            "Nothing, if that is meant. Else tell the two apart.",
        )
    else:
        words = (
            f"A row with the same {same} stands at {named} and says something else.",
            "Keep one of them, or tell them apart.",
        )
    severity = Severity.WARNING if is_same else Severity.ERROR
    return mark(row.row, field, severity=severity, rule="row-on-sheets", words=words)
