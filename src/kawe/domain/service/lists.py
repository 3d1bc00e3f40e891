"""The lists that people export: their tables, and the cells of one record.

A record is an object of the service as it is. A table shows one row for each record,
or one for each entry of a list within it, such as the thread of a project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.table_doc import CellForm, TableDoc
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

    def rows(self, record: ListRecord) -> Iterator[list[RawValue]]:
        """Give the rows of a record."""
        about = {"@": record.about, "^": record.item}
        rows = record.item.get(self.nested, []) if self.nested else [record.item]
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict):
                yield [field.cell(row | about) for field in self.fields]


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
    has_places: bool = False
    """Its records have a latitude and a longitude."""
    is_single: bool = False
    """It is one object, and its tables are lists within it."""


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
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        if at is None:
            return None
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(NEW_ZEALAND)
    except (ValueError, OverflowError):
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
