"""A column that may be what sends the rows, and that nobody said anything about."""

from __future__ import annotations

from dataclasses import replace

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import CellRef
from kawe.domain.sheet.tables import Table


def refuse_unread_sends(table: Table) -> Table:
    """Add an error for each column that may be Send and was not read.

    For --strict: where nobody reads the screen, rows would stay drafts in silence.
    """
    return replace(
        table,
        findings=(
            *table.findings,
            *(
                Finding(
                    where=CellRef(
                        sheet=table.sheet, row=table.heading_row, column=each.column
                    ),
                    severity=Severity.ERROR,
                    rule="heading-may-send",
                    heading=each.heading,
                    value="",
                    message="The column was not read, and its cells say yes and no: it "
                    "may be what sends the rows.",
                    advice="Rename it Send, or say what it is with kawe teach. With "
                    "--strict, no row goes before that.",
                )
                for each in table.read_as.doubtful
                if each.may_send
            ),
        ),
    )
