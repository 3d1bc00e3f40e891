"""How each row stands before a run, with what journal and service know of it."""

import asyncio
from dataclasses import replace
from pathlib import Path

from doubles.machine import quiet_tools
from doubles.memory_scene import MemoryScene
from doubles.rows import READ_AT, SOURCE
from doubles.sheets import check_context, project_row, table
from kawe.domain.batch.sending import Sending
from kawe.domain.service.service_words import IwiAnswer, IwiChoice
from kawe.errors import ServiceUnreachable
from kawe.flows.check.checking import check
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.papers import keep_receipt_numbers
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.previewing import report_preview
from kawe.flows.report.reporting import Frame
from kawe.flows.routing import Asker
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS

PEOPLE = {"name": "Hēmi", "email": "hemi@example.org", "role": "MEMBER"}


def _checked(scene, *rows, kind=PROJECTS):
    asker = Asker(tools=quiet_tools(scene.service))
    sheet = table(*rows, kind=kind)
    return asyncio.run(
        check(sheet, context=check_context(), asker=asker, journal=scene.journal)
    )


def _preview(scene, *rows, **choices):
    checked = _checked(scene, *rows, **choices)

    async def go():
        run = await scene.run()
        plan = await make_plan(
            checked, source=SOURCE, account=run.account, journal=scene.journal
        )
        return await report_preview(
            checked,
            plan,
            run=run,
            workbook=Path("monthly.xlsx"),
            frame=Frame(written_at=READ_AT),
        )

    return asyncio.run(go())


def _standing(report):
    return [
        (row.outcome.value, row.what_to_do.partition(":")[0]) for row in report.rows
    ]


def _submitted(*rows, **choices):
    scene = MemoryScene()
    scene.submit(_checked(scene, *rows), **choices)
    return scene


NAMELESS = {k: v for k, v in project_row(3).items() if k != "name"}


def test_rows_that_the_journal_knows_stand_as_they_do():
    report = _preview(
        _submitted(
            project_row(1),
            project_row(2, send=False),
            project_row(3),
            project_row(4, send=False),
            project_row(6, send=False),
        ),
        project_row(1),
        project_row(2, send=False),
        NAMELESS,
        project_row(4, send=False, description="Else."),
        project_row(5),
        {**NAMELESS, "reference": "R-6"},
        {**NAMELESS, "reference": "R-7"},
    )
    assert _standing(report) == [
        ("sent", ""),
        (
            "drafted",
            "Nothing; to send it, write Yes in the column “send”, and submit again.",
        ),
        (
            "sent",
            (
                "R-3 was already sent, as Culvert 3; what the row says now has "
                "mistakes, and is not applied. Undo the edit here, or make it in a "
                "sheet of acts."
            ),
        ),
        ("held", "The row was changed after its draft was made"),
        ("ready", ""),
        ("to correct", "projects need a name. Fill it in."),
        ("to correct", "projects need a name. Fill it in."),
    ]
    assert (report.changed_too_late, report.iwi_load.words()) == (
        1,
        (
            "This batch sends 1 project to Ngāti Tauira. Rows that were finished "
            "before are not counted."
        ),
    )


def test_a_draft_that_is_to_be_sent_is_ready():
    report = _preview(_submitted(project_row(1), drafts_only=True), project_row(1))
    assert _standing(report) == [("ready", "")]


def test_people_stand_as_the_journal_knows_them():
    scene = MemoryScene()
    scene.submit(_checked(scene, PEOPLE, kind=INVITATIONS))
    other = {**PEOPLE, "email": "mere@example.org"}
    report = _preview(scene, PEOPLE, other, kind=INVITATIONS)
    assert _standing(report) == [("invited", ""), ("ready", "")]


def test_what_another_journal_made_is_said_of_its_row():
    before = _submitted(project_row(1), project_row(2), drafts_only=True)
    before.submit(_checked(before, project_row(1)))
    there = MemoryScene(service=before.service)
    report = _preview(there, project_row(1), project_row(2), project_row(3))
    assert [
        (row.outcome, [each.rule for each in row.findings]) for row in report.rows
    ] == [("sent", ["there-already"]), ("ready", ["there-already"]), ("ready", [])]


def test_of_each_row_the_iwi_are_named_that_it_goes_to_or_went_to():
    scene = MemoryScene()
    scene.submit(_checked(scene, project_row(1), project_row(2, send=False)))
    (sent, _) = scene.entries()
    asyncio.run(scene.journal.keep_sent_to({sent.key: ("Ngāti Tauira ki te Raki",)}))
    report = _preview(scene, project_row(1), project_row(2, send=False), project_row(3))
    assert [row.iwi for row in report.rows] == [
        ("Ngāti Tauira ki te Raki",),
        (),
        ("Ngāti Tauira",),
    ]


def test_ready_rows_are_counted_by_whether_they_are_to_be_sent():
    scene = MemoryScene()
    scene.submit(_checked(scene, project_row(1), project_row(2, send=False)))
    report = _preview(scene, *[project_row(n, send=n in {1, 3}) for n in (1, 2, 3, 4)])
    assert report.sending == Sending(
        heading="send",
        asked=1,
        quiet=1,
        kept=1,
        sent=1,
        says_no=("Projects!J3", "Projects!J5"),
    )


def test_a_project_of_somebody_else_under_a_rows_reference_is_said():
    before = _submitted(project_row(1), drafts_only=True)
    there = before.service.projects_there
    there[0] = replace(there[0], name="Theirs")
    report = _preview(MemoryScene(service=before.service), project_row(1))
    (found,) = report.rows[0].findings
    assert (report.rows[0].outcome, found.message, found.advice) == (
        "held",
        (
            "The service already has a project with the reference R-1 that differs "
            "from the row in name: “Theirs”, a draft."
        ),
        "Look in the portal; submitted as it is, the row is held.",
    )


def test_the_iwi_of_a_waiting_row_are_those_that_its_place_was_said_to_ask():
    scene = MemoryScene()
    scene.submit(_checked(scene, project_row(1)), max_tokens=0)
    (entry,) = scene.entries()
    choices = tuple(IwiChoice(slug=name, name=name.title()) for name in "ab")
    named = []
    for can_select in (False, True):
        answer = IwiAnswer(choices=choices, can_select=can_select)
        keeping = scene.journal.keep_iwi_answer(entry.content.place, answer, at=READ_AT)
        asyncio.run(keeping)
        named.append(asyncio.run(iwi_of([entry], journal=scene.journal)))
    assert named == [{entry.key: ("A", "B")}, {entry.key: ()}]


def test_people_without_an_address_are_asked_about_nobody():
    scene = MemoryScene()
    checked = _checked(scene, {"name": "Hēmi", "role": "MEMBER"}, kind=INVITATIONS)
    assert ([row.marker for row in checked.rows], scene.service.calls["team"]) == (
        [""],
        0,
    )


def test_receipt_numbers_that_the_service_does_not_give_are_left_to_the_next_run():
    scene = _submitted(project_row(1))
    scene.service.script = {"receipts": [ServiceUnreachable(message="Down.")]}

    async def go():
        run = await scene.run()
        await keep_receipt_numbers(run)
        return run.stop.because

    stopped = asyncio.run(go())
    assert (stopped, scene.entry.receipt_number) == (None, None)
