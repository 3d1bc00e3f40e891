"""Rows that were checked, and what checking them needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from kawe.domain.batch.sending import Sending
from kawe.domain.rows.entries import Line
from kawe.domain.service.places import IwiChoice
from kawe.domain.service.verdicts import Fingerprint, RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import (
    Attachment,
    Content,
    ProjectSaid,
    Said,
)
from kawe.domain.sheet.finding_groups import Problems, grouped
from kawe.domain.sheet.findings import Finding, Severity, blocks
from kawe.domain.sheet.tables import CellValue, Table, TableRow
from kawe.flows.marking import mark, was_unreadable
from kawe.ports import Attachments, Places, RowChecker, Sheet, Suggester, WorkingDays


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow:
    """One row, everything found about it, and what it says."""

    row: TableRow
    findings: tuple[Finding, ...]
    key: RowKey | None = None
    """None where its cells do not say which row it is."""
    content: Content | None = None
    """What it says, where its own cells have no mistakes."""
    partly: Said | None = None
    """What it says as far as it can be read, where they have."""
    marker: str = ""
    """What the service will know it by."""
    fingerprint: Fingerprint | None = None
    """Taken before iwi names became slugs: it follows from the row alone."""
    goes_to: tuple[IwiChoice, ...] = ()
    """The iwi that would be asked, whoever chose them; empty until the service was."""

    @property
    def is_valid(self) -> bool:
        """Say whether the row can be submitted."""
        return self.content is not None and not blocks(self.findings)

    @property
    def said(self) -> Said | None:
        """Give what it says, as far as it can be read: every check looks at that."""
        return self.partly if self.content is None else self.content

    @property
    def project(self) -> ProjectSaid | None:
        """Give what it says of its project; None where it says nothing of one."""
        said = self.said
        return None if said is None else said.project

    def with_findings(self, *findings: Finding) -> CheckedRow:
        """Give the row with more findings."""
        return replace(self, findings=(*self.findings, *findings))

    def line(self, key: RowKey | None, *findings: Finding) -> Line:
        """Give the row as the journal keeps it, with more findings."""
        return Line(
            where=self.row.ref,
            raw=self.row.raw,
            findings=(*self.findings, *findings),
            row=key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """What checking needs beside the rows."""

    checker: RowChecker
    places: Places
    attachments: Attachments
    working_days: WorkingDays
    suggester: Suggester
    today: date
    send_by_default: bool
    """Whether rows whose cell does not say no are to be sent."""
    given: Mapping[str, str] = field(default_factory=dict)
    """By field, the value of rows that have none."""
    allows_owners: bool = False
    """Whether a sheet may invite people who may then do everything."""
    accepts_alike: bool = False
    """Whether a new row may look like one that has a project already."""
    is_strict: bool = False
    """Whether a warning stops its row."""


def attached(rows: Iterable[CheckedRow]) -> list[tuple[int, Attachment]]:
    """List the files of right rows, each with the number of its row."""
    return [
        (row.row.ref.row, file)
        for row in rows
        if row.is_valid and row.content is not None
        for file in row.content.files
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one row stands after a check."""

    findings: tuple[Finding, ...]
    is_valid: bool


RIGHT: Final = Standing(findings=(), is_valid=True)
"""Nothing is to be said of the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickCheck:
    """A sheet of any size, checked without the service."""

    sheet: Sheet = field(repr=False)
    rows_read: int
    notable: Mapping[int, Standing] = field(repr=False)
    """The rows of which something is to be said, by their number."""
    attached: Sequence[tuple[int, Attachment]] = field(default=(), repr=False)
    """The files of the right rows, each with the number of its row."""
    sending: Sending | None = None
    """None for rows that have no drafts."""

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

    def problems(self) -> Problems:
        """Group every finding by what it says."""
        return grouped(self.findings)

    @property
    def refuses_all(self) -> bool:
        """Say whether the sheet itself is wrong, so that no row can be taken."""
        return blocks(self.head.findings)


def schema_findings(
    row: TableRow,
    *,
    kind: SheetKind,
    checker: RowChecker,
    values: Mapping[str, CellValue] | None = None,
) -> tuple[Finding, ...]:
    """Check one row against its schema; `values` are what its cells mean."""
    return tuple(
        mark(row, field, severity=Severity.ERROR, rule=rule, words=(message, advice))
        for field, rule, message, advice in checker.problems(
            kind, row.values() if values is None else values
        )
        if not was_unreadable(row, field)
    )
