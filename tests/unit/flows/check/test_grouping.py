"""Rows are grouped by each of the parts that they have."""

from __future__ import annotations

from kawe.flows.check.grouping import Groups, agreeing, grouped

WORDS = ["kākā kea", "kea", "moa", "kea kea"]


def test_a_part_has_all_rows_that_say_it_once_each():
    groups = grouped(WORDS, str.split)
    assert [sorted(groups.having(part)) for part in ("kea", "moa", "tūī")] == [
        [0, 1, 3],
        [2],
        [],
    ]


def test_the_first_row_of_a_part_is_the_one_that_was_added_first():
    groups = Groups()
    groups.add([7, 2], ["kea", "kea"])
    assert (groups.first("kea"), groups.first("moa")) == (7, None)


def test_rows_agree_where_enough_of_them_say_one_part():
    assert [
        list(agreeing(WORDS, str.split)),
        list(agreeing(WORDS, str.split, least=4)),
    ] == [[[0, 1, 3]], []]
