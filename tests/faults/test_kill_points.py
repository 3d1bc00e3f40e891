"""kill -9 at every named point, and again while what it left is settled.

Real processes with real journals, files and sockets, before a twin that
counts. `tests/campaigns/kill.py` does the same by the thousand.
"""

import os

import pytest

from faults.kills import points
from faults.kills.campaign import Size, run_campaign

pytestmark = [
    pytest.mark.short_campaign,
    pytest.mark.skipif(
        not hasattr(os, "fork"), reason="a process for each kill is born by fork"
    ),
]

SIZE = Size(kills=80, in_recovery=40, seed=20261121)


@pytest.fixture(scope="module")
def ledger():
    """Give what came of the whole campaign."""
    return run_campaign(SIZE, processes=1)


def test_nothing_is_lost_or_done_twice_and_every_run_leaves_nothing_to_do(ledger):
    assert (ledger.lost, ledger.doubled, ledger.wrong) == ([], [], [])


def test_a_process_was_killed_at_every_named_point_and_at_those_of_settling(ledger):
    assert [point for point in points.NAMED if not ledger.kills[point]] == []
    assert [each for each in points.SETTLING if not ledger.in_recovery[each]] == []


def test_as_many_were_killed_as_was_promised(ledger):
    enough = (
        ledger.kills.total() >= SIZE.kills,
        ledger.in_recovery.total() >= SIZE.in_recovery,
    )
    assert enough == (True, True)
