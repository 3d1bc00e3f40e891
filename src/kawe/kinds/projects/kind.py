"""The kind of sheet whose rows are projects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, Final

from kawe.domain.batch.iwi_load import IwiLoad, load_of
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import projects_among
from kawe.domain.service.places import Place
from kawe.domain.service.service_words import Organisation
from kawe.domain.service.states import FINISHED, State
from kawe.domain.service.verdicts import RowKey, Step
from kawe.domain.sheet.columns import GIVEN
from kawe.domain.sheet.content import (
    Attachment,
    Contact,
    OrganisationContent,
    ProjectContent,
)
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import Table
from kawe.domain.text.texts import fold_name
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.checked_rows import CheckContext, CheckedRow
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission
from kawe.flows.routing import Asker
from kawe.flows.settle.resolving import EDIT_STANDS, decided
from kawe.kinds.projects.addressing import with_addresses
from kawe.kinds.projects.rounds import submit_projects
from kawe.kinds.projects.routing import route
from kawe.kinds.projects.rows import read_projects


class ProjectsKind(Kind):
    """Rows that become drafts, and are sent."""

    word = "projects"
    package = "kawe.kinds.projects"
    content = ProjectContent
    sheet_names = frozenset({"projects", "project"})
    guide = (
        (
            "Fill in one row for each project on the sheet Projects. Click on a "
            "cell to see what it wants."
        ),
        (
            "Say where the project is by latitude and longitude, or by easting and "
            "northing. One pair is enough."
        ),
        "Save the workbook in the folder that holds the files to attach.",
        (
            "Check it: kawe check projects.xlsx. Nothing is sent. kawe names each "
            "cell that needs correcting and says what to do."
        ),
        (
            "Submit it: kawe submit projects.xlsx. Rows with Yes under Send go to "
            "iwi; all others are kept as drafts that nobody else sees."
        ),
        "Sending a project uses one token and cannot be undone.",
        (
            "You can submit the same workbook again at any time: what is done is "
            "not done twice."
        ),
    )
    steps: ClassVar = {
        Step.CREATE: ("create projects", "for the draft"),
        Step.UPDATE: ("change projects", "to change the draft"),
        Step.SEND: ("send projects", "to send it"),
    }
    done = Outcome.SENT.value
    one = "a project"
    listed = "projects"
    act = "send"
    acts = ("draft to make", "drafts to make")
    does = ("send {count} to iwi", "project", "projects")
    undone = "Nothing was sent."
    gives = GIVEN
    has_drafts = True
    kept_fields = frozenset(
        {"type", "start_on", "end_on", "respond_by_on", "send", "priority_order"}
    )

    def content_of(self, values: dict[str, Any]) -> ProjectContent:
        """Make what a row says from the JSON values of its fields."""
        organisation = values["organisation"]
        contact = values["contact"]
        return ProjectContent(
            **{
                **values,
                "start_on": date.fromisoformat(values["start_on"]),
                "end_on": date.fromisoformat(values["end_on"]),
                "respond_by_on": date.fromisoformat(values["respond_by_on"]),
                "place": _place(values["place"]),
                "iwi": tuple(values["iwi"]),
                "organisation": None
                if organisation is None
                else OrganisationContent(
                    **{**organisation, "place": _place(organisation["place"])}
                ),
                "contact": None if contact is None else Contact(**contact),
                "files": tuple(
                    Attachment(**{**each, "path": Path(each["path"])})
                    for each in values["files"]
                ),
            }
        )

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        return read_projects(table, context=context)

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Ask which iwi, and which organisations, the rows mean."""
        context, asker, done = inquiry.context, inquiry.asker, inquiry.finished
        rows = await route(
            rows,
            asker=asker,
            skip=inquiry.skip,
            suggester=context.suggester,
            drafts=await _let_go(rows, inquiry),
        )
        organisations = await _organisations(rows, asker=asker, done=done)
        naming = Naming(team=organisations, was_asked=True, suggester=context.suggester)
        rows = with_addresses(rows, naming=naming, context=context, skip=done)
        rows = mark_organisations(rows, naming=naming, skip=done)
        return Answers(
            rows=rows,
            organisations={name: each.id for name, each in organisations.items()},
            iwi_load=_iwi_load(rows, done=done),
        )

    async def submit(self, submission: Submission) -> None:
        await submit_projects(submission)


async def _let_go(
    rows: Sequence[CheckedRow], inquiry: Inquiry
) -> dict[RowKey, ProjectContent]:
    """Give what drafts say, of those of edited rows that go as they stand."""
    said = {row.key: row.fingerprint for row in rows}
    edited = [
        key
        for key, each in inquiry.known.items()
        if each.project_id is not None
        and each.state not in {*FINISHED, State.HELD}
        and each.fingerprint != said.get(key)
    ]
    if inquiry.journal is None or not edited:
        return {}
    found = projects_among((await inquiry.journal.find(edited)).values())
    return {
        entry.key: content
        for entry, content in found
        if await decided(entry.key, journal=inquiry.journal) in EDIT_STANDS
    }


def _iwi_load(rows: Sequence[CheckedRow], *, done: Collection[RowRef]) -> IwiLoad:
    return load_of(
        (
            row.goes_to
            for row in rows
            if row.content is not None
            and row.content.send
            and row.is_valid
            and row.row.ref not in done
        ),
        finished_before=len(done),
    )


async def _organisations(
    rows: tuple[CheckedRow, ...], *, asker: Asker, done: Collection[RowRef]
) -> dict[str, Organisation]:
    named = {
        fold_name(row.said.organisation.name)
        for row in rows
        if row.said is not None
        and row.said.organisation is not None
        and row.row.ref not in done
    }
    return await asker.organisations(named) if named else {}


def _place(values: dict[str, float] | None) -> Place | None:
    return None if values is None else Place(**values)


PROJECTS: Final = ProjectsKind()
