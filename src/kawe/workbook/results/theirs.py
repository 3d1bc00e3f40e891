"""What kawe writes into the person's own sheet, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import CellRef
from kawe.workbook.own_words import (
    HEADINGS,
    LINK,
    OUTCOME,
    WHAT_TO_DO,
    free_name,
)
from kawe.workbook.results import styles
from kawe.workbook.results.cells import is_web, link_text, link_tip
from kawe.workbook.results.rows import (
    MOST_COMMENTS,
    local_time,
    own_columns,
    own_values,
    printed_part,
    row_mark,
    said_at,
    said_of,
    words_of,
    worst,
)
from kawe_xlsx.cells import column_letters
from kawe_xlsx.patching.book import PatchedBook, SheetPatch
from kawe_xlsx.patching.original import Original
from kawe_xlsx.patching.sheet_rows import RowEdit
from kawe_xlsx.patching.xml_edits import Unpatchable
from kawe_xlsx.writing.page import (
    MOST_LINKS,
    CellLink,
    Comment,
    dated,
    number_cell,
    text_cell,
)
from kawe_xlsx.writing.text import safe_text

_SAVED: Final = "it has changed since kawe read it"


@contextmanager
def their_sheet(
    book: PatchedBook, original: Original, report: BatchReport
) -> Iterator[Callable[[RowReport], None]]:
    """Write the sheet; give the function that writes the next row.

    Raises:
        Unpatchable: The sheet has other rows than the report.
    """
    theirs = original.headings
    if theirs != report.headings:
        raise Unpatchable(_SAVED)
    names = {each: free_name(each, taken=theirs) for each in own_columns(report)}
    printed = printed_part(book.columns, names=original.keys)
    with book.rows(names, printed=printed) as sheet:
        rows = original.rows()
        writer = _Rows(book, sheet, keys=original.keys, report=report)

        def write(row: RowReport) -> None:
            if next(rows, None) != (row.where.row, row.raw):
                raise Unpatchable(_SAVED)
            writer.write(row)

        yield write
        if next(rows, None) is not None:
            raise Unpatchable(_SAVED)


class _Rows:
    def __init__(
        self,
        book: PatchedBook,
        sheet: SheetPatch,
        *,
        keys: tuple[int, ...],
        report: BatchReport,
    ) -> None:
        self._sheet, self._keys = sheet, keys
        self._columns = book.columns
        self._of_texts = book.tinted.own.of_texts
        self._of_values = book.tinted.own.of_values
        self._outcomes = {each: styles.outcome_style(each) for each in Outcome}
        self._said_at = said_at(report.written_at)

    def write(self, row: RowReport) -> None:
        """Write kawe's cells of a row, and mark those of the person."""
        about: dict[int | None, list[Finding]] = {}
        for finding in row.findings:
            where = finding.where
            column = where.column if isinstance(where, CellRef) else None
            about.setdefault(column, []).append(finding)
        said = said_of(row.outcome, row.what_to_do)
        tints = dict.fromkeys(self._keys, styles.OUTCOME_TINTS[row.outcome])
        notes = {self._keys[0]: [said]} if self._keys else {}
        for column, findings in about.items():
            mark = worst(findings)
            if column is None or mark is None:
                continue
            tints[column] = styles.MARK_TINTS[mark]
            notes[column] = [*notes.get(column, []), *words_of(findings)]
        mark = row_mark(row, about.get(None, ()))
        edit = RowEdit(cells=self._own(row, mark=mark), tints=tints)
        self._sheet.write(row.where.row, edit)
        for column, words in notes.items():
            self._note(row.where.row, column, words)

    def _own(self, row: RowReport, *, mark: Severity | None) -> dict[int, str]:
        """Give kawe's cells by column."""
        link, linked = self._link(row)
        styled = {
            OUTCOME: self._outcomes[row.outcome],
            WHAT_TO_DO: styles.beside(mark=mark),
            LINK: linked,
        }
        columns, of_texts, plain = self._columns, self._of_texts, styles.beside()
        cells = {}
        for name, value in zip(HEADINGS, own_values(row), strict=True):
            if not value or name not in columns:
                continue
            if isinstance(value, str):
                text = link if name == LINK else value
                cells[columns[name]] = text_cell(
                    text, of_texts[styled.get(name, plain)]
                )
                continue
            at, style = dated(local_time(value))
            if not isinstance(at, str):
                number = self._of_values[styles.body(style)]
                cells[columns[name]] = number_cell(at, number)
        return cells

    def _link(self, row: RowReport) -> tuple[str, str]:
        """Give the text of a link and its style, and make it one."""
        url = row.link or ""
        if not url or not is_web(url) or len(self._sheet.links) >= MOST_LINKS:
            return url, styles.beside()
        cell = f"{column_letters(self._columns[LINK])}{row.where.row}"
        self._sheet.links.append(CellLink(cell=cell, url=url, tip=link_tip(url)))
        return link_text(url), styles.LINK

    def _note(self, row: int, column: int, words: list[str]) -> None:
        if len(self._sheet.comments) < MOST_COMMENTS:
            text = "\n\n".join((self._said_at, *words))
            comment = Comment(row=row, column=column, text=safe_text(text))
            self._sheet.comments.append(comment)
