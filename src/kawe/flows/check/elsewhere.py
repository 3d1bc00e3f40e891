"""Rows of a result that was written with another account or another journal.

People copy rows of several results into one sheet. What another team sent, this account
cannot see; kawe's own column is all that tells of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.findings import SENT_ELSEWHERE, Severity
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.ports import Journal

_MESSAGE: Final = (
    "In the column Project id of kawe stands a project that your journal does not "
    "know: another account may have sent this row."
)
_ADVICE: Final = (
    "If another team sent it, take the row out. If it is a new row, clear its cells "
    "in the columns of kawe."
)


async def mark_sent_elsewhere(
    rows: Sequence[CheckedRow],
    *,
    projects: Mapping[int, str],
    known: Collection[RowKey],
    journal: Journal,
) -> tuple[CheckedRow, ...]:
    """Mark the rows that are new here and have a project that is not.

    `projects` are what kawe's column says, by the number of the row.
    """
    new = {
        each.row.ref: projects[each.row.ref.row]
        for each in rows
        if each.row.ref.row in projects and each.key not in known
    }
    if not new:
        return tuple(rows)
    own = {
        str(entry.project_id)
        for batch in await journal.batches()
        for entry in await journal.entries(batch.name)
    }
    strange = {ref for ref, project in new.items() if project not in own}
    return tuple(_marked(row) if row.row.ref in strange else row for row in rows)


def _marked(row: CheckedRow) -> CheckedRow:
    found = mark(
        row.row,
        "name",
        severity=Severity.WARNING,
        rule=SENT_ELSEWHERE,
        words=(_MESSAGE, _ADVICE),
    )
    return row.with_findings(found)
