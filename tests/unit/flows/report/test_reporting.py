"""Reports: every line has one outcome, and what to do about it."""

import asyncio
from dataclasses import replace
from datetime import date

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import AT
from doubles.sheets import finding
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.next_steps import Given, Next
from kawe.flows.report.reporting import Frame, Submitted, first_advice, report_batch
from kawe.flows.settle.resolving import Decision
from kawe_places.values import Place

NOT_YET = "It is a draft and not sent yet:"
ONLY = f"{Given.DRAFTS_ONLY}"


def broken(rule, *, severity=Severity.ERROR):
    said = {"message": f"{rule} is wrong.", "advice": "Correct it."}
    return finding(severity=severity, rule=rule, **said)


@pytest.mark.parametrize(
    ("findings", "advice"),
    [
        ([], "The sheet itself must be corrected first; Problems says how."),
        (
            [broken("a", severity=Severity.WARNING)],
            "The sheet itself must be corrected first; Problems says how.",
        ),
        ([broken("a")], "a is wrong. Correct it."),
        (
            [broken("a"), broken("b"), broken("c")],
            "a is wrong. Correct it. (2 more, see Problems.)",
        ),
    ],
    ids=["sheet", "warning", "one", "three"],
)
def test_the_first_error_is_said_and_the_others_are_counted(findings, advice):
    assert first_advice(findings) == advice


def test_a_line_that_could_not_be_taken_is_invalid_with_its_advice():
    checked = checked_projects([project(1), project(2)])
    wrong = replace(
        checked.rows[0],
        content=None,
        key=None,
        take_fingerprint=None,
        findings=(broken("a"),),
    )
    scene = MemoryScene()
    scene.submit(replace(checked, rows=(wrong, checked.rows[1])))
    report = scene.report()
    assert [(each.outcome, each.what_to_do) for each in report.rows] == [
        (Outcome.INVALID, "a is wrong. Correct it."),
        (Outcome.SENT, ""),
    ]
    assert (report.rows[0].reference, report.remarks) == (None, ())


@pytest.mark.parametrize(
    ("content", "same_sends", "words"),
    [
        (
            project(1),
            False,
            f"{NOT_YET} submit the workbook without {ONLY} to send it.",
        ),
        (project(1), True, f"{NOT_YET} {Next.AGAIN}."),
        (
            project(1, send=False),
            True,
            (
                "Nothing; to send it, write Yes in a column Send, which you add where "
                "there is none, and submit again."
            ),
        ),
    ],
    ids=["drafts only", "stopped", "a draft as asked"],
)
def test_a_draft_that_asks_to_be_sent_is_not_sent_yet(content, same_sends, words):
    scene = MemoryScene()
    scene.submit(checked_projects([content]), drafts_only=True)

    async def go():
        (batch,) = await scene.journal.batches()
        submitted = Submitted(reading=batch.reading, same_sends=same_sends)
        frame = Frame(written_at=AT, submitted=submitted)
        return await report_batch(batch, journal=scene.journal, frame=frame)

    assert [each.what_to_do for each in asyncio.run(go()).rows] == [words]


def test_rows_that_wait_tell_their_turn_and_by_when_tokens_must_come():
    scene = MemoryScene()
    scene.service.tokens = 0
    near = {"respond_by_on": date(2026, 11, 27)}
    scene.submit(checked_projects([project(1), project(2, **near), project(3)]))
    asyncio.run(scene.journal.put_first([scene.entries()[-1].key]))
    report = scene.report(nobody="mere")
    by = "unless tokens come by Friday 27 November 2026."
    ends = [each.what_to_do.partition(f"{Next.RELEASE}. ")[2] for each in report.rows]
    assert ([each.turn for each in report.rows], ends) == (
        [3, 2, 1],
        ["", f"Will miss its date {by}", ""],
    )
    assert (report.owner, report.remarks) == (
        "mere",
        (f"1 row will miss its date {by}",),
    )


def test_a_sent_reference_that_another_project_has_now_is_told_with_the_old_name():
    scene = MemoryScene()
    scene.submit(checked_projects([project(1)]), drafts_only=True)
    other = project(
        1,
        name="Weir at Ōtaki",
        description="A weir.",
        start_on=date(2031, 3, 1),
        end_on=date(2031, 9, 30),
        respond_by_on=date(2031, 4, 1),
        address="Else",
        place=Place(latitude=-40.75, longitude=175.1),
    )
    scene.submit(checked_projects([other]))
    (entry,) = scene.entries()
    scene.decide(Decision.ADOPT, project=entry.project_id)
    scene.release()
    assert [(each.outcome, each.what_to_do) for each in scene.report().rows] == [
        (
            Outcome.INVALID,
            (
                "The reference R-1 was used for “Culvert 1 at Māngere”, which is "
                "sent. Give this project a reference of its own."
            ),
        )
    ]
