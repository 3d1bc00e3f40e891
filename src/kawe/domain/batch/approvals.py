"""Who agreed to a plan or a release, beside the person who made it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.rows.entries import BatchName, Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import fold_name, one_line

_RELEASE: Final = "release:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One person's approval of one plan, as kawe was told."""

    plan: str
    """What `approved_plan` or `release_hash` gives."""
    batch: BatchName
    author: str
    approved_by: str
    sends: int
    """How many rows of the plan may reach people."""
    at: datetime

    @property
    def is_by_another(self) -> bool:
        """Say whether another person agreed than the one who made the plan."""
        approver = fold_name(self.approved_by)
        return bool(approver) and approver != fold_name(self.author)


def approved_plan(plan: SavedPlan) -> str:
    """Name a plan by its hash, and by its kind where that has no drafts."""
    kind = plan.reading.kind
    return f"{kind}:{plan.sha256}" if plan.own_steps else plan.sha256


def release_hash(rows: Iterable[Entry]) -> str:
    """Name a release by the rows that may go, and what they say."""
    said = sorted((entry.key, entry.fingerprint) for entry in rows)
    return f"{_RELEASE}{sha256_of(said)}"


def approval_words(approval: Approval) -> str:
    """Say who agreed to what, and when, in a sentence."""
    thing = "release" if approval.plan.startswith(_RELEASE) else "plan"
    plan = (
        f"the {thing} that {one_line(approval.author)} made"
        if approval.is_by_another
        else f"the {thing}, which they made themselves"
    )
    kinds = SheetKind.declared()
    own = (kind.act for kind in kinds if approval.plan.startswith(f"{kind}:"))
    acts = counted(approval.sends, next(own, "send"))
    return (
        f"{one_line(approval.approved_by)} approved {plan}, with "
        f"{acts}, at {moment_words(approval.at)} (NZ time)."
    )
