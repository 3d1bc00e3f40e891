"""Rows that are there twice: a finding on each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kawe.domain.content import ProjectContent
from kawe.domain.findings import Severity
from kawe.domain.identity import canonical, likeness_key
from kawe.flows.marking import mark
from kawe.flows.project_rows import CheckedRow

_LISTED: Final = 5


def mark_twice(rows: Iterable[CheckedRow]) -> tuple[CheckedRow, ...]:
    """Mark rows with one key, and projects alike in name, place and dates.

    Nothing is guessed: which of the two is meant, only the person knows.
    """
    checked = list(rows)
    groups: dict[str, list[int]] = defaultdict(list)
    for index, each in enumerate(checked):
        if each.key is not None:
            groups[each.key].append(index)
    _mark_groups(checked, groups, same_key=True)
    alike: dict[str, list[int]] = defaultdict(list)
    for index, each in enumerate(checked):
        if isinstance(each.content, ProjectContent):
            alike[canonical(likeness_key(each.content)).decode()].append(index)
    _mark_groups(checked, alike, same_key=False)
    return tuple(checked)


def _mark_groups(
    checked: list[CheckedRow], groups: dict[str, list[int]], *, same_key: bool
) -> None:
    for indices in groups.values():
        if len(indices) < 2:
            continue
        # The first few stand for all: a thousand rows would list a million.
        first = indices[: _LISTED + 1]
        for index in indices:
            if _already(checked[index]):
                continue
            others = [checked[i].row.ref for i in first if i != index]
            rows = ", ".join(str(ref.row) for ref in others[:_LISTED])
            finding = mark(
                checked[index].row,
                _field(checked[index], same_key=same_key),
                severity=Severity.ERROR,
                rule="row-twice",
                words=(
                    (
                        f"The same row stands in row {rows} as well"
                        f"{_why(checked[index], same_key=same_key)}."
                    ),
                    "Keep one of them, or tell them apart.",
                ),
            )
            checked[index] = replace(
                checked[index], findings=(*checked[index].findings, finding)
            )


def _already(each: CheckedRow) -> bool:
    return any(finding.rule == "row-twice" for finding in each.findings)


def _field(each: CheckedRow, *, same_key: bool) -> str:
    if not isinstance(each.content, ProjectContent):
        return "email"
    return "reference" if same_key and each.content.reference else "name"


def _why(each: CheckedRow, *, same_key: bool) -> str:
    if not isinstance(each.content, ProjectContent):
        return " (same e-mail address)"
    if same_key and each.content.reference:
        return " (same reference)"
    return " (same name, place and dates)"
