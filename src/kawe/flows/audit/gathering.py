"""What journal and service know of each project, put side by side.

When a project was sent is what the service's log says; where it says nothing, what the
journal says.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.batch.periods import Period
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import is_made_marker
from kawe.domain.service.papers import (
    FolderCheck,
    NamedSend,
    sends_by_receipt,
    unsure_names,
)
from kawe.domain.service.service_words import Account, Project, Receipt
from kawe.domain.service.states import AFTER_SEND
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import fold_name
from kawe.errors import PathUnknown, ScopeMissing
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.scanning import NOT_READ, ProjectLog, read_log
from kawe.flows.tools import Tools, all_rows, each
from kawe.ports import Journal, PaperFolder

_DAY: Final = timedelta(days=1)
_NO_LOG: Final = (
    "The service does not show the logs of projects to this key: times of sends are "
    "those of the journal and the receipts, each send counts as one token, and which "
    "responses used a token is not known."
)
_NOTHING_SENT: Final = (
    "The journal has no project as sent, of any day. Is it the journal of the computer "
    "that sends?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditChoice:
    """What is audited, and what is compared."""

    period: Period
    folder: Path | None = None
    """Saved receipts, or a bag of them."""
    draft_days: int = 30
    """A draft that is older is an exception."""
    opening: int | None = None
    """Tokens that the team got without an invoice."""
    journals: tuple[JournalPlace, ...] = ()
    """One of each computer that sends; none: that of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Auditor:
    """What an audit works with."""

    tools: Tools
    journals: dict[str, Journal]
    """By what to call them: one of each computer that sends for the team."""
    account: Account
    mode: str
    choice: AuditChoice
    saved: FolderCheck | None = None
    """A folder or a bag of receipts, compared with its hashes; None: none was named."""
    folder: PaperFolder | None = None
    """The same, to know how it calls its files."""


@dataclass(slots=True, kw_only=True)
class JoinedProject:
    """One project as journal and service know it."""

    id: str
    row: Entry | None
    project: Project | None
    noted_at: datetime | None
    """When it was sent, as the journal has it."""
    journal: str = ""
    """What to call the journal that knows it."""
    told: tuple[str, ...] = ()
    """Its iwi, as the journal has them."""
    log: ProjectLog = NOT_READ
    receipt: Receipt | None = None

    @property
    def in_journal(self) -> bool:
        return self.row is not None and self.row.state in AFTER_SEND

    @property
    def on_service(self) -> bool:
        return self.project is not None and self.project.is_sent

    @property
    def logged_at(self) -> datetime | None:
        """Give when it was first sent, as the service's log has it."""
        return self.log.sends[0] if self.log.sends else None

    @property
    def at(self) -> datetime | None:
        """Give when it was sent; None: nobody says."""
        made_at = None if self.receipt is None else self.receipt.created_at
        return self.logged_at or made_at or self.noted_at

    @property
    def name(self) -> str:
        """Give its name, as the service has it."""
        if self.project is not None:
            return self.project.name
        return "" if self.row is None else self.row.content.name

    @property
    def reference(self) -> str:
        """Give its reference, or what stands for it in the sheet."""
        marker = "" if self.row is None else self.row.marker
        return (self.project and self.project.reference) or marker

    @property
    def about(self) -> str:
        return f"{self.name} ({self.reference})" if self.reference else self.name

    def named(self) -> NamedSend:
        """Give what tells it from other sends."""
        number = None if self.row is None else self.row.receipt_number
        return NamedSend(
            id=self.id,
            name=self.name,
            sent_at=self.logged_at or self.noted_at,
            logged_at=self.logged_at,
            receipt_number=number,
        )


@dataclass(slots=True, kw_only=True)
class Gathered:
    """All that is known, put side by side."""

    auditor: Auditor
    receipts: tuple[Receipt, ...]
    seen: dict[str, JoinedProject] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    ambiguous: frozenset[str] = frozenset()
    """Names of which nobody can say which receipt belongs to which project."""
    received: list[JoinedProject] = field(default_factory=list)
    """Those that iwi sent to the team: no sends, but the team responds to them."""
    bought: int | None = None
    """Tokens, by invoices, of all time; None: not known, or a sandbox."""
    knows_logs: bool = True
    """Whether the service showed every log that was asked for."""
    own_names: frozenset[str] = frozenset()
    """Of the team's people, folded."""
    papers: dict[str, list[Receipt]] = field(init=False)
    """The receipts, by the name of their project."""

    def __post_init__(self) -> None:
        """Put receipts of one name together."""
        self.papers = defaultdict(list)
        for receipt in self.receipts:
            self.papers[receipt.project_name].append(receipt)

    async def join(self, projects: Iterable[Project]) -> None:
        """Put rows of the journals beside the projects of the service."""
        known = [
            one
            for called, journal in reversed(self.auditor.journals.items())
            for one in await _known_to(journal, called)
        ]
        # What several journals have is one send, of the first that has it as sent.
        known.sort(key=lambda one: one.in_journal)
        self.seen |= {one.id: one for one in known}
        listed = {str(each.id): each for each in projects}
        for one in self.seen.values():
            one.project = listed.pop(one.id, None)
        for key, project in listed.items():
            one = JoinedProject(id=key, row=None, project=project, noted_at=None)
            if project.is_of_iwi:
                self.received.append(one)
            else:
                self.seen[key] = one
        if not any(each.in_journal for each in self.seen.values()):
            self.remarks.append(_NOTHING_SENT)
        gone = [s for s in self.seen.values() if not (s.in_journal or s.on_service)]
        for one in gone:
            del self.seen[one.id]

    async def read_logs(self) -> None:
        """Ask when projects were sent, and who responded.

        Those of the period are asked, those called alike, and those to which the team
        may have responded for a token.
        """
        near = [each for each in self.seen.values() if self.may_be_in(each)]
        names = {each.name for each in near}
        asked = [
            each
            for each in self.seen.values()
            if each.on_service and (each.name in names or self._may_be_answered(each))
        ]
        asked += filter(self._may_be_answered, self.received)
        tools = self.auditor.tools
        if asked:
            tools.progress.begin("Reading logs", total=len(asked))
        answered = unknown = 0

        async def ask(one: JoinedProject) -> None:
            nonlocal answered, unknown
            if unknown and not answered:
                return
            try:
                one.log = await read_log(tools.lookups, one.id, stop=tools.stop)
                answered += 1
            except (PathUnknown, ScopeMissing):
                unknown += 1
            tools.progress.advance()

        await each(asked, ask, workers=tools.workers, stop=tools.stop)
        if unknown:
            self.knows_logs = False
            self.remarks.append(_NO_LOG)

    def _may_be_answered(self, seen: JoinedProject) -> bool:
        """Say whether the team's responses to a project matter, and there may be any.

        A response changes `updated_on`. Where the tokens of all time are added up,
        responses of all time matter.
        """
        if self.auditor.mode != "live" or seen.project is None:
            return False
        if (updated_at := seen.project.updated_at) is None:
            return True
        papers = [] if seen.project.is_of_iwi else self.papers[seen.name]
        if len(papers) == 1 and updated_at <= papers[0].created_at:
            return False
        last_on = day_in_new_zealand(updated_at)
        return self.bought is not None or last_on >= self.auditor.choice.period.since_on

    def may_be_in(self, seen: JoinedProject) -> bool:
        """Say whether a project may have been sent in the period."""
        period, project = self.auditor.choice.period, seen.project
        if seen.noted_at is not None:
            # The journal's clock may be wrong.
            near = (seen.noted_at - _DAY, seen.noted_at, seen.noted_at + _DAY)
            return any(map(period.has, near))
        if project is None:
            return False
        last_on = day_in_new_zealand(
            project.updated_at or self.auditor.tools.clock.now()
        )
        is_made = day_in_new_zealand(project.created_at) <= period.until_on
        return is_made and last_on >= period.since_on

    def match(self) -> None:
        """Give each send the receipt that certainly belongs to it."""
        named = [each.named() for each in self.seen.values()]
        found = sends_by_receipt(named, self.receipts)
        for receipt in self.receipts:
            if receipt.id in found:
                self.seen[found[receipt.id]].receipt = receipt
        self.ambiguous = unsure_names(named, self.receipts, found)

    def sends(self) -> list[JoinedProject]:
        """Give what was sent in the period, the earliest first."""
        period = self.auditor.choice.period
        found = [s for s in self.seen.values() if s.at is not None and period.has(s.at)]
        return sorted(found, key=lambda s: (s.at, s.id))

    def receipts_alone(self) -> list[Receipt]:
        """Give the receipts of the period of which no send is certain."""
        mine = {s.receipt.id for s in self.seen.values() if s.receipt is not None}
        has = self.auditor.choice.period.has
        return [r for r in self.receipts if r.id not in mine and has(r.created_at)]

    def tokens(self, seen: JoinedProject) -> int:
        return len(seen.log.sends) if seen.log.is_read else int(seen.on_service)

    def is_of_team(self, seen: JoinedProject) -> bool:
        """Say whether somebody else of the team sent what no journal knows.

        It has a reference that kawe makes, or its log names a member; and log and
        receipt agree that it was sent once.
        """
        is_once = seen.receipt is not None and len(seen.log.sends) == 1
        is_named = fold_name(seen.log.sent_by) in self.own_names
        is_ours = is_named or is_made_marker(seen.reference)
        return seen.row is None and seen.on_service and is_once and is_ours

    def projects(self) -> Iterator[JoinedProject]:
        """Give all projects: what was sent, and what iwi sent to the team."""
        yield from self.seen.values()
        yield from self.received


async def _known_to(journal: Journal, called: str) -> list[JoinedProject]:
    """Give every row of a journal that has a project."""
    rows = await all_rows(journal, lambda entry: entry.project_id is not None)
    times = await journal.sent_at(row.key for row in rows)
    told = await iwi_of(rows, journal=journal)
    return [
        JoinedProject(
            id=str(row.project_id),
            row=row,
            project=None,
            noted_at=times.get(row.key),
            journal=called,
            told=told.get(row.key, ()),
        )
        for row in rows
    ]
