"""can_* flags and priorities."""

import pytest

from kawe_contract.enums import ProjectStatus, ProjectType
from kawe_twin.rules.project_view import flags_of, priority_of


def granted(status, *, is_sender):
    flags = flags_of(status=status, is_sender=is_sender)
    return {name for name, on in flags.items() if on}


def test_a_draft_can_be_edited_and_sent_by_its_sender():
    assert granted(ProjectStatus.DRAFT, is_sender=True) == {
        "can_edit",
        "can_send",
        "can_assign_sender",
        "can_add_notes",
    }


def test_a_sent_project_can_be_answered_and_closed_by_both_sides():
    sides = [granted(ProjectStatus.NEW, is_sender=side) for side in (True, False)]
    assert sides == [
        {
            "can_respond",
            "can_assign_sender",
            "can_close",
            "can_download_receipt",
            "can_add_notes",
        },
        {"can_respond", "can_assign", "can_close", "can_add_notes"},
    ]


def test_a_closed_project_can_be_reopened_and_a_complete_one_not():
    can = [
        "can_reopen" in granted(status, is_sender=True)
        for status in (ProjectStatus.CLOSED, ProjectStatus.COMPLETE)
    ]
    assert can == [True, False]


@pytest.mark.parametrize("kind", ProjectType)
def test_every_type_has_a_priority(kind):
    assert priority_of(kind) in {"HIGH", "MEDIUM", "LOW"}


def test_an_emergency_is_urgent():
    assert priority_of(ProjectType.EMERGENCY_WORKS) == "HIGH"
