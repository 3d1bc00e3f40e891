"""Workbooks of several people: copies of one that go their own ways.

A row is the same row in every copy, whatever was made of it: the number in its
name says which. Nothing of kawe looks at that number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Final

from doubles.rows import project
from faults.people.sheets import table_of
from faults.simulation.batches import an_attachment
from kawe.domain.rows.identity import project_key
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import OrganisationContent, ProjectContent
from kawe.domain.sheet.tables import Table
from kawe_places.values import Place

_NUMBER: Final = re.compile(r"\d+")
_FIRST_DAY: Final = date(2030, 1, 1)
_MONTH: Final = timedelta(days=31)


def number_of(name: str) -> int:
    """Say which row a row or a project is."""
    found = _NUMBER.search(name)
    assert found is not None
    return int(found[0])


@dataclass(slots=True, kw_only=True)
class Press:
    """Writes new rows, each with a number of its own."""

    chance: Random
    has_files: bool
    has_organisations: bool
    unnumbered: float
    """The share of rows without a reference."""
    prefix: str
    made: int = 0

    def row(self) -> ProjectContent:
        """Write a row."""
        self.made += 1
        number, chance = self.made, self.chance
        organisation = None
        if self.has_organisations and chance.random() < 0.3:
            organisation = OrganisationContent(
                name=chance.choice("ABC") + " Limited",
                address="1 Rimu Street",
                city="Auckland",
                country="New Zealand",
                postcode="1010",
                place=Place(latitude=-36.86, longitude=174.76),
            )
        has_file = self.has_files and chance.random() < 0.3
        content = project(
            number,
            reference=f"{self.prefix}{number}",
            description=f"Culvert {number} is replaced.",
            address=f"{number} Coronation Road, Māngere",
            # No other row has this place on these days.
            place=Place(latitude=-36.85 + number % 7 / 100, longitude=174.76),
            start_on=_FIRST_DAY + timedelta(days=number // 7),
            organisation=organisation,
            files=(an_attachment(number),) if has_file else (),
            send=chance.random() < 0.97,
        )
        later = timedelta(days=chance.randint(0, 40))
        content = replace(content, respond_by_on=content.respond_by_on + later)
        if chance.random() < self.unnumbered:
            content = replace(content, reference=None)
        return content

    def rows(self, number: int) -> list[ProjectContent]:
        return [self.row() for _ in range(number)]


@dataclass(slots=True, kw_only=True)
class Book:
    """A workbook on somebody's computer."""

    path: str
    rows: list[ProjectContent]
    sheet: str = "Projects"

    @property
    def table(self) -> Table:
        """Give it as kawe reads it."""
        return table_of(self.rows, sheet=self.sheet)

    def copy(self, path: str | None = None) -> Book:
        return replace(self, path=path or self.path, rows=[*self.rows])

    def change(
        self, at: int, how: Callable[[ProjectContent], ProjectContent]
    ) -> ProjectContent:
        """Change a row."""
        self.rows[at] = how(self.rows[at])
        return self.rows[at]


def edited(row: ProjectContent) -> ProjectContent:
    """Say more about it: the same row all the same."""
    return replace(row, description=f"{row.description} It is painted as well.")


def slipped(row: ProjectContent) -> ProjectContent:
    """Let its programme slip by a month."""
    return replace(
        row,
        start_on=row.start_on + _MONTH,
        end_on=row.end_on + _MONTH,
        respond_by_on=row.respond_by_on + _MONTH,
    )


def renumbered(row: ProjectContent) -> ProjectContent:
    """Give it a reference with a prefix, or one where it had none."""
    reference = row.reference or f"R-{number_of(row.name)}"
    return replace(row, reference=f"2027-{reference}")


def halves(book: Book, chance: Random) -> list[Book]:
    """Split it in two."""
    middle = chance.randint(1, max(1, len(book.rows) - 1))
    return [
        Book(path=f"north of {book.path}", rows=book.rows[:middle]),
        Book(path=f"south of {book.path}", rows=book.rows[middle:]),
    ]


def merged(books: list[Book], path: str) -> Book:
    """Put some together, each row and each reference once."""
    rows: dict[int, ProjectContent] = {}
    keys: set[RowKey | None] = set()
    for row in (row for book in books for row in book.rows):
        number, key = number_of(row.name), project_key(row)
        if number not in rows and key not in keys:
            rows[number] = row
            keys.add(key)
    return Book(path=path, rows=list(rows.values()))


def following(book: Book, *, press: Press, chance: Random, path: str) -> Book:
    """Make next month's of it: a few rows are carried over, others are new."""
    most = min(len(book.rows), chance.choice((1, 1, 2, 5, len(book.rows))))
    carried = chance.sample(book.rows, most)
    return Book(path=path, rows=[*carried, *press.rows(chance.randint(1, 8))])
