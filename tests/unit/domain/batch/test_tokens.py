"""What tokens are needed, and how many may be spent."""

import pytest

from kawe.domain.batch.agreements import Budget, packs_covering, packs_words
from kawe_contract.limits import TOKEN_PACKS


@pytest.mark.parametrize(
    ("tokens", "packs"),
    [
        (-1, ()),
        (0, ()),
        (1, (1,)),
        (4, (5,)),
        (6, (10,)),
        (9, (10,)),
        (22, (50,)),
        (51, (50, 1)),
        (120, (50, 50, 20)),
    ],
)
def test_packs_cover_what_is_needed_with_one_purchase_where_one_is_enough(
    tokens, packs
):
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


def test_no_other_packs_cover_it_with_fewer_purchases_or_as_few_and_less_left_over():
    best = [(0, 0)]
    for tokens in range(1, 500):
        ways = [best[max(tokens - pack, 0)] for pack in TOKEN_PACKS]
        added = zip(ways, TOKEN_PACKS, strict=True)
        best.append(min((number + 1, size + pack) for (number, size), pack in added))
    found = [packs_covering(tokens) for tokens in range(500)]
    assert [(len(packs), sum(packs)) for packs in found] == best


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (9, "1 pack of 10 would do"),
        (111, "2 packs of 50 and 1 pack of 20 would do"),
        (
            22,
            (
                "1 pack of 50 would do, with 28 left over; so would 1 pack of 20 and "
                "2 packs of 1"
            ),
        ),
    ],
)
def test_packs_are_told_as_people_buy_them(tokens, words):
    assert packs_words(tokens) == words


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
