"""The kind of sheet whose rows are projects.

People write the details of a new organisation once: on a sheet of organisations, or in
one of the organisation's rows. Which iwi a row goes to is one question for each
distinct place.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.sending import load_of
from kawe.domain.rows.entries import projects_among
from kawe.domain.service.service_words import IwiAnswer, IwiChoice
from kawe.domain.service.states import FINISHED, RowKey, State, Step
from kawe.domain.sheet.columns import GIVEN
from kawe.domain.sheet.content import (
    Attachment,
    Contact,
    OrganisationContent,
    ProjectContent,
    ProjectSaid,
)
from kawe.domain.sheet.findings import Finding, RowRef, Severity
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.new_zealand import iso_day
from kawe.domain.text.texts import fold, fold_name, names_of, one_line
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.placing import ORGANISATION, locate_rows, place_of
from kawe.flows.checked_rows import CheckContext, CheckedRow, mark
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission, guide_of
from kawe.flows.routing import Asker
from kawe.flows.settle.resolving import EDIT_STANDS, decided
from kawe.kinds.projects.rounds import submit_projects
from kawe.kinds.projects.rows import (
    contact_of,
    organisation_of,
    read_projects,
    texts_of,
)
from kawe.ports import Places, Suggester
from kawe_places.values import Place

_ALL = frozenset({"all", "all iwi", "katoa", "nga iwi katoa"})
_OF_DRAFT = "Its draft in the service, which a person let go, has another place."


async def route(
    rows: Sequence[CheckedRow],
    *,
    asker: Asker,
    skip: Sequence[CheckedRow] = (),
    suggester: Suggester | None = None,
    drafts: Mapping[RowKey, ProjectContent] = MappingProxyType({}),
) -> tuple[CheckedRow, ...]:
    """Ask about each distinct place, then settle each row's iwi.

    `skip` are rows that are finished: nothing is asked for their sake. Without a
    `suggester`, no near names are given. A row of `drafts` goes where its draft is.

    Raises as `Asker.iwi_at`.
    """
    done = {row.row.ref for row in skip}
    places = {row.row.ref: _place(row, drafts) for row in rows}
    wanted = [e for ref, e in places.items() if e is not None and ref not in done]
    answers = await asker.iwi_at(wanted)
    return tuple(
        row
        if (place := places[row.row.ref]) is None
        or row.row.ref in done
        or (answer := answers.get(place.key())) is None
        else _settled(row, answer, place=place, suggester=suggester)
        for row in rows
    )


def _place(row: CheckedRow, drafts: Mapping[RowKey, ProjectContent]) -> Place | None:
    said = (drafts.get(row.key) if row.key else None) or row.project
    return None if said is None else said.place


def _settled(
    checked: CheckedRow, answer: IwiAnswer, *, place: Place, suggester: Suggester | None
) -> CheckedRow:
    said, content = checked.project, checked.content
    if said is None:
        return checked
    slugs, findings = _choose(checked.row, said, answer, suggester=suggester)
    if place != said.place:
        findings = [replace(f, message=f"{_OF_DRAFT} {f.message}") for f in findings]
    if isinstance(content, ProjectContent) and content.iwi != slugs:
        content = replace(content, iwi=slugs)
    reached = (e for e in answer.choices if e.slug in slugs or not answer.can_select)
    found = (*checked.findings, *findings)
    return replace(checked, content=content, findings=found, goes_to=tuple(reached))


def _choose(
    row: TableRow, said: ProjectSaid, answer: IwiAnswer, *, suggester: Suggester | None
) -> tuple[tuple[str, ...], list[Finding]]:
    if not answer.choices:
        return (), [_nobody(row, said)]
    if not answer.can_select:
        return (), _ignored(row, said, answer)
    if not said.iwi:
        is_unclear = "iwi" in said.unclear
        return (), [] if is_unclear else [_choice_needed(row, said, answer)]
    by_word = {fold(each.slug): each.slug for each in answer.choices}
    by_word |= {fold(each.name): each.slug for each in answer.choices}
    parts = _parts(said, known=by_word.keys() | _ALL)
    if unknown := [word for word, is_known in parts if not is_known]:
        return (), [_unknown(row, unknown, answer, suggester=suggester)]
    words = [fold(word) for word, _ in parts]
    if not _ALL.isdisjoint(words):
        return tuple(each.slug for each in answer.choices), []
    listed = [_as_list(row, parts)] if len(parts) > len(said.iwi) else []
    return tuple(dict.fromkeys(by_word[word] for word in words)), listed


def _parts(said: ProjectSaid, *, known: Collection[str]) -> list[tuple[str, bool]]:
    return [part for word in said.iwi for part in names_of(word, known=known)]


def _as_list(row: TableRow, parts: Sequence[tuple[str, bool]]) -> Finding:
    names = list(dict.fromkeys(one_line(name, limit=80) for name, _ in parts))
    return mark(
        row,
        "iwi",
        Severity.NOTE,
        rule="iwi-listed",
        message=f"The cell is read as {len(names)} iwi: {'; '.join(names)}.",
    )


def _for_a_send(said: ProjectSaid) -> Severity:
    """Give how much it matters that nobody could be asked."""
    return Severity.ERROR if said.send or "send" in said.unclear else Severity.WARNING


def _nobody(row: TableRow, said: ProjectSaid) -> Finding:
    return mark(
        row,
        "latitude" if "latitude" in row.cells else "easting",
        _for_a_send(said),
        rule="place-without-iwi",
        message="The service knows no iwi for this place.",
        advice="Check the coordinates: they may lie at sea or be swapped.",
    )


def _ignored(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> list[Finding]:
    routed = {fold(word) for each in answer.choices for word in (each.slug, each.name)}
    if all(is_known for _, is_known in _parts(said, known=routed | _ALL)):
        return []
    return [
        mark(
            row,
            "iwi",
            Severity.WARNING,
            rule="iwi-ignored",
            message="The service routes this place by itself and ignores the iwi named "
            f"here: it goes to {_names(answer.choices)}.",
            advice="Clear the cell, or check the coordinates.",
        )
    ]


def _choice_needed(row: TableRow, said: ProjectSaid, answer: IwiAnswer) -> Finding:
    return mark(
        row,
        "iwi",
        _for_a_send(said),
        rule="iwi-needed",
        message=f"Several iwi can be asked for this place: {_names(answer.choices)}.",
        advice="Name one or more of them with ; between, or write all.",
    )


def _unknown(
    row: TableRow,
    words: Sequence[str],
    answer: IwiAnswer,
    *,
    suggester: Suggester | None,
) -> Finding:
    names = {fold(each.name): each.name for each in answer.choices}
    near = dict.fromkeys(
        f"“{one_line(names[each])}”"
        for word in words
        if suggester is not None
        for each in suggester.misspelt(fold(word), among=[*names])[:1]
    )
    meant = f"Did you mean {' or '.join(near)}? Else choose" if near else "Choose"
    return mark(
        row,
        "iwi",
        rule="iwi-unknown",
        message=f"{'; '.join(map(one_line, words))} cannot be asked for this place.",
        advice=f"{meant} from {_names(answer.choices)}, with ; between, or write all.",
    )


def _names(choices: Sequence[IwiChoice]) -> str:
    return "; ".join(each.name for each in choices)


class ProjectsKind(Kind):
    """Rows that become drafts, and are sent."""

    word = "projects"
    package = "kawe.kinds.projects"
    content = ProjectContent
    sheet_names = frozenset({"projects", "project"})
    guide = guide_of(
        word,
        "Fill in one row for each project on the sheet Projects. Click on a cell to "
        "see what it wants.",
        "Say where the project is by latitude and longitude, or by easting and "
        "northing. One pair is enough.",
        "Save the workbook in the folder that holds the files to attach.",
        untouched="Nothing is sent.",
        submit="Rows with Yes under Send go to iwi; all others are kept as drafts that "
        "nobody else sees.",
        besides=("Sending a project uses one token and cannot be undone.",),
        again="what is done is not done twice",
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
        days = ("start_on", "end_on", "respond_by_on")
        told = values | {each: iso_day(values[each]) for each in days}
        if contact := values["contact"]:
            told["contact"] = Contact(**contact)
        if said := values["organisation"]:
            place = said["place"] and Place(**said["place"])
            told["organisation"] = OrganisationContent(**said | {"place": place})
        told["place"] = values["place"] and Place(**values["place"])
        told["iwi"] = tuple(values["iwi"])
        told["files"] = tuple(map(Attachment.of_json, values["files"]))
        return ProjectContent(**told)

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
        named = {
            fold_name(own.name)
            for row in rows
            if (own := _organisation(row)) is not None and row.row.ref not in done
        }
        organisations = await asker.organisations(named) if named else {}
        naming = Naming(team=organisations, was_asked=True, suggester=context.suggester)
        rows = with_addresses(rows, naming=naming, context=context, skip=done)
        rows = mark_organisations(rows, naming=naming, skip=done)
        return Answers(
            rows=rows,
            organisations={name: each.id for name, each in organisations.items()},
            iwi_load=load_of(
                (e.goes_to for e in rows if e.wants_send and e.row.ref not in done),
                finished_before=len(done),
            ),
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


PROJECTS: Final = ProjectsKind()
_Whole: TypeAlias = Mapping[OrganisationContent, RowRef]
"""What rows say of one organisation, each with the first row that says so."""


def with_addresses(
    rows: Sequence[CheckedRow],
    *,
    naming: Naming,
    context: CheckContext,
    skip: Collection[RowRef],
) -> tuple[CheckedRow, ...]:
    """Complete rows from the sheet of organisations, and bare ones from other rows.

    What a row says itself stays. Other rows of a name that a row says alone must agree
    in all that they say. The fingerprints stay: they follow from each row alone.
    """
    listed = _whole(context.organisations, places=context.places)
    contacts = {_name(row): row for row in context.organisations}
    going = [_with_contact(row, contacts) for row in rows if row.row.ref not in skip]
    going = [
        _completed(_with_lack(row, contacts, listed), listed)
        if _is_new(row, naming)
        else row
        for row in going
    ]
    bare = [row for row in going if _is_bare(row)]
    names = {_name(row.row) for row in bare if _is_new(row, naming)}
    there = [row.row for row in rows if _name(row.row) in names]
    whole = _whole(there, places=context.places) if names else {}
    told = {row.row.ref: row for row in going}
    told |= {row.row.ref: _completed(row, whole) for row in bare}
    return tuple(told.get(row.row.ref, row) for row in rows)


def _whole(rows: Sequence[TableRow], *, places: Places) -> Mapping[str, _Whole]:
    """Give what rows say of organisations, by folded name, with the first row."""
    located = locate_rows(rows, places=places, prefix=ORGANISATION)
    found: dict[str, dict[OrganisationContent, RowRef]] = {}
    for row in rows:
        place = place_of(located.get(row.ref))
        said = organisation_of(texts_of(row.values()), place=place)
        if said is not None and said.address is not None and place is not None:
            name = fold_name(said.name)
            found.setdefault(name, {}).setdefault(replace(said, name=name), row.ref)
    return found


def _completed(checked: CheckedRow, known: Mapping[str, _Whole]) -> CheckedRow:
    """Complete a new organisation with what is known of it; its own words stay."""
    own, whole = _organisation(checked), known.get(_name(checked.row))
    if own is None or not whole:
        return checked
    name = one_line(own.name, limit=80)
    first, *others = whole.values()
    if others:
        rows = f"{first.row} and {_row(others[0], checked)}"
        return checked.marked(
            "organisation",
            Severity.WARNING,
            rule="organisation-differs",
            message=f"Rows {rows} give {name} different addresses.",
            advice="Make them the same, or fill in the right one here.",
        )
    said = replace(next(iter(whole)), name=own.name)
    own_words = {k: getattr(own, k) for k, v in asdict(own).items() if v is not None}
    both = replace(said, **own_words)
    if both == own:
        return checked
    stays = "" if both == said else " What this row says itself stays: it differs."
    message = f"The address of {name} is taken from row {_row(first, checked)}.{stays}"
    found = _said(checked, "organisation-shared", message)
    content = checked.project
    if isinstance(content, ProjectContent):
        return replace(found, content=replace(content, organisation=both))
    return replace(found, partly=content and replace(content, organisation=both))


def _with_lack(
    checked: CheckedRow, there: Mapping[str, TableRow], listed: Mapping[str, _Whole]
) -> CheckedRow:
    """Say where the sheet of organisations has only a part of what a row needs."""
    name = _name(checked.row)
    if name not in there or name in listed or not _is_bare(checked):
        return checked
    return checked.marked(
        "organisation",
        Severity.WARNING,
        rule="organisation-partly",
        message=f"Row {_row(there[name].ref, checked)} has no address or no place that "
        "kawe can read.",
        advice="Fill in Address, Latitude and Longitude there.",
    )


def _with_contact(checked: CheckedRow, listed: Mapping[str, TableRow]) -> CheckedRow:
    """Give a project without a contact that of its organisation."""
    row, content = listed.get(_name(checked.row)), checked.content
    if row is None or not isinstance(content, ProjectContent) or content.contact:
        return checked
    contact = contact_of(texts_of(row.values()))
    if contact is None or not (contact.role and contact.phone):
        return checked
    message = f"The contact is taken from row {_row(row.ref, checked)}."
    found = _said(checked, "contact-shared", message)
    return replace(found, content=replace(content, contact=contact))


def _row(where: RowRef, checked: CheckedRow) -> str:
    """Name a row, and its sheet where that is another one."""
    is_own = where.sheet == checked.row.ref.sheet
    return f"{where.row}" + ("" if is_own else f" of {one_line(where.sheet, limit=40)}")


def _said(checked: CheckedRow, rule: str, message: str) -> CheckedRow:
    return checked.marked("organisation", Severity.NOTE, rule=rule, message=message)


def _organisation(checked: CheckedRow) -> OrganisationContent | None:
    return None if checked.project is None else checked.project.organisation


def _is_bare(checked: CheckedRow) -> bool:
    own = _organisation(checked)
    return own is not None and own == OrganisationContent(name=own.name)


def _is_new(checked: CheckedRow, naming: Naming) -> bool:
    own = _organisation(checked)
    return own is not None and naming.is_new(own)


def _name(row: TableRow) -> str:
    name = row.value("organisation")
    return fold_name(name) if isinstance(name, str) else ""
