"""Live many random lives of a person with kawe, and hold the promises against each.

Each step is something that a person or the world can do; after each, nothing
may be doubled, claimed or spent that was not, and at the end of each life
everything must come to rest.

    PYTHONPATH=tests .venv/bin/python -m campaigns.state_machine
        (nothing more)                         2,000 lives of 100 steps
        --examples 20000 --steps 100 --seed 7

Half of the lives are of one person, half of several with a computer each. Beside
them, one for each twenty is lived with the twin and the whole of the wire, one
for each hundred with a journal on disk; all others in memory.
"""

from __future__ import annotations

import sys
from typing import Final

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from doubles.figures import Asked
from faults.state_machine.life import TOTALS, Life
from faults.state_machine.lives import LifeOnDisk, LifeWithTwin
from faults.state_machine.together import LifeTogether

SHARES: Final[tuple[tuple[type[RuleBasedStateMachine], int], ...]] = (
    (Life, 2),
    (LifeTogether, 2),
    (LifeWithTwin, 20),
    (LifeOnDisk, 100),
)


def live(life: type[RuleBasedStateMachine], *, lives: int, steps: int, at: int) -> None:
    """Live so many lives of one kind; a broken promise is raised."""
    run_state_machine_as_test(
        seed(at)(life),
        settings=settings(
            max_examples=lives,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


def main() -> int:
    """Live, print what was gone through, and write the figures down."""
    given = Asked(__doc__, examples=2_000, steps=100, seed=20261121)
    for life, share in SHARES:
        lives = max(1, given.examples // share)
        live(life, lives=lives, steps=given.steps, at=given.seed)
        print(f"{life.__name__}: {lives} lives, all promises held; {TOTALS}")
    given.record(
        "state-machine",
        f"random lives of up to {given.steps} steps: people edit, sort, copy, split "
        "and merge, kawe runs and is killed, colleagues and the service interfere",
        runs=TOTALS.runs,
        rows=TOTALS.rows,
        faults=TOTALS.faults + TOTALS.deaths,
        to_a_person=TOTALS.held,
        seeds=str(given.seed),
        note=f"{TOTALS.lives} lives; any broken promise would have ended the run; "
        f"{TOTALS.held_for_people} more rows were held because people edited them "
        "after their draft was made, or changed or sent the draft",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
