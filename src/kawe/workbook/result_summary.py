"""The sheet Summary: what this is, how the rows stand, what to do next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.batch.tokens import packs_covering, packs_words
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import weekday_words
from kawe.workbook import result_styles as styles
from kawe.workbook.own_words import CUT_MARK
from kawe.workbook.result_cells import write_headings, write_jump
from kawe.workbook.result_overview import Overview
from kawe.workbook.result_rows import local_time
from kawe.workbook.result_words import (
    OUTCOMES,
    mode_words,
)
from kawe.workbook.sheet_page import LINE_POINTS, Shape, SheetWriter

_WIDTHS: Final = (18.0, 10.0, 66.0, 66.0)
_WHOLE_WIDTH: Final = sum(_WIDTHS)
_TOO_LATE: Final = "Rows of these that were done before; the change is not applied."
_UNDO: Final = "Undo the change in your workbook, or make it in the portal."


def summary_shape(title: str) -> Shape:
    """Give the shape of the sheet."""
    return Shape(title=title, widths=_WIDTHS, on_one_page=True)


def write_summary(page: SheetWriter, report: BatchReport, overview: Overview) -> None:
    """Write all of the sheet but where to look."""
    summary = _Summary(page, report, overview)
    summary.opening()
    summary.outcomes()
    summary.tokens()
    summary.remarks()


def write_next_steps(
    page: SheetWriter, overview: Overview, *, rows: str, problems: str, waiting: str
) -> None:
    """Say how to go on, with links to the other sheets, named by their titles."""
    _section(page, "Where to look")
    _jump(page, rows, "your rows, with what became of each")
    errors, warnings = map(overview.count, (Severity.ERROR, Severity.WARNING))
    said = (
        f"{counted(errors, 'problem')} to correct, "
        f"{counted(warnings, 'thing')} to look at"
    )
    _jump(page, problems, said)
    waits = counted(len(overview.waiting), "row waits", "rows wait")
    _jump(page, waiting, f"{waits} for a person")
    _section(page, "How to go on")
    for step in _steps(overview, rows=rows):
        _line(page, f"• {step}")


class _Summary:
    """Writes one part of the sheet after the other."""

    def __init__(
        self, page: SheetWriter, report: BatchReport, overview: Overview
    ) -> None:
        self._page = page
        self._report = report
        self._counts = overview.counts

    def opening(self) -> None:
        """Say what this workbook is and where it comes from."""
        report = self._report
        self._page.line((f"Result for {report.workbook}", styles.TITLE), points=28)
        lead = (
            "What kawe found in your rows. Nothing has been sent."
            if not report.batch
            else "How each row of your workbook stands."
        )
        _line(self._page, lead, style=styles.LEAD)
        self._page.line()
        written = local_time(report.written_at)
        facts = {
            "Workbook": report.workbook,
            "Sheet": report.sheet,
            "Kind": report.kind.capitalize(),
            "Batch": report.batch,
            "Team": report.team,
            "Mode": mode_words(report.mode),
            "Who answers": report.owner,
            "Written": f"{weekday_words(written)}, {written:%H:%M} (NZ time)",
        }
        for label, value in facts.items():
            if value:
                self._page.line(
                    (label, styles.LABEL), (value, styles.FACT), points=LINE_POINTS
                )

    def outcomes(self) -> None:
        """Count the rows by outcome; the sum is the number of rows read."""
        _section(self._page, "How the rows stand")
        write_headings(
            self._page,
            ("Outcome", "Rows", "What it means", "What to do next"),
            own_from=0,
        )
        for outcome, explained in OUTCOMES.items():
            if not self._counts[outcome]:
                continue
            cells = self._page.begin_row()
            cells.text(outcome.value.capitalize(), styles.outcome_style(outcome))
            cells.number(self._counts[outcome], styles.body("count"))
            cells.text(explained.means, styles.body())
            cells.text(explained.next_step, styles.body())
            self._page.end_row()
        cells = self._page.begin_row()
        cells.text("Rows read", styles.TOTAL)
        cells.number(self._counts.total(), styles.TOTAL_COUNT)
        cells.text("Every row has exactly one outcome.", styles.TOTAL)
        cells.text("", styles.TOTAL)
        self._page.end_row()
        if self._report.changed_too_late:
            cells = self._page.begin_row()
            cells.text("Changed too late", styles.body(mark=Severity.ERROR))
            cells.number(self._report.changed_too_late, styles.body("count"))
            cells.text(_TOO_LATE, styles.body())
            cells.text(_UNDO, styles.body())
            self._page.end_row()

    def tokens(self) -> None:
        """Say how many tokens the deferred rows need and what would cover them."""
        needed = self._counts[Outcome.DEFERRED]
        if not needed:
            return
        left = self._report.tokens_left
        short = max(needed - (left or 0), 0)
        _section(self._page, "Tokens")
        _line(
            self._page,
            f"{counted(needed, 'row waits', 'rows wait')} for "
            f"{counted(needed, 'token')}.",
        )
        if left is not None:
            _line(self._page, f"The team has {counted(left, 'token')} now.")
        if short:
            packs = packs_covering(short)
            _line(
                self._page,
                f"{counted(short, 'more is', 'more are')} needed. In the "
                f"portal, {packs_words(packs)} would do. kawe itself never buys.",
            )
        _line(self._page, "When the tokens are there, run kawe release.")

    def remarks(self) -> None:
        """Say what concerns the whole run."""
        remarks = (self._report.iwi_load.words(), *self._report.remarks)
        if not any(remarks):
            return
        _section(self._page, "Please note")
        for remark in filter(None, remarks):
            _line(self._page, f"• {remark}")


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
        "The green headings are kawe's; what stands below them is not read when "
        "you submit this workbook."
    )
    if overview.has_long_text:
        yield (
            f"A text that ends with “{CUT_MARK.strip()}” is not whole here; it is in "
            "the file that ends in .json."
        )


def _section(page: SheetWriter, title: str) -> None:
    page.line()
    rest = (("", styles.SECTION) for _ in range(len(_WIDTHS) - 1))
    page.line((title, styles.SECTION), *rest, points=20)


def _line(page: SheetWriter, text: str, *, style: str = styles.FACT) -> None:
    """Write a text that runs over all columns, in as many rows as it needs."""
    for line in textwrap.wrap(text, int(_WHOLE_WIDTH)) or [""]:
        page.line((line, style), points=LINE_POINTS)


def _jump(page: SheetWriter, sheet: str, words: str) -> None:
    cells = page.begin_row()
    write_jump(page, sheet, sheet=sheet, address="A1", style=styles.JUMP)
    cells.text(words, styles.FACT)
    page.end_row(points=LINE_POINTS)
