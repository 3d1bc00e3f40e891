"""Who agreed to a plan, beside the person who made it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kawe.domain.entries import BatchName
from kawe.domain.texts import fold_name


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
