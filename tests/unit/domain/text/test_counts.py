"""Numbers stand with the right form of their noun."""

import pytest

from kawe.domain.text.texts import counted


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1200, "1,200 rows")],
)
def test_a_noun_follows_its_number(number, words):
    assert counted(number, "row") == words


def test_a_noun_of_its_own_kind_is_given_whole():
    assert [counted(n, "row waits", "rows wait") for n in (1, 2)] == [
        "1 row waits",
        "2 rows wait",
    ]
