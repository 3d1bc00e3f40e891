"""Two computers with one workbook: B starts at every moment of A's run.

Every row is sent once, and both people are told. The long version is
tests/campaigns/two_computers.py.
"""

import pytest

from faults.people.overlap import Scenery, meetings

SCENERIES = [
    Scenery(rows=4),
    Scenery(rows=4, refuses_second_send=True, workers=1),
    Scenery(rows=4, workers=1, upload_seconds=60),
    Scenery(rows=4, lag_seconds=20),
    Scenery(rows=4, lag_seconds=20, refuses_second_send=True, upload_seconds=60),
]


@pytest.mark.parametrize(
    "scenery",
    [
        *(pytest.param(s, marks=pytest.mark.short_campaign) for s in SCENERIES[:4]),
        *SCENERIES[4:],
    ],
    ids=Scenery.words,
)
def test_a_second_computer_at_any_moment_doubles_nothing_and_both_are_told(scenery):
    met = list(meetings(scenery))
    assert [trouble for each in met for trouble in each.troubles()] == []
