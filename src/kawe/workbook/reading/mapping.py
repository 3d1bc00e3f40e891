"""Gives every column of a sheet with what it is read as, or may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import COLUMNS_OPEN, HEADING_UNKNOWN, Finding
from kawe.domain.sheet.read_as import How, ReadAs, SheetColumn
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.counts import some_of
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.cells.choices import either
from kawe.workbook.cells.reading import error, show, warning
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.assigning import ColumnCells, Guess, assign
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.sheets import Body
from kawe_xlsx.cells import column_letters

_VALUES: Final = 3
_NAMED: Final = 5
_ASKED: Final = 2
_OURS: Final = frozenset(map(fold, HEADINGS))
_TOLD: Final = frozenset({CellKind.CHOICE, CellKind.DATE})
"""Kinds of which the cells tell whether a heading was right."""


def mapped(
    body: Body, fields: Sequence[Column]
) -> tuple[Body, tuple[SheetColumn, ...]]:
    """Give the columns of a sheet, and the sheet without those that are doubted.

    A column is doubted that is known by a synonym alone, that has no cell which could
    be read, and whose field another column suits.
    """
    row = body.headings
    cells = dict(_looked_at(body))
    doubted = _doubted(row, cells)
    if doubted:
        row = row.without(doubted)
        body = replace(body, headings=row)
    # Of a part of a column, and of a second one, the headings' own findings speak.
    apart = {each.column for each in row.partial} | {b.column for _, b in row.twice}
    if row.own:
        # A copy of one of kawe's own columns is nothing of the person's.
        apart |= {e.column for e in row.headings if fold(e.text) in _OURS}
    read = {means.field: each.column for each, means in row.known()}
    texts = {each.column: each.text for each in row.headings}
    known = {each.column for each, _ in row.known()}
    guesses = assign(
        {
            at: each
            for at, each in cells.items()
            if texts.get(at) and at not in known | apart and at not in row.said
        },
        texts,
        fields=[each for each in fields if each.field not in read],
        known={field: cells[at] for field, at in read.items()},
    )
    return body, tuple(_columns(row, cells, guesses))


def _columns(
    row: HeadingRow, cells: Mapping[int, ColumnCells], guesses: Mapping[int, Guess]
) -> Iterator[SheetColumn]:
    twins = {second.column: first.text for first, second in row.twice}
    means = {each.column: column for each, column in row.known()}
    texts = {each.column: each.text for each in row.headings}
    for at, each in sorted(cells.items()):
        if at not in means and not each.examples:
            continue
        how, why = row.said.get(at, (How.NAME if at in means else How.UNREAD, ""))
        guess = guesses.get(at, Guess())
        if at in twins:
            why = f"the same as “{one_line(twins[at], limit=40)}”"
        elif guess.means is not None:
            how, why = How.GUESS, guess.by
        yield SheetColumn(
            column=at,
            heading=texts.get(at, ""),
            key=row.keys.get(at, column_letters(at)),
            how=how,
            means=means.get(at, guess.means),
            others=guess.others,
            why=why,
            values=tuple(show(value) for value in each.examples[:_VALUES]),
        )


def _looked_at(body: Body) -> Iterator[tuple[int, ColumnCells]]:
    ours = frozenset(body.headings.own.values())
    wide = max((len(values) for _, values in body.whole), default=0)
    for at in range(1, max(wide, body.headings.width) + 1):
        if at not in ours:
            values = (row[at - 1] if at <= len(row) else None for _, row in body.whole)
            yield at, ColumnCells(values)


def _doubted(row: HeadingRow, cells: Mapping[int, ColumnCells]) -> frozenset[int]:
    known = {each.column: means for each, means in row.known()}
    texts = {each.column: fold(each.text) for each in row.headings}
    free = [each for at, each in cells.items() if at not in known]
    return frozenset(
        at
        for at, means in known.items()
        if means.kind in _TOLD
        and at not in row.said
        and cells[at].examples
        and texts[at] != fold(means.title)
        and cells[at].fit(means) is None
        and any((each.fit(means) or 0.0) > 0.5 for each in free)
    )


def findings_of(read_as: ReadAs, *, at: RowRef, workbook: str) -> Iterator[Finding]:
    """Say which columns may be one of kawe's and were not read.

    Nothing of the sheet goes on where one may decide what reaches people.
    """
    needed = [each for each in read_as.every if each.needs_answer]
    if needed:
        names = some_of([*map(_asked, needed)], shown=_NAMED)
        one = len(needed) == 1
        be, they = ("is", "It decides") if one else ("are", "They decide")
        yield error(
            COLUMNS_OPEN,
            message=f"kawe is not sure what {names} {be}. {they} what reaches people, "
            "so nothing goes on before a person has said it.",
            advice=f"Say it here: kawe columns {workbook} – or rename the headings.",
        ).at(at)
    for each in read_as.open:
        if not each.needs_answer:
            meant = either(
                [f"“{c.title}”" for c in (each.means, *each.others) if c is not None]
            )
            yield warning(
                HEADING_UNKNOWN,
                message=f"kawe does not know the heading {each.shown} and ignored it.",
                advice=f"If it means {meant}, rename it, or say so: kawe columns "
                f"{workbook}",
            ).at(
                at.cell(each.column),
                heading=each.heading,
                value=one_line(each.heading),
            )


def _asked(column: SheetColumn) -> str:
    """Say what a column may be: “Works begin” (Start date?)."""
    may_be = [c.title for c in (column.means, *column.others) if c is not None]
    return f"{column.shown} ({either(may_be[:_ASKED])}?)"
