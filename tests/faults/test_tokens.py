"""Tokens that run out at every row of a batch, and a service that limits it.

The long version is tests/campaigns/tokens.py.
"""

import pytest

from doubles.token_runs import Purse, Spent, release_some, spend, storm

ROWS = 20
# So many are there, when more are bought.
FIRST = 8
BOTH = pytest.mark.parametrize("run", [spend, release_some], ids=["submit", "release"])


def ended(sent, *, refused, runs=1, passed_over=0):
    """Say how a batch must end of which so many rows found a token.

    The most urgent ones found them, and every other was sent once at the end.
    """
    return Spent(
        sent=sent,
        deferred=ROWS - sent,
        failed=0,
        passed_over=passed_over,
        refused=refused,
        runs=runs,
        creates=ROWS,
        most_sends=1,
        unsent=0,
    )


@BOTH
def test_tokens_may_run_out_at_any_row_the_most_urgent_go_and_no_row_fails(run):
    ends = [run(Purse(tokens=k), rows=ROWS) for k in range(ROWS + 1)]
    assert ends == [ended(k, refused=0, runs=k < ROWS) for k in range(ROWS + 1)]


@BOTH
@pytest.mark.parametrize("workers", [1, 3, 8])
def test_after_the_first_402_no_more_sends_go_out_than_there_are_workers(run, workers):
    ends = [
        run(Purse(tokens=k), rows=ROWS, workers=workers, shown=ROWS)
        for k in range(ROWS)
    ]
    assert [end.refused <= workers for end in ends] == [True] * ROWS
    assert ends == [ended(k, refused=ends[k].refused) for k in range(ROWS)]


@pytest.mark.parametrize("shown", [0, 1, ROWS - 1])
def test_a_balance_that_shows_too_little_defers_what_could_have_been_sent(shown):
    end = spend(Purse(tokens=ROWS), rows=ROWS, shown=shown)
    assert end == ended(shown, refused=0)


@pytest.mark.parametrize("at", range(1, ROWS, 3))
def test_tokens_that_are_bought_in_mid_run_are_spent_by_it_or_by_the_release(at):
    end = spend(Purse(tokens=FIRST, changes={at: ROWS - FIRST}), rows=ROWS, shown=ROWS)
    came_in_time = at <= FIRST + 1
    sent = ROWS if came_in_time else FIRST
    assert end == ended(sent, refused=end.refused, runs=not came_in_time)
    assert end.refused <= 3


@pytest.mark.parametrize("at", range(1, ROWS, 3))
def test_a_colleague_who_spends_in_mid_run_makes_rows_wait(at):
    end = spend(Purse(tokens=ROWS, changes={at: -ROWS}), rows=ROWS)
    assert end == ended(at - 1, refused=end.refused)
    assert end.refused <= 3


@pytest.mark.parametrize(
    "answers", [1, 19, 60, 400, pytest.param(2_000, marks=pytest.mark.short_campaign)]
)
def test_a_storm_of_429_fails_no_row(answers):
    end = storm(rows=ROWS, workers=3, answers=answers)
    # Six refusals of one send end a run: of thousands, none comes to an end.
    unsent = ROWS if answers > 1_000 else 0
    assert (end.failed, end.most_sends, end.creates, end.unsent) == (
        0,
        0 if unsent else 1,
        ROWS,
        unsent,
    )


def test_a_release_that_finds_no_token_at_all_is_refused_once():
    end = release_some(Purse(tokens=0), rows=ROWS, workers=8, shown=ROWS)
    assert end == ended(0, refused=1)


@pytest.mark.parametrize("at", range(1, ROWS, 3))
def test_tokens_that_are_bought_during_a_release_are_spent_by_it_or_the_next(at):
    bought = Purse(tokens=FIRST, changes={at: ROWS - FIRST})
    end = release_some(bought, rows=ROWS, shown=ROWS)
    came_in_time = at <= FIRST + 1
    # A send under way finds the token that came just after another was refused.
    over = end.passed_over
    sent = ROWS if came_in_time else FIRST + over
    assert end == ended(
        sent, refused=end.refused, runs=not came_in_time, passed_over=over
    )
    assert (end.refused <= 3, over < 3) == (True, True)


@pytest.mark.parametrize("at", range(1, ROWS, 3))
def test_a_colleague_who_spends_during_a_release_makes_rows_wait(at):
    end = release_some(Purse(tokens=ROWS, changes={at: -ROWS}), rows=ROWS)
    assert end == ended(at - 1, refused=end.refused)
    assert end.refused <= 3
