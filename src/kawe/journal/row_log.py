"""What the log says of a row, once the journal has it."""

from __future__ import annotations

import logging
from typing import Any, Final

from kawe.domain.batch.log_records import LogRecord, RowActed, RowMoved
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.findings import RowRef
from kawe.journal.events import EventKind, name_after
from kawe.journal.rules import Change

_log: Final = logging.getLogger(__name__)
# Each row that is right goes these ways by itself, between its acts.
_USUAL: Final = frozenset({(State.DRAFTED, State.READY), (State.SENT, State.CONFIRMED)})
_PREPARED: Final = (State.VALID, State.FILES_READY)


class RowLog:
    """Logs what one process did for rows, after the commit of each change."""

    def __init__(self) -> None:
        self._acted: Final[set[RowKey]] = set()

    def change(self, change: Change, *, place: RowRef | None) -> None:
        """Log an act that has ended, or a move that does not follow from one."""
        event = change.event
        if event.kind is EventKind.CONCLUSION:
            self._act(
                change.entry,
                place=place,
                step=str(event.step),
                attempt=event.attempt,
                answer=(event.verdict or "", event.http_status),
            )
            return
        way = event.came_from, event.went_to
        # Without an act before it, it shows what a killed process had done.
        follows = way in _USUAL and event.row in self._acted
        if way != _PREPARED and not follows:
            _tell(
                RowMoved(
                    **_of_row(change.entry, place),
                    came_from=event.came_from.value,
                    state=event.went_to.value,
                )
            )

    def upload(self, entry: Entry, *, place: RowRef | None) -> None:
        self._act(
            entry, place=place, step="upload", attempt=None, answer=("done", None)
        )

    def _act(
        self,
        entry: Entry,
        *,
        place: RowRef | None,
        step: str,
        attempt: int | None,
        answer: tuple[str, int | None],
    ) -> None:
        self._acted.add(entry.key)
        outcome, http_status = answer
        _tell(
            RowActed(
                **_of_row(entry, place),
                step=step,
                attempt=attempt,
                outcome=outcome,
                http_status=http_status,
                state=entry.state.value,
            )
        )


def _of_row(entry: Entry, place: RowRef | None) -> dict[str, Any]:
    return {
        "batch": entry.batch,
        "row": name_after(entry.key),
        "sheet": None if place is None else place.sheet,
        "sheet_row": None if place is None else place.row,
    }


def _tell(record: LogRecord) -> None:
    _log.info(record.WHAT, extra=record.extra())
