"""What the desk, or another kawe, is doing now."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from kawe.desk.pages import go_to
from kawe.desk.visits import View, Visit
from kawe.toolkit.journals import writer_of

_REFRESH_SECONDS: Final = 1
_LEADS_TO: Final = {
    "count release": "/queue/release",
    "release": "/queue/done",
    "resolve": "/held",
    "export receipts": "/receipts",
    "report": "/batches",
}
CALLED: Final = {
    "count release": "Asking how many rows can go",
    "release": "Sending rows that waited",
    "resolve": "Carrying out your decision",
    "export receipts": "Saving receipts",
    "report": "Writing the result",
}


def at_work(visit: Visit) -> Response:
    """Show the job that runs; go on to what it gave once it has ended well."""
    job = visit.runs.running
    latest = visit.runs.latest
    if job is None and latest is not None and not latest.work_id and latest.answer:
        return go_to(_LEADS_TO[latest.command])
    return visit.page(
        "at_work.html",
        job=job or latest,
        goes_on=job is not None,
        called=CALLED,
        refresh_seconds=None if job is None else _REFRESH_SECONDS,
        other="" if job is not None else writer_of(visit.around.settings()),
    )


def stop(visit: Visit) -> Response:
    """Stop the job as one Ctrl-C does."""
    visit.runs.ask_to_stop()
    return go_to("/at-work")


PAGES: Final[tuple[tuple[str, View], ...]] = (("/at-work", at_work),)
ACTS: Final[tuple[tuple[str, View], ...]] = (("/at-work/stop", stop),)
