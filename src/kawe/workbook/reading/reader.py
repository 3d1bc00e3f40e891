"""The reader of workbooks, Excel and CSV, and of the stamp of `kawe template`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.findings import Finding, RowRef
from kawe.domain.sheet.tables import NO_MEMORY, ColumnMemory, ReadAs, Table
from kawe.domain.text.new_zealand import short_day_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import numbers_words, one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.dates import taken_day_first
from kawe.workbook.cells.reading import error, note, show, warning
from kawe.workbook.identify import WorkbookFormat, form_of, load
from kawe.workbook.own_words import (
    NAMING,
    STAMP_KIND,
    STAMP_SHEET,
    STAMP_VERSION,
    TEMPLATE_VERSION,
)
from kawe.workbook.reading.assigning import mapped, open_columns
from kawe.workbook.reading.books import Books
from kawe.workbook.reading.choosing import WHICH_SHEET, Chooser, listed
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.reading.lines import Body, left_out, table_named, tables_of
from kawe.workbook.reading.rows import LOOKED_AT, OpenSheet, unread_orders
from kawe_xlsx.cells import column_letters
from kawe_xlsx.patching.original import Original

_PLAIN: Final = ReadingChoices()
_ROWS: Final = 10
_MOST: Final = 1_000
"""No template has such a version, whatever somebody typed there."""
_HIDDEN: Final = (
    "Show them (Data > Clear, or select all rows and Unhide) or delete them; or run "
    f"again with {Given.INCLUDE_HIDDEN} to take them too."
)
_STRUCK: Final = (
    f"Run again with {Given.SKIP_STRUCK} to leave them out, or with "
    f"{Given.INCLUDE_STRUCK} to take them too."
)


class CalamineReader:
    """Reads .xlsx, .xlsm and .csv files, copied into memory: Excel may have them open.

    Of `choices` it is hidden and struck-through rows, and the table of several, that
    count here: such rows are an error where nothing is chosen. `memory` is what was
    said of columns before; `given` fields need no column; those who share `books`
    parse a workbook once.
    """

    def __init__(
        self,
        columns: Mapping[SheetKind, Sequence[Column]],
        *,
        choices: ReadingChoices = _PLAIN,
        memory: ColumnMemory = NO_MEMORY,
        given: frozenset[str] = frozenset(),
        books: Books | None = None,
    ) -> None:
        self._recogniser = Recogniser(columns, memory=memory, given=given)
        self._choices = choices
        self._books = books or Books()
        self._held: tuple[Path, bytes, Chooser] | None = None
        self._text: Path | None = None
        self._sheets: dict[tuple[SheetKind | None, str | None], OpenSheet] = {}

    def read(self, path: Path, *, kind: SheetKind | None, sheet: str | None) -> Table:
        return self.open(path, kind=kind, sheet=sheet).table()

    def open(
        self, path: Path, *, kind: SheetKind | None, sheet: str | None
    ) -> OpenSheet:
        """Open the sheet that `kind` or `sheet` names, or its headings."""
        chooser = self.book(path)
        if (kind, sheet) not in self._sheets:
            opened = self._opened(chooser, path.name, kind=kind, sheet=sheet)
            self._sheets[kind, sheet] = opened
        return self._sheets[kind, sheet]

    def _opened(
        self, chooser: Chooser, name: str, *, kind: SheetKind | None, sheet: str | None
    ) -> OpenSheet:
        chosen = chooser.choose(kind=kind, sheet=sheet)
        kinds = self._recogniser.columns if kind is None else [kind]
        every = tables_of(chosen, self._recogniser, kinds)
        table = table_named(every, self._choices.table)
        findings = [*left_out(every, table)]
        takes, months = self._choices.takes_struck, self._choices.accepts_months_first
        if takes is not None or months:
            table = replace(table, takes_struck=takes, takes_months_first=months)
        body, columns = mapped(table)
        row, grid = body.headings, body.grid
        read_as = ReadAs(
            every=columns,
            shape=row.shape,
            addresses=row.addresses,
            template=_template_of(chooser, row.kind),
            heading_rows=(row.row - 1, row.row) if row.lines else (row.row,),
        )
        findings += (
            *self._recogniser.findings(row, read_as, at=body.ref),
            *open_columns(read_as, at=body.ref, workbook=name),
            *_of_template(read_as.template, at=body.ref),
            *grid.findings,
            *self._rows_read(body),
            *_of_cells(body),
        )
        unread = () if sheet is not None else chooser.passed_over(body, kind=kind)
        if unread:
            are = "looks like a list" if len(unread) == 1 else "look like lists"
            remark = warning(
                "sheets-not-read",
                message=f"Not read: {listed(unread)}, which {are} too.",
                advice=WHICH_SHEET,
            )
            findings.append(remark.at(body.ref))
        head = Table(
            kind=row.kind,
            sheet=grid.sheet,
            heading_row=row.row,
            headings=row.headings,
            rows=(),
            findings=(*findings, *body.findings()),
            read_as=read_as,
        )
        return OpenSheet(body=body, head=head)

    def _rows_read(self, body: Body) -> Iterator[Finding]:
        """Warn of rows that look left out; or raise, where nobody said to read them."""
        grid, choices = body.grid, self._choices
        hidden = grid.tally.hidden_rows, choices.include_hidden, _HIDDEN
        struck = grid.tally.struck_rows, choices.takes_struck is not None, _STRUCK
        for rule, how, (rows, is_said, hint) in (
            ("rows-hidden", "hidden or filtered", hidden),
            ("rows-struck", "struck-through", struck),
            ("rows-commented", "commented", (grid.commented_rows, True, "")),
        ):
            if (there := body.among(rows)) and not is_said:
                raise WorkbookError(
                    message=f"Sheet “{one_line(grid.sheet)}” has {how} rows: "
                    f"{numbers_words(there)}. kawe does not guess whether they are "
                    "meant.",
                    hint=hint,
                )
            if there:
                yield warning(
                    rule,
                    message=f"{how.capitalize()} rows were read too: "
                    f"{numbers_words(there)}.",
                    advice="Nothing, if they are meant.",
                ).at(replace(body.ref, row=there[0]))

    def original(
        self, path: Path, *, kind: SheetKind, sheet: str
    ) -> Original | str | None:
        """Give the workbook to be given back, if it is the one that was read last.

        Where it cannot carry a result, it is said why.
        """
        if path == self._text:
            return "your rows are in a text file"
        if self._held is None or self._held[0] != path:
            return None
        _, data, chooser = self._held
        seen = self._sheets.values()
        same = (e for e in seen if (e.head.kind, e.head.sheet) == (kind, sheet))
        opened = next(same, None) or self._opened(
            chooser, path.name, kind=kind, sheet=sheet
        )
        if opened.body.is_beside:
            return "it has another table beside these rows"
        body, row = opened.body, opened.body.headings
        known = {means.field: each.column for each, means in row.known()}
        return Original(
            data=data,
            name=path.name,
            sheet=body.grid.sheet,
            heading_row=row.row,
            headings=tuple(each.text for each in row.headings),
            columns=tuple(each.column for each in row.headings),
            keys=tuple(known[field] for field in NAMING if field in known),
            own=row.own,
            merges=frozenset(body.grid.tally.merges),
            reach=body.grid.reach,
            rows=body.values,
            own_cells=lambda: (
                values[at - 1]
                for number, values in body.grid.rows
                for at in row.own.values()
                if number > row.row and at <= len(values)
            ),
            own_sheets=lambda: (
                (values for _, values in chooser.grid(each.name).rows)
                for each in chooser.sheets
                if each.is_own
            ),
        )

    def book(self, path: Path) -> Chooser:
        """Open a workbook; the same one again is not parsed again."""
        data = load(path)
        if self._held is None or self._held[:2] != (path, data):
            chooser = Chooser(
                self._books.open(path, data, recogniser=self._recogniser),
                recogniser=self._recogniser,
                include_hidden=self._choices.include_hidden,
                table=self._choices.table,
            )
            self._held = (path, data, chooser)
            is_text = form_of(data, path=path) is WorkbookFormat.CSV
            self._text = path if is_text else None
            self._sheets.clear()
        return self._held[2]

    def let_rows_go(self) -> None:
        """Forget the rows of the workbook that was read last; of a text file, all."""
        self._sheets.clear()
        self._books.let_go()
        if self._held is not None:
            self._held[2].let_rows_go()
        if self._text is not None:
            self._held = None


def _of_cells(body: Body) -> Iterator[Finding]:
    """Give the findings on rows that are not there, and on whole columns."""
    tally, row = body.grid.tally, body.headings
    if not body.rows:
        yield error(
            "no-rows",
            message=f"There are no rows below the headings in row {body.ref.row}.",
            advice=f"Fill in a row, or name another sheet with {Given.SHEET}.",
        ).at(body.ref)
    days = [e for e, means in row.known() if means.kind is CellKind.DATE]
    places = [row.headings.index(each) for each in days]
    first = islice(body.values(), LOOKED_AT)
    taken = taken_day_first(raw[at] for _, raw in first for at in places)
    if taken and not any(unread_orders(body)):
        yield warning(
            "dates-either",
            message=f"No date of the sheet says whether its day or its month is first: "
            f"“{taken[0]}” is taken for {short_day_words(taken[1])}.",
            advice="If that is not meant, write the months as words.",
        ).at(body.ref.cell(days[0].column), heading=days[0].text)
    for heading, means in row.known():
        column, where = heading.column, body.ref.cell(heading.column)
        named = f"Column {column_letters(column)} “{heading.text}”"
        is_hidden = any(a <= column <= z for a, z in tally.hidden_columns)
        # What nobody changes in a fetched sheet is hidden as a matter of course.
        if is_hidden and not means.is_fetched:
            yield warning(
                "column-hidden",
                message=f"{named} is hidden, and was read.",
                advice="Look at what stands in it, or delete it.",
            ).at(where, heading=heading.text)
        if tally.formulas.get(column, (0, 0))[0] > row.row:
            yield note(
                "column-formulas",
                message=f"{named} has formulas; their last values were used.",
            ).at(where, heading=heading.text)


def _template_of(book: Chooser, kind: SheetKind) -> int | None:
    """Give the version of a template of `kind`; None where a workbook is none."""
    if STAMP_SHEET not in {each.name for each in book.sheets}:
        return None
    try:
        rows = list(islice(book.grid(STAMP_SHEET).rows, _ROWS))
    except WorkbookError:
        # Nothing of the person's stands there.
        return None
    said = {show(cells[0]): cells[1] for _, cells in rows if len(cells) > 1}
    version = said.get(STAMP_VERSION)
    if said.get(STAMP_KIND) != kind.value or not isinstance(version, int | float):
        return None
    return int(version) if version in range(_MOST) else None


def _of_template(version: int | None, *, at: RowRef) -> Iterator[Finding]:
    """Warn of a template of a later version, which may have other columns."""
    if version is not None and version > TEMPLATE_VERSION:
        yield warning(
            "template-new",
            message=f"A newer kawe made this workbook (template {version}; this kawe "
            f"has {TEMPLATE_VERSION}).",
            advice="Look under “Not read”, or use the newer kawe.",
        ).at(at)
