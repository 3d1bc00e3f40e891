"""The words and names in a result workbook."""

from __future__ import annotations

import pytest

from kawe.workbook.result import sheet_title
from kawe.workbook.result_words import counted, packs_words


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Projects", "Projects"),
        ("a/b:c*[d]?", "a-b-c--d--"),
        ("x" * 40, "x" * 31),
        ("'", "Rows"),
        ("Ngā kaupapa", "Ngā kaupapa"),
    ],
)
def test_a_sheet_gets_a_name_that_excel_allows(name, title):
    assert sheet_title(name) == title


def test_counts_and_packs_are_told_as_people_say_them():
    assert counted(1, "row") == "1 row"
    assert counted(2_000, "row") == "2,000 rows"
    assert packs_words((50, 50, 5, 1)) == "2 packs of 50, 1 pack of 5 and 1 pack of 1"
