"""A name in a command to type is one word, in the shell of each system."""

import pytest

from kawe.domain.text.shell import quoted
from kawe.system import OperatingSystem


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("monthly.xlsx", "monthly.xlsx"),
        ("Consents Nov 2026.xlsx", '"Consents Nov 2026.xlsx"'),
        (r"C:\data\it's.xlsx", '"C:\\data\\it\'s.xlsx"'),
        ("4,7-12", '"4,7-12"'),
        ("my files\\", '"my files\\\\"'),
    ],
)
def test_on_windows_a_name_stands_in_double_quotes(monkeypatch, name, said):
    monkeypatch.setattr("kawe.system.HERE", OperatingSystem.WINDOWS)
    assert quoted(name) == said


def test_what_a_terminal_cannot_show_is_cleaned():
    assert quoted("a\x1b[31m\u202eb.xlsx") == "'a[31mb.xlsx'"
