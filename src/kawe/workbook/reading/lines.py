"""The tables of a sheet, and their rows without lines that are none.

Totals, notes and hints are told by their form alone, and a line that says anything else
is a row: it is better refused than left out. Each line that is left out is named.

Of several tables on one sheet, below or beside each other, one is read. A line of
headings that stand below others than above it begins another table. Columns that an
empty column parts are another table if they name its rows again.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import groupby, pairwise, takewhile
from math import inf
from typing import Final, TypeAlias

from kawe.domain.sheet.aside import OFF_TITLE, is_aside
from kawe.domain.sheet.columns import CellKind, SheetKind
from kawe.domain.sheet.findings import LINES_LEFT_OUT, TABLE_NOT_READ, Finding, RowRef
from kawe.domain.sheet.tables import Heading
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, fold, one_line, rows_words
from kawe.errors import ReadingUnclear
from kawe.workbook.cells.readers import is_blank, read_number
from kawe.workbook.cells.reading import note, quoted, show, warning
from kawe.workbook.own_words import HEADINGS, NAMING
from kawe.workbook.reading.alike import spellings
from kawe.workbook.reading.headings import (
    Grid,
    GridRow,
    HeadingRow,
    Recogniser,
    is_data,
    likeliest,
)
from kawe.workbook.reading.notes import FULL, SparseLines, Why, is_number, says_note
from kawe_xlsx.cells import RawValue, column_letters

_HEADING_CHARACTERS: Final = 200
_COUNTED: Final = (
    "people|persons?|peoples|tangata|staff|members?|users?|invitees?|invitations?|"
    "names?|employees?|projects?|consents?|applications?|rows?|lines?|records?|"
    "entries|items?|jobs?|sites?|hours?|cost|amount|sum|value|count|number"
)
_SUMMED: Final = "grand|sub|overall|running|final|page|monthly"
_LITTLE: Final = (
    "of|for|the|all|in|on|this|list|listed|sheet|page|month|year|to|date|no"
)
_ENDED: Final = "list|sheet|data|file|report|table|page|document|register|schedule"
# Folded: a word for a sum, and what was summed. Compiled when asked: it takes 20 ms.
_TOTAL: Final = (
    r"(?:"
    rf"(?:(?:{_SUMMED}) ?)?totals?|sum|tapeke|katoa|"
    rf"(?:(?:{_COUNTED}) )?count|headcount|(?:nos?|n) \d+|"
    rf"(?:number|no) of (?:{_COUNTED})|"
    rf"end(?: of(?: the)? (?:{_ENDED}|{_COUNTED}))?|[\d ]*\d (?:{_COUNTED})"
    r")"
    rf"(?: (?:{_COUNTED}|{_LITTLE}|totals?|\d+))*"
)
_TOTAL_OF: Final = r"(?:sub ?)?totals? "
_REFERENCE: Final = re.compile(r"[a-z]{1,4}[-/ ]?\d[\w/.-]{2,}", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"[\d\s.,]+(?:[a-z]|$)", re.IGNORECASE)


_TWO: Final = frozenset(
    each[:2]
    for words in (_SUMMED, _COUNTED, "total|tapeke|katoa|headcount|number|no|n|end")
    for each in words.split("|")
)
"""The first letters of totals."""
_Cell: TypeAlias = tuple[Heading, Collection[str], RawValue]
"""The heading above a cell, what it may say as well, and the cell."""
_FIRST_HEADINGS: Final = 3
_COLOUR: Final = re.compile(
    r"(?i)\b(?:red|orange|yellow|green|blue|gr[ae]y|pink|shaded|highlighted|colou?r)"
)
_IF_OFF: Final = "If it is said of rows, delete them or strike them through."
_IF_ROWS: Final = "If one is a row, fill in its other cells."


@dataclass(kw_only=True, eq=False)
class Body:
    """What stands below the headings of a table: its rows, and lines that are none."""

    grid: Grid
    headings: HeadingRow
    takes_struck: bool | None = None
    """Whether the person took what is struck through, if they said so."""
    takes_months_first: bool = False
    """They agreed that dates have the month first where one of the sheet has it so."""
    until: float = inf
    """The row of the headings of another table below."""
    is_other: bool = False
    """It is not of the kind that its sheet is read as."""
    is_beside: bool = False
    """Another table stands beside it."""
    moved: set[int] = field(default_factory=set, init=False)
    """Rows of headings, of which one stands below another."""
    _left_out: dict[int, Why] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        names = self.headings.names
        self._headings = [
            (each, {*map(fold, names(each))} - {""}) for each in self.headings.headings
        ]
        self._names = {*self.headings.meanings, *map(fold, HEADINGS)}.union(
            *(texts for _, texts in self._headings)
        )
        self._two = _TWO.union(each[:2] for each in self._names)
        self._has_references = any(map(_REFERENCE.fullmatch, self._names))
        is_skipped = self.takes_struck is False
        self._skipped = self.grid.tally.struck_rows if is_skipped else frozenset[int]()
        self.rows = self._rows()

    @property
    def ref(self) -> RowRef:
        return RowRef(sheet=self.grid.sheet, row=self.headings.row)

    def among(self, rows: Collection[int]) -> list[int]:
        return [at for at, _ in self.rows if at in rows] if rows else []

    def own(self, heading: str) -> dict[int, str]:
        """Give what stands in one of kawe's own columns, by row."""
        at = self.headings.own.get(heading, 0)
        rows = (each for each in self.rows if 0 < at <= len(each[1]))
        texts = ((number, show(values[at - 1])) for number, values in rows)
        return {number: text for number, text in texts if text}

    def values(self) -> Iterator[GridRow]:
        """Give each row with the values of its headings."""
        indices = [heading.column - 1 for heading in self.headings.headings]
        reach = max(indices, default=-1) + 1
        is_whole = indices == [*range(reach)]
        for number, row in self.rows:
            whole = row + (None,) * (reach - len(row))
            cells = whole[:reach] if is_whole else tuple([whole[at] for at in indices])
            yield number, cells

    def _rows(self) -> Sequence[GridRow]:
        special = {row for row, _ in self.grid.tally.uncalculated}
        rows: Sequence[GridRow] = [
            row
            for row in self.grid.rows
            if row[0] > self.headings.row
            and self._is_row(*row, is_special=row[0] in special)
        ]
        for find in (self._titles, self._sum, self._notes):
            if found := find(rows):
                self._left_out.update(found)
                rows = [each for each in rows if each[0] not in found]
        return rows

    def _is_row(
        self, number: int, values: Sequence[RawValue], *, is_special: bool
    ) -> bool:
        is_sum = number in self.grid.totals_rows
        if is_sum or number >= self.until:
            self._left_out[number] = Why.TOTAL if is_sum else Why.TABLE
            return False
        first = next((value for _, _, value in self._filled(values)), None)
        if first is None and not is_special:
            return False
        if isinstance(first, str) and not self._skipped and self._is_other(first):
            return True
        if why := self._why(number, [*self._filled(values)]):
            self._left_out[number] = why
        return why is None

    def _is_other(self, first: str) -> bool:
        """Check quickly that the line with this first cell is a row, as most are."""
        if not self._has_references and _REFERENCE.fullmatch(first):
            return True
        return not _NUMBERED.match(first) and not self._may_begin(first)

    def _may_begin(self, text: str) -> bool:
        """Look at the first letters alone, which is fast."""
        two = text[:2].lower()
        return two in self._two or not (two.isascii() and two.isalnum())

    def _titles(self, _rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find titles above headings that come again.

        Below one of works that are over or of a year, another table begins.
        """
        again = {at for at, why in self._left_out.items() if why is Why.HEADINGS}
        above, found = set[str](), dict[int, Why]()
        for (number, values), (below, _) in pairwise(self.grid.rows if again else ()):
            texts = _texts(values)
            if number <= self.headings.row:
                above.update(texts)
            elif below not in again or len(texts) != 1:
                continue
            elif is_aside(texts[0], today=date.max) and above.isdisjoint(texts):
                self.moved.add(below)
            elif not says_note(texts[0]) and not _REFERENCE.fullmatch(texts[0]):
                found[number] = Why.TITLE
        return found

    def _is_name(self, value: RawValue) -> bool:
        """Check that a cell is the heading of any column of this kind."""
        return (
            isinstance(value, str)
            and len(value) <= _HEADING_CHARACTERS
            and value[:1].isalnum()
            and self._may_begin(value)
            and not self._names.isdisjoint(spellings(value))
        )

    def _why(self, number: int, there: Sequence[_Cell]) -> Why | None:
        if number in self._skipped:
            return Why.STRUCK
        if self._has_headings(number, there):
            return Why.HEADINGS
        words = [each for heading, _, each in there if not _is_figure(heading, each)]
        # Beside figures alone, any name of a total is one: “Total North”.
        is_sum = len(there) > len(words) == 1 and words[0] is there[0][2]
        is_total = is_sum and re.match(_TOTAL_OF, fold(show(words[0]))) is not None
        texts = (fold(each) if isinstance(each, str) else "" for each in words)
        is_total |= bool(words) and all(re.fullmatch(_TOTAL, each) for each in texts)
        return Why.TOTAL if is_total else None

    def _filled(self, values: Sequence[RawValue]) -> Iterator[_Cell]:
        """Give each cell below a heading that is not empty, and the heading."""
        for heading, texts in self._headings:
            index = heading.column - 1
            if index < len(values) and not is_blank(values[index]):
                yield heading, texts, values[index]

    def _has_headings(self, number: int, there: Sequence[_Cell]) -> bool:
        """Check that most cells are headings, and note if one stands elsewhere."""
        named, is_moved, meanings = 0, False, self.headings.meanings
        for heading, texts, value in there:
            is_name, is_known = self._is_name(value), heading.means is not None
            has_figure = any(map(str.isdigit, show(value)))
            if not is_name and (not named or (is_known and has_figure)):
                return False
            named += is_name
            if is_name or is_known:
                # Whether it says what the heading above it says.
                meant, said = (heading.means, heading.part), spellings(str(value))
                here = (e in texts or meanings.get(e) == meant for e in said)
                is_moved |= not any(here)
        is_again = named > 1 and 2 * named > len(there)
        if is_again and is_moved:
            self.moved.add(number)
        return is_again

    def _begins_table(self, values: Sequence[RawValue]) -> bool:
        """Check for a line of headings of which kawe knows some."""
        texts = _texts(values)
        is_text = all(isinstance(each, str) or is_blank(each) for each in values)
        is_like = is_text and len(set(texts)) == len(texts) >= FULL
        named = sum(map(self._is_name, texts)) if is_like else 0
        return named > 1 and not is_data(texts, texts)

    def _sum(self, rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find a sum: the last row, where it is one number alone.

        A number one higher than that above it counts rows, and is none.
        """
        if len(rows) < 2:
            return {}
        above, last = ([*self._filled(values)] for _, values in rows[-2:])
        if not _is_sum(last) or _is_sum(above):
            return {}
        heading, _, value = last[0]
        over = (read_number(each).value for at, _, each in above if at is heading)
        number = read_number(value).value
        counts = isinstance(number, float) and number - 1 in over
        return {} if counts else {rows[-1][0]: Why.TOTAL}

    def _notes(self, rows: Sequence[GridRow]) -> Mapping[int, Why]:
        """Find hints below the headings, notes, and a table of something else."""
        for (above, _), (number, values) in pairwise(rows):
            if number > above + 1 and self._begins_table(values):
                self.moved.add(number)
        return SparseLines(self.grid, self.headings, rows).left_out

    @cached_property
    def _beside_rows(self) -> Sequence[tuple[int, str]]:
        """The titles and notes, and what stands above the headings."""
        why = {Why.TITLE, Why.TITLES, Why.NOTES}
        told = {e for e, each in self._left_out.items() if each in why}
        last = max({self.headings.row, *told})
        # Each look at the rows of a large sheet reads it anew.
        until = takewhile(lambda row: row[0] <= last, self.grid.rows)
        lines = (row for row in until if row[0] in told or row[0] < self.headings.row)
        return [(at, " ".join(_texts(values))) for at, values in lines]

    def called_off(self) -> Mapping[int, str]:
        """Say of each row below a title by which it is off, up to the next, which."""
        titles = [e for e in self._beside_rows if e[0] > self.headings.row]
        return {
            row: f"Row {at} above it says {quoted(text)}."
            for (at, text), (end, _) in pairwise([*titles, (inf, "")])
            if OFF_TITLE.match(text)
            for row, _ in self.rows
            if at < row < end
        }

    def findings(self) -> Iterator[Finding]:
        """Say which lines are no rows."""
        said = (e for e in self._beside_rows if _COLOUR.search(e[1]))
        aside = {at: text for at, text in said if is_aside(text, today=date.min)}
        for at, text in aside.items():
            says = f"Row {at} says {quoted(text)}. kawe still reads the other rows."
            remark = warning(LINES_LEFT_OUT, message=says, advice=_IF_OFF)
            yield remark.at(replace(self.ref, row=at))
        left = {at: why for at, why in self._left_out.items() if at not in aside}
        for why in Why:
            if rows := sorted(at for at, each in left.items() if each is why):
                one, many = why.value
                are = many if rows[1:] else one
                message = f"{rows_words(rows).capitalize()} {are} not read."
                remark = note(LINES_LEFT_OUT, message=message)
                if why is Why.TITLES:
                    remark = warning(LINES_LEFT_OUT, message=message, advice=_IF_ROWS)
                yield remark.at(replace(self.ref, row=rows[0]))


def _texts(values: Sequence[RawValue]) -> list[str]:
    return [show(value) for value in values if not is_blank(value)]


def _is_figure(heading: Heading, value: RawValue) -> bool:
    is_place = heading.means is not None and heading.means.kind is CellKind.PLACE
    return not is_place and is_number(value)


def _is_sum(cells: Sequence[_Cell]) -> bool:
    return len(cells) == 1 and _is_figure(cells[0][0], cells[0][2])


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
    are = rows_words(rows) if rows else "no rows"
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
    if known := recogniser.best(grid, kinds=_kinds(recogniser, row.kind)):
        is_other = known.kind != row.kind
        table = replace(body, grid=grid, headings=known, until=inf, is_other=is_other)
        texts = [each.text for each in known.headings if each.text]
        # Of “Project: Roads, Contact: Mere” every second text is a heading.
        is_named = 2 * len([*known.known()]) > len(texts)
        if is_named and table.rows and not is_data(texts, texts):
            yield table
            return
    number, first = likeliest(grid)
    if number and not any(each.endswith(":") for each in first):
        row = recogniser.at(grid, number, kind=row.kind)
        table = replace(body, grid=grid, headings=row, until=inf, is_other=True)
        lines = (_texts(values) for _, values in table.rows)
        full = [each for each in lines if len(each) >= FULL]
        if full[1:] or any(is_data(each, each) for each in full):
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
    if not (empty := set(range(1, max(top, default=0))) - top):
        return []
    wide = 0
    for _, values in body.grid.rows:
        wide = max(wide, len(values))
        empty = {at for at in empty if at > len(values) or is_blank(values[at - 1])}
    theirs = {*range(1, wide + 1)}.difference(body.headings.own.values()) | empty
    apart = groupby(sorted(theirs), empty.__contains__)
    return [[*columns] for is_empty, columns in apart if not is_empty]
