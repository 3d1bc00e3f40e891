"""Who agreed to a plan, in words."""

from __future__ import annotations

from dataclasses import replace

from doubles.journal_values import BATCH, NOW
from kawe.domain.batch.approvals import Approval, approval_words

GIVEN = Approval(
    plan="a" * 64, batch=BATCH, author="Mere", approved_by="Hēmi", sends=1, at=NOW
)


def test_an_approval_names_both_persons_and_the_time_in_new_zealand():
    assert approval_words(GIVEN) == (
        "Hēmi approved the plan that Mere made, with 1 send, at 22:00 on "
        "21 November 2026 (NZ time)."
    )


def test_an_author_who_approves_is_said_to():
    assert approval_words(replace(GIVEN, approved_by="MERE", sends=1200)) == (
        "MERE approved the plan, which they made themselves, with 1,200 sends, at "
        "22:00 on 21 November 2026 (NZ time)."
    )
