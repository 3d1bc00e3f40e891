"""The words and names in a result workbook."""

import pytest

from kawe.workbook.results.result import sheet_title


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
