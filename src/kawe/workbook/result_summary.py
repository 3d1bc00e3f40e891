"""The sheet Summary: what this is, how the rows stand, what to do next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from openpyxl import Workbook
from openpyxl.cell import Cell

from kawe.domain.findings import Finding, Severity
from kawe.domain.outcomes import BatchReport, Outcome
from kawe.domain.tokens import packs_covering
from kawe.workbook import result_styles as styles
from kawe.workbook.limits import EXCEL_TEXT_LIMIT
from kawe.workbook.own_words import CUT_MARK
from kawe.workbook.result_cells import number_cell, place_cell, text_cell
from kawe.workbook.result_page import Page
from kawe.workbook.result_rows import RowsLayout, local_time
from kawe.workbook.result_words import (
    OUTCOMES,
    counted,
    mode_words,
    packs_words,
)

_WIDTHS: Final = (18.0, 10.0, 66.0, 66.0)
_LINE_POINTS: Final = 15.0
_WHOLE_WIDTH: Final = sum(_WIDTHS)


def write_summary(
    book: Workbook,
    report: BatchReport,
    layout: RowsLayout,
    *,
    title: str,
    problems: str,
    waiting: str,
) -> None:
    """Write the sheet; `problems` and `waiting` are what those sheets are called."""
    page = Page(book, title, widths=_WIDTHS)
    page.print_on_one_page()
    summary = _Summary(page, report)
    summary.opening()
    summary.outcomes()
    summary.tokens()
    summary.remarks()
    summary.next_steps(layout, problems=problems, waiting=waiting)


class _Summary:
    """Writes one part of the sheet after the other."""

    def __init__(self, page: Page, report: BatchReport) -> None:
        self._page = page
        self._sheet = page.sheet
        self._report = report
        self._counts = report.counts()

    def opening(self) -> None:
        """Say what this workbook is and where it comes from."""
        report = self._report
        self._page.write(
            [self._text(f"Result for {report.workbook}", styles.TITLE)], points=28
        )
        lead = (
            "What kawe found in your rows. Nothing has been sent."
            if not report.batch
            else "How each row of your workbook stands."
        )
        self._line(lead, style=styles.LEAD)
        self._page.write(())
        written = local_time(report.written_at)
        facts = {
            "Workbook": report.workbook,
            "Sheet": report.sheet,
            "Kind": report.kind.capitalize(),
            "Batch": report.batch,
            "Team": report.team,
            "Mode": mode_words(report.mode),
            "Written": f"{written:%A} {written.day} {written:%B %Y, %H:%M} (NZ time)",
        }
        for label, value in facts.items():
            if value:
                self._page.write(
                    [
                        self._text(label, styles.LABEL),
                        self._text(value, styles.FACT),
                    ],
                    points=_LINE_POINTS,
                )

    def outcomes(self) -> None:
        """Count the rows by outcome; the sum is the number of rows read."""
        self._section("How the rows stand")
        self._page.headings(
            ("Outcome", "Rows", "What it means", "What to do next"), own_from=0
        )
        for outcome, explained in OUTCOMES.items():
            if not self._counts[outcome]:
                continue
            self._page.write(
                [
                    self._text(
                        outcome.value.capitalize(), styles.outcome_style(outcome)
                    ),
                    number_cell(
                        self._sheet, self._counts[outcome], style=styles.body("count")
                    ),
                    self._text(explained.means, styles.body()),
                    self._text(explained.next_step, styles.body()),
                ]
            )
        total = self._counts.total()
        self._page.write(
            [
                self._text("Rows read", styles.TOTAL),
                number_cell(self._sheet, total, style=styles.TOTAL_COUNT),
                self._text("Every row has exactly one outcome.", styles.TOTAL),
                self._text("", styles.TOTAL),
            ]
        )

    def tokens(self) -> None:
        """Say how many tokens the deferred rows need and what would cover them."""
        needed = self._counts[Outcome.DEFERRED]
        if not needed:
            return
        left = self._report.tokens_left
        short = max(needed - (left or 0), 0)
        self._section("Tokens")
        self._line(
            f"{counted(needed, 'row waits', 'rows wait')} for "
            f"{counted(needed, 'token')}."
        )
        if left is not None:
            self._line(f"The team has {counted(left, 'token')} now.")
        if short:
            packs = packs_covering(short)
            self._line(
                f"{short:,} more {'is' if short == 1 else 'are'} needed. In the "
                f"portal, {packs_words(packs)} would do. kawe itself never buys."
            )
        self._line("When the tokens are there, run kawe release.")

    def remarks(self) -> None:
        """Say what concerns the whole run."""
        remarks = (self._report.iwi_load.words(), *self._report.remarks)
        if not any(remarks):
            return
        self._section("Please note")
        for remark in filter(None, remarks):
            self._line(f"• {remark}")

    def next_steps(self, layout: RowsLayout, *, problems: str, waiting: str) -> None:
        """Say how to go on, with links to the other sheets."""
        self._section("Where to look")
        findings = [each for row in self._report.rows for each in row.findings]
        self._jump(layout.title, "your rows, with what became of each")
        self._jump(problems, _problem_words(findings))
        left = [self._counts[each] for each in (Outcome.DEFERRED, Outcome.HELD)]
        left.append(self._counts[Outcome.IN_DOUBT])
        waits = counted(sum(left), "row waits", "rows wait")
        self._jump(waiting, f"{waits} for a person")
        self._section("How to go on")
        for step in self._steps(layout):
            self._line(f"• {step}")

    def _steps(self, layout: RowsLayout) -> Iterator[str]:
        if self._counts[Outcome.INVALID]:
            yield (
                f"Correct the red cells on the sheet {layout.title}, save this "
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
        if _has_long_text(self._report):
            yield f"A text that ends with “{CUT_MARK.strip()}” is not whole here."

    def _section(self, title: str) -> None:
        self._page.write(())
        self._page.write(
            [
                self._text(title if not column else "", styles.SECTION)
                for column in range(len(_WIDTHS))
            ],
            points=20,
        )

    def _line(self, text: str, *, style: str = styles.FACT) -> None:
        """Write a text that runs over all columns, in as many rows as it needs."""
        for line in textwrap.wrap(text, int(_WHOLE_WIDTH)) or [""]:
            self._page.write([self._text(line, style)], points=_LINE_POINTS)

    def _jump(self, sheet: str, words: str) -> None:
        link = place_cell(
            self._sheet, sheet, target=sheet, address="A1", style=styles.JUMP
        )
        self._page.write([link, self._text(words, styles.FACT)], points=_LINE_POINTS)

    def _text(self, text: str, style: str) -> Cell:
        return text_cell(self._sheet, text, style=style)


def _problem_words(findings: list[Finding]) -> str:
    errors = sum(each.severity is Severity.ERROR for each in findings)
    warnings = sum(each.severity is Severity.WARNING for each in findings)
    return (
        f"{counted(errors, 'problem')} to correct, "
        f"{counted(warnings, 'thing')} to look at"
    )


def _has_long_text(report: BatchReport) -> bool:
    return any(
        isinstance(value, str) and len(value) > EXCEL_TEXT_LIMIT
        for row in report.rows
        for value in row.raw
    )
