"""What the desk, or another kawe, is doing now."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from kawe.desk.rendering import go_to
from kawe.desk.runs import PageRun
from kawe.desk.visits import DeskVisit, View
from kawe.toolkit.care.journals import writer_of

_REFRESH_SECONDS: Final = 1
_JOBS: Final = {
    "check": ("Reading and checking", "/works/{0}"),
    "plan": ("Making the plan", "/works/{0}/plan"),
    "submit": ("Carrying out the plan", "/works/{0}/result"),
    "count release": ("Asking how many rows can go", "/queue/release"),
    "release": ("Sending rows that waited", "/queue/done"),
    "deferred drop": ("Taking a row out of the queue", "/queue"),
    "resolve": ("Carrying out your decision", "/held"),
    "export receipts": ("Saving receipts", "/receipts"),
    "report": ("Writing the result", "/batches"),
}
"""By command: what it is called, and the page of what it gives."""


def follow(visit: DeskVisit) -> Response:
    """Show the job that was started; once it has ended well, what it gave."""
    latest = visit.runs.latest
    if latest is None:
        return go_to("/at-work")
    if latest.ended is not None and (latest.work_id or latest.answer is not None):
        return go_to(_JOBS[latest.command][1].format(latest.work_id))
    return _page(visit, latest)


def at_work(visit: DeskVisit) -> Response:
    return _page(visit, visit.runs.running)


def _page(visit: DeskVisit, job: PageRun | None) -> Response:
    goes_on = job is not None and job.ended is None
    return visit.page(
        "at_work.html",
        job=job,
        goes_on=goes_on,
        called={command: words for command, (words, _) in _JOBS.items()},
        refresh_seconds=_REFRESH_SECONDS if goes_on else None,
        other="" if goes_on else writer_of(visit.around.settings()),
    )


def stop(visit: DeskVisit) -> Response:
    """Stop the job as one Ctrl-C does."""
    visit.runs.ask_to_stop()
    return go_to("/job")


PAGES: Final[tuple[tuple[str, View], ...]] = (("/job", follow), ("/at-work", at_work))
ACTS: Final[tuple[tuple[str, View], ...]] = (("/at-work/stop", stop),)
