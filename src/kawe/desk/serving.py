"""The pages of the desk, and how they are served: on this machine alone."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from kawe.cases.care.journals import writer_of
from kawe.desk.gate import DeskGate, Visitor
from kawe.desk.pages import batch, check, plan, settings, sign, waiting, year
from kawe.desk.rendering import go_to, page, sorry, style_sheet
from kawe.desk.runs import Around, PageRun, PageRuns
from kawe.desk.visits import DeskVisit, View
from kawe.errors import KaweError
from kawe.system import is_windows

_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_log: Final = logging.getLogger("kawe.desk")
_FIELDS_MOST: Final = 500
_FILES_MOST: Final = 500
_TEXT_MOST_BYTES: Final = 64 * 1024

_JOBS: Final = {
    "check": ("Reading and checking", "/works/{0}"),
    "plan": ("Making the plan", "/works/{0}/plan"),
    "approve": ("Signing the plan", "/works/{0}/plan"),
    "submit": ("Carrying out the plan", "/works/{0}/result"),
    "count release": ("Asking how many rows can go", "/queue/release"),
    "release": ("Sending rows that waited", "/queue/done"),
    "deferred drop": ("Taking a row out of the queue", "/queue"),
    "resolve": ("Carrying out your decision", "/held"),
    "settings": ("Asking the service", "/settings"),
    "year": ("Reading and writing", "/year"),
    "undo": ("Writing what puts it back", "/batch/undone"),
    "report": ("Writing the result", "/batches"),
}
"""By command: what it is called, and the page of what it gives."""
_SAY_WHY: Final = {settings.TEST, year.YEAR}
"""Their pages say themselves why nothing was given."""
_SUBJECTS: Final = (check, plan, sign, batch, waiting, year, settings)


def follow(visit: DeskVisit) -> Response:
    """Show the job that was started; once it has ended well, what it gave."""
    latest = visit.runs.latest
    if latest is None:
        return go_to("/at-work")
    says_it = latest.work_id or latest.answer is not None or latest.command in _SAY_WHY
    if latest.ended is not None and says_it:
        return go_to(_JOBS[latest.command][1].format(latest.work_id))
    return _job_page(visit, latest)


def at_work(visit: DeskVisit) -> Response:
    return _job_page(visit, visit.runs.running)


def _job_page(visit: DeskVisit, job: PageRun | None) -> Response:
    goes_on = job is not None and job.ended is None
    work = visit.works.find(job.work_id) if job is not None else None
    return visit.page(
        "at_work.html",
        job=job,
        goes_on=goes_on,
        trouble=check.trouble_of(job),
        called={command: words for command, (words, _) in _JOBS.items()},
        workbook=work.name if work is not None else "",
        back="" if job is None else _JOBS[job.command][1].format(job.work_id),
        other="" if goes_on else writer_of(visit.around.settings()),
    )


def stop(visit: DeskVisit) -> Response:
    """Stop the job as one Ctrl-C does."""
    visit.runs.ask_to_stop()
    return go_to("/job")


_PAGES: Final[list[tuple[str, View]]] = [
    ("/job", follow),
    ("/at-work", at_work),
    *(page for each in _SUBJECTS for page in each.PAGES),
]
_ACTS: Final[list[tuple[str, View, View]]] = [
    ("/at-work/stop", stop, at_work),
    *(act for each in _SUBJECTS for act in each.ACTS),
]


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
                *(Route(at, self._act(*do), methods=["POST"]) for at, *do in _ACTS),
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

    def _act(self, view: View, shows: View) -> _Endpoint:
        def follow(visit: DeskVisit) -> Response:
            try:
                return view(visit)
            except (KaweError, HTTPException) as why:
                return shows(visit.refusing(why))

        async def answer(request: Request) -> Response:
            async with request.form(
                max_files=_FILES_MOST,
                max_fields=_FIELDS_MOST,
                max_part_size=_TEXT_MOST_BYTES,
            ) as form:
                visit = self._visit(request, form=form)
                if not self.visitor.is_own_form(visit.text("form_token")):
                    return sorry(403, _OLD, door=self.visitor.door)
                return await run_in_threadpool(follow, visit)

        return answer

    def _visit(self, request: Request, **more: object) -> DeskVisit:
        return DeskVisit(
            visitor=self.visitor,
            runs=self.runs,
            around=self.around,
            ids={name: str(each) for name, each in request.path_params.items()},
            query=dict(request.query_params),
            here=request.url.path.removeprefix(self.visitor.door),
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
        return sorry(status_code, says, door=self.visitor.door)


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


_HOST: Final = "127.0.0.1"
_CONNECTIONS_MOST: Final = 64
_HEAD_SECONDS: Final = 10
_WAKE_SECONDS: Final = 0.3


def forwarding(address: str) -> bytes:
    """Give a file for one person's eyes that forwards to an address.

    What a browser is started with, every other user of the machine can read.
    """
    return bytes(page("forward.html", {"address": address}).body)


def serve_desk(around: Around, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; call from the main thread.

    `port` 0 takes a free one. `ready` is told the address that opens the desk, which
    works once. At a signal the run that goes on finishes what is in flight; at a second
    one nothing is waited for.

    Raises:
        OSError: The port is taken.
        KeyboardInterrupt: There was a second signal.
    """
    ended = threading.Event()
    with _signals_set(ended), _listening(port) as bound:
        visitor = Visitor(port=int(bound.getsockname()[1]))
        runs = PageRuns(around)
        desk = Desk(visitor=visitor, runs=runs, around=around)
        server = Server(_config(desk))
        # Without its thread, uvicorn would take the signals.
        thread = threading.Thread(
            target=server.run, args=([bound],), name="kawe-desk", daemon=True
        )
        thread.start()
        ready(visitor.address)
        # Short waits: Windows handles Ctrl+C only between them.
        while not ended.wait(_WAKE_SECONDS):
            pass
        runs.ask_to_stop()
        while runs.running is not None:
            runs.wait(_WAKE_SECONDS)
        server.should_exit = True
        thread.join()


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as bound:
        if not is_windows():
            # A restart can use the port; on Windows two programs could share it.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((_HOST, port))
        bound.listen()
        yield bound


@contextmanager
def _signals_set(ended: threading.Event) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        if ended.is_set():
            # Intents are on disk: stopping now loses nothing.
            raise KeyboardInterrupt
        ended.set()

    before = {
        number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


class _Connection(H11Protocol):
    """Sends a head soon, or ends; the oldest without one gives way to a new one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin, where there is room for it."""
        super().connection_made(transport)
        self.began = self.loop.time()
        self.loop.call_later(_HEAD_SECONDS, self.give_way)
        there = [e for e in self.connections if not e.transport.is_closing()]
        if len(there) > _CONNECTIONS_MOST:
            idle = (each for each in there if isinstance(each, _Connection))
            waiting = [each for each in idle if each.cycle is None]
            min(waiting, key=lambda each: each.began).give_way()

    def give_way(self) -> None:
        """End, where no request has come."""
        if self.cycle is None:
            self.transport.abort()


def _config(desk: Desk) -> Config:
    return Config(
        desk.application(),
        http=_Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
