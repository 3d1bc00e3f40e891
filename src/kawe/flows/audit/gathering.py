"""What journal and service know of each project, put side by side.

When a project was sent is what the service's log says; where it says nothing, what the
journal says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from kawe.contract.enums import LogAction
from kawe.domain.batch.audits import TokenLedger
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.periods import Period
from kawe.domain.rows.entries import Entry
from kawe.domain.service.lists import instant_of
from kawe.domain.service.matching import NamedSend, sends_by_receipt
from kawe.domain.service.papers import FolderCheck
from kawe.domain.service.service_words import Account, Project, Receipt
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.errors import PathUnknown, ScopeMissing, ServiceUnreachable
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.scanning import Scan, scan
from kawe.flows.workers import StopSignal, each
from kawe.ports import Clock, Journal, Lookups, PaperFolder, Progress

_DAY: Final = timedelta(days=1)
_NO_LOG: Final = (
    "The service does not show the logs of projects to this key: times of sends are "
    "those of the journal and the receipts, and each send counts as one token."
)
_NO_INVOICES: Final = (
    "The key may not read invoices (billing:read): what was bought is left out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Auditor:
    """What an audit works with."""

    lookups: Lookups
    journal: Journal
    progress: Progress
    clock: Clock
    stop: StopSignal
    account: Account
    mode: str
    workers: int
    period: Period
    draft_days: int
    """A draft that is older is an exception."""
    opening: int | None = None
    """Tokens that the team got without an invoice."""
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
    told: tuple[str, ...] = ()
    """Its iwi, as the journal has them."""
    log: tuple[datetime, ...] | None = None
    """When it was sent, as the service has it; None: not asked, or not known."""
    receipt: Receipt | None = None

    @property
    def in_journal(self) -> bool:
        """Say whether the journal has it as sent."""
        return self.row is not None and outcome_of(self.row.state) is Outcome.SENT

    @property
    def on_service(self) -> bool:
        """Say whether the service has it as sent."""
        return self.project is not None and self.project.is_sent

    @property
    def at(self) -> datetime | None:
        """Give when it was sent; None: nobody says."""
        if self.log:
            return self.log[0]
        made_at = None if self.receipt is None else self.receipt.created_at
        return made_at or self.noted_at

    @property
    def name(self) -> str:
        """Give its name, as the service has it."""
        if self.project is not None:
            return self.project.name
        return "" if self.row is None else self.row.content.name

    @property
    def about(self) -> str:
        """Give name and reference."""
        marker = "" if self.row is None else self.row.marker
        reference = (self.project and self.project.reference) or marker
        return f"{self.name} ({reference})" if reference else self.name

    def named(self) -> NamedSend:
        """Give what tells it from other sends."""
        number = None if self.row is None else self.row.receipt_number
        at = self.log[0] if self.log else self.noted_at
        return NamedSend(id=self.id, name=self.name, sent_at=at, receipt_number=number)


def make_sure(found: Scan[Any], *, stop: StopSignal) -> None:
    """Check that a list was read whole.

    Raises:
        ServiceUnreachable: It kept changing.
    """
    if not found.is_stable and not stop.is_set():
        raise ServiceUnreachable(
            message="A list of the service kept changing while kawe read it, so no "
            "statement can be made.",
            hint="Run the same command again when fewer people are at work.",
        )


@dataclass(slots=True, kw_only=True)
class Gathered:
    """All that is known, put side by side."""

    auditor: Auditor
    receipts: tuple[Receipt, ...]
    seen: dict[str, JoinedProject] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    ambiguous: set[str] = field(default_factory=set)
    """Names of which nobody can say which receipt belongs to which project."""

    async def join(self, projects: Iterable[Project]) -> None:
        """Put rows of the journal beside the projects of the service."""
        journal = self.auditor.journal
        rows = [
            entry
            for batch in await journal.batches()
            for entry in await journal.entries(batch.name)
            if entry.project_id is not None
        ]
        times = await journal.sent_at(row.key for row in rows)
        told = await iwi_of(rows, journal=journal)
        listed = {str(each.id): each for each in projects}
        for row in rows:
            key = str(row.project_id)
            self.seen[key] = JoinedProject(
                id=key,
                row=row,
                project=listed.pop(key, None),
                noted_at=times.get(row.key),
                told=told.get(row.key, ()),
            )
        for key, project in listed.items():
            self.seen[key] = JoinedProject(
                id=key, row=None, project=project, noted_at=None
            )
        gone = [s for s in self.seen.values() if not (s.in_journal or s.on_service)]
        for one in gone:
            del self.seen[one.id]

    async def read_logs(self) -> None:
        """Ask when projects were sent: those of the period, and those called alike."""
        near = [each for each in self.seen.values() if self.may_be_in(each)]
        names = {each.name for each in near}
        asked = [
            each
            for each in self.seen.values()
            if each.on_service and each.name in names
        ]
        self.auditor.progress.begin("Reading logs", total=len(asked))
        answered = unknown = 0

        async def ask(one: JoinedProject) -> None:
            nonlocal answered, unknown
            if unknown and not answered:
                return
            try:
                one.log = await self._log(one.id)
                answered += 1
            except (PathUnknown, ScopeMissing):
                unknown += 1
            self.auditor.progress.advance()

        workers, stop = self.auditor.workers, self.auditor.stop
        await each(asked, ask, workers=workers, stop=stop)
        if unknown:
            self.remarks.append(_NO_LOG)

    async def _log(self, project: str) -> tuple[datetime, ...]:
        found = await scan(
            lambda page: self.auditor.lookups.listed(
                "project_logs", path={"id": project}, page=page
            ),
            identify=lambda item: str(item.get("id")),
            stop=self.auditor.stop,
        )
        times = (
            instant_of(item.get("created_on"))
            for item in found.items
            if item.get("action") == LogAction.SENT
        )
        return tuple(sorted(at for at in times if at is not None))

    def may_be_in(self, seen: JoinedProject) -> bool:
        """Say whether a project may have been sent in the period."""
        period, project = self.auditor.period, seen.project
        if seen.noted_at is not None:
            # The journal's clock may be wrong.
            return any(
                period.has(seen.noted_at + each) for each in (-_DAY, _DAY * 0, _DAY)
            )
        if project is None:
            return False
        last_on = day_in_new_zealand(project.updated_at or self.auditor.clock.now())
        is_made = day_in_new_zealand(project.created_at) <= period.until_on
        return is_made and last_on >= period.since_on

    def match(self) -> None:
        """Give each send the receipt that certainly belongs to it."""
        found = sends_by_receipt(
            [each.named() for each in self.seen.values()], self.receipts
        )
        for receipt in self.receipts:
            if receipt.id in found:
                self.seen[found[receipt.id]].receipt = receipt
        lacking = {s.name for s in self.seen.values() if s.receipt is None}
        alone = {r.project_name for r in self.receipts if r.id not in found}
        self.ambiguous = lacking & alone

    def sends(self) -> list[JoinedProject]:
        """Give what was sent in the period, the earliest first."""
        period = self.auditor.period
        found = [s for s in self.seen.values() if s.at is not None and period.has(s.at)]
        return sorted(found, key=lambda s: (s.at, s.id))

    def tokens(self, seen: JoinedProject) -> int:
        """Give how many tokens a send used."""
        return int(seen.on_service) if seen.log is None else len(seen.log)

    async def ledger(self) -> TokenLedger | None:
        """Add up what was bought and used, where the key may know."""
        if self.auditor.mode != "live":
            self.remarks.append("A sandbox uses no tokens.")
            return None
        try:
            found = await scan(
                lambda page: self.auditor.lookups.listed(
                    "invoice_list", path={"id": self.auditor.account.team_id}, page=page
                ),
                identify=lambda item: str(item.get("id")),
                stop=self.auditor.stop,
            )
        except ScopeMissing:
            self.remarks.append(_NO_INVOICES)
            return None
        make_sure(found, stop=self.auditor.stop)
        again = sum(max(0, len(s.log or ()) - 1) for s in self.seen.values())
        ledger = TokenLedger(
            bought=sum(map(_tokens_of, found.items)),
            opening=self.auditor.opening,
            used=max(len(self.receipts), len(self.seen)) + again,
            balance=self.auditor.account.balance,
        )
        if ledger.unexplained < 0 and ledger.is_explained:
            more = counted(-ledger.unexplained, "token")
            self.remarks.append(
                f"The team had {more} more than invoices explain: say with --opening "
                "how many it got without an invoice, so that they are compared."
            )
        return ledger


def _tokens_of(invoice: Mapping[str, object]) -> int:
    quantity = invoice.get("quantity")
    is_paid = str(invoice.get("status")).casefold() == "paid"
    return int(quantity) if is_paid and isinstance(quantity, int | float) else 0
