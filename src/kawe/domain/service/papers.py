"""Papers of the service as files, what became of them, and which send one proves.

A receipt has the name of a project, and no id of it. A number that is known is certain,
and so is a name that one send and one receipt have. Of several with one name, a receipt
belongs to the send that the service's log has at the very same instant, or else to the
one whose time is clearly nearest.

The submission number tells no more: the interface shows it on receipts, and on nothing
that names a project. It is for people.
"""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeAlias

from kawe.domain.service.service_words import DocumentId, Receipt
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
    size_bytes: int | None = None
    """None when the document could not be fetched; `trouble` says why."""
    sha256: str | None = None
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
class ExportedReceipt(SavedPaper):
    """One receipt, and the file that it became."""

    number: str
    submission: str
    project_name: str
    reference: str | None
    """The row it belongs to; None when that cannot be told for certain."""
    sent_to: tuple[str, ...] = ()
    """The iwi that the service says it told, as far as the journal knows them."""
    created_at: datetime


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

    def lines(self) -> Iterator[str]:
        """Say what was not saved, and which sends have no receipt."""
        if self.left_out:
            more = counted(self.left_out, "receipt was", "receipts were")
            yield f"{more} not asked for: of other days, or of no row of the batch."
        if self.unproven:
            rows = counted(self.unproven, "sent row has", "sent rows have")
            others = "the service lists none, or several projects have one name"
            yield f"{rows} no receipt: {self.lost:,} not sent any more; else {others}."
        yield from filter(None, [self.lost_words])
        for each in self.missing:
            words = one_line(f"{each.number} {each.project_name}: {each.trouble}")
            yield f"Not saved: {words}"


_CLOCKS_DIFFER: Final = timedelta(minutes=15)
_CLEARLY: Final = timedelta(minutes=1)
"""So much further away must be the next one that has the name."""
_Timed: TypeAlias = tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSend:
    """A project that was sent, as far as it may be told from others."""

    id: str
    name: str
    sent_at: datetime | None
    logged_at: datetime | None = None
    """When the service's log has it as sent, where that was asked for."""
    receipt_number: str | None = None
    """Where it is known already."""


def sends_by_receipt(
    sends: Iterable[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    """Give the id of its send for each receipt, by id, that certainly has one."""
    numbers: dict[str, str] = {}
    by_name: dict[str, list[NamedSend]] = defaultdict(list)
    for send in sends:
        if send.receipt_number:
            numbers[send.receipt_number] = send.id
        else:
            by_name[send.name].append(send)
    found = {
        each.id: numbers[each.receipt_number]
        for each in receipts
        if each.receipt_number in numbers
    }
    papers: dict[str, list[Receipt]] = defaultdict(list)
    for receipt in receipts:
        if receipt.id not in found and receipt.project_name in by_name:
            papers[receipt.project_name].append(receipt)
    for name, group in papers.items():
        found |= _of_one_name(by_name[name], group)
    return found


def unsure_names(
    sends: Iterable[NamedSend], receipts: Iterable[Receipt], found: Mapping[str, str]
) -> frozenset[str]:
    """Give the names of which nobody can say which receipt belongs to which send."""
    sure = frozenset(found.values())
    lacking = {each.name for each in sends if each.id not in sure}
    return frozenset(
        each.project_name
        for each in receipts
        if each.id not in found and each.project_name in lacking
    )


def _of_one_name(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    found = _at_one_instant(sends, receipts)
    sure = frozenset(found.values())
    return found | _by_nearness(
        [each for each in sends if each.id not in sure],
        [each for each in receipts if each.id not in found],
    )


def _at_one_instant(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    """Give those that the service itself wrote at one instant, to the millisecond."""
    sent = Counter(each.logged_at for each in sends)
    made = Counter(each.created_at for each in receipts)
    ids = {each.logged_at: each.id for each in sends}
    return {
        each.id: ids[each.created_at]
        for each in receipts
        if sent[each.created_at] == made[each.created_at] == 1
    }


def _by_nearness(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    if len(sends) == len(receipts) == 1:
        return {receipts[0].id: sends[0].id}
    sent = sorted((s.sent_at, s.id) for s in sends if s.sent_at is not None)
    if len(sent) < len(sends):
        # That of which no time is known could be the one.
        return {}
    made = sorted((r.created_at, r.id) for r in receipts)
    nearest = {key: _nearest(at, made) for at, key in sent}
    return {
        receipt: send
        for receipt, send in ((key, _nearest(at, sent)) for at, key in made)
        if send is not None and nearest[send] == receipt
    }


def _nearest(at: datetime, others: Sequence[_Timed]) -> str | None:
    """Give the one that is clearly nearest; None: nobody can say."""
    place = bisect(others, (at, ""))
    near = sorted(
        (abs(other - at), key) for other, key in others[max(0, place - 2) : place + 2]
    )
    if not near or near[0][0] > _CLOCKS_DIFFER:
        return None
    is_clear = len(near) == 1 or near[1][0] - near[0][0] >= _CLEARLY
    return near[0][1] if is_clear else None
