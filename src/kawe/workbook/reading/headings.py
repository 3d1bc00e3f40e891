"""A sheet as values, its heading row, and the column of each heading.

A heading means a column when it equals the column's title, field or a synonym; case,
macrons, asterisks and units do not count. Of a heading in two languages either half
counts. What a person said of sheets with the same headings comes before all of that,
and a rule of the settings after it. A similar heading is not taken for it: see
`assigning`.

Headings may be split over two rows: a group above its columns, or two lines. "Project"
above "No." and "Name" is "Project No." and "Project Name"; "Start" above "date" is
"Start date". A text is only put together where that makes it known.

People split columns in parts: first name and surname.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice, takewhile
from math import inf
from operator import itemgetter
from statistics import fmean
from typing import Final, TypeAlias

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.findings import HEADING_MISSING, Finding, Remark, RowRef
from kawe.domain.sheet.tables import NO_MEMORY, ColumnMemory, Heading, How, ReadAs
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.cells.reading import error, show, warning
from kawe.workbook.own_words import own_headings
from kawe.workbook.reading.alike import (
    halves,
    is_maori,
    names_of,
    nearness,
    of_form,
    spellings,
)
from kawe_xlsx.cells import RawValue, column_letters
from kawe_xlsx.limits import HEADING_ROWS
from kawe_xlsx.scan.tally import Area, Position, SheetScan

GridRow: TypeAlias = tuple[int, tuple[RawValue, ...]]
"""Excel's row number, and the values from column A on."""
Part: TypeAlias = tuple[Column, int]
"""A column, and which of its parts, from 1; 0: the whole column."""
Texts: TypeAlias = tuple[str, ...]
_ALIKE: Final = 0.5
_HEADING_CHARACTERS: Final = 200
_ENOUGH: Final = 2
# Iwi 2 is one of several columns of a list.
_COUNTED: Final = re.compile(r"(.*[a-z]) ?\d\d?")
_IN_BRACKETS: Final = re.compile(r"[\(\[]([^()\[\]]+)[\)\]]")
# "$000" says in what the figures below count.
_FIGURES: Final = re.compile(r"(?!\$?0+$)[-+$]?\d[\d\s.,:/%-]*")
_YEARS: Final = re.compile(r"(?:19|20)\d\d(?:\s?[/–-]\s?\d\d(?:\d\d)?)?(?:\.0)?")
_Group: TypeAlias = tuple[str, bool]
"""What stands above a column, and whether it is only guessed that it does."""
_Meaning: TypeAlias = Callable[[str], Part | None]
"""Gives what a heading means, None where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One sheet without empty rows.

    Each iteration makes the rows anew, so that 200,000 rows are never in memory.
    """

    sheet: str
    rows: Iterable[GridRow]
    tally: SheetScan = field(default_factory=SheetScan)
    """What a scan found. The rows hold the text of an error, and None for a formula
    without a value."""
    counts_from_1904: bool = False
    totals_rows: frozenset[int] = frozenset()
    commented_rows: frozenset[int] = frozenset()
    reach: Position | None = None
    """The last row and column with a value, if none was left out."""
    uncertain: frozenset[Position] = frozenset()
    """Cells that depend on a guessed encoding."""
    findings: tuple[Finding, ...] = ()
    """Findings on the whole sheet."""

    def top(self) -> Iterable[GridRow]:
        return islice(self.rows, HEADING_ROWS)

    def between(self, start: int, until: float = inf) -> "Grid":
        """Give the rows from `start` on, without `until` and those below."""
        rows = takewhile(lambda each: each[0] < until, self.rows)
        return replace(self, rows=[each for each in rows if start <= each[0]])

    def across(self, columns: Container[int]) -> "Grid":
        """Give it with nothing in other columns than these."""
        rows = [
            (number, tuple(v if at in columns else None for at, v in enumerate(row, 1)))
            for number, row in self.rows
        ]
        rows = [row for row in rows if any(value is not None for value in row[1])]
        # Of a row of totals it is not known below which columns it stands.
        return replace(self, rows=rows, totals_rows=frozenset())


def _meanings(columns: Sequence[Column]) -> Mapping[str, Part]:
    """Index columns by every name: titles, then synonyms, then names of parts."""
    names = [
        (name, (column, 0))
        for most in (1, None)
        for column in columns
        for name in names_of(column)[:most]
    ]
    names += [
        (fold(name), (column, number))
        for column in columns
        for number, part in enumerate(column.parts, start=1)
        for name in part
    ]
    # What stands first counts.
    return dict(reversed(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingRow:
    """The heading row for one kind of sheet."""

    kind: SheetKind
    columns: Sequence[Column]
    """All that a sheet of this kind can have."""
    row: int
    headings: tuple[Heading, ...]
    """From column A on, without kawe's own columns."""
    twice: tuple[tuple[Heading, Heading], ...]
    """Pairs with one meaning; the second is not read."""
    own: Mapping[str, int]
    """The columns that kawe added to a result, by their headings."""
    meanings: Mapping[str, Part]
    """What every heading means, folded, that people give a column of this kind."""
    partial: tuple[Heading, ...] = ()
    """Headings of a part of a column that are not read."""
    lines: tuple[Texts, Texts] | tuple[()] = ()
    """The texts of both rows, the upper first, where headings are split over two."""
    shape: str = ""
    """What it has in common with sheets of the same headings."""
    is_kept: bool = False
    """A person said how sheets of this shape are read."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Which others of a table of places they said addresses of such sheets to be."""

    def known(self) -> Iterator[tuple[Heading, Column]]:
        return ((e, e.means) for e in self.headings if e.means is not None)

    def names(self, heading: Heading) -> tuple[str, ...]:
        """Give every text that stands for `heading` in the sheet."""
        at = heading.column - 1
        return (heading.text, *(line[at] for line in self.lines if at < len(line)))

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(column.field for _, column in self.known())

    @property
    def needed(self) -> list[Column]:
        return [each for each in self.columns if each.required]

    @property
    def share(self) -> float:
        """Give the share of the columns that its rows need which are there."""
        there = [each.field in self.fields for each in self.needed]
        return fmean(there) if there else 1.0


class Recogniser:
    """Knows the headings of each kind of sheet."""

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        memory: ColumnMemory = NO_MEMORY,
        given: frozenset[str] = frozenset(),
    ) -> None:
        self.columns, self._memory, self._given = columns, memory, given
        self._names = {kind: _meanings(every) for kind, every in columns.items()}
        # The texts of headings with their line breaks, by their texts on one line.
        self._whole: dict[str, str] = {}

    def find(
        self, grid: Grid, *, kind: SheetKind, is_alone: bool = False
    ) -> HeadingRow | None:
        """Find the first row, or two together, with the most known headings, if any.

        One is enough where it is all that is needed, or where the sheet `is_alone`.
        """
        best: HeadingRow | None = None
        above: tuple[int, Texts] = (0, ())
        for number, cells in grid.top():
            texts = self._texts(cells)
            found = [self._read(number, texts, kind)]
            if above[0] == number - 1 and not is_data(cells, texts):
                found.append(self._both(above[1], texts, found[0], grid=grid))
            for row in found:
                if row.is_kept:
                    return row
                if best is None or len(row.fields) > len(best.fields):
                    best = row
            above = number, texts
        enough = min(_ENOUGH, len(self.columns[kind]))
        if best and kind.needs_its_name:
            is_one = len(best.headings) == best.share == 1
            enough = 1 if is_one or (is_alone and best.share > 0) else enough
        return best if best is not None and len(best.fields) >= enough else None

    def best(self, grid: Grid, *, kinds: Iterable[SheetKind]) -> HeadingRow | None:
        """Find the kind that fits `grid` best; required headings count first."""
        found = [row for kind in kinds if (row := self.find(grid, kind=kind))]
        return max(found, key=lambda row: (row.share, len(row.fields)), default=None)

    def findings(
        self, row: HeadingRow, read_as: ReadAs, *, at: RowRef
    ) -> Iterator[Finding]:
        """Say what is wrong with the headings, but for what a guess would mend."""
        guessed = {each.may_be[0].field for each in read_as.unread if each.may_be}
        there = row.fields | guessed | self._given
        for column in row.needed:
            if column.field not in there:
                yield _missing(column, row).at(at, heading=column.title)
        for first, second in row.twice:
            letters = " and ".join(column_letters(e.column) for e in (first, second))
            yield error(
                "heading-twice",
                message=f"Columns {letters}, “{first.text}” and “{second.text}”, mean "
                "the same.",
                advice="Rename or delete the one that should not be read, or say so: "
                f"{Next.COLUMNS}, with the workbook.",
            ).at(at.cell(second.column), heading=second.text, value=second.text)
        whole = {means.field: heading.text for heading, means in row.known()}
        for part in row.partial:
            if (means := part.means) and (other := whole.get(means.field)):
                advice = f"If “{other}” holds a part only, give it the heading "
                advice += f"“{means.parts[0][0]}”."
                yield _left_out(part, (other, means.title), advice=advice, at=at)
        yield from _of_one_name(read_as, at=at)

    def _both(
        self, upper: Texts, lower: Texts, found: HeadingRow, *, grid: Grid
    ) -> HeadingRow:
        """Read a row together with the one above it."""
        row, meaning = found.row, partial(self.meaning, kind=found.kind)
        above = (*upper, *[""] * (len(lower) - len(upper)))
        below = (*lower, *[""] * (len(upper) - len(lower)))
        over = _groups(above, row=row - 1, merges=grid.tally.merges)
        whole = _together(over, below, meaning=meaning)
        return replace(self._read(row, whole, found.kind), lines=(upper, lower))

    def at(self, grid: Grid, number: int, *, kind: SheetKind) -> HeadingRow:
        """Read row `number` of `grid` as the headings, whatever is known of them."""
        return self._read(number, self._texts(dict(grid.top())[number]), kind)

    def _texts(self, cells: Sequence[RawValue]) -> Texts:
        whole = [show(cell)[:_HEADING_CHARACTERS] for cell in cells]
        texts = [one_line(each, limit=_HEADING_CHARACTERS) for each in whole]
        self._whole.update(zip(texts, whole, strict=True))
        while texts and not texts[-1]:
            texts.pop()
        return tuple(texts)

    def _read(self, number: int, texts: Sequence[str], kind: SheetKind) -> HeadingRow:
        own = {name: at + 1 for name, at in own_headings(texts).items()}
        keys = _keys(texts, but=own.values())
        there = sorted(key for at, key in keys.items() if texts[at - 1])
        shape = sha256("\n".join(there).encode()).hexdigest()[:16]
        kept = self._memory.kept.get(shape)
        kept = kept if kept is not None and kept.kind == kind else None
        said = {} if kept is None else kept.fields
        first: dict[tuple[str, int], Heading] = {}
        headings, twice, form = [], [], of_form(texts)
        for at, key in keys.items():
            heading = Heading(column=at, text=texts[at - 1], key=key)
            heading = self._meant(heading, kind, said)
            if at in form and not heading.is_said:
                heading = heading.as_known(None, why="says who answered")
            if heading.means is not None:
                name = heading.means.field, heading.part
                other = first.setdefault(name, heading)
                # Of two first names, the first is read; of Iwi 1 and Iwi 2, both.
                is_list = heading.means.kind is CellKind.LIST
                is_more = is_list and _COUNTED.fullmatch(fold(heading.text))
                if other is not heading and not is_more:
                    same = f"the same as “{one_line(other.text, limit=40)}”"
                    twice += [] if heading.part else [(other, heading)]
                    heading = heading.as_known(None, why="" if heading.part else same)
            headings.append(heading)
        # Degrees without minutes may be the whole place.
        parts = {
            e: "" if e.means and e.means.kind is CellKind.PLACE else "holds a part"
            for e in first.values()
            if _is_partial(e, first)
        }
        return HeadingRow(
            kind=kind,
            columns=self.columns[kind],
            row=number,
            headings=tuple(
                e.as_known(None, why=parts[e]) if e in parts else e for e in headings
            ),
            twice=tuple(twice),
            partial=tuple(e for e in headings if e in parts),
            own=own,
            meanings=self._names[kind],
            shape=shape,
            is_kept=bool(said),
            addresses={} if kept is None else kept.addresses,
        )

    def _meant(
        self, heading: Heading, kind: SheetKind, said: Mapping[str, str | None]
    ) -> Heading:
        """Say what it is: what a person said, its name, or a rule."""
        rules, text = self._memory.rules, heading.text
        ruled = [rules[kind, e] for e in spellings(text) if (kind, e) in rules]
        if heading.key in said:
            how, why, field = How.KEPT, "as you said", said[heading.key]
        elif meant := self.meaning(text, kind):
            return heading.as_known(meant[0], part=meant[1])
        elif ruled:
            how, why, field = How.RULE, ruled[0].by, ruled[0].field
        else:
            return heading
        means = next((e for e in self.columns[kind] if e.field == field), None)
        return replace(heading, means=means, how=how, why=why)

    def meaning(self, text: str, kind: SheetKind) -> Part | None:
        """Say which column a heading means, and which part of it; 0 is all of it.

        Of two halves both mean the same column; or the other half is te reo Māori,
        and kawe does not know it.
        """
        names = self._names[kind]
        meant_by = [names[each] for each in spellings(text) if each in names]
        # “Start (m)” says where, and not when.
        is_where = re.search(r"(?i)[(\[]\s*(?:k?m|metres|rp)\s*[)\]]", text)
        meant_by = [e for e in meant_by if not is_where or e[0].kind != CellKind.DATE]
        # “Lat (deg)” is the whole, “Lat deg” may be a part.
        whole = min(meant_by, key=itemgetter(1), default=None)
        counted = filter(None, map(_COUNTED.fullmatch, spellings(text)))
        lists = (names[each[1]] for each in counted if each[1] in names)
        one = (each for each in lists if each[0].kind is CellKind.LIST)
        if whole is not None or (whole := next(one, None)):
            return whole
        parts = halves(self._whole.get(text, text))
        meant = {names[each][0].field: names[each] for each in parts if each in names}
        others = (each for each in parts if each not in names)
        is_one = len(meant) == 1 and all(map(is_maori, others))
        return next(iter(meant.values())) if is_one else None


def _keys(texts: Sequence[str], *, but: Container[int]) -> dict[int, str]:
    """Name columns by their headings, folded; the second of a name is “name #2”."""
    keys: dict[int, str] = {}
    times: Counter[str] = Counter()
    for column, text in enumerate(texts, start=1):
        if column not in but:
            plain = fold(text) or text or column_letters(column)
            times[plain] += 1
            keys[column] = f"{plain} #{times[plain]}" if times[plain] > 1 else plain
    return keys


def _of_one_name(read_as: ReadAs, *, at: RowRef) -> Iterator[Finding]:
    """Warn of “Iwi 2” that is not read beside “Iwi 1” that is."""
    names = {
        each: " ".join(word for word in fold(each.text).split() if not word.isdigit())
        for each in read_as.every
    }
    known = {names[e]: (e.text, e.means.title) for e in read_as.every if e.means}
    for each, name in names.items():
        if name in known and each.means is None and each.values and not each.why:
            advice = (
                f"Put what both hold into “{known[name][0]}”, or delete this column."
            )
            yield _left_out(each, known[name], advice=advice, at=at)


def _left_out(
    each: Heading, taken: tuple[str, str], *, advice: str, at: RowRef
) -> Finding:
    message = "“{}” is not read: “{}” is taken for the whole {}.".format(
        each.text, *taken
    )
    remark = warning("heading-part", message=message, advice=advice)
    return remark.at(at.cell(each.column), heading=each.text, value=each.text)


def _is_partial(heading: Heading, there: Container[tuple[str, int]]) -> bool:
    """Say whether it names a part and other parts lack, or the whole is there."""
    if not heading.part or heading.means is None:
        return False
    field = heading.means.field
    return (field, 0) in there or not all((field, at) in there for at in (1, 2))


def _missing(column: Column, row: HeadingRow) -> Remark:
    like = (
        (nearness(each.text, column), each.text)
        for each in row.headings
        if each.means is None and each.text and not each.is_said
    )
    score, best = max(like, key=itemgetter(0), default=(0.0, ""))
    more = f" The nearest heading in row {row.row} is “{best}”."
    if score == 1.0:
        more = f" “{best}” in row {row.row} has something else below it."
    more = more if score >= _ALIKE else ""
    advice = f"Add a column with the heading “{column.title}”, or rename one."
    there = {each.part: each.text for each in row.partial if each.means is column}
    if there:
        parts = enumerate(column.parts, start=1)
        others = [f"“{names[0]}”" for number, names in parts if number not in there]
        more = f" “{next(iter(there.values()))}” holds a part of it."
        advice = f"Add a column {' and '.join(others)}, or one “{column.title}”."
    elif column.option:
        advice = (
            f"Give one for every row with {column.option}, or add a column with the "
            f"heading “{column.title}”."
        )
    return error(
        HEADING_MISSING,
        message=f"The sheet has no column “{column.title}”.{more}",
        advice=advice,
    )


def is_data(cells: Iterable[RawValue], texts: Iterable[str]) -> bool:
    return any(
        "@" in text
        or (isinstance(cell, bool) and text != "")
        or (_FIGURES.fullmatch(text) is not None and not _YEARS.fullmatch(text))
        for cell, text in zip(cells, texts, strict=False)
    )


def likeliest(grid: Grid) -> tuple[int, Sequence[str]]:
    """Give the row that looks most like headings: many short texts, no two equal."""
    best: tuple[int, Sequence[str]] = (0, ())
    for number, cells in grid.top():
        texts = [show(cell) for cell in cells if not is_blank(cell)]
        is_like = len(set(texts)) == len(texts) and not is_data(cells, map(show, cells))
        if is_like and len(texts) > max(_ENOUGH, len(best[1])):
            best = number, texts
    return best


def _groups(upper: Sequence[str], *, row: int, merges: Iterable[Area]) -> list[_Group]:
    """Give what stands above each column, and whether it is only guessed.

    A text reaches as far as its cell is merged. In a row without such cells it reaches
    to the next text, unless it is the only one: that is a title.
    """
    above = [*upper]
    here = [each for each in merges if each.first_row == each.last_row == row]
    wide = [each for each in here if each.first_column < each.last_column]
    for area in wide:
        first, last = area.first_column - 1, min(area.last_column, len(above))
        above[first:last] = above[first : first + 1] * (last - first)
    if wide or sum(map(bool, upper)) <= 1:
        return [(text, False) for text in above]
    before = ""
    return [(before := text or before, not text) for text in above]


def _together(
    over: Sequence[_Group], lower: Sequence[str], *, meaning: _Meaning
) -> list[str]:
    every = [[*_joined(*each)] for each in zip(over, lower, strict=True)]
    known = [next(filter(meaning, texts), "") for texts in every]
    taken = {meaning(text) for text in known if text}
    whole = []
    for text, joined, (_, is_guessed), low in zip(
        known, every, over, lower, strict=True
    ):
        means = meaning(low)
        # "Name" below "Applicant" is not the name, if another column is.
        is_own = is_guessed if means is None else means not in taken
        whole.append(text or (low if low and is_own else next(iter(joined), low)))
    return whole


def _joined(above: _Group, low: str) -> Iterator[str]:
    group, is_guessed = above
    if not low:
        yield "" if is_guessed else group
    elif group:
        yield f"{group} {low}"
        # Below "Location (NZTM)", E is "NZTM E".
        yield from (f"{unit} {low}" for unit in _IN_BRACKETS.findall(group))
