"""Rows that stand on several sheets of one run: each is done once, or not at all.

The journal knows a row by its key wherever it stands, so that what one sheet has sent,
the next one does not send. Two sheets that say different things of one row, and rows
of two sheets that likely are one project, are asked about before any row is sent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.rows.comparing import KnownWork, KnownWorks, traits_of
from kawe.domain.sheet.findings import RowRef, Severity
from kawe.domain.text.texts import one_line
from kawe.flows.check.checking import Checked
from kawe.flows.check.repeats import ON_SHEETS, WORD, has_word
from kawe.flows.checked_rows import CheckedRow

_LISTED: Final = 5


def mark_across(
    sheets: Sequence[Checked], *, accepts: bool = False
) -> tuple[Checked, ...]:
    """Add to some checked sheets what is wrong with rows that two of them have.

    A row that says the same on both gets a warning, and is done once; one that says
    something else is an error on both. So are two rows that likely are one project,
    unless a person `accepts` that.
    """
    if len(sheets) == 1:
        return (sheets[0],)
    found = dict(_of_one_key(sheets))
    found = dict(_alike(sheets, accepts=accepts)) | found
    return tuple(
        replace(sheet, rows=tuple(found.get(e.row.ref, e) for e in sheet.rows))
        for sheet in sheets
    )


def _of_one_key(sheets: Sequence[Checked]) -> Iterator[tuple[RowRef, CheckedRow]]:
    places: dict[tuple[str, str], list[CheckedRow]] = {}
    for sheet in sheets:
        for row in sheet.rows:
            if row.key is not None and row.said is not None:
                places.setdefault((sheet.table.kind.value, row.key), []).append(row)
    for rows in places.values():
        for row in rows:
            others = [e for e in rows if e.row.ref.sheet != row.row.ref.sheet]
            if others and row.said is not None:
                field, same = row.said.identified_by
                yield row.row.ref, _finding(row, others, field=field, same=same)


def _finding(
    row: CheckedRow, others: Sequence[CheckedRow], *, field: str, same: str
) -> CheckedRow:
    severity, rows = Severity.ERROR, _named(others)
    message = f"A row with the same {same} at {rows} says something else."
    advice = "Keep one of them, or tell them apart."
    if all(each.fingerprint == row.fingerprint for each in others):
        severity = Severity.WARNING
        message = f"The same row stands at {rows} as well: it is done once."
        advice = "Nothing, if that is meant. Else tell the two apart."
    said = {"rule": ON_SHEETS, "message": message, "advice": advice}
    return row.marked(field, severity, **said)


def _alike(
    sheets: Sequence[Checked], *, accepts: bool
) -> Iterator[tuple[RowRef, CheckedRow]]:
    """Compare the rows of each sheet that have no project yet with all the others."""
    rows = [
        KnownWork(traits=traits_of(row.project), of=row)
        for sheet in sheets
        for row in sheet.rows
        if row.project is not None and row.row.ref in sheet.new and not has_word(row)
    ]
    works = KnownWorks(rows)
    for each in rows:
        row = each.of
        others = [
            kept.of
            for kept, _ in works.like(each.traits)
            if kept.of.row.ref.sheet != row.row.ref.sheet and kept.of.key != row.key
        ]
        if others:
            would = "both are done" if accepts else "one project would be made twice"
            severity = Severity.WARNING if accepts else Severity.ERROR
            message = f"This looks like {_named(others)} on another sheet: {would}."
            said = {"message": message, "advice": f"Keep one of them; {WORD}"}
            yield row.row.ref, row.marked("name", severity, rule=ON_SHEETS, **said)


def _named(rows: Sequence[CheckedRow]) -> str:
    return ", ".join(one_line(str(each.row.ref)) for each in rows[:_LISTED])
