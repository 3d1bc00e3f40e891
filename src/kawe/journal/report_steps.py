"""Requests for reports in a journal. The caller begins the transaction.

Their steps are linked by hashes as events are, in a chain of their own: a project of
which a report is wanted need not be a row.
"""

from __future__ import annotations

import json
from typing import Final

from kawe.domain.service.report_requests import (
    ReportOf,
    ReportRequest,
    ReportStep,
    ReportStepKind,
    requests_after,
)
from kawe.errors import JournalError
from kawe.journal.events import GENESIS, link_hash
from kawe.journal.records import instant
from kawe.journal.store import Record, Store, all_of, reading_records
from kawe.journal.words import instant_to_text, storable

_HASHED: Final = slice(3, 9)


def put_report_step(store: Store, step: ReportStep) -> None:
    """Add a step to the request for a report.

    Raises:
        JournalError: It does not follow from those before it.
    """
    records = list(store.rows("report_steps"))
    with reading_records():
        steps = list(map(_from_record, records))
    try:
        requests_after([*steps, step])
    except ValueError as bad:
        raise JournalError(
            message=f"No request for a report of {step.about.words()} is open, so its "
            "end cannot be written down."
        ) from bad
    seq, previous = len(records) + 1, records[-1][2] if records else GENESIS
    values = (
        step.about.project,
        step.kind.value,
        instant_to_text(step.at),
        json.dumps(step.known),
        step.verdict,
        step.report,
    )
    names = storable(step.about.name), storable(step.about.reference)
    digest = link_hash(seq, previous=previous, values=values)
    store.run("add_report_step", [(seq, previous, digest, *values, *names)])


def kept_report_requests(store: Store) -> tuple[ReportRequest, ...]:
    """Give the last request of each project."""
    steps = all_of(store, "report_steps", _from_record)
    with reading_records():
        return tuple(requests_after(steps).values())


def broken_report_step(store: Store) -> str:
    """Say what is wrong first with the steps; empty: nothing."""
    last = GENESIS
    for expected, record in enumerate(store.rows("report_steps"), 1):
        seq, previous, digest = record[:3]
        found = link_hash(seq, previous=last, values=record[_HASHED])
        if (seq, previous, digest) != (expected, last, found):
            return f"Step {expected} of the requests for reports is not what was kept."
        last = digest
    kept_report_requests(store)
    return ""


def _from_record(record: Record) -> ReportStep:
    _, _, _, project, kind, at, known, verdict, report, name, reference = record
    return ReportStep(
        kind=ReportStepKind(kind),
        about=ReportOf(project=project, name=name, reference=reference),
        at=instant(at),
        known=tuple(map(str, json.loads(known))),
        verdict=verdict,
        report=report,
    )
