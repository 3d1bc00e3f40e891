"""The tables of a sheet.

Of several tables on one sheet, below or beside each other, one is read. A line of
headings that stand below others than above it begins another table. Columns that an
empty column parts are another table if they name its rows again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import TABLE_NOT_READ, Finding
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, numbers_words, one_line
from kawe.errors import ReadingUnclear
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.cells.reading import warning
from kawe.workbook.own_words import NAMING
from kawe.workbook.reading.headings import HeadingRow, Recogniser, is_data
from kawe.workbook.reading.lines import Body
from kawe_xlsx.cells import column_letters

_FIRST_HEADINGS = 3


def table_named(every: Sequence[Body], name: str | None) -> Body:
    """Give the table that a person named, by the cell of its first heading.

    Raises:
        ReadingUnclear: There are several, and nobody said which; or none is there.
    """
    wanted = (name or "").replace("$", "").upper()
    found = [each for each in every if wanted in {"", place_of(each)}]
    if not wanted:
        # Contacts without any column that rows need are no list that can be meant; of
        # which kind the sheet is was decided before.
        able = (
            each
            for each in every
            if not each.is_other and any(m.required for _, m in each.headings.known())
        )
        found = [*able] or found
    if len(found) == 1:
        return found[0]
    by_size = sorted(every, key=lambda each: -len(each.rows))
    sheet, first = one_line(every[0].grid.sheet), place_of(by_size[0])
    shown = "; ".join(map(_described, by_size))
    none = "" if name is None else f"no table at {one_line(name, limit=20)}, but "
    has = f"Sheet “{sheet}” has {none}{counted(len(every), 'table')}"
    raise ReadingUnclear(
        about="table",
        lead=f"{has}. One is read at a time.",
        choices=tuple((place_of(each), _described(each)) for each in by_size),
        message=f"{has}: {shown}. One is read at a time.",
        hint=f"Say which: the largest with {Given.TABLE(first)}, then the others in "
        "runs of their own; or put each on a sheet of its own.",
    )


def left_out(every: Sequence[Body], chosen: Body) -> Iterator[Finding]:
    """Name each table that is not read."""
    for each in every:
        if each is not chosen:
            yield warning(
                TABLE_NOT_READ,
                message=f"Not read: the table at {_described(each)}.",
                advice=f"Read it with {Given.TABLE(place_of(each))}, in a run of its "
                "own.",
            ).at(each.ref)


def place_of(table: Body) -> str:
    """Name a table by the cell of its first heading."""
    row = table.headings
    first = next((each.column for each in row.headings if each.text), 1)
    return f"{column_letters(first)}{row.row}"


def _described(table: Body) -> str:
    texts = [each.text for each in table.headings.headings if each.text]
    names = ", ".join(f"“{one_line(e, limit=30)}”" for e in texts[:_FIRST_HEADINGS])
    more = " …" if len(texts) > _FIRST_HEADINGS else ""
    rows = [number for number, _ in table.rows]
    are = f"row{'s' * (len(rows) > 1)} {numbers_words(rows)}" if rows else "no rows"
    return f"{place_of(table)} with {are} ({names}{more})"


def tables_of(
    body: Body, recogniser: Recogniser, kinds: Collection[SheetKind]
) -> Sequence[Body]:
    """Find the tables of a sheet of which `body` was taken for the only one."""
    return [
        each
        for part in _beside(body, recogniser, kinds)
        for each in (*_above(part, recogniser), *_below(part, recogniser))
    ]


def _kinds(recogniser: Recogniser, own: SheetKind) -> list[SheetKind]:
    """Give the kinds that a table without a name may be of, and its sheet's own."""
    return [e for e in recogniser.columns if e == own or not e.needs_its_name]


def _above(body: Body, recogniser: Recogniser) -> Iterator[Body]:
    """Find a table that ends where the headings, which kawe knows better, begin."""
    row = body.headings
    grid = body.grid.between(0, row.row - bool(row.lines))
    if other := recogniser.best(grid, kinds=_kinds(recogniser, row.kind)):
        is_other = other.kind != row.kind
        table = replace(body, grid=grid, headings=other, until=inf, is_other=is_other)
        texts = [each.text for each in other.headings]
        if table.rows and not is_data(texts, texts):
            yield table


def _below(body: Body, recogniser: Recogniser) -> Iterator[Body]:
    """Part a table where other headings begin, or the title above them."""
    while (first := min((*body.moved, body.until))) < inf:
        at, lines = int(first), dict(body.grid.rows)
        has_title = sum(not is_blank(each) for each in lines.get(at - 1, ())) == 1
        yield replace(body, grid=body.grid.between(0, at - has_title), until=inf)
        grid, is_other = body.grid.between(at), at == body.until
        kind = body.headings.kind
        kinds = _kinds(recogniser, kind) if is_other else [kind]
        rows = (recogniser.at(grid, at, kind=each) for each in kinds)
        row = max(rows, key=lambda each: (each.share, len(each.fields)))
        until = inf if is_other else body.until
        is_other = row.kind != kind
        body = replace(body, grid=grid, headings=row, until=until, is_other=is_other)
    yield body


def _beside(
    body: Body, recogniser: Recogniser, kinds: Collection[SheetKind]
) -> Sequence[Body]:
    """Part a sheet at empty columns, to the right of which rows are named again."""
    apart = _columns_apart(body)
    if len(apart) < 2 or body.headings.is_kept:
        return [body]
    every = recogniser.columns
    tables: list[tuple[list[int], set[str]]] = [([], set())]
    for columns in apart:
        row: HeadingRow | None = body.headings
        # What stands above a name says whose it is: “Contact” above “Name”.
        if not body.headings.lines:
            row = recogniser.best(body.grid.across(columns), kinds=every)
        texts = [e.text for e in row.headings if e.column in columns] if row else []
        meant = (recogniser.meaning(text, body.headings.kind) for text in texts)
        # The fields which name the rows, of those in these columns.
        names = {part[0].field for part in meant if part is not None} & {*NAMING}
        if tables[-1][1] & names:
            tables.append((columns, names))
        else:
            tables[-1] = (tables[-1][0] + columns, tables[-1][1] | names)
    if len(tables) < 2:
        return [body]
    return [
        replace(body, grid=grid, headings=row, is_beside=True)
        for grid in (body.grid.across(columns) for columns, _ in tables)
        if (row := recogniser.best(grid, kinds=kinds))
        or (row := recogniser.best(grid, kinds=every))
    ]


def _columns_apart(body: Body) -> Sequence[list[int]]:
    """Give the columns that no empty column parts, kawe's own left out."""
    top: set[int] = set()
    for _, values in body.grid.top():
        top.update(at for at, each in enumerate(values, 1) if not is_blank(each))
    empty = set(range(1, max(top, default=0))) - top
    if not empty:
        return []
    wide = 0
    for _, values in body.grid.rows:
        wide = max(wide, len(values))
        empty = {at for at in empty if at > len(values) or is_blank(values[at - 1])}
    theirs = {*range(1, wide + 1)}.difference(body.headings.own.values()) | empty
    apart = groupby(sorted(theirs), empty.__contains__)
    return [[*columns] for is_empty, columns in apart if not is_empty]
