"""The pages of the desk: their paths, and what happens where one fails."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from kawe.desk import work_in_hand
from kawe.desk.gate import DeskGate, Visitor
from kawe.desk.pages import (
    batch,
    check,
    held,
    plan,
    queue,
    receipt,
    release,
    start,
    submit,
)
from kawe.desk.rendering import sorry, style_sheet
from kawe.desk.runs import Around, PageRuns
from kawe.desk.visits import DeskVisit, View
from kawe.errors import KaweError

_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_log: Final = logging.getLogger("kawe.desk")
_FIELDS_MOST: Final = 500
_FILES_MOST: Final = 500
_TEXT_MOST_BYTES: Final = 64 * 1024

_SUBJECTS: Final = (
    start,
    check,
    plan,
    submit,
    batch,
    queue,
    release,
    held,
    receipt,
    work_in_hand,
)
_PAGES: Final[list[tuple[str, View]]] = [p for each in _SUBJECTS for p in each.PAGES]
_ACTS: Final[list[tuple[str, View]]] = [p for each in _SUBJECTS for p in each.ACTS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The pages over the runs."""

    visitor: Visitor
    runs: PageRuns
    around: Around

    def application(self) -> ASGIApp:
        """Give the application behind its gate."""
        handlers = dict.fromkeys(
            (KaweError, HTTPException, ClientDisconnect, Exception), self._sorry
        )
        pages = Starlette(
            routes=[
                Route("/desk.css", _style, methods=["GET"]),
                *(Route(at, self._page(view), methods=["GET"]) for at, view in _PAGES),
                *(Route(at, self._act(view), methods=["POST"]) for at, view in _ACTS),
            ],
            exception_handlers=handlers,
        )
        pages.router.redirect_slashes = False
        return DeskGate(app=pages, visitor=self.visitor)

    def _page(self, view: View) -> _Endpoint:
        async def answer(request: Request) -> Response:
            # Pages read workbooks and the journal.
            return await run_in_threadpool(view, self._visit(request))

        return answer

    def _act(self, view: View) -> _Endpoint:
        async def answer(request: Request) -> Response:
            async with request.form(
                max_files=_FILES_MOST,
                max_fields=_FIELDS_MOST,
                max_part_size=_TEXT_MOST_BYTES,
            ) as form:
                visit = self._visit(request, form=form)
                if not self.visitor.is_own_form(visit.text("form_token")):
                    return sorry(403, _OLD, is_known=True)
                return await run_in_threadpool(view, visit)

        return answer

    def _visit(self, request: Request, **more: object) -> DeskVisit:
        return DeskVisit(
            visitor=self.visitor,
            runs=self.runs,
            around=self.around,
            ids={name: str(each) for name, each in request.path_params.items()},
            query=dict(request.query_params),
            **more,  # type: ignore[arg-type] # the form, or nothing
        )

    async def _sorry(self, request: Request, fault: Exception) -> Response:
        del request
        match fault:
            case KaweError():
                status_code, says = 409, str(fault)
            case HTTPException():
                says = fault.detail if fault.status_code != 404 else _NOT_HERE
                status_code = fault.status_code
            case ClientDisconnect():
                status_code, says = 400, "The request broke off. Nothing was done."
            case _:
                _log.error("unexpected", exc_info=fault)
                status_code, says = 500, _FAULT
        return sorry(status_code, says, is_known=True)


_OLD: Final = (
    "This form is out of date: the desk was started again since. Nothing was done. Go "
    "back, load the page again, and send it from there."
)
_NOT_HERE: Final = "The desk has no such page."
_FAULT: Final = (
    "Something unexpected happened, and it is kawe's fault. What was done is in the "
    "journal, and nothing is sent twice. The log says more."
)


async def _style(request: Request) -> Response:
    del request
    return style_sheet()
