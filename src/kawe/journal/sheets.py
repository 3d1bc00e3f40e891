"""The sheets that batches were read from and their lines, within a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kawe.domain.batch.runs import SUBMIT, RunName, RunRecord
from kawe.domain.rows.entries import BatchName, Line, PlacedLine, SheetReading
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.refs import RowRef
from kawe.journal import records
from kawe.journal.forgetting import name_after, names_of
from kawe.journal.store import Store, all_of, first_of, key_list, only


class Sheets:
    """The sheets that were read. The caller begins the transaction."""

    def __init__(self, store: Store, *, run: RunName) -> None:
        self._store: Final = store
        self._run: Final = run
        self._places: Final[dict[RowKey, RowRef | None]] = {}

    def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        return all_of(self._store, "readings", records.reading_from_record, batch)

    def lines(
        self, batch: BatchName, *, reading: SheetReading | None
    ) -> tuple[Line, ...]:
        """Give the lines of one sheet of a batch, or of the one that was read last."""
        there = self.readings(batch) if reading is None else (reading,)
        number = self._number(there[-1]) if there else None
        return all_of(self._store, "lines", records.line_from_record, number)

    def named(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name those rows, the latest read first."""
        names = names_of(keys)
        named: dict[RowKey, list[PlacedLine]] = {}
        read = records.placed_line_from_record
        for name, placed in all_of(self._store, "named", read, key_list(names)):
            named.setdefault(names[name], []).append(placed)
        return {key: tuple(there) for key, there in named.items()}

    def place_of(self, key: RowKey) -> RowRef | None:
        """Say in which sheet and row a row was read last, if that is known."""
        if key not in self._places:
            named = self.named([key]).get(key)
            self._places[key] = named[0].line.where if named else None
        return self._places[key]

    def put(self, reading: SheetReading, lines: Sequence[Line]) -> None:
        """Write a sheet as the one read last: of its lines, those that are new."""
        self._store.run("put_reading", [records.reading_to_record(reading)])
        number = self._number(reading)
        kept = {at: rest for at, *rest in self._store.rows("kept_lines", number)}
        self._store.run("clear_lines_after", [(number, len(lines))])
        self._places.update({line.row: line.where for line in lines if line.row})
        now = ((at, records.line_to_record(line)) for at, line in enumerate(lines, 1))
        self._store.run(
            "put_line",
            (
                (number, at, *rest, key and name_after(key), key)
                for at, (*rest, key) in now
                if kept.get(at) != [*rest, key]
            ),
        )

    def begin_run(self, reading: SheetReading) -> None:
        """Write down that a run of a batch begins with that sheet."""
        begun = RunRecord(
            batch=reading.batch,
            command=SUBMIT,
            workbook=reading.workbook,
            began_at=reading.read_at,
            by=self._run,
        )
        self._store.run("put_run", [records.run_to_record(begun)])

    def keep_run(self, run: RunRecord) -> None:
        """Write down how a run ended, if it began here; or one by itself."""
        record = records.run_to_record(run)
        begun = first_of(
            self._store, "open_run", only, run.batch, run.command, run.by.id
        )
        if begun is None or run.end is None:
            self._store.run("put_run", [record])
        else:
            self._store.run("end_run", [(*record[4:], begun)])

    def drop(self, reading: SheetReading) -> None:
        """Remove a sheet that was read, and its lines."""
        number = self._number(reading)
        self._store.run("clear_lines_after", [(number, 0)])
        self._store.run("drop_reading", [(number,)])

    def _number(self, reading: SheetReading) -> int | None:
        place = records.reading_to_record(reading)[:3]
        return first_of(self._store, "reading_id", only, *place)
