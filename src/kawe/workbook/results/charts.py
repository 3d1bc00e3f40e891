"""Small charts of the sheet Summary: the rows by outcome, and by iwi if several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.text.texts import one_line
from kawe.workbook.results import styles
from kawe.workbook.results.cells import write_headings
from kawe.workbook.results.overview import Overview
from kawe.workbook.xlsx.book import quoted_sheet
from kawe.workbook.xlsx.charts import Bar, Chart
from kawe.workbook.xlsx.page import SheetWriter

_MOST_IWI: Final = 8
"""The most burdened; the JSON document names all."""
_NAME_CHARACTERS: Final = 60
_WIDTHS: Final = (600, 440)
"""In pixels: of the chart on the left, and on the right."""
_COLUMNS: Final = (0, 3)
_ROW_PIXELS: Final = 20


def write_charts(
    page: SheetWriter, overview: Overview, *, outcomes: Sequence[Outcome], first: int
) -> None:
    """Draw the rows by outcome, which stand from row `first` on, and those by iwi.

    One bar alone says nothing.
    """
    by_outcome, by_iwi = _by_outcome(outcomes, overview), _by_iwi(overview)
    most = max(len(by_outcome), len(by_iwi))
    if most < 2:
        return
    page.line()
    row, height = page.row, 60 + 26 * most
    for _ in range(math.ceil(height / _ROW_PIXELS) + 1):
        page.line()
    charts = [("Rows by outcome", first, by_outcome)]
    if len(by_iwi) > 1:
        charts.append(("Projects by iwi", _write_iwi(page, by_iwi), by_iwi))
    sheet = quoted_sheet(page.shape.title)
    places = zip(charts, _COLUMNS, _WIDTHS, strict=False)
    for (title, begin, bars), column, width in places:
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


def _write_iwi(page: SheetWriter, bars: Sequence[Bar]) -> int:
    """Write how many projects go to each iwi; give the number of the first row."""
    write_headings(page, ("Iwi", "Projects"))
    first = page.row + 1
    for bar in bars:
        page.begin_row()
        page.text(bar.label, styles.body())
        page.numeric(bar.count, styles.body("count"))
        page.end_row()
    return first


def _by_iwi(overview: Overview) -> list[Bar]:
    shares = sorted(overview.iwi.items(), key=lambda each: (-each[1], each[0]))
    names = ((one_line(name, limit=_NAME_CHARACTERS), n) for name, n in shares)
    return [
        Bar(label=name, count=count, colour=styles.BAR)
        for name, count in islice(names, _MOST_IWI)
    ]


def _by_outcome(outcomes: Sequence[Outcome], overview: Overview) -> list[Bar]:
    return [
        Bar(
            label=outcome.value.capitalize(),
            count=overview.counts[outcome],
            colour=styles.bar_colour(outcome),
        )
        for outcome in outcomes
    ]
