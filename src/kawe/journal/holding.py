"""Holds: which rows no purge takes out, who said so and why, and who lifted that.

Each is an event of every row that it names then, linked like any other.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, TypeAlias

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.service.states import SETTLED, RowKey, State
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError
from kawe.journal.events import Event, EventKind
from kawe.journal.standings import Standings
from kawe.journal.store import Record, Store, key_list, reading_records
from kawe.journal.store.places import reader, writer
from kawe.journal.words import instant_to_text, storable

_OVER: Final = tuple(sorted({*SETTLED, State.WITHDRAWN}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What a person keeps from every purge, until somebody lifts that."""

    name: str
    """A batch, a reference or a project's id: rows that come to it are held too."""
    by: str
    why: str
    at: str
    """An instant as text."""

    def words(self) -> str:
        """Say who holds what, since when and why."""
        name, who, why = (one_line(each) for each in (self.name, self.by, self.why))
        since = moment_words(datetime.fromisoformat(self.at))
        return f"{name} is held by {who} since {since}: {why}"


Held: TypeAlias = Mapping[RowKey, tuple[Hold, str]]
"""The rows that no purge takes out, each with its batch."""
Cutoffs: TypeAlias = Mapping[str | None, datetime]
"""By kind of sheet, None being all: rows that were finished before it may go."""


def put_hold(place: JournalPlace, hold: Hold, *, lifts: bool = False) -> None:
    """Hold the rows of a name, or lift that.

    Raises:
        JournalLocked: Another process writes the journal.
        JournalError: No row has the name, or it is not held.
    """
    hold = Hold(**{part: storable(said) for part, said in asdict(hold).items()})
    with closing(writer(place)) as store, store.transaction(writes=True):
        rows = list(store.rows("rows_named", hold.name))
        if not rows or (lifts and hold.name not in _holds(store)):
            raise JournalError(
                message=f"No row that {one_line(hold.name)} names "
                f"{'is held' if lifts else 'is in the journal'}.",
                hint="Name a batch, a reference or a project's id of the journal.",
            )
        events = [
            Event(
                row=RowKey(key),
                kind=EventKind.LIFT if lifts else EventKind.HOLD,
                at=datetime.fromisoformat(hold.at),
                came_from=State(state),
                went_to=State(state),
                detail=json.dumps(asdict(hold), ensure_ascii=False),
            )
            for key, state, _ in rows
        ]
        Standings(store).put_events(events)


def holds_of(place: JournalPlace) -> tuple[list[Hold], Held]:
    """Give the holds, and the rows that are held."""
    with closing(reader(place)) as store, store.transaction(writes=False):
        return [*_holds(store).values()], held_rows(store)


def held_rows(store: Store) -> Held:
    return {
        RowKey(key): (hold, batch)
        for hold in _holds(store).values()
        for key, _, batch in store.rows("rows_named", hold.name)
    }


def finished_rows(store: Store, finished_before: Cutoffs) -> list[Record]:
    """Give key, kind, state, content, batch, marker and instant of finished rows."""
    return [
        row
        for kind, on in finished_before.items()
        for row in store.rows(
            "finished_before", key_list(_OVER), instant_to_text(on), kind
        )
    ]


def disposable(place: JournalPlace, finished_before: Cutoffs) -> list[dict[str, str]]:
    """List the rows that a purge would take out, and which of them are held."""
    with closing(reader(place)) as store, store.transaction(writes=False):
        rows = finished_rows(store, finished_before)
        held = held_rows(store)
    return [
        {
            "reference": marker,
            "kind": kind,
            "batch": batch,
            "state": state,
            "since": at,
            "held": held[key][0].words() if key in held else "",
        }
        for key, kind, state, _, batch, marker, at in rows
    ]


def _holds(store: Store) -> dict[str, Hold]:
    held: dict[str, Hold] = {}
    with reading_records():
        for kind, detail in store.rows("holds"):
            hold = Hold(**json.loads(detail))
            held[hold.name] = hold
            if kind == EventKind.LIFT:
                del held[hold.name]
    return held
