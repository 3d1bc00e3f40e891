"""Checking: what each row says, who is asked about it, and what is wrong."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.machine import AskedToStop, quiet_tools
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects
from doubles.service import MemoryService
from doubles.sheets import (
    PLAN_PDF,
    TWO_IWI,
    NamedFiles,
    check_context,
    finding,
    project_row,
    table,
)
from kawe.domain.service.service_words import IwiAnswer, Organisation, OrganisationId
from kawe.domain.sheet.content import Contact
from kawe.domain.sheet.findings import CellRef, Severity, grouped
from kawe.flows.check.checking import check
from kawe.flows.report.reporting import Frame, report_check
from kawe.flows.routing import Asker
from kawe.kinds.invitations import INVITATIONS
from kawe_places.values import Place


class Routing(MemoryService):
    """Gives one answer for every place; counts the questions."""

    __slots__ = ("answer",)

    def __init__(self, *choices, can_select):
        super().__init__()
        self.answer = IwiAnswer(choices=choices, can_select=can_select)

    async def iwi_at(self, place):
        await super().iwi_at(place)
        return self.answer


def checked(*rows, service=None, journal=None, **options):
    asker = None
    if service is not None:
        asker = Asker(tools=quiet_tools(service))
    return asyncio.run(
        check(
            table(*rows), context=check_context(**options), asker=asker, journal=journal
        )
    )


def rules(*rows, **options):
    return [each.rule for each in checked(*rows, **options).findings]


def first(*rows, **options):
    return checked(*rows, **options).rows[0].content


def test_a_row_says_all_that_its_cells_say():
    content = first(
        project_row(
            1,
            message="Kia ora.",
            phase="PRE_START",
            iwi=["Ngāti Tauira"],
            priority_order=2,
            contact_name="Mere",
            contact_role="Planner",
            contact_phone="04 000",
            organisation="Wai Ora",
            organisation_latitude=-41.0,
            organisation_longitude=174.0,
            files=["plan"],
        ),
        files=NamedFiles({"plan": PLAN_PDF}),
    )
    assert (content.contact, content.organisation.place, content.files) == (
        Contact(name="Mere", role="Planner", phone="04 000"),
        Place(latitude=-41.0, longitude=174.0),
        (PLAN_PDF,),
    )
    assert (content.iwi, content.priority_order, content.message) == (
        ("Ngāti Tauira",),
        2.0,
        "Kia ora.",
    )


def test_without_a_message_iwi_read_the_description():
    assert first(project_row(1)).message == "A culvert is replaced."


@pytest.mark.parametrize(
    ("send", "by_default", "sends"),
    [(True, False, True), (None, False, False), (None, True, True)],
)
def test_an_empty_cell_in_the_column_send_follows_the_command(send, by_default, sends):
    assert first(project_row(1, send=send), send_by_default=by_default).send is sends


def test_a_cell_that_says_no_wins_over_the_command():
    assert first(project_row(1, send=False), send_by_default=True).send is False


def test_a_sheet_without_a_send_column_follows_the_command():
    row = project_row(1)
    del row["send"]
    assert (first(row).send, first(row, send_by_default=True).send) == (False, True)


def test_a_place_that_is_not_understood_stops_its_row():
    found = checked(project_row(1, latitude="north"), project_row(2))
    assert ([each.is_valid for each in found.rows], found.findings[0].rule) == (
        [False, True],
        "odd",
    )


def test_a_note_about_a_place_stops_nothing():
    found = checked(project_row(1, latitude=-35.0))
    assert ([each.rule for each in found.findings], found.rows[0].is_valid) == (
        ["north"],
        True,
    )


def test_a_cell_that_could_not_be_read_is_not_called_missing_as_well():
    row = project_row(1)
    sheet = table({**row, "name": None})
    assert checked(*[{**row, "name": None}]).findings == ()
    assert sheet.rows[0].cells["name"].shown == "None"


def test_a_row_without_a_place_can_be_kept_as_a_draft_but_not_sent():
    row = project_row(1, send=True)
    del row["latitude"], row["longitude"]
    assert (rules(row), rules({**row, "send": False})) == (["place-needed"], [])


@pytest.mark.parametrize(
    ("changes", "column"),
    [({}, "reference"), ({"reference": "R-9"}, "name")],
    ids=["same reference", "same name, place and dates"],
)
def test_rows_that_are_there_twice_are_marked_on_both(changes, column):
    found = checked(project_row(1), {**project_row(1), **changes})
    assert [(each.rule, each.heading) for each in found.findings] == [
        ("row-twice", column)
    ] * 2


def test_people_who_are_there_twice_count_once_or_are_marked_on_both():
    person = {"name": "Hēmi", "email": "Hemi@example.nz", "role": "MEMBER"}
    sheet = table(
        person,
        {**person, "email": "hemi@EXAMPLE.nz", "org_role": "Planner"},
        {"name": "Mere", "email": "mere@example.nz", "role": "MEMBER"},
        {"name": "Mere", "email": "mere@example.nz", "role": "OWNER"},
        kind=INVITATIONS,
    )
    context = check_context(allows_owners=True)
    found = asyncio.run(check(sheet, context=context, asker=None))
    assert [(str(each.where), each.rule) for each in found.findings] == [
        ("Projects!B3", "row-again"),
        ("Projects!B4", "row-twice"),
        ("Projects!B5", "row-twice"),
    ]


def test_each_place_is_asked_about_once():
    service = Routing(TWO_IWI[0], can_select=False)
    checked(*(project_row(n) for n in range(5)), service=service)
    assert service.calls["iwi_at"] == 1


@pytest.mark.parametrize(
    ("iwi", "slugs", "rule"),
    [
        (["ngati tauira"], ("ngati-tauira",), []),
        (["Te Āti Mea", "te-ati-mea"], ("te-ati-mea",), []),
        (["all iwi"], ("ngati-tauira", "te-ati-mea"), []),
        (["Ngāti Kore"], (), ["iwi-unknown"]),
        (["Te Āti Mea ✗"], (), ["iwi-unknown"]),
        (["Ngāti Tauira, Te Āti Mea"], ("ngati-tauira", "te-ati-mea"), ["iwi-listed"]),
        (["Ngāti Tauira / Te Āti Me"], (), ["iwi-unknown"]),
        (["Te Āti Mea and all"], ("ngati-tauira", "te-ati-mea"), []),
        (None, (), ["iwi-needed"]),
    ],
    ids=str,
)
def test_where_the_person_chooses_names_become_slugs(iwi, slugs, rule):
    service = Routing(*TWO_IWI, can_select=True)
    found = checked(project_row(1, iwi=iwi), service=service)
    assert (found.rows[0].content.iwi, [each.rule for each in found.findings]) == (
        slugs,
        rule,
    )


def test_of_a_list_of_iwi_the_unknown_part_is_named():
    service = Routing(*TWO_IWI, can_select=True)
    found = checked(project_row(1, iwi=["Ngāti Tauira / Te Āti Me"]), service=service)

    assert [each.message for each in found.findings] == [
        "Te Āti Me cannot be asked for this place."
    ]


@pytest.mark.parametrize(
    ("iwi", "rule"),
    [
        (["Ngāti Tauira"], []),
        (["Ngāti Tauira, all"], []),
        (["Te Āti Mea"], ["iwi-ignored"]),
    ],
)
def test_where_the_service_routes_other_names_are_said_to_be_ignored(iwi, rule):
    service = Routing(TWO_IWI[0], can_select=False)
    found = checked(project_row(1, iwi=iwi), service=service)
    assert (found.rows[0].content.iwi, [each.rule for each in found.findings]) == (
        (),
        rule,
    )


@pytest.mark.parametrize("send", [True, False])
def test_a_place_that_no_iwi_answers_for_stops_a_send_alone(send):
    found = checked(project_row(1, send=send), service=Routing(can_select=False))
    assert ([each.rule for each in found.findings], found.rows[0].is_valid) == (
        ["place-without-iwi"],
        not send,
    )


def test_an_unknown_organisation_needs_its_place():
    service = Routing(TWO_IWI[0], can_select=False)
    wai_ora = OrganisationId("0f8fad5b-d9cb-469f-a165-70867728950e")
    service.organisations_there = [Organisation(id=wai_ora, name="WAI ORA")]
    whole = {
        "organisation": "New Ltd",
        "organisation_address": "1 Quay",
        "organisation_latitude": -41.0,
        "organisation_longitude": 174.0,
    }
    found = checked(
        project_row(1, organisation="Wai Ora"),
        project_row(2, organisation="Wai Oro"),
        project_row(3, **whole),
        service=service,
    )
    assert ([each.is_valid for each in found.rows], dict(found.organisations)) == (
        [True, False, True],
        {"wai ora": wai_ora},
    )


def test_rows_that_are_done_are_asked_about_no_more():

    scene = MemoryScene()
    contents = [first(project_row(n, send=n < 2)) for n in range(3)]
    scene.submit(checked_projects(contents))
    before = scene.service.calls["iwi_at"]
    rows = [project_row(n, send=n < 2) for n in range(3)]
    checked(*rows, service=scene.service, journal=scene.journal)
    assert scene.service.calls["iwi_at"] == before


def test_the_report_of_a_check_gives_each_row_one_outcome_and_the_first_advice():
    found = checked(project_row(1), project_row(2, latitude="x"))
    frame = Frame(written_at=MemoryScene().clock.now())
    report = report_check(found, workbook=Path("/home/mere/a.xlsx"), frame=frame)
    assert [(each.outcome, each.what_to_do) for each in report.rows] == [
        ("ready", ""),
        ("to correct", "latitude: No place."),
    ]
    assert (report.workbook, report.counts().total()) == ("a.xlsx", 2)


def test_the_report_of_a_check_has_the_files_of_right_rows_alone():
    rows = [project_row(n, files=["plan"]) for n in (1, 2)]
    found = checked(*rows, files=NamedFiles({"plan": PLAN_PDF}))
    wrong = finding(found.rows[1].row.ref, rule="r", message="m", advice="a")
    rows = (found.rows[0], found.rows[1].with_findings(wrong))
    report = report_check(
        replace(found, rows=rows),
        workbook=Path("a.xlsx"),
        frame=Frame(written_at=MemoryScene().clock.now()),
    )
    assert [each.files for each in report.rows] == [(PLAN_PDF,), ()]


def test_a_sheet_that_is_wrong_itself_has_no_valid_row_and_its_rows_are_checked():
    where = CellRef(sheet="Projects", row=1, column=1)
    wrong = finding(where, rule="heading-twice", heading="name", value="name")
    rows = [project_row(n, organisation="New Ltd") for n in (1, 1)]
    sheet = replace(table(*rows), findings=(wrong,))
    asker = Asker(tools=quiet_tools(MemoryService()))
    found = asyncio.run(check(sheet, context=check_context(), asker=asker))
    assert (found.refuses_all, [each.is_valid for each in found.rows]) == (
        True,
        [False, False],
    )
    assert [each.rule for each in found.findings] == [
        "heading-twice",
        *["row-twice", "organisation-new"] * 2,
    ]


def test_a_sheet_that_is_right_is_not_refused():
    assert checked(project_row(1)).refuses_all is False


def test_a_draft_without_a_place_asks_about_no_iwi():
    row = project_row(1, send=False)
    del row["latitude"], row["longitude"]
    service = MemoryService()
    found = checked(row, service=service)
    assert (found.findings, found.rows[0].is_valid, service.calls["iwi_at"]) == (
        (),
        True,
        0,
    )


def test_a_day_off_to_respond_by_is_a_warning_on_its_cell():
    found = checked(project_row(1, respond_by_date="2030-03-30"))
    assert [(each.rule, each.severity, each.heading) for each in found.findings] == [
        ("respond-by-day-off", Severity.WARNING, "respond by date")
    ]
    assert found.rows[0].is_valid is True


def test_a_check_that_is_stopped_asks_no_more_and_leaves_iwi_as_typed():
    halt = AskedToStop()
    halt.asked = True
    service = MemoryService()
    asker = Asker(tools=quiet_tools(service, halt=halt))
    sheet = table(project_row(1, iwi=["Ngāti Tauira"]))
    found = asyncio.run(check(sheet, context=check_context(), asker=asker))
    assert (found.rows[0].content.iwi, found.rows[0].goes_to, service.calls) == (
        ("Ngāti Tauira",),
        (),
        Counter(),
    )


@pytest.mark.parametrize("service", [None, MemoryService()])
def test_strictly_a_warning_stops_its_row(service):
    rows = (project_row(1, start_date="2031-01-01"), project_row(2))
    lax, strict = (
        checked(*rows, service=service, is_strict=strict) for strict in (False, True)
    )
    assert [[row.is_valid for row in found.rows] for found in (lax, strict)] == [
        [True, True],
        [False, True],
    ]


WHOLE = {
    "organisation": "New Trust",
    "organisation_address": "1 Quay",
    "organisation_latitude": -41.0,
    "organisation_longitude": 174.0,
}


def test_a_new_organisation_has_the_address_of_its_other_row():
    service = Routing(TWO_IWI[0], can_select=False)
    bare, whole = project_row(1, organisation="new trust"), project_row(2, **WHOLE)
    found = checked(bare, {**whole, "name": None}, service=service)
    alone = checked(bare)

    content = found.rows[0].content.organisation
    assert (content.name, content.address) == ("new trust", "1 Quay")
    assert [(each.rule, each.message) for each in found.rows[0].findings] == [
        ("organisation-shared", "The address of new trust is taken from row 3.")
    ]
    assert found.rows[0].fingerprint == alone.rows[0].fingerprint


def test_two_addresses_of_a_new_organisation_are_not_chosen_from():
    service = Routing(TWO_IWI[0], can_select=False)
    found = checked(
        project_row(1, organisation="New Trust"),
        project_row(2, **WHOLE),
        project_row(3, **{**WHOLE, "organisation_address": "2 Quay"}),
        service=service,
    )

    assert [(each.rule, each.message) for each in found.rows[0].findings] == [
        ("organisation-differs", "Rows 3 and 4 give New Trust different addresses."),
        (
            "organisation-new",
            (
                "The team has no organisation of this name, and a new one needs "
                "an address, a latitude and a longitude."
            ),
        ),
    ]


def test_a_check_gives_the_files_of_right_rows_and_every_problem_in_a_group():
    files = NamedFiles(there={"plan.pdf": PLAN_PDF})
    rows = [project_row(n, files=["plan.pdf"]) for n in (1, 2)]
    rows[1] |= {"latitude": "x"}
    found = asyncio.run(
        check(table(*rows), context=check_context(files=files), asker=None)
    )
    wrong = replace(found.findings[0], rule="else", message="Else.")
    assert found.attached == [(2, PLAN_PDF)]
    assert (found.problems(), found.problems([wrong])) == (
        grouped(found.findings),
        grouped([*found.findings, wrong]),
    )
