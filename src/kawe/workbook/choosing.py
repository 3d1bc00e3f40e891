"""Which sheet of a workbook is read, and as which kind.

The sheet that bears the kind's name, else the only one with headings that
kawe knows. Where that leaves two, kawe stops and lists them: taking the
wrong sheet would send the wrong projects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold, one_line
from kawe.errors import WorkbookError
from kawe.workbook.grids import Book, Grid, SheetName
from kawe.workbook.headings import HeadingRow, Recogniser
from kawe.workbook.own_words import is_own_sheet

_LISTED: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One sheet, and the row of it that holds the headings."""

    grid: Grid
    headings: HeadingRow

    @property
    def has_rows(self) -> bool:
        """Say whether anything stands below the headings."""
        return any(number > self.headings.row for number, _ in self.grid.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Chooses the sheet to read."""

    recogniser: Recogniser
    include_hidden: bool

    def choose(
        self, book: Book, *, kind: SheetKind | None, sheet: str | None
    ) -> Chosen:
        """Choose the sheet of `book` that holds rows of `kind`.

        Raises:
            WorkbookError: No sheet, or more than one, can be meant.
        """
        if sheet is not None:
            return self._named(book, self._find(book, sheet), kind)
        names = [each.name for each in book.sheets]
        visible = [
            each
            for each in book.sheets
            if not each.is_hidden and not is_own_sheet(each.name, among=names)
        ]
        kinds = self._kinds(kind)
        titled = [each for each in visible if _kind_of(each.name, kinds) is not None]
        if len(titled) == 1:
            return self._named(book, titled[0], _kind_of(titled[0].name, kinds))
        return self._only(book, titled or visible, kind)

    def _named(self, book: Book, sheet: SheetName, kind: SheetKind | None) -> Chosen:
        """Take a sheet that is known by its name."""
        grid = book.grid(sheet.name)
        found = self.recogniser.best(grid, kinds=self._kinds(kind))
        if found is None:
            raise self._no_headings(book, [sheet], kind)
        return Chosen(grid=grid, headings=found)

    def _only(
        self, book: Book, sheets: Sequence[SheetName], kind: SheetKind | None
    ) -> Chosen:
        """Take the only sheet with known headings, else the only one with rows."""
        candidates = []
        for sheet in sheets:
            grid = book.grid(sheet.name)
            named = _kind_of(sheet.name, self._kinds(kind))
            found = self.recogniser.best(grid, kinds=self._kinds(named or kind))
            if found is not None:
                candidates.append(Chosen(grid=grid, headings=found))
        filled = [each for each in candidates if each.has_rows]
        if len(candidates) == 1:
            return candidates[0]
        if len(filled) == 1:
            return filled[0]
        if not candidates:
            raise self._no_headings(book, sheets, kind)
        raise WorkbookError(
            message=(
                f"“{book.name}” has several sheets that could be meant: "
                f"{_listed([each.grid.sheet for each in candidates])}."
            ),
            hint="Name one with --sheet.",
        )

    def _find(self, book: Book, wanted: str) -> SheetName:
        """Find the sheet that the person named, by its exact name if there is one."""
        exact = [each for each in book.sheets if each.name == wanted]
        alike = [each for each in book.sheets if fold(each.name) == fold(wanted)]
        found = exact or alike
        if len(found) != 1:
            raise WorkbookError(
                message=f"“{book.name}” has no sheet called “{one_line(wanted)}”.",
                hint=(
                    "Its sheets are "
                    f"{_listed([each.name for each in book.sheets])}. "
                    "Name one with --sheet."
                ),
            )
        if found[0].is_hidden and not self.include_hidden:
            raise WorkbookError(
                message=f"Sheet “{one_line(found[0].name)}” is hidden.",
                hint="Unhide it in Excel, or run again with --include-hidden.",
            )
        return found[0]

    def _kinds(self, kind: SheetKind | None) -> tuple[SheetKind, ...]:
        return tuple(self.recogniser.columns) if kind is None else (kind,)

    def _no_headings(
        self, book: Book, sheets: Sequence[SheetName], kind: SheetKind | None
    ) -> WorkbookError:
        wanted = [
            f"{each.value}: {_listed(self._required(each))}"
            for each in self._kinds(kind)
        ]
        where = _listed([each.name for each in sheets]) if sheets else "no sheet"
        return WorkbookError(
            message=(
                f"kawe found no headings that it knows in “{book.name}” "
                f"(looked at {where})."
            ),
            hint=(
                f"One of the first 20 rows should hold the headings for "
                f"{'; or for '.join(wanted)}. Make an empty workbook with "
                "kawe template, or name the sheet with --sheet."
            ),
        )

    def _required(self, kind: SheetKind) -> list[str]:
        return [each.title for each in self.recogniser.columns[kind] if each.required]


def _kind_of(name: str, kinds: Sequence[SheetKind]) -> SheetKind | None:
    return next((kind for kind in kinds if fold(name) in kind.sheet_names), None)


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{one_line(name)}”" for name in names[:_LISTED]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
