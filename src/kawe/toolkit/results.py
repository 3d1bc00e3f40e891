"""Writes results: what the rooms of workbooks and of pages need of one another."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kawe.domain.batch.outcomes import BatchReport
from kawe.geo.coast_data import coast_data
from kawe.settings import Settings
from kawe.workbook.patching.original import Original

if TYPE_CHECKING:
    from kawe.html.result_page import ResultPage
    from kawe.workbook.results.result import StreamedResultWriter


@cache
def coast_drawing() -> str:
    """Give the coast as the path of a map; made once."""
    from kawe.html.coastline import coast_path  # noqa: PLC0415 (start-up)

    return coast_path(coast_data().rings)


def result_writer(
    settings: Settings,
    *,
    protect: Path,
    run: str,
    original: Callable[[BatchReport], Original | str],
) -> StreamedResultWriter:
    """Give a writer that never touches `protect`; its pages link to the service."""
    from kawe.workbook.results.result import (  # noqa: PLC0415 (start-up)
        StreamedResultWriter,
    )

    def page(report: BatchReport) -> ResultPage:
        from kawe.html.result_page import ResultPage  # noqa: PLC0415 (start-up)

        return ResultPage(
            report,
            coast=coast_drawing,
            origins=filter(None, (settings.project_link, settings.base_url)),
        )

    return StreamedResultWriter(
        protect=frozenset({protect}), run=run, original=original, page=page
    )
