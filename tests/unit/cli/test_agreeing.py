"""Who must agree to what reaches people, and in which words."""

import pytest

from kawe.cli.shared.agreeing import ask_agreement
from kawe.domain.batch.agreements import Budget, reach_of
from kawe.errors import GuardRefused
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS

BUDGET = Budget(balance=9)


@pytest.mark.parametrize(
    ("reach", "said"),
    [
        (
            reach_of({PROJECTS: 1}),
            (
                "This run would send 1 project to iwi and nobody can be asked. Nothing "
                "was sent. Agree with --yes 1."
            ),
        ),
        (
            reach_of({INVITATIONS: 230}),
            (
                "This run would invite 230 people and nobody can be asked. Nobody was "
                "invited. Agree with --yes 230."
            ),
        ),
    ],
    ids=["send", "invite"],
)
def test_nobody_is_reached_whom_nobody_agreed_to(reach, said):
    with pytest.raises(GuardRefused) as refused:
        ask_agreement(reach, budget=BUDGET, is_live=True, agreed=None, no_input=True)
    assert str(refused.value) == said


@pytest.mark.parametrize("reach", [reach_of({PROJECTS: 3}), reach_of({INVITATIONS: 3})])
def test_what_was_agreed_to_is_the_most_that_goes(reach):
    asked = {"budget": BUDGET, "is_live": True, "no_input": True}
    agreed = ask_agreement(reach, agreed=5, **asked)
    with pytest.raises(GuardRefused, match="and 2 were agreed to"):
        ask_agreement(reach, agreed=2, **asked)
    assert (agreed.balance, agreed.agreed) == (9, 5)
