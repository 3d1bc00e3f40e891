"""What every journal keeps of what people decided: the order, and who answers."""

from datetime import UTC, datetime

import pytest

from doubles.journal_values import BATCH, NOW, entry, intent, key, later
from kawe.domain.batch.waiting import Wait
from kawe.domain.service.service_words import Invitation
from kawe.domain.service.states import NotDone, Reason, State, Step

NO_TOKENS = NotDone(reason=Reason.NO_TOKENS, http_status=402)


def _waits(home, *numbers):
    return home.ask("waits", [key(number) for number in numbers])


def _put_first(home, *numbers):
    home.ask("put_first", [key(number) for number in numbers])
    return home.ask("put_first_so_far")


@pytest.fixture
def four(home):
    home.begin(*(entry(number) for number in (1, 2, 3, 4)))
    return home


def test_rows_go_first_in_the_order_in_which_they_were_named(four):
    assert _put_first(four, 3, 1) == (key(3), key(1))


def test_who_is_put_first_later_goes_before_those_put_first_before(four):
    _put_first(four, 3, 1)
    assert _put_first(four, 2, 1) == (key(2), key(1), key(3))


def test_rows_that_are_put_back_have_no_place_and_the_others_keep_theirs(four):
    _put_first(four, 3, 1, 2)
    four.ask("put_back", [key(1), key(4)])
    assert four.ask("put_first_so_far") == (key(3), key(2))


def test_a_row_that_is_done_loses_its_place_when_another_is_put_first(four):
    _put_first(four, 1)
    four.walk(1, State.HELD, State.ABANDONED)
    assert _put_first(four, 2) == (key(2),)


@pytest.mark.parametrize("numbers", [(9,), (1, 9), (2, 2)])
def test_an_order_that_cannot_be_kept_leaves_the_one_that_was(four, numbers):
    _put_first(four, 1)
    rows = [key(number) for number in numbers]
    four.refused("put_first", rows)
    assert four.ask("put_first_so_far") == (key(1),)


def test_the_last_one_named_answers_for_a_batch(four):
    four.begin(entry(5, batch="yearly"), batch="yearly")
    for batch, owner in ((BATCH, "Hēmi"), (BATCH, "Consents desk"), ("yearly", "=1")):
        four.ask("keep_batch_owner", batch, owner)
    assert four.ask("batch_owners") == {BATCH: "Consents desk", "yearly": "=1"}


def test_who_answers_stays_when_the_batch_is_read_again(four):
    four.ask("keep_batch_owner", BATCH, "Hēmi")
    four.begin(entry(1))
    assert four.ask("batch_owners") == {BATCH: "Hēmi"}


def test_nobody_can_answer_for_a_batch_that_is_not_there(four):
    refused = four.refused("keep_batch_owner", "x", "Hēmi")
    assert (refused, four.ask("batch_owners")) == ("The journal has no batch x.", {})


def test_a_row_that_never_had_to_wait_has_no_wait(home):
    home.drafted(1)
    assert _waits(home, 1, 9) == {}


def test_a_row_waits_since_it_first_had_to_however_often_it_was_passed_over(home):
    home.drafted(1)
    home.walk(1, State.READY, State.WAIT_TOKENS, at=later(5))
    home.walk(1, State.READY, State.WAIT_TOKENS, at=later(50))
    assert _waits(home, 1) == {key(1): Wait(since_at=later(5))}


def test_a_wait_says_when_the_service_last_had_no_token_for_the_row(home):
    home.drafted(1)
    for attempt in (1, 2):
        home.walk(1, State.READY)
        sent = intent(1, Step.SEND, attempt=attempt, begun_at=later(attempt * 10))
        home.conclude(sent, NO_TOKENS, at=later(attempt * 10 + 1))
    assert _waits(home, 1) == {key(1): Wait(since_at=later(11), refused_at=later(21))}


def test_whom_the_service_told_of_a_row_is_kept_by_name_and_may_be_told_anew(four):
    names = ("Ngāti Tauira, te Raki", "Ngāti Tauira ki te Tonga")
    four.ask("keep_sent_to", {key(1): ("Else",), key(2): names})
    four.ask("keep_sent_to", {key(1): names[:1]})
    assert four.ask("sent_to", [key(1), key(2), key(3)]) == {
        key(1): names[:1],
        key(2): names,
    }


def test_of_an_unknown_row_nobody_is_kept(four):
    four.refused("keep_sent_to", {key(9): ("Else",)})


def test_how_an_invitation_stands_is_kept_as_it_was_said_last(four):
    first = Invitation(id="i-1")
    pending = Invitation(id="i-1", status="PENDING", made_at=NOW, expires_at=later(9))
    # A year that could not be shown as New Zealand's is no time at all.
    far = datetime(9999, 12, 30, tzinfo=UTC)
    four.ask("keep_invitations", {key(1): first, key(2): first})
    four.ask("keep_invitations", {key(1): pending})
    four.ask("keep_invitations", {key(3): Invitation(id="i-3", expires_at=far)})

    assert four.ask("invitations", [key(1), key(2), key(3), key(4)]) == {
        key(1): pending,
        key(2): first,
        key(3): Invitation(id="i-3"),
    }


def test_of_an_unknown_row_no_invitation_is_kept(four):
    said = {key(9): Invitation(id="i-9")}
    four.refused("keep_invitations", said)
