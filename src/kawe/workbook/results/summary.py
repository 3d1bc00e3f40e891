"""The sheet Summary: origin, counts, and what to do next.

Small charts show the rows by outcome, and by iwi if there are several.

The totals are counted while the rows of a report are written once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from kawe.domain.batch import explaining
from kawe.domain.batch.outcomes import NEEDS_PERSON, BatchReport, Outcome, RowReport
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, Problems, Severity
from kawe.domain.text.new_zealand import local_time, weekday_words
from kawe.domain.text.texts import counted, one_line
from kawe.workbook.own_words import FILES, PROBLEMS, RESULTS, SUMMARY, WAITING
from kawe.workbook.results import styles
from kawe.workbook.results.cells import (
    Jump,
    Styled,
    write_headings,
    write_lines,
    write_row,
)
from kawe_xlsx.limits import CUT_MARK
from kawe_xlsx.writing.book import WorkbookWriter, quoted_sheet
from kawe_xlsx.writing.charts import Bar, Chart
from kawe_xlsx.writing.page import LINE_POINTS, Shape, SheetWriter

_WIDTHS: Final = (26.0, 10.0, 66.0, 66.0)
_HEADINGS: Final = ("Outcome", "Rows", "What it means", "What to do next")


ROWS: Final = "rows"
"""The sheet with the person's rows, among the titles of kawe's."""
Titles: TypeAlias = Mapping[str, str]
"""What each sheet is called; a person's may have its name."""


def write_summary(
    book: WorkbookWriter,
    report: BatchReport,
    overview: Overview,
    *,
    titles: Titles,
    remark: str = "",
) -> None:
    """Write the sheet; `remark` is about the workbook itself."""
    shape = Shape(title=titles[SUMMARY], widths=_WIDTHS, is_own=True)
    with book.page(shape, number=3) as page:
        _opening(page, report)
        if remark:
            write_lines(page, remark, style=styles.LEAD)
        _outcomes(page, report, overview)
        _section(page, "How your columns were read", report.read_as.lines())
        _section(page, "Tokens", explaining.token_sentences(report))
        remarks = filter(None, (*report.notes, report.iwi_load.words()))
        _section(page, "Please note", map(_item, remarks))
        _where_to_look(page, overview, titles=titles)
        _section(page, "How to go on", map(_item, _steps(overview, rows=titles[ROWS])))


def _opening(page: SheetWriter, report: BatchReport) -> None:
    """Write what this workbook is and its origin."""
    page.line((f"Result for {report.workbook}", styles.TITLE), points=28)
    lead = (
        "What kawe found in your rows. Nothing has been sent."
        if not report.batch
        else "How each row of your workbook stands."
    )
    write_lines(page, lead, style=styles.LEAD)
    page.line()
    written = local_time(report.written_at)
    facts = {
        "Workbook": report.workbook,
        "Sheet": report.sheet,
        "Kind": report.kind.capitalize(),
        "Batch": report.batch,
        "Team": report.team,
        "Mode": explaining.mode_words(report.mode),
        "Who answers": report.owner,
        "Run": report.run,
        "Written": f"{weekday_words(written)}, {written:%H:%M} (NZ time)",
    }
    for label, value in facts.items():
        if value:
            page.line((label, styles.LABEL), (value, styles.FACT), points=LINE_POINTS)


def _outcomes(page: SheetWriter, report: BatchReport, overview: Overview) -> None:
    """Write the rows by outcome; the sum is the rows read."""
    counts = overview.counts
    _headline(page, "How the rows stand")
    write_headings(page, _HEADINGS)
    first = page.row + 1
    for outcome, count, explained in explaining.explained_counts(report, counts):
        style = styles.outcome_style(outcome)
        _count(page, Styled(outcome.value.capitalize(), style), count, said=explained)
    write_row(
        page,
        Styled("Rows read", styles.TOTAL),
        Styled(counts.total(), styles.TOTAL_COUNT),
        Styled("Every row has exactly one outcome.", styles.TOTAL),
        Styled("", styles.TOTAL),
    )
    if report.changed_too_late:
        label = Styled("Changed too late", styles.body(mark=Severity.ERROR))
        _count(page, label, report.changed_too_late, said=explaining.TOO_LATE)
    outcomes = [each for each in explaining.OUTCOMES if counts[each]]
    write_charts(page, overview, outcomes=outcomes, first=first)


def _count(
    page: SheetWriter, label: Styled, count: int, *, said: explaining.Explained
) -> None:
    number = Styled(count, styles.body("count"))
    write_row(page, label, number, said.means, said.next_step)


def _where_to_look(page: SheetWriter, overview: Overview, *, titles: Titles) -> None:
    """Write links to the other sheets."""
    severities = Counter(each.severity for each in overview.problems)
    errors, warnings = severities[Severity.ERROR], severities[Severity.WARNING]
    waits = counted(len(overview.waiting), "row waits", "rows wait")
    words = {
        titles[RESULTS]: "every row with its outcome, and a link to it",
        titles[ROWS]: "your rows, with what became of each",
        titles[PROBLEMS]: (
            f"{counted(errors, 'problem')} to correct, "
            f"{counted(warnings, 'thing')} to look at"
        ),
        titles[WAITING]: f"{waits} for tokens or for a person",
    }
    if overview.files:
        words[titles[FILES]] = "the files that go with your rows"
    _headline(page, "Where to look")
    for title, said in words.items():
        jump = Jump(title, title, "A1", styles.JUMP)
        write_row(page, jump, Styled(said, styles.FACT), points=LINE_POINTS)


def _steps(overview: Overview, *, rows: str) -> Iterator[str]:
    if overview.counts[Outcome.INVALID]:
        yield (
            f"Correct the red cells on the sheet {rows}, save this "
            "workbook, and submit it as it is. Rows that are done are left alone."
        )
    yield (
        "Red must be corrected before the row can go; yellow should be looked at. "
        "Point at a coloured cell to read why."
    )
    yield (
        "The green headings are kawe's. Leave what stands below them with its row: "
        "when you submit this workbook, it says which project the row is."
    )
    if overview.has_long_text:
        yield (
            f"A text that ends with “{CUT_MARK.strip()}” is not whole here; it is in "
            "the file that ends in .json."
        )


def _headline(page: SheetWriter, title: str) -> None:
    page.line()
    rest = (("", styles.SECTION) for _ in range(len(_WIDTHS) - 1))
    page.line((title, styles.SECTION), *rest, points=20)


def _section(page: SheetWriter, title: str, sentences: Iterable[str]) -> None:
    for at, sentence in enumerate(sentences):
        if at == 0:
            _headline(page, title)
        write_lines(page, sentence)


def _item(sentence: str) -> str:
    return f"• {sentence}"


_MOST_IWI: Final = 8
"""The most burdened; the JSON document names all."""
_NAME_CHARACTERS: Final = 60
_CHARTS: Final = (("Rows by outcome", 0, 600), ("Projects by iwi", 3, 440))
"""With their column, from 0, and their width in pixels."""
_ROW_PIXELS: Final = 20


def write_charts(
    page: SheetWriter, overview: Overview, *, outcomes: Sequence[Outcome], first: int
) -> None:
    """Draw the rows by outcome, which stand from row `first` on, and those by iwi.

    One bar alone says nothing.
    """
    shares = sorted(overview.iwi.items(), key=lambda each: (-each[1], each[0]))
    names = ((one_line(name, limit=_NAME_CHARACTERS), n) for name, n in shares)
    by_iwi = [
        Bar(label=name, count=count, colour=styles.BAR)
        for name, count in islice(names, _MOST_IWI)
    ]
    by_outcome = [
        Bar(
            label=outcome.value.capitalize(),
            count=overview.counts[outcome],
            colour=styles.bar_colour(outcome),
        )
        for outcome in outcomes
    ]
    most = max(len(by_outcome), len(by_iwi))
    if most < 2:
        return
    page.line()
    row, height = page.row, 60 + 26 * most
    for _ in range(math.ceil(height / _ROW_PIXELS) + 1):
        page.line()
    listed = [(first, by_outcome)]
    if len(by_iwi) > 1:
        write_headings(page, ("Iwi", "Projects"))
        listed.append((page.row + 1, by_iwi))
        for bar in by_iwi:
            write_row(page, bar.label, Styled(bar.count, styles.body("count")))
    sheet = quoted_sheet(page.shape.title)
    for (begin, bars), (title, column, width) in zip(listed, _CHARTS, strict=False):
        end = begin + len(bars) - 1
        chart = Chart(
            title=title,
            labels=f"{sheet}!$A${begin}:$A${end}",
            counts=f"{sheet}!$B${begin}:$B${end}",
            bars=bars,
            row=row,
            column=column,
            width=width,
            height=height,
        )
        page.charts.append(chart)


class Overview:
    """Counts, findings and waiting rows."""

    def __init__(self) -> None:
        self.counts: Counter[Outcome] = Counter()
        self.findings: list[Finding] = []
        self.problems: Problems = ()
        self.waiting: list[RowReport] = []
        self.files: list[tuple[RowReport, Attachment]] = []
        self.iwi: Counter[str] = Counter()
        """How many rows go to each."""
        self.has_long_text = False
        """A text is longer than a cell may be."""

    def add(self, row: RowReport) -> None:
        """Add a row."""
        # Another batch counts this row.
        self.counts[row.outcome] += not row.of_batch
        if row.iwi and not row.of_batch:
            self.iwi.update(row.iwi)
        if row.findings:
            self.findings += row.findings
        self.files += [(row, file) for file in row.files]
        if row.outcome in NEEDS_PERSON and not row.of_batch:
            self.waiting.append(row)
