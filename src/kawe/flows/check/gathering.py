"""Files that are missing and lie together in another folder: one thing to correct."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kawe.domain.sheet.findings import FILE_MISSING, Finding
from kawe.flows.checked_rows import CheckedRow
from kawe.ports import Attachments


def say_where_files_lie(
    rows: tuple[CheckedRow, ...], attachments: Attachments
) -> tuple[CheckedRow, ...]:
    """Say the same at every missing file, where one folder has them all."""
    words = attachments.lie_together()
    if words is None:
        return rows
    return tuple(replace(row, findings=_said(row.findings, words)) for row in rows)


def _said(findings: Iterable[Finding], words: tuple[str, str]) -> tuple[Finding, ...]:
    message, advice = words
    return tuple(
        replace(each, message=message, advice=advice)
        if each.rule == FILE_MISSING
        else each
        for each in findings
    )
