"""The sentences about rows that were changed after the service had them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import (
    EDITED,
    LATE_MISTAKES,
    REPLACED,
    Finding,
    Severity,
    blocks,
)
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line

_NAMED: Final = 5
_SENT: Final = ("it was sent", "they were sent")
_INVITED: Final = ("the person was invited", "the people were invited")
_DONE: Final = ("it was done", "they were done")
_DRAFTED: Final = ("its draft was made", "their drafts were made")
_AFTER: Final = {
    Outcome.SENT: _SENT,
    Outcome.INVITED: _INVITED,
    Outcome.DONE: _DONE,
    Outcome.ALREADY_THERE: _INVITED,
    Outcome.NOT_AS_ASKED: _INVITED,
    Outcome.HELD: _DRAFTED,
    Outcome.DRAFTED: None,
    Outcome.INVALID: None,
    Outcome.DEFERRED: None,
    Outcome.IN_DOUBT: None,
    Outcome.WITHDRAWN: None,
    Outcome.ABANDONED: None,
    Outcome.UNFINISHED: None,
    Outcome.READY: None,
}


def late_changes(
    rows: Iterable[tuple[Outcome, Sequence[Finding]]],
) -> tuple[str, ...]:
    """Say how many rows were changed too late, and name the first cells.

    `rows` are each row's outcome and findings.
    """
    found: dict[tuple[str, str], list[Finding]]
    found = {_SENT: [], _INVITED: [], _DONE: [], _DRAFTED: []}
    for outcome, findings in rows:
        late = next((each for each in findings if _is_late(each)), None)
        after = _AFTER[outcome]
        if late is not None and after is not None:
            found[after].append(late)
    return tuple(_words(late, after=after) for after, late in found.items() if late)


def still_done(rows: Iterable[Sequence[Finding]]) -> str:
    """Name the first rows that are done and have an error now, though unchanged."""
    found = [
        f"{one_line(str(each.row), limit=60)}: {each.message}"
        for findings in rows
        if blocks(findings)
        for each in findings
        if each.rule == LATE_MISTAKES and each.severity is Severity.NOTE
    ]
    more = len(found) - _NAMED
    rest = (
        [f"{counted(more, 'more row stays', 'more rows stay')} so."] if more > 0 else []
    )
    return " ".join([*found[:_NAMED], *rest])


def _is_late(finding: Finding) -> bool:
    # A note says that the change is brought to the draft, or that nothing changed.
    is_late = finding.rule in {EDITED, REPLACED, LATE_MISTAKES}
    return is_late and finding.severity is not Severity.NOTE


def _words(late: Sequence[Finding], *, after: tuple[str, str]) -> str:
    one, many = after
    rows = counted(len(late), "row was", "rows were")
    is_one = len(late) == 1
    whole = f"{one}, and the change is" if is_one else f"{many}, and the changes are"
    named = ", ".join(one_line(str(each.where), limit=60) for each in late[:_NAMED])
    more = len(late) - _NAMED
    rest = f" and {more:,} more" if more > 0 else ""
    return f"{rows} changed after {whole} not applied: {named}{rest}."
