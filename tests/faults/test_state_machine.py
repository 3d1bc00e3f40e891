"""Random lives of people with kawe: the promises hold after every step.

The long version is tests/campaigns/state_machine.py.
"""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from faults.state_machine.life import Life
from faults.state_machine.lives import LifeOnDisk, LifeWithTwin
from faults.state_machine.together import LifeTogether

STEPS = 50
FEW = [(Life, 10), (LifeTogether, 10), (LifeOnDisk, 1), (LifeWithTwin, 4)]
MANY = [(Life, 50), (LifeTogether, 50), (LifeOnDisk, 3), (LifeWithTwin, 10)]


@pytest.mark.parametrize(
    ("life", "lives"),
    [*FEW, *(pytest.param(*each, marks=pytest.mark.short_campaign) for each in MANY)],
)
def test_nothing_is_doubled_or_lost_whatever_people_and_the_world_do(life, lives):
    run_state_machine_as_test(
        life,
        settings=settings(max_examples=lives, stateful_step_count=STEPS),
    )
