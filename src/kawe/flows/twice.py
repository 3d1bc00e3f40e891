"""Rows that are there twice: a finding on each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from kawe.domain.content import InvitationContent, ProjectContent, project_of
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
        content = project_of(each.content)
        if content is not None:
            alike[canonical(likeness_key(content)).decode()].append(index)
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
            field, why = _shared(checked[index], same_key=same_key)
            finding = mark(
                checked[index].row,
                field,
                severity=Severity.ERROR,
                rule="row-twice",
                words=(
                    f"The same row stands in row {rows} as well (same {why}).",
                    "Keep one of them, or tell them apart.",
                ),
            )
            checked[index] = replace(
                checked[index], findings=(*checked[index].findings, finding)
            )


def _already(each: CheckedRow) -> bool:
    return any(finding.rule == "row-twice" for finding in each.findings)


def _shared(each: CheckedRow, *, same_key: bool) -> tuple[str, str]:
    """Give the field that says that two rows are one, and what they share."""
    match each.content:
        case ProjectContent(reference=reference):
            if same_key and reference:
                return "reference", "reference"
            return "name", "name, place and dates"
        case InvitationContent() | None:
            return "email", "e-mail address"
        case _:
            assert_never(each.content)
