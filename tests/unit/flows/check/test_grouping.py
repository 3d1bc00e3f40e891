"""Rows are grouped by each of the parts that they have."""

from kawe.flows.checked_rows import agreeing

WORDS = ["kākā kea", "kea", "moa", "kea kea"]


def test_rows_agree_where_enough_of_them_say_one_part():
    assert [
        list(agreeing(WORDS, str.split)),
        list(agreeing(WORDS, str.split, least=4)),
    ] == [[[0, 1, 3]], []]
