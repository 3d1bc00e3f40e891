"""What tokens are needed, and how many may be spent."""

from __future__ import annotations

import pytest

from kawe.contract.limits import TOKEN_PACKS
from kawe.domain.batch.tokens import Budget, packs_covering, packs_words


@pytest.mark.parametrize(
    ("tokens", "packs"),
    [
        (-1, ()),
        (0, ()),
        (1, (1,)),
        (4, (1, 1, 1, 1)),
        (7, (5, 1, 1)),
        (38, (20, 10, 5, 1, 1, 1)),
        (120, (50, 50, 20)),
    ],
)
def test_packs_cover_what_is_needed_with_nothing_left_over(tokens, packs):
    assert packs_covering(tokens) == packs


@pytest.mark.parametrize(
    ("budget", "sends"),
    [
        (Budget(balance=None), 10),
        (Budget(balance=4), 4),
        (Budget(balance=4, keep_reserve=1), 3),
        (Budget(balance=4, keep_reserve=9), 0),
        (Budget(balance=40, max_tokens=5), 5),
        (Budget(balance=40, max_tokens=5, agreed=3), 3),
        (Budget(balance=None, agreed=0), 0),
    ],
)
def test_the_tightest_limit_counts(budget, sends):
    assert budget.sends(10) == sends


def test_no_more_is_sent_than_is_wanted():
    assert Budget(balance=100).sends(2) == 2


def test_no_other_packs_cover_it_with_as_little_left_over_and_fewer_packs():
    # Whoever buys pays for tokens, so the fewest tokens count first.
    fewest = [0]
    for tokens in range(1, 500):
        parts = [fewest[tokens - pack] for pack in TOKEN_PACKS if pack <= tokens]
        fewest.append(1 + min(parts))
    found = [packs_covering(tokens) for tokens in range(500)]
    assert [(sum(packs), len(packs)) for packs in found] == list(enumerate(fewest))


def test_packs_are_told_as_people_buy_them():
    assert packs_words((50, 50, 5, 1)) == "2 packs of 50, 1 pack of 5 and 1 pack of 1"


@pytest.mark.parametrize(
    ("budget", "missing"),
    [
        (Budget(balance=42, max_tokens=2), 0),
        (Budget(balance=9, agreed=1), 0),
        (Budget(balance=4), 5),
        (Budget(balance=9, keep_reserve=3), 3),
        (Budget(balance=None), 0),
    ],
)
def test_only_tokens_that_are_not_there_are_missing(budget, missing):
    assert budget.missing(9) == missing
