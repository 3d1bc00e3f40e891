"""What every journal promises of intents and their conclusions.

Each call of `home` is one process: what one wrote, the next one reads.
"""

from dataclasses import replace
from datetime import datetime

import pytest

from doubles.journal_values import (
    BATCH,
    NOW,
    content,
    created,
    entry,
    intent,
    invitation,
    invited,
    key,
    later,
    project_id,
)
from kawe.domain.service.states import (
    Attempt,
    Done,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
)


def test_an_intent_moves_its_row_and_is_there_for_the_next_process(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    noted = intent(
        1, Step.CREATE, begun_at=later(2), known_projects=(project_id(8), project_id(9))
    )
    home.ask("note", [noted])
    assert ((home.row(1), home.ask("attempts", key(1)))) == (
        entry(1, state=State.CREATE_INTENT, moved_at=later(2)),
        (Attempt(intent=noted),),
    )


def test_noting_nothing_is_fine(home):
    assert home.ask("note", []) is None


def test_a_create_that_happened_binds_its_project(home):
    concluded = home.drafted(1)
    expected = entry(
        1, state=State.DRAFTED, moved_at=later(1), project_id=project_id(1)
    )
    kept = (concluded, home.row(1), home.ask("owner_of", project_id(1)))
    assert kept == (expected, expected, key(1))


@pytest.mark.parametrize(
    ("verdict", "ending"),
    [
        (Done(http_status=200), (State.SENT, "done")),
        (
            NotDone(reason=Reason.NO_TOKENS, detail="No tokens.", http_status=402),
            (State.WAIT_TOKENS, "not-done"),
        ),
        (Unknown(detail="No answer."), (State.SEND_DOUBT, "unknown")),
    ],
)
def test_a_verdict_moves_the_row_and_ends_the_attempt(home, verdict, ending):
    home.drafted(1)
    home.walk(1, State.READY)
    noted = intent(1, Step.SEND, begun_at=later(3))
    state, word = ending
    detail = getattr(verdict, "detail", "")
    row = home.conclude(noted, verdict, at=later(4))
    assert (row.state, row.reason, row.moved_at, home.ask("attempts", key(1))[-1]) == (
        state,
        detail,
        later(4),
        Attempt(
            intent=noted,
            ended_at=later(4),
            verdict=word,
            detail=detail,
            http_status=verdict.http_status,
        ),
    )


@pytest.mark.parametrize(
    ("verdict", "ending"),
    [
        (invited("INVITED"), (State.INVITED, "")),
        (invited("SKIPPED", message="A member."), (State.ALREADY_THERE, "A member.")),
        (invited("FAILED", message="No such role."), (State.HELD, "No such role.")),
    ],
)
def test_an_invitation_ends_as_the_service_says(home, verdict, ending):
    person = invitation(1)
    home.begin(person)
    row = home.conclude(intent(1, Step.INVITE, row=person.key), verdict)
    assert (row.state, row.reason) == ending


def test_a_project_of_another_row_is_refused_and_the_row_is_in_doubt(home):
    home.drafted(1)
    home.begin(entry(1), entry(2))
    home.walk(2, State.FILES_READY)
    row = home.conclude(intent(2, Step.CREATE), created(1))
    (attempt,) = home.ask("attempts", key(2))
    assert (row.state, row.project_id, row.reason, attempt.verdict) == (
        State.CREATE_DOUBT,
        None,
        "The service answered with a project that already belongs to row R-1.",
        "unknown",
    )
    assert project_id(1) in attempt.detail
    assert home.ask("owner_of", project_id(1)) == key(1)


def test_a_create_that_names_no_project_leaves_the_row_in_doubt(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    row = home.conclude(intent(1, Step.CREATE), Done(http_status=201))
    assert row.state is State.CREATE_DOUBT


def test_a_create_may_answer_with_the_rows_own_project(home):
    home.begin(entry(1))
    home.walk(1, State.HELD, State.FILES_READY, project=project_id(1))
    row = home.conclude(intent(1, Step.CREATE), created(1))
    assert (row.state, row.project_id) == (State.DRAFTED, project_id(1))


def test_a_row_that_was_created_anew_gives_its_old_project_up(home):
    home.begin(entry(1))
    home.walk(1, State.HELD, State.FILES_READY, project=project_id(7))
    home.conclude(intent(1, Step.CREATE), created(1))
    assert [home.ask("owner_of", project_id(n)) for n in (7, 1)] == [None, key(1)]


def test_a_send_never_binds_a_project(home):
    home.drafted(1)
    home.walk(1, State.READY)
    row = home.conclude(intent(1, Step.SEND), created(5))
    assert (row.state, row.project_id) == (State.SENT, project_id(1))


@pytest.mark.parametrize(
    "intents",
    [
        [intent(1, Step.CREATE)],
        [intent(1, Step.SEND)],
        [intent(2, Step.CREATE, attempt=2)],
        [intent(2, Step.CREATE, attempt=0)],
        [intent(3, Step.CREATE)],
        [intent(2, Step.CREATE), intent(2, Step.CREATE, attempt=2)],
        [intent(2, Step.CREATE), intent(2, Step.CREATE)],
        [intent(2, Step.CREATE), intent(1, Step.CREATE)],
        [intent(2, Step.CREATE, begun_at=datetime(2026, 11, 21))],  # noqa: DTZ001 - naive on purpose
    ],
    ids=[
        "not ready",
        "nothing to send",
        "attempt left out",
        "attempt too low",
        "unknown row",
        "row twice",
        "intent twice",
        "one of two",
        "no time zone",
    ],
)
def test_an_intent_that_may_not_be_is_refused_with_all_that_came_along(home, intents):
    home.begin(entry(1), entry(2))
    home.walk(2, State.FILES_READY)
    before = home.ask("entries", BATCH)
    home.refused("note", intents)
    after = (
        home.ask("entries", BATCH),
        home.ask("attempts", key(1)),
        home.ask("attempts", key(2)),
    )
    assert after == (before, (), ())


def test_an_open_intent_cannot_be_opened_again(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    home.ask("note", [intent(1, Step.CREATE)])
    assert "from CREATE_INTENT to CREATE_INTENT" in home.refused(
        "note", [intent(1, Step.CREATE, attempt=2)]
    )


def test_a_second_attempt_follows_the_first(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    first = intent(1, Step.CREATE)
    second = intent(1, Step.CREATE, attempt=2, begun_at=later(2))

    async def script(journal):
        await journal.note([first])
        refusal = NotDone(reason=Reason.RATE_LIMITED, http_status=429)
        await journal.conclude(first, refusal, at=later(1))
        await journal.note([second])

    home(script)
    ended = Attempt(
        intent=first, ended_at=later(1), verdict="not-done", http_status=429
    )
    assert home.ask("attempts", key(1)) == (ended, Attempt(intent=second))


@pytest.mark.parametrize(
    "wrong",
    [
        intent(1, Step.CREATE, attempt=2),
        intent(1, Step.CREATE, body_sha256="c" * 64),
        intent(1, Step.SEND),
        intent(2, Step.CREATE),
        intent(3, Step.CREATE),
    ],
    ids=["attempt", "body", "step", "row without intent", "unknown row"],
)
def test_only_the_open_intent_can_be_concluded(home, wrong):
    home.begin(entry(1), entry(2))
    home.walk(1, State.FILES_READY)
    home.ask("note", [intent(1, Step.CREATE)])
    home.refused("conclude", wrong, created(1), at=NOW)
    kept = (home.row(1).state, home.ask("attempts", key(1)))
    assert kept == (State.CREATE_INTENT, (Attempt(intent=intent(1, Step.CREATE)),))


def test_an_intent_is_concluded_once(home):
    home.drafted(1)
    assert "is not open" in home.refused(
        "conclude", intent(1, Step.CREATE), created(1), at=NOW
    )


def test_an_intent_that_was_settled_otherwise_stays_without_an_end(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)
    home.ask("note", [intent(1, Step.CREATE)])
    home.walk(1, State.CREATE_DOUBT, State.DRAFTED, project=project_id(1))
    assert home.ask("attempts", key(1)) == (Attempt(intent=intent(1, Step.CREATE)),)


def test_an_intent_to_update_brings_what_the_row_says_by_now(home):
    drafted = home.drafted(1)
    now = content(1, description="Two outlets.")
    noted = intent(1, Step.UPDATE, begun_at=later(3))

    async def script(journal):
        revised = replace(drafted, content=now, fingerprint="f" * 64)
        await journal.note([noted], revised=[revised])

    home(script)
    assert home.row(1) == replace(
        drafted,
        state=State.UPDATE_INTENT,
        content=now,
        fingerprint="f" * 64,
        moved_at=later(3),
    )


def test_a_refused_intent_leaves_what_the_row_said(home):
    home.begin(entry(1))
    now = entry(1, content=content(1, description="Two outlets."))
    noted = intent(1, Step.UPDATE)
    home.refused("note", [noted], revised=[now])
    assert home.row(1) == entry(1)


def test_creates_that_were_ever_in_doubt_are_remembered(home):
    home.begin(*(entry(n) for n in range(1, 5)))
    for number in range(1, 5):
        home.walk(number, State.FILES_READY)

    async def script(journal):
        for number in (1, 2, 4):
            await journal.note([intent(number, Step.CREATE)])
        unknown = Unknown(detail="No answer.")
        await journal.conclude(intent(1, Step.CREATE), unknown, at=later(1))
        await journal.move(key(1), State.FILES_READY, at=later(2))
        again = intent(1, Step.CREATE, attempt=2)
        await journal.note([again])
        await journal.conclude(again, created(1), at=later(3))
        limited = NotDone(reason=Reason.RATE_LIMITED)
        await journal.conclude(intent(2, Step.CREATE), limited, at=later(1))

    home(script)
    assert home.ask("doubted_creates", BATCH) == (key(1), key(4))
