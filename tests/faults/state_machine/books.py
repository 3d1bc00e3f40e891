"""The person's side: workbooks that are edited, sorted, split and merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from random import Random

from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.sheets import finding
from kawe.domain.rows.entries import SheetReading
from kawe.domain.rows.identity import marker_of
from kawe.domain.sheet.content import Attachment, OrganisationContent, ProjectContent
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.belonging import Source
from kawe.kinds.invitations.kind import InvitationContent
from kawe_places.values import Place

_MOST_ROWS = 9
_MOST_BOOKS = 3
_MOST_PEOPLE = 4
BY_HAND = "By hand"
"""How the words begin that a colleague writes into a draft."""
FILE = Attachment(
    path=Path("plan.pdf"),
    name="plan.pdf",
    mime_type="application/pdf",
    size_bytes=9,
    sha256="0" * 64,
)


def new_row(number: int, *, has_files: bool) -> ProjectContent:
    """Write row `number`: every third without a reference, some with more."""
    return project(
        number,
        # No two rows lie at one place.
        place=Place(
            latitude=-36.85 + number % 50 / 1000,
            longitude=174.76 + number // 50 / 1000,
        ),
        reference=None if number % 3 == 2 else f"R-{number}",
        description=words(0),
        send=number % 5 != 4,
        files=(FILE,) if has_files and number % 4 == 1 else (),
        organisation=OrganisationContent(
            name=f"Wai Ora {number % 2}",
            address="2 Quay Street, Auckland",
            place=Place(latitude=-36.84, longitude=174.76),
        )
        if number % 3 == 0
        else None,
    )


def words(version: int) -> str:
    """Give one of the descriptions that a person types."""
    return f"A culvert is replaced, version {version}."


@dataclass(slots=True, kw_only=True)
class Book:
    """A workbook of projects."""

    name: str
    rows: list[ProjectContent] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    """Markers of rows with a cell that cannot be read."""

    def put(self, row: ProjectContent) -> None:
        """Put a row below the others, unless it is there already."""
        if marker_of(row) not in self.markers():
            self.rows.append(row)

    def copy(self) -> Book:
        return Book(name=self.name, rows=[*self.rows], wrong={*self.wrong})

    def checked(self) -> Checked:
        """Check it, as `kawe check` would."""
        checked = checked_projects(self.rows)
        rows = tuple(self._spoilt(each) for each in checked.rows)
        return replace(checked, rows=rows)

    def source(self, at: datetime) -> Source:
        """Say where and when it is read."""
        return Source(workbook=Path(self.name), read_at=at)

    def markers(self) -> list[str]:
        """Name its rows as the service knows them."""
        return [marker_of(each) for each in self.rows]

    def valid(self) -> list[ProjectContent]:
        """Give the rows that can be submitted."""
        return [each for each in self.rows if marker_of(each) not in self.wrong]

    def sort(self, seed: int) -> None:
        """Put the rows into another order."""
        Random(seed).shuffle(self.rows)

    def _spoilt(self, row: CheckedRow) -> CheckedRow:
        content = row.content
        if not isinstance(content, ProjectContent):
            return row
        if marker_of(content) not in self.wrong:
            return row
        words = {"heading": "Start date", "message": "“soon” is no date."}
        wrong = finding(row.row.ref, rule="date-unreadable", **words)
        return CheckedRow(row=row.row, findings=(wrong,))


@dataclass(slots=True, kw_only=True)
class People:
    """A workbook of invitations."""

    name: str = "people.xlsx"
    rows: list[InvitationContent] = field(default_factory=list)

    def add(self) -> None:
        """Write one more person down."""
        if len(self.rows) < _MOST_PEOPLE:
            self.rows.append(person(len(self.rows)))

    def checked(self) -> Checked:
        return checked_invitations(self.rows)

    def source(self, at: datetime) -> Source:
        """Say where and when it is read."""
        return Source(workbook=Path(self.name), read_at=at)


@dataclass(slots=True, kw_only=True)
class Shelf:
    """All workbooks of a person, and the rows that were cut out of them."""

    has_files: bool
    books: list[Book] = field(default_factory=lambda: [Book(name="monthly.xlsx")])
    cut_out: list[ProjectContent] = field(default_factory=list)
    rows_made: int = 0
    numbers: Iterator[int] = field(default_factory=count)
    """Of rows to come; several computers share them."""

    def book(self, number: int) -> Book:
        return self.books[number % len(self.books)]

    def write(self, what: str, *, at: int, version: int) -> None:
        """Write in a workbook; nothing where there is nothing to write in."""
        book = self.book(at)
        if what == "add":
            self._add(book, pastes=bool(version % 2))
        elif book.rows:
            place = version % len(book.rows)
            self._write(book, what, place=place, version=1 + at % 2)

    def _add(self, book: Book, *, pastes: bool) -> None:
        if pastes and self.cut_out:
            book.put(self.cut_out.pop())
        elif sum(len(each.rows) for each in self.books) < _MOST_ROWS:
            book.rows.append(self.new_row())

    def new_row(self) -> ProjectContent:
        """Write a row that is in no workbook yet."""
        self.rows_made += 1
        return new_row(next(self.numbers), has_files=self.has_files)

    def has(self, reading: SheetReading) -> bool:
        return any(each.name == reading.workbook for each in self.books)

    def take(self, book: Book) -> None:
        """Put a workbook here, in the place of the one of its name."""
        self.books = [each for each in self.books if each.name != book.name]
        del self.books[_MOST_BOOKS - 1 :]
        self.books.append(book)

    def _write(self, book: Book, what: str, *, place: int, version: int) -> None:
        row = book.rows[place]
        match what:
            case "cut":
                self.cut_out.append(book.rows.pop(place))
            case "spoil":
                book.wrong ^= {marker_of(row)}
            case "words":
                book.rows[place] = replace(row, description=words(version))
            case "undo":
                book.rows[place] = replace(row, description=words(0), phase=None)
            case "send":
                book.rows[place] = replace(row, send=not row.send)
            case "phase":
                book.rows[place] = replace(row, phase="WITHDRAWN")
            case _:
                message = f"Kia ora {version}"
                book.rows[place] = replace(row, priority_order=version, message=message)

    def file(self, what: str, *, at: int) -> None:
        """Sort, rename, copy, split or merge workbooks."""
        book = self.book(at)
        match what:
            case "sort":
                book.sort(at)
            case "rename":
                book.name = f"renamed-{at}.xlsx"
            case "copy" if len(self.books) < _MOST_BOOKS:
                self.books.append(replace(book.copy(), name=f"copy-{at}.xlsx"))
            case "split" if len(self.books) < _MOST_BOOKS and len(book.rows) > 1:
                middle = 1 + at % (len(book.rows) - 1)
                other = Book(name=f"part-{at}.xlsx", rows=book.rows[middle:])
                other.wrong = set(book.wrong)
                del book.rows[middle:]
                self.books.append(other)
            case "merge" if len(self.books) > 1:
                self.books.remove(book)
                for row in book.rows:
                    self.books[0].put(row)
                self.books[0].wrong |= book.wrong
            case _:
                pass
