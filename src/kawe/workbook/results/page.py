"""The page beside a result: another room draws it, this one gives the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import IO, Final, Protocol, TypeAlias

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import Problems
from kawe.workbook.replacing import sealed_page
from kawe.workbook.results.summary import Overview

PAGE: Final = ".html"


class RowsPage(Protocol):
    """A page that is made of the rows of one report."""

    def add(self, row: RowReport, *, reference: str, name: str) -> None:
        """Add the next row, with what people know it by."""
        ...

    def finish(self, counts: Counter[Outcome], problems: Problems) -> str:
        """Give the page as HTML."""
        ...


MakePage: TypeAlias = Callable[[BatchReport], RowsPage]


class PageFile:
    """Writes the page; without `make` there is none, and no file for it."""

    def __init__(
        self, files: Sequence[IO[bytes]], report: BatchReport, make: MakePage | None
    ) -> None:
        self._files = files
        self._page = None if make is None else make(report)

    def write(self, row: RowReport, reference: str, name: str) -> None:
        """Write one row."""
        if self._page is not None:
            self._page.add(row, reference=reference, name=name)

    def finish(self, overview: Overview) -> None:
        """Write all."""
        if self._page is not None:
            page = self._page.finish(overview.counts, overview.problems)
            for file in self._files:
                file.write(sealed_page(page.encode()))
