"""Chooses the sheet to read, or lists every sheet of a workbook that is a list.

What its rows are about is told by its headings, and then by its name. A heading counts
more for a kind that needs its column, and more where no other kind knows it: projects
and people both have a name and an e-mail address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest
from math import inf
from string import ascii_letters
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.tables import How
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import fold, one_line, some_of
from kawe.errors import ReadingUnclear, WorkbookError
from kawe.workbook.own_words import GUIDE_SHEET, ORGANISATION_SHEETS, is_own_sheet
from kawe.workbook.reading.assigning import mapped
from kawe.workbook.reading.books import Book
from kawe.workbook.reading.contents import is_of_people, looked_at
from kawe.workbook.reading.headings import Grid, HeadingRow, Recogniser, likeliest
from kawe.workbook.reading.lines import Body
from kawe_xlsx.scan.package import SheetEntry

_SHARED: Final = 0.5
_OPTIONAL: Final = 0.1
_NAMED: Final = 0.15
_MOSTLY: Final = 0.6
_A_LIST: Final = 0.3
_HALF: Final = 0.5
_GUESSED: Final = 0.6
"""How much a guess counts of what a known heading does."""
_NEARLY: Final = 0.8
_ENOUGH: Final = 2
_LISTED: Final = 10
_TURN: Final = (
    "The headings stand below each other, and should stand in one row: copy the table "
    "in Excel, and paste it on a new sheet with Paste Special > Transpose."
)
_OF_ORGANISATIONS: Final = "it lists the organisations of the projects"
WHICH_SHEET: Final = (
    f"Name one with {Given.SHEET}; check, plan and submit take every list with "
    f"{Given.ALL_SHEETS}."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A sheet, and what its headings say that it holds."""

    sheet: SheetEntry
    grid: Grid | None = None
    fits: tuple[Fit, ...] = ()
    trouble: WorkbookError | None = None
    no_list: str = ""
    """Why it is no list, whatever its headings are."""

    @property
    def name(self) -> str:
        return self.sheet.name

    @property
    def is_list(self) -> bool:
        return any(fit.is_list for fit in self.fits)

    def is_of(self, kind: SheetKind | None) -> bool:
        return any(kind in {None, fit.headings.kind} for fit in self.fits)

    @property
    def has_rows(self) -> bool:
        """Say whether anything stands below its headings."""
        rows = () if self.grid is None else self.grid.rows
        first = min((fit.headings.row for fit in self.fits), default=inf)
        return any(number > first for number, _ in rows)

    def why_left(self, kind: SheetKind | None) -> str:
        """Say why it is not read as a list of `kind`; empty: it is one to read."""
        if self.sheet.is_hidden:
            return "it is hidden"
        if self.no_list:
            return self.no_list
        if not self.fits:
            return "kawe found no headings in it that it knows"
        if not self.is_of(kind):
            return f"it holds {self.fits[0].headings.kind.value}"
        if not self.is_list:
            known = _known(self.fits[0].headings)
            return f"kawe knows only these of its headings: {known}"
        return "" if self.has_rows else "it has headings and no rows"


class Chooser:
    """Chooses the sheet of a book to read; each of its sheets is read once.

    It is the sheet that a result is of, else that whose name says what its headings
    say, else the only one with known headings. Two such sheets are an error: the wrong
    sheet would send the wrong projects.
    """

    def __init__(
        self,
        book: Book,
        *,
        recogniser: Recogniser,
        include_hidden: bool,
        table: str | None = None,
    ) -> None:
        self.name, self.sheets = book.name, book.sheets
        self._recogniser, self._include_hidden = recogniser, include_hidden
        # The row of the headings of the table that a person named.
        self._row = (table or "").lstrip(ascii_letters + "$")
        self.grid = book.grid
        self._seen = cache(lambda k: tuple(self._look_at(e, k) for e in self.sheets))

    def let_rows_go(self) -> None:
        """Forget the rows; who asks for them reads the same bytes again."""
        self.grid.cache_clear()
        self._seen.cache_clear()

    def choose(self, *, kind: SheetKind | None, sheet: str | None) -> Body:
        """Choose the one sheet that holds rows of `kind`."""
        if sheet is not None:
            return self._named(self._find(sheet), kind)
        seen = [each for each in self.look(kind) if not each.sheet.is_hidden]
        again = [each for each in seen if each.sheet.is_read and each.is_of(kind)]
        return self._named(again[0].sheet, kind) if again else self._only(seen, kind)

    def passed_over(self, body: Body, *, kind: SheetKind | None) -> list[str]:
        """Name the lists beside the sheet that was chosen."""
        every = (each.name for each in self.look(kind) if not each.why_left(kind))
        return [each for each in every if each != body.grid.sheet]

    def lists(
        self, *, kind: SheetKind | None
    ) -> tuple[tuple[tuple[str, SheetKind], ...], dict[str, str]]:
        """Name every list with its kind; say of each other sheet why it is none."""
        lists, left = [], dict[str, str]()
        for seen in self.look(kind):
            if why := seen.why_left(kind):
                left[seen.name] = why
            else:
                lists.append((seen.name, kind or _only_of(seen.name, seen.fits).kind))
        if not lists:
            raise self._no_headings(self.look(kind), kind)
        return tuple(lists), left

    def names(self, *, chosen: str) -> tuple[str, ...]:
        return tuple(e.name for e in self.look() if e.is_list or e.name == chosen)

    def organisations(self) -> str | None:
        """Name the sheet that lists the organisations of the others, if any."""
        able = filter(self._may_list_organisations, self.sheets)
        found = (e.name for e in able if self._look_at(e).no_list == _OF_ORGANISATIONS)
        return next(found, None)

    def _may_list_organisations(self, sheet: SheetEntry) -> bool:
        # Those that people see, but for the guide, may be the lists.
        shown = [e for e in self.sheets if not e.is_hidden and e.name != GUIDE_SHEET]
        is_beside = len(shown) > 1 and sheet in shown
        return is_beside and fold(sheet.name) in ORGANISATION_SHEETS

    def look(self, kind: SheetKind | None = None) -> tuple[Seen, ...]:
        """Look at every sheet, once.

        A `kind` that needs its name is looked for alone: a person named it.
        """
        return self._seen(kind if kind is not None and kind.needs_its_name else None)

    def _look_at(self, sheet: SheetEntry, told: SheetKind | None = None) -> Seen:
        names = [each.name for each in self.sheets]
        if sheet.is_own or is_own_sheet(sheet.name, among=names):
            return Seen(sheet=sheet, no_list="kawe wrote it")
        try:
            grid = self.grid(sheet.name)
        except WorkbookError as trouble:
            return Seen(sheet=sheet, trouble=trouble, no_list=trouble.message)
        fits = self._fits(grid, self._recogniser.columns if told is None else [told])
        is_list = any(fit.is_list and fit.known[True, False] >= _ENOUGH for fit in fits)
        if not is_list and self._may_list_organisations(sheet):
            return Seen(sheet=sheet, no_list=_OF_ORGANISATIONS)
        return Seen(sheet=sheet, grid=grid, fits=fits)

    def _named(self, sheet: SheetEntry, kind: SheetKind | None) -> Body:
        """Open a sheet that was found by name."""
        grid = self.grid(sheet.name)
        every = self._recogniser.columns
        fits = self._fits(grid, every if kind is None else [kind])
        if not fits and not (fits := self._likely(grid, kind)):
            raise self._no_headings([Seen(sheet=sheet, grid=grid)], kind)
        named = [each for each in fits if str(each.headings.row) == self._row]
        row = _only_of(sheet.name, named or fits)
        # Other headings below begin another table, if they are plainly of another list.
        found = self._fits(grid, [each for each in every if each != row.kind])
        fit = (e for e in found if not _takes_cells(e.headings, row))
        below = [e.headings.row for e in fit if e.required >= _MOSTLY]
        until = next((each for each in below if each > row.row), inf)
        return Body(grid=grid, headings=row, until=until)

    def _only(self, seen: Sequence[Seen], kind: SheetKind | None) -> Body:
        """Open the sheet whose name fits, else the only list, else that with rows."""
        meant = [each for each in seen if each.is_of(kind)]
        titled = [
            e for e in meant if _is_named(e.name, [f.headings.kind for f in e.fits])
        ]
        for each in seen:
            is_named = _is_named(each.name, self._kinds(kind))
            if each.trouble is not None and (is_named or not titled):
                raise each.trouble
        some = titled or [each for each in meant if each.is_list] or meant
        # Where nothing is known for sure, a person may agree to what is likely.
        some = some or [e for e in seen if e.grid and self._likely(e.grid, kind)]
        found = some if len(some) == 1 else [each for each in some if each.has_rows]
        if len(found) == 1:
            return self._named(found[0].sheet, kind)
        if not some:
            raise self._no_headings(seen, kind)
        some = [each for each in meant if each.is_list or each in some] or some
        several = f"“{self.name}” has several sheets that could be meant"
        raise ReadingUnclear(
            about="sheet",
            choices=tuple((each.name, one_line(each.name)) for each in some),
            lead=f"{several}.",
            message=f"{several}: {listed([each.name for each in some])}.",
            hint=WHICH_SHEET,
        )

    def _likely(self, grid: Grid, kind: SheetKind | None) -> tuple[Fit, ...]:
        """Give what a sheet may be whose headings kawe does not know.

        With a `kind` it is that, whatever the cells speak for.
        """
        number, _ = likeliest(grid)
        if not number:
            return ()
        rows = [self._recogniser.at(grid, number, kind=e) for e in self._kinds(kind)]
        fits = (Fit(headings=e, sheet=grid.sheet).with_guesses(grid) for e in rows)
        best = max(fits, key=lambda fit: fit.score)
        return (best,) if kind is not None or best.required >= _HALF else ()

    def _find(self, wanted: str) -> SheetEntry:
        """Find the sheet that the person named; an exact name comes first."""
        every = self.sheets
        exact = [each for each in every if each.name == wanted]
        found = exact or [each for each in every if fold(each.name) == fold(wanted)]
        if len(found) != 1:
            names = listed([each.name for each in every])
            shown = [each.name for each in every if not each.is_hidden]
            raise ReadingUnclear(
                about="sheet",
                choices=tuple((each, one_line(each)) for each in shown),
                message=f"“{self.name}” has no sheet called “{one_line(wanted)}”.",
                hint=f"Its sheets are {names}. Name one with {Given.SHEET}.",
            )
        if found[0].is_hidden and not self._include_hidden:
            raise WorkbookError(
                message=f"Sheet “{one_line(found[0].name)}” is hidden.",
                hint=f"Unhide it in Excel, or run again with {Given.INCLUDE_HIDDEN}.",
            )
        return found[0]

    def _kinds(self, kind: SheetKind | None) -> tuple[SheetKind, ...]:
        if kind is not None:
            return (kind,)
        return tuple(e for e in self._recogniser.columns if not e.needs_its_name)

    def _no_headings(
        self, seen: Sequence[Seen], kind: SheetKind | None
    ) -> WorkbookError:
        kinds = self._kinds(kind)
        every = self._recogniser.columns
        needed = {each: [e.title for e in every[each] if e.required] for each in kinds}
        wanted = [f"{each}: {listed(titles)}" for each, titles in needed.items()]
        grids = [each.grid for each in seen if each.grid is not None]
        where = listed([each.sheet for each in grids]) or "no sheet"
        number, texts = next(filter(all, map(likeliest, grids)), (0, ()))
        message = (
            f"kawe found no headings that it knows in “{self.name}” (looked at "
            f"{where})."
        )
        hint = (
            "One of the first 20 rows should hold the headings for "
            f"{'; or for '.join(wanted)}. Make an empty workbook with {Next.TEMPLATE}, "
            f"or name the sheet with {Given.SHEET}; of acts, with {Given.KIND('acts')}."
        )
        if any(self._recogniser.best(_turned(each), kinds=kinds) for each in grids):
            number, hint = 0, _TURN
        if not number:
            return WorkbookError(message=message, hint=hint)
        say = " or ".join(map(Given.KIND, kinds))
        return ReadingUnclear(
            about="kind",
            choices=tuple((each.value, each.listed) for each in kinds),
            message=f"{message} Row {number} looks like headings: {listed(texts)}.",
            hint=f"If they are, say what the rows are: {say}. {hint}",
        )

    def _fits(self, grid: Grid, kinds: Collection[SheetKind]) -> tuple[Fit, ...]:
        """Find what a sheet is about: nothing, one kind, or several that are meant."""
        likely = [e for e in kinds if len(kinds) == 1 or e.may_be_called(grid.sheet)]
        find = partial(self._recogniser.find, grid, is_alone=len(self.sheets) == 1)
        found = [row for kind in likely if (row := find(kind=kind))]
        hidden = {each.name for each in self.sheets if each.is_hidden}
        if grid.sheet not in hidden and not any(e.needs_its_name for e in likely):
            # A hidden sheet has the words that a template offers.
            told = (find(kind=each) for each in kinds if each.is_told_by_cells)
            there = (each for each in told if each is not None and each.share == 1)
            found += [e for e in there if _is_whole(Body(grid=grid, headings=e))]
        for own in (e for e in found if _is_named(grid.sheet, [e.kind])):
            found = [e for e in found if not _takes_cells(e, own)]
        fits = [Fit(headings=row, sheet=grid.sheet, among=found) for row in found]
        if kept := [each for each in fits if each.headings.is_kept]:
            return tuple(kept[:1])
        strong = [each for each in fits if each.is_strong]
        if len(strong) > 1:
            return _told_by_cells(grid, strong)
        by_name = [each for each in fits if each.headings.kind.needs_its_name]
        named = [each for each in by_name if not each.known[False, False]]
        whole = [each for each in fits if each not in by_name and each.required >= 1]
        if named and whole:
            # The name of a sheet alone makes no changes of a list of people to invite.
            return named[0], whole[0]
        if len(fits) > 1 and not strong:
            # The headings do not tell: the cells are looked at too.
            fits = [each.with_guesses(grid) for each in fits]
        fits.sort(key=lambda each: (each.score, each.required), reverse=True)
        rivals = [e for e in fits[1:] if e not in by_name and e.rivals(fits[0])]
        close = [] if strong else [e for e in fits[1:2] if e.is_close_to(fits[0])]
        return _told_by_cells(grid, [*fits[:1], *(close or rivals)[:1]])


def _turned(grid: Grid) -> Grid:
    """Give the first rows of a sheet as columns."""
    columns = zip_longest(*(values for _, values in grid.top()))
    return Grid(sheet=grid.sheet, rows=[*enumerate(columns, start=1)])


def _told_by_cells(grid: Grid, fits: Sequence[Fit]) -> tuple[Fit, ...]:
    """Of several lists that may be meant, take the only one of which cells tell.

    Below each other, that is the one with all that it needs; in one row, people.
    """
    rows, told = [each.headings for each in fits], []
    # One alone needs no look: the cells of a large sheet take long.
    for fit in fits if len(fits) > 1 else ():
        row = fit.headings
        until = min((e.row for e in rows if e.row > row.row), default=inf)
        body = Body(grid=grid, headings=row, until=until)
        is_below = len({each.row for each in rows}) > 1
        if _is_whole(body) if is_below else is_of_people(body, rows):
            told.append(fit)
    return tuple(told if len(told) == 1 else fits)


def _is_whole(body: Body) -> bool:
    """Say whether all that rows need is there or may be, with cells that suit."""
    body, every = mapped(body)
    cells, meant = looked_at(body), {e.means.field for e in every if e.means}
    known = {means.field: cells[each.column] for each, means in body.headings.known()}
    return all(
        e.field in meant and (e.field not in known or known[e.field].fit(e))
        for e in body.headings.needed
    )


def listed(names: Sequence[str]) -> str:
    return some_of([f"“{one_line(name)}”" for name in names], shown=_LISTED)


def _known(row: HeadingRow) -> str:
    return listed([heading.text for heading, _ in row.known()])


def _only_of(sheet: str, fits: Sequence[Fit]) -> HeadingRow:
    """Give the headings of a sheet, unless those of several kinds may be meant."""
    rows = [fit.headings for fit in fits]
    if len(rows) == 1:
        return rows[0]
    say = " or ".join(Given.KIND(each.kind) for each in rows)
    raise ReadingUnclear(
        about="kind",
        choices=tuple((each.kind.value, each.kind.listed) for each in rows),
        message=f"Sheet “{one_line(sheet)}” could be a list of "
        f"{' or of '.join(each.kind for each in rows)}: it has the headings of both "
        f"({'; '.join(f'of {each.kind} {_known(each)}' for each in rows)}).",
        hint=f"Say which with {say}, or put each list on a sheet of its own.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a heading row fits a kind."""

    headings: HeadingRow
    sheet: str
    among: Sequence[HeadingRow] = ()
    """Those of every kind: what another knows too counts less."""
    guessed: tuple[Column, ...] = ()
    """What other columns may be, where the cells were looked at."""
    counts_whole: bool = False
    """What another kind knows too counts no less: the cells were looked at."""

    @property
    def required(self) -> float:
        """The share of the columns that the kind needs which are there, or may be."""
        guessed = sum(column.required for column in self.guessed)
        return self.headings.share + guessed / (len(self.headings.needed) or 1)

    @property
    def known(self) -> Counter[tuple[bool, bool]]:
        """How many known columns rows need, or not, that another kind knows, or not."""
        row = self.headings
        rows = [each for each in self.among if each.row == row.row and each is not row]
        elsewhere = {heading.column for each in rows for heading, _ in each.known()}
        return Counter((e.required, at.column in elsewhere) for at, e in row.known())

    @property
    def score(self) -> float:
        """What speaks for the kind: needed columns first, then others and the name."""
        fit = replace(self, among=()) if self.counts_whole else self
        known, row = fit.known, self.headings
        needed = known[True, False] + _SHARED * known[True, True]
        more = sum(column.required for column in self.guessed)
        others = known[False, False] + _GUESSED * (len(self.guessed) - more)
        named = _NAMED * _is_named(self.sheet, [row.kind])
        share = (needed + _GUESSED * more) / (len(row.needed) or 1)
        return share + _OPTIONAL * others + named

    def with_guesses(self, grid: Grid) -> Fit:
        """Say how well it fits with what the other columns may be."""
        _, every = mapped(Body(grid=grid, headings=self.headings))
        guesses = (e.means for e in every if e.how is How.GUESS and e.means)
        return replace(self, guessed=tuple(guesses), counts_whole=True)

    def is_close_to(self, best: Fit) -> bool:
        return self.required >= _MOSTLY and self.score > _NEARLY * best.score

    def rivals(self, other: Fit) -> bool:
        """Say whether more columns are of this kind alone, two needed ones at least.

        Start and end are of projects, though name, e-mail address and role are there.
        Beside no needed column that is of the other kind alone, one is enough: without
        a role, who has a proposal and a place may be an applicant.
        """
        days = sum(column.kind is CellKind.DATE for column in self.guessed)
        known, theirs = self.known, other.known
        needed = known[True, False] + days
        more = needed + known[False, False] - theirs[True, False] - theirs[False, False]
        if theirs[True, False]:
            return needed >= _ENOUGH and more > 0
        return needed > 0 and more >= _ENOUGH

    @property
    def is_list(self) -> bool:
        return self.required >= _A_LIST

    @property
    def is_strong(self) -> bool:
        """Say whether such headings can hardly be there for another kind's sake."""
        needed, own = self.known[True, False], self.known[False, False]
        return self.required >= _MOSTLY and needed > 0 and needed + own >= _ENOUGH


def _takes_cells(row: HeadingRow, own: HeadingRow) -> bool:
    """Say whether two lines are headings only with cells below those of `own`."""
    return bool(row.lines) and row.row - 1 == own.row and own.kind.needs_its_name


def _is_named(name: str, kinds: Iterable[SheetKind]) -> bool:
    return any(fold(name) in kind.sheet_names for kind in kinds)
