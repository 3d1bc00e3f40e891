"""Findings that need several rows.

Duplicate rows, references that are nearly equal, names that make receipts ambiguous (a
receipt has the project's name and not its id), files that several rows name, and
columns of days that stand in each other's place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kawe.domain.rows.identity import canonical, whole_duplicate_key
from kawe.domain.sheet.findings import ROW_AGAIN, Finding, Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import Table
from kawe.domain.text.texts import fold_name, near_reference, one_line
from kawe.flows.check.grouping import agreeing
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark

_LISTED: Final = 5
_MOSTLY: Final = 9
"""So many times as often as the right way round, it is no mistake of single rows."""
_Parts: TypeAlias = Callable[[CheckedRow], Iterable[Hashable]]
"""Gives what must agree, for a rule, in another row."""
_Rule: TypeAlias = Callable[[CheckedRow, Sequence[CheckedRow]], Finding | None]
"""Makes the finding of a row about the others of its group."""


def mark_duplicates(rows: Iterable[CheckedRow]) -> tuple[CheckedRow, ...]:
    """Add the findings that need several rows; only duplicate rows are refused.

    A duplicate row gets no second finding for its name or reference.
    """
    checked = list(rows)
    for parts, rule in _RULES:
        for indices in agreeing(checked, parts):
            _mark(checked, indices, rule=rule)
    return tuple(checked)


def swapped_columns(rows: Iterable[CheckedRow], table: Table) -> Iterator[Finding]:
    """Find the start and the end of every row in each other's column.

    Works of one day say nothing; one row among right ones is a mistake of that row.
    """
    start, end = table.heading_of("start_date"), table.heading_of("end_date")
    said = [row.project for row in rows if row.project is not None]
    days = [(each.start_on, each.end_on) for each in said]
    signs = [(b > a) - (b < a) for a, b in days if a is not None and b is not None]
    turned, right = signs.count(-1), signs.count(1)
    if start is None or end is None or turned == 0 or turned < _MOSTLY * right:
        return
    every = "every row" if right == 0 else f"{turned} of {turned + right} rows"
    yield Finding(
        where=RowRef(sheet=table.sheet, row=table.heading_row).cell(start.column),
        severity=Severity.ERROR,
        rule="columns-swapped",
        heading=start.text,
        value="",
        message=f"In {every} the start, “{one_line(start.text, limit=60)}”, is after "
        f"the end, “{one_line(end.text, limit=60)}”: the two columns are swapped.",
        advice="Nothing of the sheet goes on. Give each column its right heading, or "
        "say which is which: kawe columns, with the workbook.",
    )


def _mark(checked: list[CheckedRow], indices: Sequence[int], *, rule: _Rule) -> None:
    # Only the first few are named: a thousand rows would list a million.
    first = indices[: _LISTED + 1]
    for index in indices:
        others = [checked[other] for other in first if other != index][:_LISTED]
        each = checked[index]
        found = rule(each, others)
        if found is not None:
            checked[index] = each.with_findings(found)


def _key(each: CheckedRow) -> Iterator[Hashable]:
    if each.key is not None:
        yield each.key


def _duplicate_key(each: CheckedRow) -> Iterator[Hashable]:
    said = each.project
    parts = None if said is None else whole_duplicate_key(said)
    if parts is not None:
        yield canonical(parts)


def _reference(each: CheckedRow) -> Iterator[Hashable]:
    written = _written(each)
    if written is not None and not _is_twice(each):
        yield near_reference(written)


def _name(each: CheckedRow) -> Iterator[Hashable]:
    said = each.project
    if said is not None and said.name is not None and not _is_twice(each):
        yield fold_name(said.name)


def _files(each: CheckedRow) -> Iterable[Hashable]:
    return () if each.said is None else {f.sha256 for f in each.said.files}


def _is_twice(each: CheckedRow) -> bool:
    return any(finding.rule == "row-twice" for finding in each.findings)


def _same_key(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding | None:
    if each.said is None:
        return None
    field, same = each.said.identified_by
    if each.project is None and _say_the_same(each, others):
        # Whoever stands on two rows is asked once.
        first = min(row.row.ref.row for row in (each, *others))
        if each.row.ref.row == first:
            return None
        return mark(
            each.row,
            field,
            severity=Severity.NOTE,
            rule=ROW_AGAIN,
            words=(f"The same {same} as in row {first}; it counts once.", ""),
        )
    return _twice(each, others, field=field, same=same)


def _say_the_same(each: CheckedRow, others: Sequence[CheckedRow]) -> bool:
    """Check that rows differ in nothing that decides what the service is asked."""
    every = (row.content for row in (each, *others))
    kept = {None if content is None else content.once_by for content in every}
    return len(kept) == 1 and kept.isdisjoint({None, ""})


def _same_duplicate_key(
    each: CheckedRow, others: Sequence[CheckedRow]
) -> Finding | None:
    if _is_twice(each):
        return None
    return _twice(each, others, field="name", same="name, place and dates")


def _twice(
    each: CheckedRow, others: Sequence[CheckedRow], *, field: str, same: str
) -> Finding:
    rows = ", ".join(str(other.row.ref.row) for other in others)
    return mark(
        each.row,
        field,
        severity=Severity.ERROR,
        rule="row-twice",
        words=(
            f"The same row stands in row {rows} as well (same {same}).",
            "Keep one of them, or tell them apart.",
        ),
    )


def _near_reference(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = "; ".join(
        f"{other.row.where('reference')} “{one_line(_written(other) or '', limit=60)}”"
        for other in others
    )
    return mark(
        each.row,
        "reference",
        severity=Severity.WARNING,
        rule="reference-near",
        words=(
            f"The reference is nearly that of {named}.",
            "Check that they are different projects, and which spelling is right.",
        ),
    )


def _same_name(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = ", ".join(str(other.row.where("name")) for other in others)
    return mark(
        each.row,
        "name",
        severity=Severity.WARNING,
        rule="name-repeated",
        words=(
            (
                f"The same project name stands in {named}, and receipts carry the "
                "name alone."
            ),
            "Give each project a name of its own, so that its receipt can be told.",
        ),
    )


def _same_file(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = ", ".join(str(other.row.where("files")) for other in others)
    return mark(
        each.row,
        "files",
        severity=Severity.NOTE,
        rule="file-on-several-rows",
        words=(
            f"The same file is attached in {named}; each project gets its own copy.",
            "",
        ),
    )


def _written(each: CheckedRow) -> str | None:
    return None if each.project is None else each.project.reference


_RULES: Final[tuple[tuple[_Parts, _Rule], ...]] = (
    (_key, _same_key),
    (_duplicate_key, _same_duplicate_key),
    # Only then is it known which rows are there twice.
    (_reference, _near_reference),
    (_name, _same_name),
    (_files, _same_file),
)
