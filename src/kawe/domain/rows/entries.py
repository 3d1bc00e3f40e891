"""What the journal knows: batches, the lines of their workbooks, their rows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, TypeAlias

from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import (
    BEFORE_CREATE,
    IN_DOUBT,
    UNSENT,
    Fingerprint,
    RowKey,
    State,
)
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Content, ProjectContent, values_of
from kawe.domain.sheet.findings import LATE_MISTAKES, Finding, RowRef
from kawe_xlsx.cells import RawValue

BatchName = NewType("BatchName", str)
QuietRow: TypeAlias = tuple[RowRef, RowKey, State]
"""A row of which nothing is to be told."""
WantedRow: TypeAlias = Callable[[RowRef, str], bool]
"""Says of a row's place, names and words if it is meant; perhaps in another thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The account that a journal belongs to."""

    base_url: str
    team_id: str
    team_name: str
    mode: str
    """live or sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the person's workbook as it was last read."""

    where: RowRef
    raw: tuple[RawValue, ...]
    findings: tuple[Finding, ...]
    row: RowKey | None
    """None where the row cannot be submitted and nothing of it is elsewhere."""

    @property
    def has_mistakes(self) -> bool:
        return any(finding.rule == LATE_MISTAKES for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReading:
    """One sheet of a workbook as it was last read; a batch may have several."""

    batch: BatchName
    workbook: str
    """Its path."""
    sheet: str
    headings: tuple[str, ...]
    read_at: datetime

    def is_at(self, place: "SheetReading") -> bool:
        return (self.workbook, self.sheet) == (place.workbook, place.sheet)

    def is_replaced(self, batches: "Iterable[Batch]") -> bool:
        """Check if one of some batches was read from the same place since."""
        return any(e.is_at(self) and e.read_at > self.read_at for e in batches)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedLine:
    """A line that names a row, and the sheet that it stands in."""

    reading: SheetReading
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRows:
    """The rows of a batch of which something is to be told, and how many others."""

    entries: "tuple[Entry, ...]"
    lines: tuple[Line, ...]
    """Of the sheet that was read last."""
    quiet: Mapping[State, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(SheetReading):
    """The rows that came with one workbook, under its name, and the sheet read last."""

    kind: SheetKind
    opened_at: datetime

    @property
    def name(self) -> BatchName:
        return self.batch

    @property
    def reading(self) -> SheetReading:
        return SheetReading(**values_of(self, SheetReading))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRow:
    """A row of the journal without its content: much less to read."""

    key: RowKey
    batch: BatchName
    kind: SheetKind
    marker: str
    """The reference that the service knows the row by, or an e-mail address."""
    fingerprint: Fingerprint
    state: State
    moved_at: datetime
    project_id: ProjectId | None = None
    reason: str = ""
    """Why the row stands where it does, a sentence for the person."""
    receipt_number: str | None = None
    position: int = 0
    """Order within the workbook, counted from 1."""

    def is_in_flight(self, since: datetime | None) -> bool:
        """Say whether a run that goes on `since` then has it: that is no doubt."""
        return since is not None and self.moved_at >= since and self.state in IN_DOUBT

    def saying(self, content: Content) -> "Entry":
        """Give the whole row, with its content."""
        return Entry(**values_of(self, KnownRow), content=content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(KnownRow):
    """One row of the journal: what it said and where it stands."""

    content: Content

    @property
    def takes_own_step(self) -> bool:
        """Say whether the row is to take the one step of a kind without drafts."""
        return not self.kind.has_drafts and self.state in BEFORE_CREATE | IN_DOUBT

    @property
    def wants_send(self) -> bool:
        """Say whether its workbook asks for a send: "yes" in the column Send."""
        return self.content.send

    @property
    def has_draft(self) -> bool:
        """Say whether it has a draft that is not sent yet, as the journal says."""
        return self.project_id is not None and self.state in UNSENT


def projects_among(entries: Iterable[Entry]) -> list[tuple[Entry, ProjectContent]]:
    """Give the rows that are about projects, each with what it says."""
    rows = ((entry, entry.content.project) for entry in entries)
    return [(entry, content) for entry, content in rows if content is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """One attachment that is with the service, and the one row it belongs to."""

    row: RowKey
    sha256: str
    name: str
    document_id: str
