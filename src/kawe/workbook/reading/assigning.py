"""Gives every column of a sheet with what it is read as, or may be.

Columns whose headings kawe does not know are decided all at once. Each pair of a column
and a field has a score from the heading and from the cells; what the cells hold can
forbid a pair. One assignment takes the best of all of them together: a column by column
choice gives the first ones what the later ones needed. Days are assigned with the order
that must hold between them, such as start before end. Only they can take a column of
days, so that both assignments together are the best one.

What comes out is a guess: a person agrees to it before it is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import inf
from statistics import fmean
from typing import Final, TypeAlias

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import COLUMNS_OPEN, Finding, RowRef
from kawe.domain.sheet.tables import Heading, How, ReadAs
from kawe.domain.text.new_zealand import short_day_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import either, fold, one_line, some_of
from kawe.workbook.cells.choices import choices_like
from kawe.workbook.cells.dates import either_way, is_month_first
from kawe.workbook.cells.reading import error
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.alike import halves, is_against, likeness, spellings
from kawe.workbook.reading.contents import HARDLY, PERHAPS, PROSE, Cells, looked_at
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.lines import Body
from kawe_xlsx.cells import column_letters

_BY_NAME: Final = 0.65
"""How much the heading counts; the cells count the rest."""
_A_NAME: Final = 0.5
"""A heading that is less like a name says nothing."""
_LEFT: Final = 0.1
_NEEDED: Final = 0.05
"""How much more a field counts that every row needs."""
_AGAINST: Final = 0.01
"""The heading speaks against it: it may be asked about, and is no guess."""
_NEVER: Final = 9.0
_ORDER: Final = 0.4
"""What the order of two columns of days counts, where it holds in every row."""
_MOST: Final = 3
_MOST_DAYS: Final = 7
_MOST_COLUMNS: Final = 200
_NAMED: Final = 5
_ASKED: Final = 2
_OURS: Final = frozenset(map(fold, HEADINGS))
_SAID: Final = frozenset({"name", "description", "address", "message"})
"""What people read as it stands in the cell."""
_DEGREES_OF: Final = frozenset({"latitude", "longitude"})
_TOLD: Final = frozenset({CellKind.CHOICE, CellKind.DATE})
"""Kinds of which the cells tell whether a heading was right."""
_TELLING: Final = _TOLD | {CellKind.PLACE, CellKind.YES_NO}
"""Cells of these kinds speak for a field without a heading."""
_A_MARK: Final = 3
"""So few characters are a mark, such as x or Yes."""
_MARKS: Final = (
    "Marks below names of iwi or months are not read: write the iwi into one column "
    "“Iwi”, and the first and last day into “Start date” and “End date”. "
)
_WHEN: Final = re.compile(
    r"\b(?<!stage )(?<!phase )(?:fy ?)?(?:20)?([1-4]\d)(?: ?(?:20)?([1-4]\d))?\b"
    r"|\b(?:last|previous|this|next)(?: year| season)?\b"
    r"|\b(?:original|baseline|planned|revised|current|forecast)\b"
)
"""Of which year a column is, by its folded heading."""
_EARLIER: Final = frozenset({"last", "previous", "original", "baseline", "planned"})
_Guess: TypeAlias = tuple[Column | None, tuple[Column, ...]]
"""What a column is, and what else it may be, the likeliest first."""
_Means: TypeAlias = dict[int, Column | None]
"""What the cells say that columns mean; None: not what their headings say."""
_Scores: TypeAlias = Mapping[tuple[int, str], float]
"""What speaks for each field, by column and field."""


def mapped(body: Body) -> tuple[Body, tuple[Heading, ...]]:
    """Give the columns of a sheet, and the sheet without those that are doubted."""
    cells, was = looked_at(body), body.headings
    years = _of_years(was, cells)
    means = _told(was, cells) | _of_twins(was, cells) | _doubted(was, cells)
    means |= dict.fromkeys(years)
    if means:
        every = (
            each.as_known(means[each.column], why=years.get(each.column, ""))
            if each.column in means
            else each
            for each in was.headings
        )
        twice = tuple(pair for pair in was.twice if pair[1].column not in means)
        # Its rows are read anew, since other lines may be none.
        row = replace(was, headings=tuple(every), twice=twice)
        body = replace(body, headings=row)
    row = body.headings
    known = {means.field: cells[each.column] for each, means in row.known()}
    # A copy of one of kawe's own columns is nothing of the person's.
    ours = _OURS if row.own else frozenset()
    guesses = _assigned(
        {
            each.column: cells[each.column]
            for each in row.headings
            # Of a part of a column, and of a second one, other findings speak.
            if each.text and each.how is How.UNREAD and not each.why
            if fold(each.text) not in ours
        },
        # kawe alone writes what only a fetched sheet has.
        [column for column in row.columns if not column.is_fetched],
        known=known,
    )
    taken = {*known, *(guess.field for guess, _ in guesses.values() if guess)}
    for at, (guess, others) in guesses.items():
        # Marks below the name of an iwi say which iwi are meant.
        if guess is None and 0 < cells[at].length <= _A_MARK:
            text = cells[at].heading
            named = (e for e in row.columns if e.kind is CellKind.LIST and e.reaches)
            lists = (e for e in named if re.search(e.like, text))
            meant = (e for e in lists if likeness(text, e) < _A_NAME)
            guesses[at] = None, tuple(dict.fromkeys((*meant, *others)))
    for at in years.keys() & guesses.keys():
        # Which year is meant is a person's to say.
        guess, others = guesses[at]
        guesses[at] = None, (guess, *others) if guess else others
    for each, column in was.known():
        # What nothing else was found for may be what its heading says.
        if guesses.get(each.column) == (None, ()) and column.field not in taken:
            guesses[each.column] = None, (column,)
    return body, tuple(_columns(row, cells, guesses))


def _of_years(row: HeadingRow, cells: Mapping[int, Cells]) -> dict[int, str]:
    """Find columns of days whose headings differ in the year alone.

    Why one of them is not read is said of all but the latest: nothing.
    """
    alike: dict[str, dict[int, int]] = {}
    for heading in row.headings:
        found = _WHEN.search(text := fold(heading.text))
        if found and not heading.is_said and any(cells[heading.column].days()):
            years = [int(each) for each in found.groups() if each]
            is_later = found[0].split()[0] not in _EARLIER
            rest = f"{text[: found.start()]} {text[found.end() :]}".strip()
            at = max(years, default=99 * is_later + ("next" in found[0]))
            alike.setdefault(rest, {})[heading.column] = at
    return {
        column: "" if at == max(each.values()) else "an earlier one"
        for each in alike.values()
        for column, at in each.items()
        if len({*each.values()}) > 1
    }


def _told(row: HeadingRow, cells: Mapping[int, Cells]) -> _Means:
    """Take a needed choice for a column of prose whose cells are all such values.

    Tūranga is a role in the team, or a job: its name says one as well as the other.
    """
    needed = [e for e in row.needed if e.choices and e.field not in row.fields]
    told: _Means = {}
    for heading, means in row.known():
        if heading.is_said or means.kind not in PROSE:
            continue
        names = {*spellings(heading.text), *halves(heading.text)}
        for column in needed:
            is_named = not names.isdisjoint(map(fold, column.words))
            if is_named and cells[heading.column].fit(column) == 1.0:
                told[heading.column] = column
    return told


def _of_twins(row: HeadingRow, cells: Mapping[int, Cells]) -> _Means:
    """Of two columns of one meaning, take that whose cells alone can be it.

    Where no column is the name, the shorter of two descriptions may be that.
    """
    taken: _Means = {}
    has_name = "name" in row.fields
    for pair in row.twice:
        column = pair[0].means
        fits = {each: column and cells[each.column].fit(column) for each in pair}
        is_long = column is not None and column.kind is CellKind.LONG_TEXT
        other, one = pair
        if is_long and not has_name and all(fits.values()):
            other, one = sorted(pair, key=lambda each: cells[each.column].length)
        elif not fits[one] or (fits[other] and not _says_more(one, other)):
            continue
        if not pair[0].is_said:
            taken |= {other.column: None, one.column: column}
    return taken


def _says_more(one: Heading, other: Heading) -> bool:
    """Say whether of two days one says more: “Iwi reply due” beside “Due date”."""
    if (column := other.means) is None or column.kind is not CellKind.DATE:
        return False
    known = {"iwi", *column.words}
    said, more = (len(known & {*fold(e.text).split()}) for e in (other, one))
    return said < more and fold(other.text) != fold(column.title)


def _doubted(row: HeadingRow, cells: Mapping[int, Cells]) -> _Means:
    """Doubt a column whose name is a synonym alone, and whose cells cannot be it.

    Another column suits its field, its cells are of another place, or they name
    nothing that could be said to people; or a Role is no role in the team, but a job.
    """
    doubted: _Means = {}
    for heading, means in row.known():
        its = cells[heading.column]
        if heading.is_said or heading.part or not its.examples:
            continue
        if (
            _is_none(its, means)
            or _is_other(its, means, row)
            or _is_elsewhere(its, means, row, cells=cells)
        ):
            doubted[heading.column] = None
    return doubted


def _is_elsewhere(
    its: Cells, means: Column, row: HeadingRow, *, cells: Mapping[int, Cells]
) -> bool:
    """Say whether cells hardly suit their field, and another pair would suit better."""
    if fold(its.heading) == fold(means.title) or its.fit(means) > HARDLY:
        return False
    # Beside a longitude, what is called Y may be the latitude.
    other = _DEGREES_OF - row.fields
    places = [e for e in row.columns if e.field in other and len(other) == 1]
    if means.ranges and any(its.fit(each) == 1.0 for each in places):
        return True
    known = {each.column for each, _ in row.known()}
    free = [each for at, each in cells.items() if at not in known]
    return means.kind in _TOLD and any(each.fit(means) > 0.5 for each in free)


def _is_none(cells: Cells, column: Column) -> bool:
    """Say whether cells name nothing that could stand below a heading.

    Below its very name, a list or a message is doubted only if they surely do not.
    """
    is_titled, fit = fold(cells.heading) == fold(column.title), cells.fit(column)
    if column.kind is CellKind.LIST:
        return column.reaches and fit <= (HARDLY if is_titled else PERHAPS)
    if column.field in _SAID:
        return not fit and not (is_titled and column.required)
    is_words = column.kind in PROSE and not column.differs
    return is_words and cells.is_state and not is_titled


def _is_other(cells: Cells, column: Column, row: HeadingRow) -> bool:
    """Say whether no cell is like a choice, and words of another field are meant."""
    names, fields = column.by_name(), row.fields
    return bool(names and not any(choices_like(e, names) for e in cells.texts)) and any(
        each.kind in PROSE
        and each.field not in fields
        and likeness(cells.heading, each) >= _A_NAME
        for each in row.columns
    )


def _columns(
    row: HeadingRow, cells: Mapping[int, Cells], guesses: Mapping[int, _Guess]
) -> Iterator[Heading]:
    headings = {each.column: each for each in row.headings}
    turned = any(is_month_first(text) for each in cells.values() for text in each.texts)
    for at, each in cells.items():
        heading = headings.get(at, Heading(column=at, text="", key=column_letters(at)))
        if heading.means is None and not each.examples:
            continue
        guess, others = guesses.get(at, (None, ()))
        if guess is not None:
            why = "name" if likeness(heading.text, guess) >= _A_NAME else "cells"
            heading = replace(heading, means=guess, how=How.GUESS, why=why)
        heading = replace(heading, others=others)
        may_be = filter(None, (heading.means, *heading.others))
        is_day = not turned and any(e.kind is CellKind.DATE for e in may_be)
        days = (either_way(text) if is_day else None for text in each.texts)
        values = (
            f"{text} ({short_day_words(day)})" if day else text
            for text, day in zip(each.texts[:_MOST], days, strict=False)
        )
        yield replace(heading, values=tuple(values))


def _assigned(
    cells: Mapping[int, Cells], fields: Sequence[Column], *, known: Mapping[str, Cells]
) -> dict[int, _Guess]:
    """Guess which of `fields` each column is; `known` are those that others are."""
    days = [column for column in fields if column.kind is CellKind.DATE]
    fields = [column for column in fields if column.field not in known]
    scores = {
        (at, column.field): score
        for at, each in cells.items()
        for column in fields
        if (score := _score(each, column)) > 0
    }
    likely = {key: score for key, score in scores.items() if score > _AGAINST}
    taken = _days(cells, days, scores=likely, known=known) | _others(fields, likely)
    read = {*known, *taken.values()}
    able = [e for e in fields if not e.beside or not read.isdisjoint(e.beside)]
    by_field = {column.field: column for column in able}
    left = [column for column in able if column.field not in taken.values()]
    guesses = {}
    for at in cells:
        # Beside a guess, what the heading speaks against is not asked about.
        there = likely if at in taken else scores
        others = [column for column in left if (at, column.field) in there]
        others.sort(key=lambda column: -scores[at, column.field])
        guesses[at] = by_field.get(taken.get(at, "")), tuple(others[:_MOST])
    return guesses


def _score(cells: Cells, column: Column) -> float:
    """Say how much speaks for a field; 0: nothing, or the cells forbid it."""
    if not (fit := cells.fit(column)):
        return 0.0
    name = likeness(cells.heading, column)
    is_none = column.kind is CellKind.LIST and fit <= PERHAPS and name >= _A_NAME
    if is_none or is_against(cells.heading, column):
        is_asked = name >= _A_NAME or column.kind in _TELLING
        return _AGAINST if is_asked and column.reaches else 0.0
    if name >= _A_NAME:
        return _BY_NAME * name + (1 - _BY_NAME) * fit
    if column.required and column.kind in PROSE:
        # What is left may be it, whatever its heading says.
        return _LEFT * fit if fit > _A_NAME else 0.0
    is_like = bool(column.like) and fit >= 0.5 and not column.differs
    is_telling = column.kind in _TELLING or is_like
    return (1 - _BY_NAME) * fit if is_telling and column.reaches else 0.0


def _days(
    cells: Mapping[int, Cells],
    fields: Sequence[Column],
    *,
    scores: _Scores,
    known: Mapping[str, Cells],
) -> dict[int, str]:
    """Assign the columns of days: every way is tried."""
    # Of ways that score the same the first is taken. What no heading tells apart is the
    # last day to answer, the start and the end, as they follow each other.
    wanted = [each.field for each in reversed(fields) if each.field not in known]
    best_of: dict[int, float] = {}
    for (at, field), score in scores.items():
        if field in wanted:
            best_of[at] = max(score, best_of.get(at, 0.0))
    read = {at: cells[at].days() for at in best_of}
    first = {at: min(filter(None, days), default="") for at, days in read.items()}
    places = sorted(best_of, key=lambda at: (-best_of[at], first[at]))[:_MOST_DAYS]
    fixed = {field: each.days() for field, each in known.items() if places}
    pairs = [(each.field, later) for each in fields for later in each.before]
    most, chosen = 0.0, dict[str, int]()
    for way in product([None, *places], repeat=len(wanted)):
        there = {field: at for field, at in zip(wanted, way, strict=True) if at}
        if len(set(there.values())) < len(there):
            continue
        days = fixed | {field: read[at] for field, at in there.items()}
        score = sum(scores.get((at, field), -1.0) for field, at in there.items())
        for pair in (e for e in pairs if not there.keys().isdisjoint(e)):
            score += _order(pair, days, there, scores=scores)
        if score > most:
            most, chosen = score, there
    return {at: field for field, at in chosen.items()}


def _order(
    pair: tuple[str, str],
    days: Mapping[str, Sequence[str]],
    there: Mapping[str, int],
    *,
    scores: _Scores,
) -> float:
    """Score a pair of days: more than 0 where they are in order, less where not.

    Where the headings forbid it to read them crossed, the sheet has a mistake.
    """
    first, later = pair
    both = zip(days.get(first, ()), days.get(later, ()), strict=False)
    signs = [(a < b) - (a > b) for a, b in both if a and b]
    agreement = fmean(signs) if signs else 0.0
    # What is turned round in most rows cannot be meant.
    if agreement > -_A_NAME:
        return _ORDER * agreement
    crossed = {(there.get(first), later), (there.get(later), first)}
    is_forbidden = {*pair} <= there.keys() and not crossed <= scores.keys()
    return 0.0 if is_forbidden else -_NEVER


def _others(fields: Sequence[Column], scores: _Scores) -> dict[int, str]:
    """Assign all other columns; a field goes to one column at most."""
    # What says yes and no sends only where its heading speaks of that.
    least = {
        column.field: 1 - _BY_NAME if column.kind is CellKind.YES_NO else 0.0
        for column in fields
        if column.kind is not CellKind.DATE
    }
    more = {column.field: _NEEDED * column.required for column in fields}
    able = {
        (at, field): score + more[field]
        for (at, field), score in scores.items()
        if score > least.get(field, inf)
    }
    places, wanted = sorted({at for at, _ in able})[:_MOST_COLUMNS], [*least]
    if not places:
        return {}
    from munkres import Munkres  # noqa: PLC0415 - most sheets have known headings

    costs = [[1 - able.get((at, field), 0.0) for field in wanted] for at in places]
    pairs = ((places[a], wanted[b]) for a, b in Munkres().compute(costs))
    return {at: field for at, field in pairs if (at, field) in able}


def open_columns(read_as: ReadAs, *, at: RowRef, workbook: str) -> Iterator[Finding]:
    """Say which columns nobody read though they may decide what reaches people.

    Nothing of the sheet goes on before somebody said what they are.
    """
    if not (needed := [each for each in read_as.every if each.needs_answer]):
        return
    names, one = some_of(list(map(_asked_of, needed)), shown=_NAMED), len(needed) == 1
    marks = (e for e in needed if len(max(e.values, key=len, default="")) <= _A_MARK)
    how = _MARKS if len([*marks]) > 1 else ""
    be, they = ("is", "It decides") if one else ("are", "They decide")
    yield error(
        COLUMNS_OPEN,
        message=f"kawe is not sure what {names} {be}. {they} what reaches people, "
        "so nothing goes on before a person has said it.",
        advice=f"{how}Say it here: {Next.COLUMNS(workbook)} – or rename the headings.",
    ).at(at)


def _asked_of(column: Heading) -> str:
    """Ask what a column is: “Works begin” (Start date?); “Iwi” (with “Not yet”)."""
    titles = [each.title for each in column.may_be[:_ASKED]]
    if fold(titles[0]) != fold(column.text):
        return f"{column.shown} ({either(titles)}?)"
    return f"{column.shown} (with “{one_line(column.values[0], limit=40)}”)"
