"""Finds the heading row of a sheet, and the column of each heading.

A heading means a column when it equals the column's title, field or a synonym; case,
macrons, asterisks and units do not count. A similar heading is only suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rapidfuzz import fuzz, process

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import HEADING_TAUGHT, Finding
from kawe.domain.sheet.refs import CellRef, RowRef, column_letters
from kawe.domain.sheet.tables import Heading, RawValue
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.cells.choices import either
from kawe.workbook.cells.reading import error, note, show, warning
from kawe.workbook.own_words import own_headings
from kawe.workbook.reading.grids import Grid
from kawe.workbook.reading.parts import Part, part_names, whole_headings

_ALIKE: Final = 75
_NOTHING: Final[Mapping[SheetKind, Mapping[str, str]]] = {}
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
    partial: tuple[Heading, ...] = ()
    """Headings of a part of a column that are not read."""

    def known(self) -> Iterator[tuple[Heading, Column]]:
        """Give each known heading and its column."""
        for heading in self.headings:
            if heading.means is not None:
                yield heading, heading.means

    def cell(self, heading: Heading, sheet: str) -> CellRef:
        """Give the cell of `heading` in `sheet`."""
        return CellRef(sheet=sheet, row=self.row, column=heading.column)

    @property
    def fields(self) -> frozenset[str]:
        """Give the fields of the known columns."""
        return frozenset(column.field for _, column in self.known())


class Recogniser:
    """Knows the headings of each kind of sheet."""

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        taught: Mapping[SheetKind, Mapping[str, str]] = _NOTHING,
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
        self._parts = {kind: part_names(given) for kind, given in columns.items()}

    def find(self, grid: Grid, *, kind: SheetKind) -> HeadingRow | None:
        """Find the first row with the most known headings, if any."""
        best: HeadingRow | None = None
        for number, cells in grid.top():
            found = self._read(number, cells, kind)
            if best is None or len(found.fields) > len(best.fields):
                best = found
        enough = min(_ENOUGH, len(self.columns[kind]))
        return best if best is not None and len(best.fields) >= enough else None

    def best(self, grid: Grid, *, kinds: Iterable[SheetKind]) -> HeadingRow | None:
        """Find the kind that fits `grid` best; required headings count first."""
        found = [row for kind in kinds if (row := self.find(grid, kind=kind))]
        return max(found, key=self._fit, default=None)

    def findings(self, row: HeadingRow, *, sheet: str) -> tuple[Finding, ...]:
        """List what is wrong with the headings of `sheet`."""
        spare = [h for h in row.headings if h.means is None and h.text]
        missing = [
            column
            for column in self.columns[row.kind]
            if column.field not in row.fields | self._given
        ]
        heads = [_missing(column, spare, row=row, sheet=sheet) for column in missing]
        near = [_unknown(heading, missing, row=row, sheet=sheet) for heading in spare]
        twice = [_twice(*pair, row=row, sheet=sheet) for pair in row.twice]
        near += [
            _beside_whole(heading, row=row, sheet=sheet) for heading in row.partial
        ]
        said = [
            _as_taught(heading, column, row=row, sheet=sheet)
            for heading, column in row.known()
            if self._is_taught(heading.text, row.kind)
        ]
        found = (*heads, *twice, *near, *said)
        return tuple(each for each in found if each is not None)

    def _fit(self, row: HeadingRow) -> tuple[float, int]:
        needed = [c.field for c in self.columns[row.kind] if c.required]
        there = len(row.fields.intersection(needed))
        return (there / len(needed) if needed else 1.0, len(row.fields))

    def _read(
        self, number: int, cells: Sequence[RawValue], kind: SheetKind
    ) -> HeadingRow:
        texts = [one_line(show(cell), limit=_HEADING_CHARACTERS) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        own = own_headings(texts)
        known: dict[tuple[str, int], Heading] = {}
        headings, twice = [], []
        for index, text in enumerate(texts):
            if index in own:
                continue
            meant = self._meaning(text, kind)
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
            kind=kind, row=number, headings=whole, twice=tuple(twice), partial=partial
        )

    def _is_taught(self, text: str, kind: SheetKind) -> bool:
        names = self._taught[kind]
        return fold(text) in names or fold(_UNIT.sub(" ", text)) in names

    def _meaning(self, text: str, kind: SheetKind) -> Part | None:
        names, parts = self._names[kind], self._parts[kind]
        either_way = fold(text), fold(_UNIT.sub(" ", text))
        whole = next((names[name] for name in either_way if name in names), None)
        if whole is not None:
            return whole, 0
        return next((parts[name] for name in either_way if name in parts), None)


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
    columns: Sequence[Column], headings: Mapping[str, str]
) -> dict[str, Column]:
    """Index columns by the headings that the settings teach."""
    by_field = {column.field: column for column in columns}
    return {fold(text): by_field[field] for text, field in headings.items()}


def _as_taught(
    heading: Heading, column: Column, *, row: HeadingRow, sheet: str
) -> Finding:
    return note(
        HEADING_TAUGHT,
        message=(
            f"Column “{heading.text}” is read as {column.title}, as kawe.toml says."
        ),
    ).at(row.cell(heading, sheet), heading=heading.text, value=heading.text)


def _missing(
    column: Column, spare: list[Heading], *, row: HeadingRow, sheet: str
) -> Finding | None:
    if not column.required:
        return None
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
        "heading-missing",
        message=f"The sheet has no column “{column.title}”.{nearest}",
        advice=advice,
    ).at(RowRef(sheet=sheet, row=row.row), heading=column.title)


def _unknown(
    heading: Heading, missing: list[Column], *, row: HeadingRow, sheet: str
) -> Finding | None:
    """Suggest columns for an unknown heading."""
    names = {fold(column.title): column.title for column in missing}
    found = process.extract(
        fold(heading.text), names.keys(), scorer=fuzz.ratio, score_cutoff=_ALIKE
    )
    if not found:
        return None
    meant = either([f"“{names[name]}”" for name, _, _ in found[:3]])
    return warning(
        "heading-unknown",
        message=f"kawe does not know the heading “{heading.text}” and ignored it.",
        advice=f"If it means {meant}, rename it.",
    ).at(row.cell(heading, sheet), heading=heading.text, value=heading.text)


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
        advice="Rename or delete the one that should not be read.",
    ).at(row.cell(second, sheet), heading=second.text, value=second.text)


def _likeness(text: str, names: list[str]) -> float:
    return max((fuzz.ratio(fold(text), name) for name in names), default=0.0)
