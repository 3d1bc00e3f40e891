"""The pages of the desk, and how they are served: on this machine alone."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import URL, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from kawe.desk.gate import DeskGate, Visitor
from kawe.desk.pages import batch, check, plan, settings, start, waiting, year
from kawe.desk.rendering import go_to, page, sorry, style_sheet
from kawe.desk.runs import FAULT, Around, PageRun, PageRuns
from kawe.desk.visits import ACTS, PAGES, DeskVisit, View, done_at, said_of, shown_at
from kawe.domain.batch.runs import RELEASE
from kawe.errors import KaweError
from kawe.ports import Halt
from kawe.system import is_windows

_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_log: Final = logging.getLogger("kawe.desk")
_PARTS_MOST: Final = 500
_TEXT_MOST_BYTES: Final = 64 * 1024

_JOBS: Final = {
    check.CHECK: ("Reading and checking", "/works/{0}"),
    plan.PLAN: ("Making the plan", "/works/{0}/plan"),
    plan.SIGN: ("Signing the plan", "/works/{0}/plan"),
    plan.SUBMIT: ("Carrying out the plan", "/works/{0}/result?tried=yes"),
    waiting.COUNT: ("Asking how many rows can go", "/queue/release"),
    RELEASE: ("Sending rows that waited", "/queue/done"),
    waiting.DROP: ("Taking a row out of the queue", "/queue"),
    waiting.RESOLVE: ("Carrying out your decision", "/held"),
    settings.TEST: ("Asking the service", "/settings?tried=yes"),
    year.YEAR: ("Reading and writing", "/year"),
    start.FETCH: ("Fetching what is there now", "/?tried=yes"),
    batch.UNDO: ("Writing what puts it back", "/batch/undone"),
    batch.REPORT: ("Writing the result", "/batches"),
}
"""By command: what it is called, and the page of what it gives."""
_SAY_WHY: Final = {settings.TEST, year.YEAR}
"""Their pages say themselves why nothing was given."""


@shown_at("/job")
def follow(visit: DeskVisit) -> Response:
    """Show the job that was started; once it has ended well, what it gave."""
    if (latest := visit.runs.latest) is None:
        return go_to("/at-work")
    says_it = latest.work_id or latest.answer is not None or latest.command in _SAY_WHY
    if latest.has_ended and says_it:
        return go_to(_JOBS[latest.command][1].format(latest.work_id))
    return _job_page(visit, latest)


@shown_at("/at-work")
def at_work(visit: DeskVisit) -> Response:
    return _job_page(visit, visit.runs.running)


def _job_page(visit: DeskVisit, job: PageRun | None) -> Response:
    goes_on = job is not None and not job.has_ended
    work = visit.works.find(job.work_id) if job is not None else None
    other = None if goes_on else visit.toolkit.holder
    return visit.page(
        "at_work.html",
        job=job,
        goes_on=goes_on,
        trouble=check.trouble_of(job),
        called={command: words for command, (words, _) in _JOBS.items()},
        workbook=work.name if work is not None else "",
        back="" if job is None else _JOBS[job.command][1].format(job.work_id),
        other=other,
        theirs=() if other is None else batch.standings_at_work(visit, other.since),
    )


@done_at("/at-work/stop", on=at_work)
def stop(visit: DeskVisit) -> Response:
    """Stop the job as one Ctrl-C does."""
    visit.runs.ask_to_stop()
    return go_to("/job")


_MEANWHILE: Final = {stop, waiting.order, settings.forget}
"""These can be done while the desk is at work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The pages over the runs."""

    visitor: Visitor
    runs: PageRuns
    around: Around

    def application(self) -> ASGIApp:
        """Give the application behind its gate."""
        faults = KaweError, HTTPException, ClientDisconnect, OSError, Exception
        handlers = dict.fromkeys(faults, self._sorry)
        routes = [Route("/desk.css", style_sheet)]
        routes += [Route(at, self._page(view)) for at, view in PAGES.items()]
        routes += [Route(at, self._act(*e), methods=["POST"]) for at, e in ACTS.items()]
        pages = Starlette(routes=routes, exception_handlers=handlers)
        pages.router.redirect_slashes = False
        return DeskGate(app=pages, visitor=self.visitor)

    def _page(self, view: View) -> _Endpoint:
        async def answer(request: Request) -> Response:
            kept = self.runs.refusals.get(request.query_params.get("refused", ""), {})
            # Pages read workbooks and the journal.
            return await run_in_threadpool(view, self._visit(request, **kept))

        return answer

    def _act(self, view: View, stands_on: str) -> _Endpoint:
        def follow(visit: DeskVisit) -> Response:
            try:
                if view not in _MEANWHILE:
                    running, sent = self.runs.running, (visit.here, visit.harmless)
                    is_bare = all(isinstance(each, str) for each in visit.form.values())
                    if running and is_bare and (running.path, running.typed) == sent:
                        # A double click: its first half is at work.
                        return go_to("/job")
                    self.runs.refuse_while_one_runs()
                answer = view(visit)
            except (KaweError, HTTPException) as why:
                return visit.refuse(why, on=stands_on)
            return answer

        async def answer(request: Request) -> Response:
            async with request.form(
                max_files=_PARTS_MOST,
                max_fields=_PARTS_MOST,
                max_part_size=_TEXT_MOST_BYTES,
            ) as form:
                visit = self._visit(request, form=form)
                if not self.visitor.is_own_form(visit.text("form_token")):
                    return sorry(403, _OLD, door=self.visitor.door)
                # What the page of this form said of it is past; other tabs keep theirs.
                came_from = URL(request.headers.get("referer", "")).query
                self.runs.refusals.pop(QueryParams(came_from).get("refused", ""), None)
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
            **more,  # type: ignore[arg-type] # the form, or why it was refused
        )

    async def _sorry(self, _: Request, fault: Exception) -> Response:
        match fault:
            case KaweError():
                status_code, says = 409, said_of(fault)
            case HTTPException(detail="Not Found" | "Method Not Allowed"):
                status_code, says = fault.status_code, _NOT_HERE
            case HTTPException(status_code=400):
                # Of a form that is not read to its end.
                is_too_much = "maximum" in fault.detail.lower()
                status_code, says = 400, _TOO_MUCH if is_too_much else _BROKEN
            case HTTPException():
                status_code, says = fault.status_code, fault.detail
            case ClientDisconnect():
                status_code, says = 400, "The request broke off. Nothing was done."
            case _:
                _log.error("unexpected", exc_info=fault)
                status_code, says = 500, f"{FAULT} The log says more."
                if isinstance(fault, OSError):
                    status_code, says = 507, f"{_NOT_KEPT} {fault.strerror}."
        return sorry(status_code, says, door=self.visitor.door)


_OLD: Final = (
    "This form is out of date: the desk was started again since. Nothing was done. Go "
    "back, load the page again, and send it from there."
)
_TOO_MUCH: Final = (
    f"That is more than a form can take: at most {_PARTS_MOST} files, and no very long "
    "text. Nothing was kept. Add the files in parts, or write the path of their folder "
    "into “Folder of the attachments”."
)
_BROKEN: Final = "The form did not arrive whole. Nothing was kept. Load its page again."
_NOT_KEPT: Final = "Nothing was sent: a file cannot be kept or read. Mend that first:"
_NOT_HERE: Final = "The address is wrong, or it is that of a button, and of no page."
_HOST: Final = "127.0.0.1"
_CONNECTIONS_MOST: Final = 64
_HEAD_SECONDS: Final = 10
_WAKE_SECONDS: Final = 0.3


def forwarding(address: str) -> bytes:
    """Give a file for one person's eyes that forwards to an address.

    What a browser is started with, every other user of the machine can read.
    """
    return bytes(page("forward.html", {"address": address}).body)


def serve_desk(
    around: Around, *, port: int, ready: Callable[[str], None], halt: Halt
) -> None:
    """Serve until `halt` asks; then the run that goes on finishes what is in flight.

    `port` 0 takes a free one. `ready` is told the address that opens the desk, which
    works once.

    Raises:
        OSError: The port is taken.
    """
    with _listening(port) as bound:
        visitor = Visitor(port=int(bound.getsockname()[1]))
        runs = PageRuns(around)
        server = Server(_config(Desk(visitor=visitor, runs=runs, around=around)))
        # Without its thread, uvicorn would take the signals.
        thread = threading.Thread(
            target=server.run, args=([bound],), name="kawe-desk", daemon=True
        )
        thread.start()
        ready(visitor.address)
        # Short waits: Windows handles Ctrl+C only between them.
        while not halt.asked:
            time.sleep(_WAKE_SECONDS)
        runs.ask_to_stop()
        while runs.running is not None:
            time.sleep(_WAKE_SECONDS)
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


class _Connection(H11Protocol):
    """Sends a head soon, or ends; the oldest without one gives way to a new one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin, where there is room for it."""
        super().connection_made(transport)
        self.began = self.loop.time()
        self.loop.call_later(_HEAD_SECONDS, self.give_way)
        there = [e for e in self.connections if not e.transport.is_closing()]
        if len(there) > _CONNECTIONS_MOST:
            idle = [e for e in there if isinstance(e, _Connection) and not e.cycle]
            min(idle, key=lambda each: each.began).give_way()

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
