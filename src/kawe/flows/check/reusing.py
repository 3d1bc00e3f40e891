"""References that another project had before: the row cannot have them too.

Next month's workbook is often last month's with other projects in it. If kawe took such
a row for an edit, it would report the row as sent and never send it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kawe.domain.rows.comparing import (
    KnownWorks,
    is_another_project,
    traits_of,
    traits_of_project,
)
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import AFTER_SEND, FINISHED, RowKey, State
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import one_line
from kawe.flows.checked_rows import CheckedRow

RULE: Final = "reference-used"
_ANOTHER: Final = "Give this project a reference of its own."
_SAME: Final = (
    "Give this project a reference of its own. If it is the same project, undo the "
    "change: what was sent stays as it is."
)


def keys_of(rows: Iterable[CheckedRow]) -> frozenset[RowKey]:
    return frozenset(row.key for row in rows if row.key is not None)


def is_reused(row: CheckedRow) -> bool:
    return any(finding.rule == RULE for finding in row.findings)


def mark_reused(
    rows: Sequence[CheckedRow],
    *,
    before: Mapping[RowKey, Entry],
    team: Mapping[str, Project],
) -> tuple[CheckedRow, ...]:
    """Mark the rows whose reference another project had before.

    `before` are the rows that say something else now, as the journal has them; `team`
    has the team's projects by reference, for rows that were purged from it.
    """
    if not before:
        return tuple(rows)
    said = (traits_of(row.project) for row in rows if row.project is not None)
    works = KnownWorks[None]((), beside=said)
    return tuple(_marked(row, before, team, works=works) for row in rows)


def _marked(
    row: CheckedRow,
    before: Mapping[RowKey, Entry],
    team: Mapping[str, Project],
    *,
    works: KnownWorks[None],
) -> CheckedRow:
    entry = None if row.key is None else before.get(row.key)
    was = None if entry is None else entry.content.project
    if entry is None or was is None or row.project is None or not row.project.reference:
        return row
    shown = None if was.name else team.get(entry.marker)
    now = traits_of(row.project)
    is_another = is_another_project(
        traits_of(was) if shown is None else traits_of_project(shown),
        now,
        is_done=entry.state in FINISHED,
        is_shared=works.is_shared_name(now.name),
    )
    if not is_another:
        return row
    name = one_line(entry.content.name if shown is None else shown.name, limit=80)
    marker = one_line(entry.marker, limit=60)
    return row.marked(
        "reference",
        rule=RULE,
        message=f"The reference {marker} was used already, for “{name}”, "
        f"{_since(entry)}.",
        advice=_SAME if entry.state in AFTER_SEND else _ANOTHER,
    )


def _since(entry: Entry) -> str:
    day = day_words(day_in_new_zealand(entry.moved_at))
    if entry.state in AFTER_SEND:
        return f"sent on {day}"
    if entry.state is State.ABANDONED:
        return f"given up on {day}"
    return "which has a draft" if entry.project_id else "which is in doubt"
