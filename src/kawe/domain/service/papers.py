"""Papers of the service as files, and what became of files since they were saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from kawe.domain.service.service_words import DocumentId
from kawe.domain.text.texts import counted, one_line

PAYLOAD: Final = "data/"
"""What stands before the name of each document in the lists of a bag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperToSave:
    """A document of the service that is to become a file."""

    id: str
    """Of the receipt, report or document: no two papers have the same."""
    document_id: DocumentId
    name: str
    """The file's name, as `PaperFolder.name_for` gives it."""
    starts_with: bytes = b""
    """What its bytes begin with: `%PDF` for a PDF, which has an end as well."""


class FileTrouble(StrEnum):
    """How a file is not as it was saved."""

    ALTERED = "altered"
    """Its bytes are not those that were saved."""
    MISSING = "missing"
    EXTRA = "extra"
    """It is in the folder, and in no list."""
    REPLACED = "replaced"
    """The service gives another document than it gave before."""
    UNLISTED = "not listed"
    """The service does not list it any more."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFinding:
    """One file that is not as it was saved."""

    file: str
    """As its list names it; hostile."""
    trouble: FileTrouble
    what: str
    """What is wrong, and where an altered file is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A file of an earlier run, as it lies there now."""

    sha256: str
    """What the list says."""
    size_bytes: int | None
    """None unless its bytes are those of the list."""
    finding: FileFinding | None = None
    is_paper: bool = True
    """False for a list or a workbook of kawe's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFile:
    """A document that is on the disk, synced."""

    size_bytes: int
    sha256: str
    finding: FileFinding | None = None
    """Another file had its name, and is kept aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPaper:
    """What became of one paper."""

    file: str
    size_bytes: int | None
    """None when the document could not be fetched; `trouble` says why."""
    sha256: str | None
    trouble: str = ""
    is_new: bool = False
    findings: tuple[FileFinding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderCheck:
    """What a check of a folder of papers found."""

    is_bag: bool
    files: int
    """How many the lists name."""
    size_bytes: int
    """Of the files that are as they were saved."""
    findings: tuple[FileFinding, ...]
    names: frozenset[str] = frozenset()
    """Those that the lists have."""
    aside: tuple[str, ...] = ()
    """Altered files that an export found and put aside."""

    def aside_words(self) -> Iterator[str]:
        """Say what an export put aside; nothing where it never did."""
        if self.aside:
            files = counted(len(self.aside), "altered file is", "altered files are")
            names = "; ".join(one_line(each, limit=100) for each in self.aside[:5])
            yield f"{files} kept aside by an earlier export: {names}."

    def count(self, trouble: FileTrouble) -> int:
        return sum(each.trouble is trouble for each in self.findings)


def in_order(findings: Iterable[FileFinding]) -> tuple[FileFinding, ...]:
    """Give findings as people read them: by kind, then by name."""
    order = list(FileTrouble)
    return tuple(sorted(findings, key=lambda f: (order.index(f.trouble), f.file)))


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
        return tuple(each for each in self.receipts if each.sha256 is None)
