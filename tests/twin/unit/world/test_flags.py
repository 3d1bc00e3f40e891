"""can_* flags and priorities."""

import pytest

from kawe_contract.enums import ProjectStatus, ProjectType
from kawe_twin.rules.project_view import flags_of, priority_of


def granted(status, *, is_sender):
    flags = flags_of(status=status, is_sender=is_sender)
    return {name for name, on in flags.items() if on}


def test_a_closed_project_can_be_reopened_and_a_complete_one_not():
    can = [
        "can_reopen" in granted(status, is_sender=True)
        for status in (ProjectStatus.CLOSED, ProjectStatus.COMPLETE)
    ]
    assert can == [True, False]


@pytest.mark.parametrize("kind", ProjectType)
def test_every_type_has_a_priority(kind):
    assert priority_of(kind) in {"HIGH", "MEDIUM", "LOW"}
