"""Chooses the sheet to read, or lists every sheet of a workbook that is a list.

What its rows are about is told by its headings, and then by its name. A heading counts
more for a kind that needs its column, and more where no other kind knows it: projects
and people both have a name and an e-mail address.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.read_as import How
from kawe.domain.sheet.tables import LeftSheet
from kawe.domain.text.counts import some_of
from kawe.domain.text.texts import fold, one_line
from kawe.errors import ReadingUnclear, WorkbookError
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.cells.reading import show
from kawe.workbook.own_words import GUIDE_SHEET, is_own_sheet, lists_organisations
from kawe.workbook.reading.assigning import mapped
from kawe.workbook.reading.grids import Book, Grid, SheetName
from kawe.workbook.reading.heading_texts import is_data
from kawe.workbook.reading.headings import HeadingRow, Recogniser
from kawe.workbook.reading.sheets import Body

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
WHICH_SHEET: Final = (
    "Name one with --sheet; kawe check, plan and submit take every list with "
    "--all-sheets."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A sheet, and what its headings say that it holds."""

    sheet: SheetName
    grid: Grid | None = None
    """None: kawe wrote it, or it cannot be read."""
    fits: tuple[Fit, ...] = ()
    trouble: WorkbookError | None = None
    is_of_organisations: bool = False
    """Whether the rows of another sheet take organisations from it."""

    @property
    def name(self) -> str:
        return self.sheet.name

    @property
    def is_list(self) -> bool:
        return any(fit.is_list for fit in self.fits)

    @property
    def is_titled(self) -> bool:
        """Say whether its name says what its headings say."""
        kinds = [fit.headings.kind for fit in self.fits]
        return kind_named(self.name, kinds) is not None

    def is_of(self, kind: SheetKind | None) -> bool:
        return any(kind in {None, fit.headings.kind} for fit in self.fits)

    @property
    def has_rows(self) -> bool:
        return self.grid is not None and any(
            Body(grid=self.grid, headings=fit.headings).has_rows for fit in self.fits
        )

    def body(self) -> Body:
        """Open it.

        Raises:
            WorkbookError: It has the headings of several kinds, and nobody said which
                is meant.
        """
        if self.grid is None or not self.fits:
            raise ValueError(f"{self.name} is no list")
        if len(self.fits) > 1:
            raise _mixed(self.name, self.fits)
        return Body(grid=self.grid, headings=self.fits[0].headings)

    def why_left(self, kind: SheetKind | None) -> str:
        """Say why it is not read as a list of `kind`; empty: it is one to read."""
        if self.sheet.is_hidden:
            return "it is hidden"
        if self.trouble is not None:
            return self.trouble.message
        if self.is_of_organisations:
            return "it lists the organisations of the projects"
        if self.grid is None:
            return "kawe wrote it"
        return self._why_no_list(kind)

    def _why_no_list(self, kind: SheetKind | None) -> str:
        if not self.fits:
            return "kawe found no headings in it that it knows"
        if not self.is_of(kind):
            return f"it holds {self.fits[0].headings.kind.value}"
        if not self.is_list:
            return f"kawe knows only these of its headings: {_known(self.fits[0])}"
        return "" if self.has_rows else "it has headings and no rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Chooses the sheet to read.

    It is the sheet that a result is of, else that whose name says what its headings
    say, else the only one with known headings. Two such sheets are an error: the wrong
    sheet would send the wrong projects.
    """

    recogniser: Recogniser
    include_hidden: bool
    _seen: list[tuple[Book, SheetKind | None, tuple[Seen, ...]]] = field(
        init=False, default_factory=list, repr=False, compare=False
    )
    """The book that was looked at last, and what was seen."""

    def choose(self, book: Book, *, kind: SheetKind | None, sheet: str | None) -> Body:
        """Choose the sheet of `book` that holds rows of `kind`.

        Raises:
            WorkbookError: No sheet, or more than one, can be meant.
        """
        if sheet is not None:
            return self._named(book, self._find(book, sheet), kind)
        seen = [each for each in self.look(book, kind) if not each.sheet.is_hidden]
        again = [each for each in seen if each.sheet.is_read and each.is_of(kind)]
        if again:
            return self._named(book, again[0].sheet, kind)
        return self._only(book, seen, kind=kind)

    def passed_over(
        self, book: Book, body: Body, *, kind: SheetKind | None
    ) -> tuple[str, ...]:
        return tuple(
            each.name
            for each in self.look(book, kind)
            if each.name != body.grid.sheet and not each.why_left(kind)
        )

    def lists(
        self, book: Book, *, kind: SheetKind | None
    ) -> tuple[tuple[Body, ...], tuple[LeftSheet, ...]]:
        """Open every list of `book`, and say of each other sheet why it is none.

        Raises:
            WorkbookError: There is no list, or the headings of one are of two kinds.
        """
        bodies, left = [], []
        every = self.look(book, kind)
        for seen in every:
            why = seen.why_left(kind)
            if why:
                left.append(LeftSheet(sheet=seen.name, why=why))
            elif kind is None:
                bodies.append(seen.body())
            else:
                bodies.append(self._named(book, seen.sheet, kind))
        if not bodies:
            raise self._no_headings(book, every, kind)
        return tuple(bodies), tuple(left)

    def look(self, book: Book, kind: SheetKind | None = None) -> tuple[Seen, ...]:
        """Look at every sheet of `book`, which does not change.

        A `kind` that needs its name is looked for alone: a person named it.
        """
        told = kind if kind is not None and kind.needs_its_name else None
        if not any(each[0] is book and each[1] == told for each in self._seen):
            names = [each.name for each in book.sheets]
            seen = tuple(
                Seen(sheet=sheet)
                if sheet.is_own or is_own_sheet(sheet.name, among=names)
                else self._look_at(book, sheet, told)
                for sheet in book.sheets
            )
            self._seen[:] = [(book, told, seen)]
        return self._seen[0][2]

    def _look_at(self, book: Book, sheet: SheetName, told: SheetKind | None) -> Seen:
        try:
            grid = book.grid(sheet.name)
        except WorkbookError as trouble:
            return Seen(sheet=sheet, trouble=trouble)
        kinds = self.recogniser.columns if told is None else (told,)
        fits = fits_of(grid, recogniser=self.recogniser, kinds=kinds)
        is_list = any(fit.is_list and fit.own_required >= _ENOUGH for fit in fits)
        if not is_list and lists_organisations(sheet.name, among=lists_among(book)):
            return Seen(sheet=sheet, is_of_organisations=True)
        return Seen(sheet=sheet, grid=grid, fits=fits)

    def _named(self, book: Book, sheet: SheetName, kind: SheetKind | None) -> Body:
        """Open a sheet that was found by name."""
        grid = book.grid(sheet.name)
        kinds = self.recogniser.columns if kind is None else (kind,)
        fits = fits_of(grid, recogniser=self.recogniser, kinds=kinds)
        if not fits:
            likely = self._likely(grid, kind)
            if likely is None:
                raise self._no_headings(book, [Seen(sheet=sheet, grid=grid)], kind)
            fits = (likely,)
        body = Seen(sheet=sheet, grid=grid, fits=fits).body()
        return replace(body, until=self._other_table(grid, body.headings))

    def _other_table(self, grid: Grid, row: HeadingRow) -> int | None:
        """Give the row of other headings below, if they are plainly of another list."""
        kinds = [kind for kind in self.recogniser.columns if kind != row.kind]
        found = fits_of(grid, recogniser=self.recogniser, kinds=kinds)
        below = [e.headings.row for e in found if e.required >= _MOSTLY]
        return next((each for each in below if each > row.row), None)

    def _only(
        self, book: Book, seen: Sequence[Seen], *, kind: SheetKind | None
    ) -> Body:
        """Open the sheet whose name fits, else the only list, else that with rows."""
        meant = [each for each in seen if each.is_of(kind)]
        titled = [each for each in meant if each.is_titled]
        some = titled or [each for each in meant if each.is_list] or meant
        for each in seen:
            named = kind_named(each.name, self._kinds(kind)) is not None
            if each.trouble is not None and (named or not titled):
                raise each.trouble
        found = some if len(some) == 1 else [each for each in some if each.has_rows]
        if len(found) == 1:
            return self._named(book, found[0].sheet, kind)
        if some:
            raise ReadingUnclear(
                about="sheet",
                choices=tuple((each.name, one_line(each.name)) for each in some),
                message=(
                    f"“{book.name}” has several sheets that could be meant: "
                    f"{listed([each.name for each in some])}."
                ),
                hint=WHICH_SHEET,
            )
        # Nothing is known for sure; a person may agree to what is likely.
        grids = [each.grid for each in seen if each.grid is not None]
        likely = [
            Body(grid=grid, headings=fit.headings)
            for grid in grids
            if (fit := self._likely(grid, kind))
        ]
        if len(likely) == 1:
            return likely[0]
        raise self._no_headings(book, seen, kind)

    def _likely(self, grid: Grid, kind: SheetKind | None) -> Fit | None:
        """Give what a sheet may be whose headings kawe does not know.

        With a `kind` it is that, whatever the cells speak for.
        """
        number = likeliest_heading_row(grid)
        if number is None:
            return None
        fits = [
            _fit_with_guesses(
                grid, self.recogniser.at(grid, number, kind=each), self.recogniser
            )
            for each in self._kinds(kind)
        ]
        best = max(fits, key=lambda fit: fit.score)
        return best if kind is not None or best.required >= _HALF else None

    def _find(self, book: Book, wanted: str) -> SheetName:
        """Find the sheet that the person named; an exact name comes first."""
        exact = [each for each in book.sheets if each.name == wanted]
        alike = [each for each in book.sheets if fold(each.name) == fold(wanted)]
        found = exact or alike
        if len(found) != 1:
            sheets = listed([each.name for each in book.sheets])
            raise ReadingUnclear(
                about="sheet",
                choices=tuple(
                    (each.name, one_line(each.name))
                    for each in book.sheets
                    if not each.is_hidden
                ),
                message=f"“{book.name}” has no sheet called “{one_line(wanted)}”.",
                hint=f"Its sheets are {sheets}. Name one with --sheet.",
            )
        if found[0].is_hidden and not self.include_hidden:
            raise WorkbookError(
                message=f"Sheet “{one_line(found[0].name)}” is hidden.",
                hint="Unhide it in Excel, or run again with --include-hidden.",
            )
        return found[0]

    def _kinds(self, kind: SheetKind | None) -> tuple[SheetKind, ...]:
        if kind is not None:
            return (kind,)
        return tuple(e for e in self.recogniser.columns if not e.needs_its_name)

    def _no_headings(
        self, book: Book, seen: Sequence[Seen], kind: SheetKind | None
    ) -> WorkbookError:
        needed = {
            each: [column.title for column in columns if column.required]
            for each, columns in self.recogniser.columns.items()
        }
        wanted = [f"{each.value}: {listed(needed[each])}" for each in self._kinds(kind)]
        grids = [each.grid for each in seen if each.grid is not None]
        where = listed([each.sheet for each in grids]) or "no sheet"
        like = next(filter(None, map(_like_headings, grids)), "")
        kinds = " or ".join(f"--kind {each.value}" for each in self._kinds(kind))
        lead = f"{like} If they are, say what the rows are: {kinds}. " if like else ""
        return WorkbookError(
            message=(
                f"kawe found no headings that it knows in “{book.name}” "
                f"(looked at {where})."
            ),
            hint=(
                f"{lead}One of the first 20 rows should hold the headings for "
                f"{'; or for '.join(wanted)}. Make an empty workbook with "
                "kawe template, or name the sheet with --sheet."
            ),
        )


def _like_headings(grid: Grid) -> str:
    """Name the row that looks most like headings, and the first of them."""
    number = likeliest_heading_row(grid)
    cells = next((cells for at, cells in grid.top() if at == number), ())
    texts = [text for cell in cells if (text := show(cell))]
    return f"Row {number} looks like headings: {listed(texts)}." if texts else ""


def listed(names: Sequence[str]) -> str:
    return some_of([f"“{one_line(name)}”" for name in names], shown=_LISTED)


def _known(fit: Fit) -> str:
    return listed([heading.text for heading, _ in fit.headings.known()])


def _mixed(sheet: str, fits: Sequence[Fit]) -> WorkbookError:
    """Say that a sheet has the headings of several kinds."""
    kinds = [fit.headings.kind.value for fit in fits]
    shown = "; ".join(f"of {fit.headings.kind.value} {_known(fit)}" for fit in fits)
    return ReadingUnclear(
        about="kind",
        choices=tuple((e.headings.kind.value, e.headings.kind.listed) for e in fits),
        message=(
            f"Sheet “{one_line(sheet)}” could be a list of {' or of '.join(kinds)}: it "
            f"has the headings of both ({shown})."
        ),
        hint=(
            f"Say which with {' or '.join(f'--kind {kind}' for kind in kinds)}, or put "
            "each list on a sheet of its own."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a heading row fits a kind."""

    headings: HeadingRow
    required: float
    """The share of the columns that the kind needs which are there."""
    own_required: int
    """How many of them no other kind knows."""
    own_optional: int
    score: float

    @property
    def is_list(self) -> bool:
        return self.required >= _A_LIST

    @property
    def is_strong(self) -> bool:
        """Say whether such headings can hardly be there for another kind's sake."""
        own = self.own_required + self.own_optional
        return self.required >= _MOSTLY and self.own_required > 0 and own >= _ENOUGH


def fits_of(
    grid: Grid, *, recogniser: Recogniser, kinds: Iterable[SheetKind]
) -> tuple[Fit, ...]:
    """Find what a sheet is about: nothing, one kind, or several that are all meant."""
    some = tuple(kinds)
    likely = [e for e in some if len(some) == 1 or e.may_be_called(grid.sheet)]
    found = [row for kind in likely if (row := recogniser.find(grid, kind=kind))]
    fits = [_fit(row, found, recogniser=recogniser, name=grid.sheet) for row in found]
    kept = tuple(each for each in fits if each.headings.is_kept)
    if kept:
        return kept[:1]
    strong = tuple(each for each in fits if each.is_strong)
    if len(strong) > 1:
        return strong
    named = [e for e in fits if e.headings.kind.needs_its_name and not e.own_optional]
    whole = [e for e in fits if not e.headings.kind.needs_its_name and e.required >= 1]
    if named and whole:
        # The name of a sheet alone makes no changes of a list of people to invite.
        return named[0], whole[0]
    if len(fits) > 1 and not strong:
        # The headings do not tell: the cells are looked at too.
        fits = [_fit_with_guesses(grid, e.headings, recogniser) for e in fits]
    fits.sort(key=lambda each: (each.score, each.required), reverse=True)
    if len(fits) > 1 and not strong and _is_close(*fits[:2]):
        return tuple(fits[:2])
    return tuple(fits[:1])


def _is_close(best: Fit, second: Fit) -> bool:
    return second.required >= _MOSTLY and second.score > _NEARLY * best.score


def _fit_with_guesses(grid: Grid, row: HeadingRow, recogniser: Recogniser) -> Fit:
    """Say how well a row fits its kind, with what the other columns may be."""
    fit = _fit(row, [row], recogniser=recogniser, name=grid.sheet)
    columns = recogniser.columns[row.kind]
    _, every = mapped(Body(grid=grid, headings=row), columns)
    guessed = [e.means for e in every if e.how is How.GUESS and e.means is not None]
    of = sum(column.required for column in columns) or 1
    needed = sum(column.required for column in guessed)
    return replace(
        fit,
        required=fit.required + needed / of,
        score=fit.score
        + (_GUESSED * needed / of)
        + _GUESSED * _OPTIONAL * (len(guessed) - needed),
    )


def likeliest_heading_row(grid: Grid) -> int | None:
    """Give the row that looks most like headings: many short texts, no two equal."""
    best, most = None, _ENOUGH
    for number, cells in grid.top():
        texts = [show(cell) for cell in cells if not is_blank(cell)]
        is_like = len(set(texts)) == len(texts) and not is_data(cells, map(show, cells))
        if is_like and len(texts) > most:
            best, most = number, len(texts)
    return best


def lists_among(book: Book) -> list[SheetName]:
    """Give the sheets that may be lists: those that people see, but for the guide."""
    return [e for e in book.sheets if not e.is_hidden and e.name != GUIDE_SHEET]


def kind_named(name: str, kinds: Iterable[SheetKind]) -> SheetKind | None:
    return next((kind for kind in kinds if fold(name) in kind.sheet_names), None)


def _fit(
    row: HeadingRow, rows: Sequence[HeadingRow], *, recogniser: Recogniser, name: str
) -> Fit:
    elsewhere = {
        (other.row, heading.column)
        for other in rows
        if other is not row
        for heading, _ in other.known()
    }
    needed = [each for each in recogniser.columns[row.kind] if each.required]
    known = [
        (column.required, (row.row, heading.column) not in elsewhere)
        for heading, column in row.known()
    ]
    there, own = known.count((True, False)), known.count((True, True))
    of = len(needed) or 1
    optional = known.count((False, True))
    is_named = kind_named(name, [row.kind]) is not None
    return Fit(
        headings=row,
        required=(own + there) / of if needed else 1.0,
        own_required=own,
        own_optional=optional,
        score=(own + _SHARED * there) / of + _OPTIONAL * optional + _NAMED * is_named,
    )
