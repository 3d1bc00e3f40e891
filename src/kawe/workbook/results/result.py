"""The writer of results: a workbook, a CSV file and a JSON document.

The workbook is the person's own, with kawe's columns and sheets; where that cannot be,
it is a new one, and says why. A person can correct and submit it.

The next result has all that stands in the person's own cells. What they typed into
cells and comments of kawe's would be lost, so a result is only replaced while these are
what kawe wrote: the document beside the workbook says that.
"""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Final, Protocol, TypeAlias

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import Problems
from kawe.domain.text.new_zealand import local_time
from kawe.domain.text.next_steps import Says
from kawe.errors import WorkbookError
from kawe.workbook import replacing
from kawe.workbook.cells.reading import show
from kawe.workbook.own_words import (
    EXPIRES,
    FILES,
    MADE,
    PROBLEMS,
    RESULTS,
    SUMMARY,
    TIME,
    WAITING,
    WIDTHS,
    free_name,
    is_own_sheet,
)
from kawe.workbook.results import styles
from kawe.workbook.results.cells import FIND, OPEN
from kawe.workbook.results.csv_json import CsvRows, JsonRows, csv_values, plain_values
from kawe.workbook.results.lists import results_sheet, write_lists
from kawe.workbook.results.rows import (
    LOOKED_AT,
    RowsLayout,
    WriteRow,
    layout_of,
    names_of,
    own_columns,
    own_values,
    rows_sheet,
    said_at,
    said_of,
    sheet_title,
    their_sheet,
)
from kawe.workbook.results.summary import ROWS, Overview, Titles, write_summary
from kawe_xlsx.cells import RawValue
from kawe_xlsx.patching.book import patched_book
from kawe_xlsx.patching.notes import kawes_texts
from kawe_xlsx.patching.original import Original
from kawe_xlsx.patching.xml_edits import Unpatchable
from kawe_xlsx.writing.book import WorkbookWriter, new_book
from kawe_xlsx.writing.page import shown_row, shown_time
from kawe_xlsx.writing.text import plain_text

_NO_NOTES: Final = (
    "Your sheet has comments of its own, so kawe wrote none there; the colours, the "
    "columns and the sheet Results say the same."
)


class RowsPage(Protocol):
    """A page that is made of the rows of one report."""

    def add(self, row: RowReport, *, reference: str, name: str) -> None:
        """Add the next row, with what people know it by."""
        ...

    def finish(self, counts: Counter[Outcome], problems: Problems) -> str:
        """Give the page as HTML."""
        ...


MakePage: TypeAlias = Callable[[BatchReport], RowsPage]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedResultWriter:
    """Writes results, never to a path in `protect`; `run` is the id of the run.

    `original` gives the workbook that the rows of a report were read from, or the
    reason why there is none. `page` makes the page beside it, `says` the words.
    """

    protect: frozenset[Path] = frozenset()
    run: str = ""
    page: MakePage | None = None
    original: Callable[[BatchReport], Original | str] = lambda _: ""
    says: Says = str

    def check_writable(self, path: Path) -> None:
        """Check, before any request, that a result can be written to `path`."""
        replacing.check_place(path, protect=self.protect)

    def why_new(self, report: BatchReport) -> str:
        """Say, before any send, why the person's workbook cannot come back; or not."""
        original = self.original(report)
        try:
            if isinstance(original, Original):
                with _theirs(report, original)(io.BytesIO()):
                    return ""
        except Unpatchable as why:
            return str(why)
        return ""

    def write(self, report: BatchReport, path: Path) -> Path:
        """Write `report` as workbook and beside it; say where the workbook is.

        Each file appears whole or not at all. When one of them is open in another
        program, was edited or written by somebody, or is of another sheet, all go to
        `… (2)`.
        """
        original, new = self.original(report), path.with_suffix(".xlsx")
        if isinstance(original, Original) and original.ending != path.suffix.casefold():
            original = f"that could only be a file that ends in {original.ending}"
        if isinstance(original, str):
            return self._save(report, new, _new(report, because=original))
        try:
            back = has_only_what_kawe_wrote(original, path)
            return self._save(report, path, _theirs(report, original), back=back)
        except Unpatchable as why:
            return self._save(report, new, _new(report, because=str(why)))

    def _save(
        self, report: BatchReport, path: Path, way: "_Way", *, back: bool = False
    ) -> Path:
        """Write the files; with `back` the workbook at `path` comes back corrected."""
        report = replace(report.said(self.says), run=self.run)
        return replacing.write_together(
            path,
            lambda files, seal: write_result(
                report, files, way=way, seal=seal, page=self.page
            ),
            protect=self.protect,
            beside=(".csv", *([] if self.page is None else [replacing.PAGE]), ".json"),
            source=(report.workbook, report.sheet),
            is_back=back,
        )


def write_result(
    report: BatchReport,
    files: Sequence[IO[bytes]],
    *,
    way: "_Way | None" = None,
    seal: replacing.Seal = replacing.NOTHING_BEFORE,
    page: MakePage | None = None,
) -> None:
    """Write the files, the one of `page` before the last; `seal` says what is replaced.

    Raises:
        Unpatchable: The person's own workbook cannot be given back.
    """
    way = way or _new(report)
    workbook, *beside = files
    with way(workbook) as opened:
        table, document = _write(report, beside, opened, page=page)
    table.finish()
    for file in files[:2]:
        file.seek(0)
    document.seal(
        replace(
            seal,
            csv_sha256=replacing.sha256_of(beside[0]),
            own_sheets=_joined(
                page.digest for page in opened.book.in_order() if page.shape.is_own
            ),
            workbook_sha256=replacing.sha256_of(workbook),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A workbook that is open to be written, and how its sheet of rows is."""

    book: WorkbookWriter
    titles: Titles
    their_sheet: Callable[[RowsLayout], AbstractContextManager[WriteRow]]
    remark: str
    because: str = ""
    """Why it is a new workbook and not the person's own."""
    is_first: bool = True
    is_patched: bool = False


_Way: TypeAlias = Callable[[IO[bytes]], AbstractContextManager[_Opened]]
"""Opens a file as the workbook of a result; complete after the block."""


def _theirs(report: BatchReport, original: Original) -> _Way:
    """Write the person's workbook again."""

    @contextmanager
    def way(file: IO[bytes]) -> Iterator[_Opened]:
        with patched_book(
            file,
            original,
            look=styles.look(),
            widths={each: WIDTHS[each] for each in own_columns(report)},
            is_own=lambda name, names: is_own_sheet(name, among=names),
        ) as book:
            yield _Opened(
                book=book,
                titles=_titles(report.sheet, taken=book.titles),
                their_sheet=lambda layout: their_sheet(
                    book, original, report=report, layout=layout
                ),
                remark=_NO_NOTES if book.notes.are_closed else "",
                is_first=book.is_first,
                is_patched=True,
            )

    return way


def _new(report: BatchReport, *, because: str = "") -> _Way:
    """Write a new workbook, and say why."""
    rows = sheet_title(report.sheet)
    said = f"This is a new workbook and not your own, because {because}."

    @contextmanager
    def way(file: IO[bytes]) -> Iterator[_Opened]:
        title = f"Result for {report.workbook}"
        with new_book(file, styles=styles.style_sheet(), title=title) as book:
            yield _Opened(
                book=book,
                titles=_titles(rows, taken=[rows]),
                their_sheet=lambda layout: rows_sheet(book, report, layout),
                remark=said if because else "",
                because=because,
            )

    return way


def _write(
    report: BatchReport,
    beside: Sequence[IO[bytes]],
    opened: _Opened,
    *,
    page: MakePage | None,
) -> tuple[CsvRows, JsonRows]:
    """Write all but the ends of the files beside the workbook."""
    csv_file, *page_files, json_file = beside
    shown = page(report) if page is not None else None
    rows = iter(sorted(report.rows, key=lambda row: row.where.row))
    first_rows = tuple(islice(rows, LOOKED_AT))
    book, titles = opened.book, opened.titles
    layout = layout_of(
        report, title=titles[ROWS], first_rows=first_rows, is_patched=opened.is_patched
    )
    table = CsvRows(csv_file, headings=layout.headings)
    theirs = layout.headings[: layout.theirs]
    document = JsonRows(json_file, report, headings=theirs, new_workbook=opened.because)
    overview, names = Overview(), names_of(report)
    is_first = opened.is_first
    with (
        results_sheet(book, report, titles=titles, is_first=is_first) as write_front,
        opened.their_sheet(layout) as write_row,
    ):
        for row in chain(first_rows, rows):
            said, values, named = row.as_json(), plain_values(row.raw), names(row)
            own = own_values(said)
            write_row(row, own)
            write_front(row, own, named)
            table.write(csv_values(values, own, layout))
            document.write(said, values)
            if shown is not None:
                shown.add(row, reference=named[0], name=named[1])
            overview.add(row)
    overview.has_long_text = table.has_long_text
    overview.problems = report.problems(overview.findings)
    write_summary(book, report, overview, titles=titles, remark=opened.remark)
    write_lists(book, report, overview, titles=titles, layout=layout)
    document.finish(overview)
    if shown is not None:
        text = shown.finish(overview.counts, overview.problems)
        page_files[0].write(replacing.proven(text, replacing.PAGE))
    return table, document


def _titles(rows: str, *, taken: Collection[str]) -> Titles:
    own = (RESULTS, SUMMARY, PROBLEMS, WAITING, FILES)
    return {ROWS: rows, **{each: free_name(each, taken=taken) for each in own}}


_ROW: Final = b'{"sheet"'
_TIMES: Final = (TIME, MADE, EXPIRES)


def has_only_what_kawe_wrote(original: Original, path: Path) -> bool:
    """Say whether all cells and comments of kawe's at `path` are as kawe wrote them.

    False as well: the file is another one by now, or no document tells.
    """
    document = path.with_suffix(".json")
    with suppress(OSError, ValueError, KeyError, TypeError, WorkbookError):
        said = replacing.sealed(document)
        if not said or path.read_bytes() != original.data:
            return False
        # What kawe's sheets show, whatever program saved them.
        shown = (b"".join(map(shown_row, rows)) for rows in original.own_sheets())
        if said["own_sheets"] != _joined(hashlib.sha256(e).digest() for e in shown):
            return False
        with document.open("rb") as lines:
            head = json.loads(lines.readline().rstrip(b",\n") + b"}")
            known, noted = {"", OPEN, FIND}, set[str]()
            noted.update(_lines_of(said_at(datetime.fromisoformat(head["written_at"]))))
            for line in lines:
                if line.startswith(_ROW):
                    row = json.loads(line.rstrip(b",\n"))
                    known.update(_texts(row))
                    # Rows may have moved since: it does not count where one stands.
                    noted.update(*(_lines_of(plain_text(e)) for e in _notes(row)))
        comments = chain.from_iterable(map(_lines_of, kawes_texts(original)))
        cells = map(_text, original.own_cells())
        return known.issuperset(cells) and noted.issuperset(comments)
    return False


def _notes(row: Mapping[str, Any]) -> Iterator[str]:
    """Give every text of kawe's comments on a row, from the document."""
    yield said_of(row["outcome"], row["what_to_do"])
    for each in row["findings"]:
        yield f"{each['message']} {each['advice']}"


def _lines_of(text: str) -> list[str]:
    # Programs break lines and write spaces in several ways.
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _joined(digests: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    """Give every text that kawe writes beside a row, from the document."""
    for heading, text in own_values(row).items():
        yield plain_text(str(text or ""))
        if text and heading in _TIMES:
            yield _text(local_time(datetime.fromisoformat(str(text))))


def _text(value: RawValue) -> str:
    return shown_time(value) if isinstance(value, date) else show(value)
