"""When a row was sent: the same time for ever, whatever kawe learns of it later."""

import pytest

from doubles.journal_values import entry, intent, key, later, project_id
from kawe.domain.service.states import Done, NotDone, Reason, State, Step, Unknown

SENT = Done(http_status=200)
LOST = Unknown(detail="The answer was lost.")
REFUSED = NotDone(reason=Reason.NO_TOKENS, http_status=402)


def _send(home, verdict, *, attempt=1, begun=5, ended=6):
    """Try to send row 1."""
    noted = intent(1, Step.SEND, attempt=attempt, begun_at=later(begun))
    home.conclude(noted, verdict, at=later(ended))


def _sent_at(home):
    return home.ask("sent_at", [key(1), key(2)])


@pytest.fixture
def ready(home):
    home.drafted(1)
    home.begin(entry(1), entry(2))
    home.walk(1, State.READY)
    return home


def test_a_row_that_is_not_sent_has_no_time(ready):
    assert _sent_at(ready) == {}


def test_the_time_is_that_of_the_answer_and_a_receipt_does_not_change_it(ready):
    _send(ready, SENT)
    ready.walk(1, State.CONFIRMED, at=later(30))
    before = _sent_at(ready)
    ready(lambda journal: journal.keep_receipt(key(1), number="RC-1", at=later(90)))
    assert (before, _sent_at(ready), ready.row(1).moved_at) == (
        {key(1): later(6)},
        {key(1): later(6)},
        later(90),
    )


def test_without_an_answer_it_is_the_time_at_which_the_request_left(ready):
    _send(ready, LOST)
    before = _sent_at(ready)
    ready.walk(1, State.SENT, at=later(60))
    assert (before, _sent_at(ready)) == ({}, {key(1): later(5)})


def test_a_refused_attempt_is_not_the_time_of_the_send(ready):
    _send(ready, REFUSED)
    ready.walk(1, State.READY)
    _send(ready, SENT, attempt=2, begun=70, ended=71)
    assert _sent_at(ready) == {key(1): later(71)}


def test_where_somebody_else_sent_it_the_time_is_when_that_was_seen(ready):
    _send(ready, REFUSED)
    ready.walk(1, State.READY)
    ready.walk(1, State.SENT, at=later(80))
    ready.walk(1, State.CONFIRMED, at=later(95))
    assert _sent_at(ready) == {key(1): later(80)}


def test_a_project_that_its_create_sent_has_the_time_at_which_that_was_known(home):
    home.begin(entry(1))
    home.walk(1, State.FILES_READY)

    async def script(journal):
        await journal.note([intent(1, Step.CREATE)])
        await journal.move(key(1), State.SENT, at=later(7), project=project_id(1))

    home(script)
    assert _sent_at(home) == {key(1): later(7)}
