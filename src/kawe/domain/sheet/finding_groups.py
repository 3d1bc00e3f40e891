"""Findings that say the same of many rows, said once with all their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kawe.domain.sheet.findings import HEADING_MISSING, Finding, Severity
from kawe.domain.sheet.refs import CellRef
from kawe.domain.text.row_numbers import numbers_words
from kawe.domain.text.texts import one_line

_ORDER: Final = {
    severity: at
    for at, severity in enumerate((Severity.ERROR, Severity.WARNING, Severity.NOTE))
}
_SHOWN_VALUES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingGroup:
    """One thing that is wrong, or worth knowing of, and every row that has it."""

    first: Finding
    rows: tuple[int, ...]
    """Numbers as Excel shows them, sorted, each once; never empty."""
    values: tuple[str, ...]
    """What stood in the cells, each different text once, in the order of the rows."""

    @property
    def severity(self) -> Severity:
        return self.first.severity

    @property
    def rows_words(self) -> str:
        """Name the rows: rows 6, 7, 23, 30 and 30 more."""
        return f"{'row' if len(self.rows) == 1 else 'rows'} {numbers_words(self.rows)}"

    def values_words(self, *, limit: int) -> str:
        """Quote what stood in the cells; each text is cleaned and cut to `limit`."""
        shown = [one_line(value, limit=limit) for value in self.values if value]
        quoted = ", ".join(f"“{value}”" for value in shown[:_SHOWN_VALUES])
        more = len(shown) - _SHOWN_VALUES
        return f"{quoted} and {more:,} more" if more > 0 else quoted

    def as_json(self) -> dict[str, Any]:
        """Give the finding of the first row for JSON documents, and `rows`."""
        return {**self.first.as_json(), "rows": list(self.rows)}


Problems: TypeAlias = tuple[FindingGroup, ...]
"""Errors first, then warnings, then notes; each in the order of the cells."""


def grouped(
    findings: Iterable[Finding], *, all_rows: Callable[[], Iterable[int]] = tuple
) -> Problems:
    """Group findings that say the same.

    `all_rows` gives the numbers of the sheet's rows: a missing column is missing in
    each. It is called only where a column is missing.
    """
    same: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        same.setdefault(_what(finding), []).append(finding)
    groups = [_group(members, all_rows) for members in same.values()]
    return tuple(sorted(groups, key=_place))


def _what(finding: Finding) -> tuple[str, ...]:
    return (
        finding.row.sheet,
        finding.severity,
        finding.rule,
        finding.heading,
        finding.message,
        finding.advice,
    )


def _group(
    members: Sequence[Finding], all_rows: Callable[[], Iterable[int]]
) -> FindingGroup:
    first = min(members, key=lambda each: (each.row.row, _column(each)))
    rows = {each.row.row for each in members}
    if first.rule == HEADING_MISSING:
        rows = set(all_rows()) or rows
    return FindingGroup(
        first=first,
        rows=tuple(sorted(rows)),
        values=tuple(dict.fromkeys(each.value for each in members)),
    )


def _place(group: FindingGroup) -> tuple[int, int, int]:
    first = group.first
    return _ORDER[first.severity], first.row.row, _column(first)


def _column(finding: Finding) -> int:
    return finding.where.column if isinstance(finding.where, CellRef) else 0
