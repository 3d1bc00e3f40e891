"""Who agreed to a plan, beside the person who made it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kawe.domain.counts import counted
from kawe.domain.entries import BatchName
from kawe.domain.likeness import AUCKLAND
from kawe.domain.texts import fold_name, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One person's word for one plan. kawe writes down what it was told."""

    plan: str
    """The plan's sha256."""
    batch: BatchName
    author: str
    approved_by: str
    sends: int
    """How many projects the plan may send."""
    at: datetime

    @property
    def is_by_another(self) -> bool:
        """Say whether somebody else agreed than whoever made the plan."""
        approver = fold_name(self.approved_by)
        return bool(approver) and approver != fold_name(self.author)


def approval_words(approval: Approval) -> str:
    """Say who agreed to what, and when, in a sentence."""
    plan = (
        f"the plan that {one_line(approval.author)} made"
        if approval.is_by_another
        else "the plan, which they made themselves"
    )
    return (
        f"{one_line(approval.approved_by)} approved {plan}, with "
        f"{counted(approval.sends, 'send')}, on {local_time(approval.at)}."
    )


def local_time(at: datetime) -> str:
    """Write an instant as people in New Zealand do."""
    here = at.astimezone(AUCKLAND)
    return f"{here.day} {here:%B %Y, %H:%M} (NZ time)"
