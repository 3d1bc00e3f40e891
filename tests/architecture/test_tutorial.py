"""The tutorial, typed as it stands at a terminal, does and says what it says."""

import os

import pytest

from doubles.tutorial_reader import follow, reader_in


@pytest.mark.short_campaign
@pytest.mark.skipif(os.name != "posix", reason="its lines are for a POSIX shell")
def test_the_tutorial_can_be_typed_as_it_stands(tmp_path):
    with reader_in(tmp_path) as reader:
        followed = follow(reader)
    # tools/write_tutorial.py writes what is said now.
    assert followed.unsaid == {}
    assert followed.ended == [
        ("kawe init", 0),
        ("kawe template projects -o empty.xlsx", 0),
        ("kawe demo --samples .", 0),
        ("kawe check monthly.xlsx", 0),
        ("kawe check monthly.xlsx", 0),
        ("kawe columns monthly.xlsx", 0),
        ("kawe check monthly.xlsx", 3),
        ("kawe check projects.xlsx", 3),
        ("kawe submit monthly.xlsx", 4),
        ("kawe status", 4),
        ("kawe status monthly", 4),
        ("kawe release", 0),
        ("kawe submit monthly.xlsx", 0),
        ("kawe export receipts -o receipts", 0),
        ("cd receipts", 0),
        ("sha256sum -c manifest-sha256.txt", 0),
        ("cd ..", 0),
        ("kawe check invitations.xlsx", 0),
        ("kawe submit invitations.xlsx", 4),
    ]
