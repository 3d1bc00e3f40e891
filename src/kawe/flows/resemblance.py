"""Rows that resemble each other: nothing is wrong with one of them alone.

References that nobody can tell apart, names that make receipts ambiguous
(a receipt carries the project's name and not its id), files that several rows
carry. Rows that are there twice are told so elsewhere, and not here again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.content import ProjectContent, project_of
from kawe.domain.findings import Finding, Severity
from kawe.domain.texts import fold_name, near_reference, one_line
from kawe.flows.marking import mark
from kawe.flows.project_rows import CheckedRow

_LISTED: Final = 5


def mark_resemblance(rows: Iterable[CheckedRow]) -> tuple[CheckedRow, ...]:
    """Add what only rows together show; no row is refused for it."""
    checked = list(rows)
    groups = _Groups()
    for index, each in enumerate(checked):
        content = project_of(each.content)
        if content is not None:
            groups.add(index, content, is_twice=_is_twice(each))
    _mark(checked, groups.references, finding=_reference_finding)
    _mark(checked, groups.names, finding=_name_finding)
    _mark(checked, groups.files, finding=_file_finding)
    return tuple(checked)


class _Groups:
    """Rows by what they might share; each value is a list of their indices."""

    def __init__(self) -> None:
        self.references: dict[str, list[int]] = defaultdict(list)
        self.names: dict[str, list[int]] = defaultdict(list)
        self.files: dict[str, list[int]] = defaultdict(list)

    def add(self, index: int, content: ProjectContent, *, is_twice: bool) -> None:
        for sha256 in {each.sha256 for each in content.files}:
            self.files[sha256].append(index)
        if is_twice:
            return
        self.names[fold_name(content.name)].append(index)
        if content.reference is not None:
            self.references[near_reference(content.reference)].append(index)


def _is_twice(each: CheckedRow) -> bool:
    return any(finding.rule == "row-twice" for finding in each.findings)


def _mark(
    checked: list[CheckedRow],
    groups: Mapping[str, Sequence[int]],
    *,
    finding: Callable[[CheckedRow, Sequence[CheckedRow]], Finding],
) -> None:
    for indices in groups.values():
        if len(indices) < 2:
            continue
        # The first few stand for all: a thousand rows would list a million.
        first = [checked[index] for index in indices[: _LISTED + 1]]
        for index in indices:
            each = checked[index]
            others = [other for other in first if other.row.ref != each.row.ref]
            found = finding(each, others[:_LISTED])
            checked[index] = replace(each, findings=(*each.findings, found))


def _reference_finding(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = "; ".join(
        f"{_where(other, 'reference')} “{one_line(_reference(other), limit=60)}”"
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


def _name_finding(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = ", ".join(_where(other, "name") for other in others)
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


def _file_finding(each: CheckedRow, others: Sequence[CheckedRow]) -> Finding:
    named = ", ".join(_where(other, "files") for other in others)
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


def _where(each: CheckedRow, field: str) -> str:
    cell = each.row.cells.get(field)
    return str(each.row.ref if cell is None else cell.ref)


def _reference(each: CheckedRow) -> str:
    return "" if each.content is None else each.content.reference or ""
