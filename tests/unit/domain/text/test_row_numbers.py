"""Numbers of rows as people list them."""

import pytest

from kawe.domain.text.texts import numbers_words


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([6], "6"),
        ([6, 7], "6 and 7"),
        ([6, 7, 8], "6 to 8"),
        ([2, 3, 5, 9], "2, 3, 5 and 9"),
        ([1, 3, 4, 5, 6, 9], "1, 3 to 6 and 9, 6 in all"),
        (range(2, 452), "2 to 451, 450 in all"),
        ([6, 7, 23, 30, *range(40, 100, 2)], "6, 7, 23, 30 and 30 more"),
        ([2, 4, 6, 8, *range(1_001, 3_001)], "2, 4, 6, 8 and 2,000 more"),
    ],
)
def test_rows_are_listed_as_people_do(numbers, words):
    assert numbers_words(numbers) == words
