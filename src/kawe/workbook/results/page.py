"""The page beside a result: another room draws it, this one gives the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import Problems

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
