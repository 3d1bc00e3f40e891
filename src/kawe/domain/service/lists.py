"""The lists that people export: their tables, and the cells of one record.

A record is an object of the service as it is. A table shows one row for each record,
or one for each entry of a list within it, such as the thread of a project.
An export says which records it took, and how many there were.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from kawe.domain.text.new_zealand import (
    NEW_ZEALAND,
    day_words,
    moment_words,
    read_instant,
)
from kawe.domain.text.table_doc import CellForm, TableDoc
from kawe.domain.text.texts import checked_text, counted, one_line
from kawe_xlsx.cells import RawValue

_CENTS: Final = 100
_CODE_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ListField:
    """One column of a table."""

    heading: str
    of: tuple[str, ...]
    """Where its parts stand in a record, such as `assigned_to.first_name`."""
    form: CellForm
    width: float

    def cell(self, row: Mapping[str, object]) -> RawValue:
        """Give the cell of a row; what has another form than it should is text."""
        found = [_at(row, path.split(".")) for path in self.of]
        if len(found) > 1:
            return " ".join(filter(None, map(_text, found))) or None
        return _READERS[self.form](found[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOf:
    """One table of a list."""

    title: str
    fields: tuple[ListField, ...]
    nested: str = ""
    """The list within a record that has its rows; empty: the record is the row."""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(field.heading for field in self.fields)

    def doc(self, *above: str) -> TableDoc:
        return TableDoc(
            title=self.title,
            headings=self.headings,
            widths=tuple(field.width for field in self.fields),
            forms={field.heading: field.form for field in self.fields},
            above=above,
        )

    def rows(self, record: "ListRecord") -> Iterator[list[RawValue]]:
        """Give the rows of a record."""
        about = {"@": record.about, "^": record.item}
        rows = objects_in(record.item, self.nested) if self.nested else [record.item]
        for row in rows:
            yield [field.cell({**row, **about}) for field in self.fields]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRecord:
    """One object of the service, and what kawe says about it."""

    item: Mapping[str, object]
    about: Mapping[str, str]
    """`link`: its page in the portal; `file`: where its document was saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectPart:
    """A list within each project that is asked for by itself."""

    name: str
    operation: str
    table: TableOf


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordList:
    """A list of the service that people export."""

    name: str
    one: str
    operation: str
    tables: tuple[TableOf, ...]
    sums: tuple[ListField, ...] = ()
    """The columns that are added up; money has its currency for a heading."""
    of_team: bool = False
    """Its path names the team."""
    formats: tuple[str, ...] = ()
    """What it can be written as beside a table and lines."""
    is_single: bool = False
    """It is one object, and its tables are lists within it."""


def objects_in(item: Mapping[str, object], name: str) -> list[dict[str, object]]:
    """Give the objects of a list within an object, whatever else there is."""
    rows = item.get(name)
    return [e for e in rows if isinstance(e, dict)] if isinstance(rows, list) else []


def _at(row: object, path: list[str]) -> object:
    for index, name in enumerate(path):
        if isinstance(row, list):
            rest = path[index:]
            return "; ".join(filter(None, (_text(_at(one, rest)) for one in row)))
        row = row.get(name) if isinstance(row, Mapping) else None
    return row


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _plain(value: object) -> RawValue:
    if value is None or isinstance(value, str | bool | int | float):
        return value if value != "" else None
    return _text(value)


def _code(value: object) -> RawValue:
    if not isinstance(value, str) or not value or len(value) > _CODE_CHARACTERS:
        return _plain(value)
    return code_words(value)


def code_words(code: str) -> str:
    """Write a word of the interface for people: IN_PROGRESS is In progress."""
    return code.replace("_", " ").capitalize()


def instant_of(value: object) -> datetime | None:
    """Read an instant of the service; None: it is none."""
    try:
        return read_instant(checked_text(value)).astimezone(NEW_ZEALAND)
    except (TypeError, ValueError, OverflowError):
        return None


def _moment(value: object) -> RawValue:
    at = instant_of(value)
    return _plain(value) if at is None else at.replace(microsecond=0)


def _day(value: object) -> RawValue:
    # A day comes back as an instant: midnight in UTC, or in New Zealand.
    at = instant_of(value)
    return _plain(value) if at is None else date(at.year, at.month, at.day)


def _yes(value: object) -> RawValue:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return _plain(value)


def _dollars(value: object) -> RawValue:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value / _CENTS
    return _plain(value)


_READERS: Final = {
    CellForm.TEXT: _plain,
    CellForm.CODE: _code,
    CellForm.DAY: _day,
    CellForm.MOMENT: _moment,
    CellForm.YES: _yes,
    CellForm.CENTS: _dollars,
    CellForm.LINK: _plain,
    CellForm.FILE: _plain,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAsked:
    """Which records of a list are wanted."""

    records: RecordList
    parts: tuple[ProjectPart, ...] = ()
    """What else is asked for of each project."""
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """The service leaves out what does not match."""
    said: tuple[str, ...] = ()
    """The same, as a person says it."""
    since_on: date | None = None
    """kawe leaves out what was created before this day in New Zealand."""
    until_on: date | None = None
    path: Mapping[str, str] = field(default_factory=dict)
    """What the path of the list names, but for the team."""
    batch: str = ""
    only: frozenset[str] | None = None
    """The ids of the batch's projects; None: any."""
    is_fresh: bool = False
    """Nothing is taken from an earlier export."""

    @property
    def is_narrowed(self) -> bool:
        return (self.since_on, self.until_on, self.only) != (None, None, None)

    @property
    def tables(self) -> tuple[TableOf, ...]:
        return (*self.records.tables, *(part.table for part in self.parts))

    def takes(self, item: Mapping[str, object]) -> bool:
        """Say whether an object of the list is wanted."""
        if self.only is not None and item.get("id") not in self.only:
            return False
        if self.since_on is None and self.until_on is None:
            return True
        if (at := instant_of(item.get("created_on"))) is None:
            return True
        since, until = self.since_on or date.min, self.until_on or date.max
        return since <= at.date() <= until

    def words(self) -> str:
        """Say what was left out; empty: nothing."""
        said = list(self.said)
        if self.since_on is not None:
            said.append(f"created on or after {day_words(self.since_on)}")
        if self.until_on is not None:
            said.append(f"created on or before {day_words(self.until_on)}")
        if self.batch:
            said.append(f"of the batch {one_line(self.batch)}")
        return "; ".join(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCounts:
    """What was found of a list, and whether it is all."""

    listed: int
    total: int
    """As the service counts."""
    tabs: Mapping[str, int]
    """As the service counts projects: active, closed, completed."""
    is_proven: bool
    """As many as the service counts, on the first page and on the last."""
    taken: int
    """Of those listed, by the days or the batch that were asked for."""
    sums: Mapping[str, float]
    rows: Mapping[str, int] = field(default_factory=dict)
    """How many entries the lists within a single object have, by title."""
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    """Of an earlier export; it had them, and the service lists them no more."""
    earlier_at: datetime | None = None

    def lines(self, asked: ListAsked) -> Iterator[str]:
        """Say it to people."""
        records = asked.records
        if records.is_single:
            yield " ".join(f"{title}: {n:,}." for title, n in self.rows.items())
        else:
            yield f"{self._whole(records)} {self._proof()}"
        if words := asked.words():
            yield f"Asked for: {words}."
        if asked.is_narrowed:
            yield f"In this export: {counted(self.taken, records.one)}."
        if self.sums:
            sums = (
                f"{name} {value:,.2f}" if name.isupper() else f"{value:,g} {name}"
                for name, value in self.sums.items()
            )
            yield f"In all: {', '.join(sums)}."

    def _whole(self, records: RecordList) -> str:
        of = f"{self.listed:,} of {counted(self.total, records.one)}"
        parts = (f"{n:,} {tab}" for tab, n in self.tabs.items() if tab != "all")
        return f"{of}: {words}." if (words := ", ".join(parts)) else f"{of}."

    def _proof(self) -> str:
        if self.is_proven:
            return "Complete: the service counts as many at the end as at the start."
        return "NOT proven to be complete: the list kept changing while kawe read it."

    def since_words(self) -> str:
        """Compare with the earlier export; empty: there was none."""
        if self.earlier_at is None:
            return ""
        gone = f", {self.gone:,} no longer listed" if self.gone else ""
        return (
            f"Since the export of {moment_words(self.earlier_at)}, whose file is "
            f"unaltered: {self.new:,} new, {self.changed:,} changed, "
            f"{self.unchanged:,} unchanged{gone}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListExport:
    """An export of a list, when it is written or stopped."""

    asked: ListAsked
    counts: ListCounts
    reused: int = 0
    """Projects whose parts were taken from the earlier export."""
    troubles: tuple[str, ...] = ()
    """What is missing, and why."""
    is_stopped: bool = False
    """Nothing was written."""

    @property
    def is_complete(self) -> bool:
        return self.counts.is_proven and not self.troubles and not self.is_stopped
