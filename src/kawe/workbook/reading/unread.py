"""Finds the columns with values that were not read, and what each may be.

A heading is compared with titles and synonyms; and what stands below it must fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import fuzz

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import HEADING_UNKNOWN, Finding
from kawe.domain.sheet.read_as import UnreadColumn
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.cells.choices import either, is_yes_or_no
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank
from kawe.workbook.cells.reading import ColumnFacts, show, warning
from kawe.workbook.reading.headings import spellings
from kawe.workbook.reading.sheets import Body

_ALIKE: Final = 75
_ALIKE_AND_NEEDED: Final = 50
_MISSPELT: Final = 85
_INSIDE: Final = 80
_AS_NEAR: Final = 5
_MOST: Final = 3
_EXAMPLES: Final = 20


@dataclass(slots=True)
class _Seen:
    """What stands in one column."""

    examples: list[RawValue] = field(default_factory=list)
    is_yes_no: bool = True

    def look(self, values: Iterable[RawValue]) -> None:
        for raw in dict.fromkeys(values):
            if is_blank(raw):
                continue
            self.is_yes_no = self.is_yes_no and is_yes_or_no(raw)
            if len(self.examples) < _EXAMPLES:
                self.examples.append(raw)
            elif not self.is_yes_no:
                return


def unread_columns(
    body: Body, columns: Sequence[Column], *, declined: frozenset[str]
) -> Iterator[UnreadColumn]:
    """Give each column of `body` that has values and was not read.

    `declined` are the headings, folded, that a person does not want read.
    """
    row = body.headings
    texts = {each.column: each.text for each in row.headings if each.means is None}
    read = {means.field: heading.text for heading, means in row.known()}
    missing = [each for each in columns if each.field not in read]
    taken = [each for each in columns if each.field in read]
    twins = {second.column: first.text for first, second in row.twice}
    # Of a part of a column, the headings' own findings say what to do.
    plain = {each.column for each in row.partial} | twins.keys()
    for column, seen in _looked_at(body, texts):
        heading = texts.get(column, "")
        # A column of 1 and 0 alone may as well count something.
        is_yes_no = seen.is_yes_no and any(map(_is_word, seen.examples))
        is_declined = not declined.isdisjoint(spellings(heading))
        near: tuple[Column, ...] = ()
        if heading and not is_declined and column not in plain:
            near = _nearest(heading, seen.examples, missing, is_yes_no=is_yes_no)
            near = near or _spelt_like(heading, taken)
        yield UnreadColumn(
            column=column,
            heading=heading,
            nearest=near,
            taken_by=read.get(near[0].field, "") if near else "",
            examples=tuple(show(each) for each in seen.examples),
            is_yes_no=is_yes_no,
            is_declined=is_declined,
            same_as=twins.get(column, ""),
            fits=tuple(_needed(missing, seen.examples))
            if heading and not is_declined and column not in plain
            else (),
        )


def findings_of(unread: Sequence[UnreadColumn], *, at: RowRef) -> Iterator[Finding]:
    """Warn of each column that may be one of kawe's."""
    for each in unread:
        if not each.is_doubtful:
            continue
        meant = either([f"“{column.title}”" for column in each.nearest])
        only = " Each of its cells says yes or no." if each.is_yes_no else ""
        yield warning(
            HEADING_UNKNOWN,
            message=f"kawe does not know the heading {each.shown} and ignored it."
            f"{only}",
            advice=f"If it means {meant}, rename it, or teach it: kawe teach.",
        ).at(
            at.cell(each.column),
            heading=each.heading,
            value=one_line(each.heading),
        )


def _looked_at(body: Body, texts: Mapping[int, str]) -> Iterator[tuple[int, _Seen]]:
    """Look at the columns that were not read; give those with values."""
    seen = {column: _Seen() for column in texts}
    width = body.headings.width
    wide = max((len(values) for _, values in body.whole), default=0)
    # Beyond the last heading.
    seen |= {at: _Seen() for at in range(width + 1, wide + 1) if at not in seen}
    for at, each in seen.items():
        each.look(row[at - 1] for _, row in body.whole if at <= len(row))
    yield from ((at, seen[at]) for at in sorted(seen) if seen[at].examples)


def _is_word(raw: RawValue) -> bool:
    return isinstance(raw, bool) or not show(raw).isdigit()


def _nearest(
    heading: str,
    examples: Sequence[RawValue],
    missing: Sequence[Column],
    *,
    is_yes_no: bool,
) -> tuple[Column, ...]:
    if is_yes_no:
        return tuple(each for each in missing if each.kind is CellKind.YES_NO)[:_MOST]
    fitting = [each for each in missing if _fits(each, examples)]
    scores = [
        (score, each)
        for each in fitting
        if (score := _likeness(fold(heading), each)) > 0
    ]
    if any(each.kind is CellKind.DATE for each in fitting):
        # Where days stand, a text column is meant only if its name is misspelt.
        scores = [
            (score, each)
            for score, each in scores
            if each.kind is CellKind.DATE or score >= _MISSPELT
        ]
    best = max((score for score, _ in scores), default=0.0)
    near = [each for score, each in scores if score >= best - _AS_NEAR]
    return tuple(near[:_MOST])


def _needed(
    missing: Sequence[Column], examples: Sequence[RawValue]
) -> Iterator[Column]:
    # Of a column with an option, the value of every row is asked for.
    needed = [each for each in missing if each.required and not each.option]
    fitting = [each for each in needed if _fits(each, examples)]
    days = [each for each in fitting if each.kind is CellKind.DATE]
    # Figures and days are no names.
    is_words = any(c.isalpha() for each in examples for c in show(each))
    yield from days or (fitting if is_words else ())


def _spelt_like(heading: str, taken: Sequence[Column]) -> tuple[Column, ...]:
    """Give the column that the sheet has, and whose name is spelt like `heading`."""
    scores = [(_spelling(fold(heading), each), each) for each in taken]
    best, column = max(scores, key=lambda pair: pair[0])
    return (column,) if best >= _ALIKE else ()


def _names(column: Column) -> set[str]:
    return {fold(name) for name in (column.title, column.field, *column.synonyms)}


def _spelling(text: str, column: Column) -> float:
    names = _names(column)
    return max(
        *(fuzz.ratio(text, name) for name in names),
        *(fuzz.token_sort_ratio(text, name) for name in names),
    )


def _likeness(text: str, column: Column) -> float:
    """Compare a heading with every name of a column; 0: it is not like any."""
    least = _ALIKE_AND_NEEDED if column.required else _ALIKE
    score = _spelling(text, column)
    words = set(text.split())
    if any(_is_inside(words, set(name.split())) for name in _names(column)):
        score = max(score, _INSIDE)
    return score if score >= least else 0.0


def _is_inside(words: set[str], name: set[str]) -> bool:
    # Single words such as "site" stand in many headings.
    return bool(words) and (words < name or (len(name) > 1 and name < words))


def _fits(column: Column, examples: Sequence[RawValue]) -> bool:
    """Check that at least half of the values can be read as `column`."""
    reader = ColumnReader(column, facts_of(column, examples, known=ColumnFacts()))
    read = sum(reader.read(each).value is not None for each in examples)
    return 2 * read >= len(examples)
