"""What an export saved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kawe.domain.service.papers import FileFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedReceipt:
    """One receipt, and the file that it became."""

    number: str
    submission: str
    project_name: str
    reference: str | None
    """The row it belongs to; None when that cannot be told for certain."""
    sent_to: tuple[str, ...] = ()
    """The iwi that the service says it told, as far as the journal knows them."""
    created_at: datetime
    file: str
    size_bytes: int | None
    """None when the document could not be fetched; `trouble` says why."""
    sha256: str | None
    trouble: str = ""
    is_new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptExport:
    """All receipts of a team."""

    receipts: tuple[ExportedReceipt, ...]
    team: str
    written_at: datetime
    is_complete: bool
    """False when the list kept shifting, or the run was stopped."""
    left_out: int = 0
    """Receipts that the service lists, and that were not asked for."""
    findings: tuple[FileFinding, ...] = ()
    """What was not as an earlier run had saved it."""
    unproven: int = 0
    """Rows that were sent a while ago and have no receipt that is certainly theirs."""
    lost: int = 0
    """Those of them that the service does not show as sent any more."""
    lost_words: str = ""

    @property
    def missing(self) -> tuple[ExportedReceipt, ...]:
        """Give the receipts whose document could not be fetched."""
        return tuple(each for each in self.receipts if each.sha256 is None)
