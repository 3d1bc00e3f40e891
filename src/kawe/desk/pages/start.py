"""The first page: the workbooks of before, and a place for another."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.cases import safe_name
from kawe.desk.pages.batch import standings_of_works
from kawe.desk.pages.check import start_check
from kawe.desk.visits import DeskVisit, View


def start(visit: DeskVisit) -> Response:
    """Show the workbooks, the newest first: how each stands, and one next step."""
    standing = standings_of_works(visit)
    return visit.page("start.html", works=visit.works.every(), standing=standing)


def add(visit: DeskVisit) -> Response:
    """Take a workbook."""
    chosen = visit.uploads("workbook")
    if not chosen:
        raise HTTPException(400, "No workbook was chosen. Go back and choose one.")
    name = safe_name(chosen[0].name, "workbook.xlsx")
    work = visit.works.add(name, chosen[0].content, at=datetime.now(UTC))
    return start_check(visit, work)


PAGES: Final[tuple[tuple[str, View], ...]] = (("/", start),)
ACTS: Final[tuple[tuple[str, View], ...]] = (("/works", add),)
