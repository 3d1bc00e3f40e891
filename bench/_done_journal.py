"""A journal most of whose rows are done, as so many submits would have left it."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from kawe.cases import write_plan
from kawe.cases.batches.shown_plans import ShownPlan
from kawe.cases.kit import Toolkit
from kawe.cli.shared.progress import NoProgress
from kawe.desk.pages.plan import keep_shown
from kawe.desk.works import Works
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.saved_plans import (
    Action,
    PlannedLimits,
    PlannedRow,
    SavedPlan,
)
from kawe.domain.rows.entries import Binding, Entry
from kawe.domain.service.service_words import Account, Project, ProjectId
from kawe.domain.service.states import Done, Intent, State, Step
from kawe.files.plans import sealed
from kawe.flows.plan.planning import Source, make_plan
from kawe.journal.journal import StoreJournal
from kawe.journal.records import sent_to_to_record
from kawe.journal.rules import Change, concluded, moved, noted, receipted
from kawe.journal.standings import Standings
from kawe.journal.store.sqlite import SqliteStore
from kawe.kinds.projects import PROJECTS
from kawe.settings.loading import load_settings

AT = datetime(2030, 1, 1, tzinfo=UTC)
HEADINGS = (
    *("Reference", "Name", "Description", "Type", "Start date", "End date"),
    *("Respond by", "Latitude", "Longitude", "Address", "Contact name"),
    *("Contact role", "Contact phone", "Contact email", "Message", "Send"),
)


class NoHalt:
    """Implements the port `Halt`."""

    asked = False


def write_workbook(path: Path, *, rows: int, first: int = 0) -> None:
    """Write a projects sheet of so many right rows; the `first` has that number."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADINGS)
        writer.writerows(_cells(number) for number in range(first, first + rows))


def make_done(workbook: Path, journal: Path, *, binding: Binding, left: int) -> None:
    """Write `workbook` into a journal, done but for its last `left` rows.

    The rules and the tables are the journal's own.
    """
    plan = asyncio.run(_plan(workbook, binding))
    asyncio.run(_begin(journal, plan=plan, binding=binding))
    with closing(SqliteStore.for_writing(journal)) as store:
        standings = Standings(store)
        with store.transaction(writes=True):
            for entry in plan.entries[: len(plan.entries) - left]:
                number = int(entry.marker.removeprefix("R-")) + 1
                standings.put_changes(list(_history(entry, number=number)))
                store.run("put_sent_to", [sent_to_to_record((entry.key, ["Iwi"]))])


def keep_at_desk(workbook: Path, works: Path, *, binding: Binding, rows: int) -> str:
    """Put a done workbook into the desk, with the plan of its run; give its id."""
    with workbook.open("rb") as content:
        work = Works(folder=works).add(workbook.name, content, at=AT)
    Works(folder=works).keep(replace(work, ready=rows, batch=workbook.stem))
    plan = sealed(
        SavedPlan(
            author="Mere",
            made_at=AT,
            kawe="1",
            rules="r",
            salt="s",
            account=binding,
            key_hash="h",
            sheet=workbook.stem,
            reading=Reading(workbook=work.workbook, kind=PROJECTS),
            limits=PlannedLimits(),
            balance=rows,
            requests=rows,
            seconds=None,
            iwi_names={"iwi": "Iwi"},
            rows=tuple(_planned(number) for number in range(rows)),
        )
    )
    names = {number + 2: f"Ōtāhuhu culvert {number}" for number in range(rows)}
    read = {each: [("Description", "A culvert is replaced. " * 4)] for each in names}
    keep_shown(work, plan, ShownPlan(names=names, read=read, missing=[]))
    write_plan(plan, work.plan)
    return work.id


def _planned(number: int) -> PlannedRow:
    return PlannedRow(
        number=number + 2,
        key="k" * 64,
        marker=f"R-{number:06d}",
        action=Action.CREATE_AND_SEND,
        place=number + 1,
        fingerprint="f" * 64,
        cells="c" * 64,
        iwi=("iwi",),
    )


async def _begin(path: Path, *, plan: Plan, binding: Binding) -> None:
    journal = StoreJournal.open(path)
    await journal.bind(binding)
    await journal.open_batch(plan.batch, lines=plan.lines, entries=plan.entries)
    await journal.aclose()


async def _plan(workbook: Path, binding: Binding) -> Plan:
    settings = load_settings({}, environment={}, folder=workbook.parent)
    kit = Toolkit(settings=settings, progress=NoProgress(), halt=NoHalt())
    checked = await kit.check(Reading(workbook=workbook), service=None, journal=None)
    account = Account(
        team_id=binding.team_id, team_name=binding.team_name, balance=0, sandbox=None
    )
    return await make_plan(
        checked,
        source=Source(workbook=workbook, read_at=AT),
        account=account,
        journal=StoreJournal.in_memory(),
    )


def _history(entry: Entry, *, number: int) -> Iterator[Change]:
    project = Project(
        id=ProjectId(str(UUID(int=number | 0x5000_8000_0000_0000_0000))),
        name=entry.content.name,
        reference=entry.marker,
        status="DRAFT",
        created_at=AT,
    )
    made, sent = Done(http_status=201, project=project), Done(http_status=200)
    for state in (State.FILES_READY, State.DRAFTED, State.READY, State.SENT):
        match state:
            case State.DRAFTED | State.SENT:
                step = Step.CREATE if state is State.DRAFTED else Step.SEND
                intent = _intent(entry, step)
                change = noted(entry, intent=intent, attempts_before=0)
                yield change
                change = concluded(
                    change.entry,
                    opened=intent,
                    intent=intent,
                    verdict=made if step is Step.CREATE else sent,
                    owner=None,
                    at=AT,
                )
            case _:
                change = _moved(entry, state)
        entry = change.entry
        yield change
    change = _moved(entry, State.CONFIRMED)
    yield change
    yield receipted(change.entry, number=f"RC-{number:06d}", at=AT)


def _intent(entry: Entry, step: Step) -> Intent:
    return Intent(
        row=entry.key, step=step, attempt=1, body_sha256="a" * 64, begun_at=AT
    )


def _moved(entry: Entry, state: State) -> Change:
    return moved(
        replace(entry, reason=""),
        state=state,
        at=AT,
        reason="",
        project=None,
        owner=None,
    )


def _cells(number: int) -> tuple[str, ...]:
    return (
        *(f"R-{number:06d}", f"Ōtāhuhu culvert {number}"),
        "A culvert below the road is replaced with a wider one, as agreed.",
        *("Earthworks", "2030-03-01", "2030-09-30", "2030-04-01"),
        *("-36.8500", "174.7600", f"{number} Te Ara, Ōtāhuhu", f"Hēmi {number}"),
        *("Engineer", "09 555 0100", f"hemi{number}@example.nz"),
        *("Please tell us what matters to you here.", "yes"),
    )
