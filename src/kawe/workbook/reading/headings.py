"""Finds the heading row of a sheet, and the column of each heading.

A heading means a column when it equals the column's title, field or a synonym; case,
macrons, asterisks and units do not count. A similar heading is not taken for it. Where
headings are split over two rows, both are read together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

from rapidfuzz import fuzz

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import HEADING_MISSING, Finding
from kawe.domain.sheet.read_as import ReadColumn
from kawe.domain.sheet.refs import CellRef, RowRef, column_letters
from kawe.domain.sheet.tables import Heading, RawValue
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.cells.reading import error, show, warning
from kawe.workbook.own_words import own_headings
from kawe.workbook.reading.grids import Grid
from kawe.workbook.reading.parts import Part, part_names, whole_headings
from kawe.workbook.reading.two_rows import continues, groups, is_data, together

_ALIKE: Final = 75
TaughtHeadings: TypeAlias = Mapping[SheetKind, Mapping[str, str | None]]
"""By kind, the field of each of the person's own headings; None: not to be read."""
NONE_TAUGHT: Final[TaughtHeadings] = {}
_UNIT: Final = re.compile(r"[\(\[][^()\[\]]*[\)\]]")
_HEADING_CHARACTERS: Final = 200
_ENOUGH: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingRow:
    """The heading row for one kind of sheet."""

    kind: SheetKind
    row: int
    headings: tuple[Heading, ...]
    """From column A on, without kawe's own columns."""
    twice: tuple[tuple[Heading, Heading], ...]
    """Pairs with one meaning; the second is not read."""
    width: int
    """The number of the last column with a heading, kawe's own among them."""
    own: Mapping[str, int]
    """The columns that kawe added to a result, by their headings."""
    meanings: Mapping[str, Column]
    """What every heading means, folded, that people give a column of this kind."""
    partial: tuple[Heading, ...] = ()
    """Headings of a part of a column that are not read."""
    lines: tuple[tuple[str, ...], ...] = ()
    """The texts of both rows, the upper first, where headings are split over two."""

    def known(self) -> Iterator[tuple[Heading, Column]]:
        """Give each known heading and its column."""
        for heading in self.headings:
            if heading.means is not None:
                yield heading, heading.means

    def cell(self, heading: Heading, sheet: str) -> CellRef:
        return CellRef(sheet=sheet, row=self.row, column=heading.column)

    def names(self, heading: Heading) -> tuple[str, ...]:
        """Give every text that stands for `heading` in the sheet."""
        at = heading.column - 1
        return (heading.text, *(line[at] for line in self.lines if at < len(line)))

    @property
    def heading_rows(self) -> tuple[int, ...]:
        """Give the row of the headings, or both where they are split over two."""
        return (self.row - 1, self.row) if self.lines else (self.row,)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(column.field for _, column in self.known())


class Recogniser:
    """Knows the headings of each kind of sheet."""

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        taught: TaughtHeadings = NONE_TAUGHT,
        given: frozenset[str] = frozenset(),
    ) -> None:
        self._given = given
        self.columns = {kind: tuple(given) for kind, given in columns.items()}
        self._taught = {
            kind: _taught(given, taught.get(kind, {}))
            for kind, given in columns.items()
        }
        self._names = {
            kind: _names(given) | self._taught[kind] for kind, given in columns.items()
        }
        self.declined = {
            kind: frozenset(
                fold(text)
                for text, field in taught.get(kind, {}).items()
                if field is None
            )
            for kind in columns
        }
        self._parts = {kind: part_names(given) for kind, given in columns.items()}

    def find(self, grid: Grid, *, kind: SheetKind) -> HeadingRow | None:
        """Find the first row, or two together, with the most known headings, if any."""
        best: HeadingRow | None = None
        above: tuple[int, tuple[str, ...]] = (0, ())
        for number, cells in grid.top():
            texts = _texts(cells)
            found = self._read(number, texts, kind)
            if best is None or len(found.fields) > len(best.fields):
                best = found
            if above[0] == number - 1 and not is_data(cells, texts):
                best = self._joined(above, found, texts, best=best, grid=grid)
            above = number, texts
        enough = min(_ENOUGH, len(self.columns[kind]))
        return best if best is not None and len(best.fields) >= enough else None

    def best(self, grid: Grid, *, kinds: Iterable[SheetKind]) -> HeadingRow | None:
        """Find the kind that fits `grid` best; required headings count first."""
        found = [row for kind in kinds if (row := self.find(grid, kind=kind))]
        return max(found, key=self._fit, default=None)

    def findings(self, row: HeadingRow, *, sheet: str) -> tuple[Finding, ...]:
        """List what is wrong with the headings of `sheet`."""
        declined = self.declined[row.kind]
        spare = [
            each
            for each in row.headings
            if each.means is None
            and each.text
            and declined.isdisjoint(spellings(each.text))
        ]
        heads = [
            _missing(column, spare, row=row, sheet=sheet)
            for column in self.missing(row)
            if column.required
        ]
        twice = [_twice(*pair, row=row, sheet=sheet) for pair in row.twice]
        partial = [
            _beside_whole(heading, row=row, sheet=sheet) for heading in row.partial
        ]
        return (*heads, *twice, *filter(None, partial))

    def missing(self, row: HeadingRow) -> list[Column]:
        """List the columns that a sheet has not."""
        there = row.fields | self._given
        return [each for each in self.columns[row.kind] if each.field not in there]

    def read_columns(self, row: HeadingRow) -> Iterator[ReadColumn]:
        """Give each known heading and what it was read as."""
        for heading, column in row.known():
            yield ReadColumn(
                column=heading.column,
                heading=heading.text,
                means=column,
                is_taught=any(
                    name in self._taught[row.kind] for name in spellings(heading.text)
                ),
            )

    def _fit(self, row: HeadingRow) -> tuple[float, int]:
        needed = [c.field for c in self.columns[row.kind] if c.required]
        there = len(row.fields.intersection(needed))
        return (there / len(needed) if needed else 1.0, len(row.fields))

    def _joined(
        self,
        above: tuple[int, tuple[str, ...]],
        found: HeadingRow,
        texts: tuple[str, ...],
        *,
        best: HeadingRow,
        grid: Grid,
    ) -> HeadingRow:
        """Read two rows as one if so more is known; else give the best until now."""
        (row, upper), kind = above, found.kind

        def meaning(text: str) -> tuple[str, int] | None:
            meant = self.meaning(text, kind)
            return None if meant is None else (meant[0].field, meant[1])

        width = max(len(upper), len(texts))
        over = groups(upper, row=row, merges=grid.facts.merges, width=width)
        both = self._read(found.row, together(over, texts, meaning=meaning), kind)
        is_more = len(both.fields) > len(best.fields)
        is_as_much = best.row == row and len(both.fields) == len(best.fields)
        if is_more or (is_as_much and continues(upper, texts, meaning=meaning)):
            return replace(both, lines=(upper, texts))
        return best

    def _read(self, number: int, texts: Sequence[str], kind: SheetKind) -> HeadingRow:
        own = {name: at + 1 for name, at in own_headings(texts).items()}
        ours = frozenset(own.values())
        known: dict[tuple[str, int], Heading] = {}
        headings, twice = [], []
        for index, text in enumerate(texts):
            if index + 1 in ours:
                continue
            meant = self.meaning(text, kind)
            heading = Heading(column=index + 1, text=text, means=None)
            if meant is not None:
                means, part = meant
                first = known.setdefault(
                    (means.field, part), replace(heading, means=means, part=part)
                )
                if first.column == heading.column:
                    heading = first
                else:
                    twice.append((first, heading))
            headings.append(heading)
        whole, partial = whole_headings(headings)
        return HeadingRow(
            kind=kind,
            row=number,
            headings=whole,
            twice=tuple(twice),
            width=len(texts),
            partial=partial,
            own=own,
            meanings=self._names[kind],
        )

    def meaning(self, text: str, kind: SheetKind) -> Part | None:
        """Say which column a heading means, and which part of it; 0 is all of it."""
        names, parts = self._names[kind], self._parts[kind]
        either_way = spellings(text)
        for name in either_way:
            if name in self.declined[kind]:
                return None
            if name in names:
                return names[name], 0
        return next((parts[name] for name in either_way if name in parts), None)


def _texts(cells: Sequence[RawValue]) -> tuple[str, ...]:
    texts = [one_line(show(cell), limit=_HEADING_CHARACTERS) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


@lru_cache(maxsize=4_096)
def spellings(text: str) -> tuple[str, str]:
    """Give a heading folded, with its unit and without."""
    return fold(text), fold(_UNIT.sub(" ", text))


def _names(columns: Sequence[Column]) -> dict[str, Column]:
    """Index columns by every name; titles override synonyms."""
    names: dict[str, Column] = {}
    for column in columns:
        names.setdefault(fold(column.title), column)
    for column in columns:
        for name in (column.field, *column.synonyms):
            names.setdefault(fold(name), column)
    names.pop("", None)
    return names


def _taught(
    columns: Sequence[Column], headings: Mapping[str, str | None]
) -> dict[str, Column]:
    """Index columns by the headings that the settings teach."""
    by_field = {column.field: column for column in columns}
    return {
        fold(text): by_field[field]
        for text, field in headings.items()
        if field is not None
    }


def _missing(
    column: Column, spare: list[Heading], *, row: HeadingRow, sheet: str
) -> Finding:
    names = [fold(name) for name in (column.title, *column.synonyms)]
    best = max(spare, key=lambda each: _likeness(each.text, names), default=None)
    nearest = ""
    if best is not None and _likeness(best.text, names) >= _ALIKE / 2:
        nearest = f" The nearest heading in row {row.row} is “{best.text}”."
    halves = [each for each in row.partial if each.means is column]
    if halves:
        others = [
            f"“{names[0]}”"
            for number, names in enumerate(column.parts, start=1)
            if number not in {each.part for each in halves}
        ]
        nearest = f" “{halves[0].text}” holds a part of it."
        advice = f"Add a column {' and '.join(others)}, or one “{column.title}”."
    elif column.option:
        advice = (
            f"Give one for every row with {column.option}, or add a column with the "
            f"heading “{column.title}”."
        )
    else:
        advice = f"Add a column with the heading “{column.title}”, or rename one."
    return error(
        HEADING_MISSING,
        message=f"The sheet has no column “{column.title}”.{nearest}",
        advice=advice,
    ).at(RowRef(sheet=sheet, row=row.row), heading=column.title)


def _beside_whole(heading: Heading, *, row: HeadingRow, sheet: str) -> Finding | None:
    """Say that a part is not read, because another column holds the whole."""
    column = heading.means
    whole = next((each for each, means in row.known() if means is column), None)
    if column is None or whole is None:
        return None
    first = column.parts[0][0]
    return warning(
        "heading-part",
        message=(
            f"“{heading.text}” is not read: “{whole.text}” is taken for the whole "
            f"{column.title}."
        ),
        advice=f"If “{whole.text}” holds a part only, give it the heading “{first}”.",
    ).at(row.cell(heading, sheet), heading=heading.text, value=heading.text)


def _twice(first: Heading, second: Heading, *, row: HeadingRow, sheet: str) -> Finding:
    letters = f"{column_letters(first.column)} and {column_letters(second.column)}"
    return error(
        "heading-twice",
        message=(
            f"Columns {letters}, “{first.text}” and “{second.text}”, mean the same."
        ),
        advice="Rename or delete the one that should not be read, or say so: "
        "kawe teach, with its heading and --not-read.",
    ).at(row.cell(second, sheet), heading=second.text, value=second.text)


def _likeness(text: str, names: list[str]) -> float:
    return max((fuzz.ratio(fold(text), name) for name in names), default=0.0)
