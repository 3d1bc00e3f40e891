"""Who agreed to a plan or a release, beside the person who made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.batch.signed import (
    CoveredRow,
    SignedApproval,
    covered_hash,
    fingerprint_words,
    user_words,
)
from kawe.domain.rows.entries import BatchName
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import fold_name, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What shows that a person approved, and not only that kawe was told so."""

    signed: SignedApproval
    rows: tuple[CoveredRow, ...] = field(repr=False)
    """The rows that the signed statement names by their hash."""

    @property
    def is_whole(self) -> bool:
        return covered_hash(self.rows) == self.signed.statement.rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One person's approval of one plan; those of before were typed."""

    plan: str
    """What `approved_plan` gives; of a release of before, `release:` and a hash."""
    batch: BatchName
    author: str
    approved_by: str
    sends: int
    """How many rows of the plan may reach people."""
    at: datetime
    proof: Proof | None = None
    """None: an older kawe took a typed name, which proves nothing."""

    @property
    def is_by_another(self) -> bool:
        """Say whether another person agreed than the one who made the plan."""
        approver = fold_name(self.approved_by)
        return bool(approver) and approver != fold_name(self.author)


def approved_plan(plan: SavedPlan) -> str:
    """Name a plan by its hash, and by its kind where that has no drafts."""
    kind = plan.reading.kind
    return f"{kind}:{plan.sha256}" if plan.own_steps else plan.sha256


def approval_words(approval: Approval) -> str:
    """Say who agreed to what, and when, in a sentence."""
    thing = "release" if approval.plan.startswith("release:") else "plan"
    plan = (
        f"the {thing} that {one_line(approval.author)} made"
        if approval.is_by_another
        else f"the {thing}, which they made themselves"
    )
    kinds = SheetKind.declared()
    own = (kind.act for kind in kinds if approval.plan.startswith(f"{kind}:"))
    acts = counted(approval.sends, next(own, "send"))
    waits = 0 if approval.proof is None else approval.proof.signed.statement.waits
    if waits:
        acts += f" and {counted(waits, 'row')} that waited for tokens"
    return (
        f"{one_line(approval.approved_by)} approved {plan}, with "
        f"{acts}, at {moment_words(approval.at)} (NZ time); {_proof_words(approval)}."
    )


def _proof_words(approval: Approval) -> str:
    if approval.proof is None:
        return "typed, not proven"
    signed = approval.proof.signed
    key = fingerprint_words(signed.public_key)
    return f"signed with the key {key}, and {user_words(signed.statement.person)}"
