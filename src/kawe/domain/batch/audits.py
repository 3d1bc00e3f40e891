"""A statement of what was sent between two days: counts that must be equal.

Journal, service, receipts, tokens and saved files are put side by side. Whatever does
not fit is an exception, and a person must look at it.

Its tables are made here too.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from kawe.domain.batch.periods import Period
from kawe.domain.service.list_tables import table_of
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line

_BY_SENDS: Final = "tokens used by sends"
_ONE: Final = {"receipts": "receipt", _BY_SENDS: "token used by sends"}


class AuditTrouble(StrEnum):
    """What can be wrong, the gravest first."""

    JOURNAL = "altered journal"
    OUTSIDE = "sent outside kawe"
    NOT_THERE = "not sent, as the service says"
    NO_RECEIPT = "sent without a receipt"
    RECEIPT_ALONE = "receipt without a project"
    SECOND_RECEIPT = "more than one receipt"
    AMBIGUOUS = "ambiguous name"
    OTHER_IWI = "other iwi"
    PAID_AGAIN = "more than one token"
    TOKENS = "unexplained tokens"
    WHOSE = "responses of an unclear side"
    OLD_DRAFT = "old draft"
    MISSING_FILE = "missing document"
    ALTERED_FILE = "altered document"
    OTHER_FILE = "other file"


WHAT_TO_DO: Final = {
    AuditTrouble.JOURNAL: "Keep a copy of the journal, and find out who changed it.",
    AuditTrouble.OUTSIDE: "Run the submit again if its row is in doubt, and name the "
    f"journals of other computers with {Given.JOURNAL}; else ask who sent it in the "
    "portal.",
    AuditTrouble.NOT_THERE: "Ask the support of the service for its log.",
    AuditTrouble.NO_RECEIPT: "Ask the support of the service for the receipt.",
    AuditTrouble.RECEIPT_ALONE: "Look in the portal which project it is of.",
    AuditTrouble.SECOND_RECEIPT: "Ask the service for the second token.",
    AuditTrouble.AMBIGUOUS: "Open the receipts: each names the project that it is of.",
    AuditTrouble.OTHER_IWI: "Ask the service why it told others than it had said.",
    AuditTrouble.PAID_AGAIN: "Ask the service for the second token.",
    AuditTrouble.TOKENS: "Compare with the list of tokens in the portal.",
    AuditTrouble.WHOSE: "Look in the portal who of them responded for your team.",
    AuditTrouble.OLD_DRAFT: "Send it, or find out whose it is.",
    AuditTrouble.MISSING_FILE: f"Fetch it: {Next.EXPORT_RECEIPTS}",
    AuditTrouble.ALTERED_FILE: "Keep it aside, and fetch the receipt again: "
    f"{Next.EXPORT_RECEIPTS}",
    AuditTrouble.OTHER_FILE: "Find out who put it there.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFinding:
    """One exception."""

    trouble: AuditTrouble
    about: str
    """A project, a file, an event; hostile."""
    what: str
    """What is known, as a sentence; hostile."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {
            "trouble": self.trouble.value,
            "what_to_do": WHAT_TO_DO[self.trouble],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Audited:
    """What happened to one project."""

    name: str
    reference: str
    project_id: str

    def as_json(self, link: str) -> dict[str, Any]:
        """Give it with the address of its page; what is empty is not known."""
        said = {n: None if each == "" else each for n, each in asdict(self).items()}
        times = {n: e.isoformat() for n, e in said.items() if isinstance(e, datetime)}
        page = link.replace("{id}", self.project_id) or None
        return {**said, **times, "name": self.name, "link": page}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSend(_Audited):
    """A project that was sent in the period."""

    sent_at: datetime
    iwi: tuple[str, ...]
    receipt_number: str
    """Empty: none certainly belongs to it."""
    submission_number: str
    tokens: int | None
    """Sends in the log of the service, each of which uses one; None: not known."""
    sent_by: str
    """As the log of the service names them; hostile."""
    in_journal: bool
    of_team: bool
    """Whether somebody else of the team sent it, and receipt and log agree."""
    on_service: bool

    def as_json(self, link: str) -> dict[str, Any]:
        return _Audited.as_json(self, link) | {"iwi": [{"name": n} for n in self.iwi]}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedResponse(_Audited):
    """A response of the team that used a token."""

    responded_at: datetime
    who: str
    """As the service names them."""
    number: int
    """Which of the team's responses to the project it is; the first is 1."""
    in_period: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLedger:
    """Every token of the team so far, as invoices, receipts and balance have it."""

    bought: int
    opening: int | None
    """What the team got without an invoice; None: nobody has said."""
    sends: int
    """Used by sends, of all time."""
    responses: int | None
    """Used by responses of people with a name of the team; None: not known."""
    responses_at_most: int
    """Used by responses, if all were the team's own."""
    balance: int

    @property
    def unexplained(self) -> int:
        """Give how many are gone that nothing explains; below 0: how many too many."""
        used = self.sends + (self.responses or 0)
        return self.bought + (self.opening or 0) - used - self.balance

    @property
    def is_explained(self) -> bool:
        """Say whether it adds up; more than were bought may be a gift, unless said."""
        left = self.unexplained
        return left == 0 or (left < 0 and self.opening is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The statement of a period."""

    period: Period
    team: str
    mode: str
    """live or sandbox."""
    journals: int
    """How many were read."""
    written_at: datetime
    sends: tuple[AuditedSend, ...]
    receipts: int
    """Made in the period, or of a send of the period."""
    findings: tuple[AuditFinding, ...]
    responses: tuple[AuditedResponse, ...] | None
    """Of all time with a ledger, else of the period; None: not known, or a sandbox."""
    ledger: TokenLedger | None
    """None: not known, or a sandbox, which uses none."""
    files: int | None
    """Saved files that were compared; None: no folder was named."""
    remarks: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Give the counts that must be equal, in the order in which they are shown."""
        others = sum(each.of_team for each in self.sends)
        have = "journals have" if self.journals > 1 else "journal has"
        team = " or by somebody else of the team" if others else ""
        known = others + sum(each.in_journal for each in self.sends)
        found = {
            f"sent, as the {have} it{team}": known,
            "sent, as the service has it": sum(s.on_service for s in self.sends),
            "receipts": self.receipts,
        }
        if self.mode == "live":
            found[_BY_SENDS] = sum(s.tokens or 0 for s in self.sends)
        return found

    @property
    def closes(self) -> bool:
        return len(set(self.counts.values())) == 1 and not self.findings

    @property
    def title(self) -> str:
        return str(self.period)

    @property
    def responses_paid(self) -> int | None:
        """Count the tokens that responses of the period used; None: not known."""
        if self.responses is None:
            return None
        return sum(each.in_period for each in self.responses)

    def equation(self) -> str:
        """Write the counts as an equation, and whether it holds; responses beside."""
        if (paid := self.responses_paid) is None or not (self.sends or paid):
            return self._closure()
        used = f"{paid + self.counts[_BY_SENDS]:,} in all"
        return f"{self._closure()} Responses used {counted(paid, 'token')}: {used}."

    def _closure(self) -> str:
        counts = [
            counted(number, _ONE.get(name, name), name)
            for name, number in self.counts.items()
        ]
        if not self.sends and self.closes:
            return "Nothing was sent in this period. The statement closes."
        if self.closes:
            return f"{' = '.join(counts)}. The statement closes."
        many = counted(len(self.findings), "exception")
        return f"{'; '.join(counts)}. The statement does NOT close: {many}."

    def statement(self) -> Iterator[dict[str, Any]]:
        """Give the lines of the statement: what was counted, and whether it holds."""
        counts = self.counts
        first = next(iter(counts.values()))
        for name, number in counts.items():
            yield _line(name.capitalize(), number, holds=number == first)
        if self.responses_paid is not None:
            both = self.responses_paid + counts[_BY_SENDS]
            yield _line("Tokens used by responses", self.responses_paid)
            yield _line("Tokens used by sends and responses", both)
        if self.ledger is not None:
            ledger = self.ledger
            yield _line("Tokens bought, of all time, by invoices", ledger.bought)
            if ledger.opening is not None:
                yield _line("Tokens without an invoice, as you said", ledger.opening)
            yield _line("Tokens used by sends, of all time", ledger.sends)
            if ledger.responses is not None:
                yield _line("Tokens used by responses, of all time", ledger.responses)
            yield _line("Balance of tokens now", ledger.balance)
            left = ledger.unexplained
            yield _line("Tokens gone and not explained", left, ledger.is_explained)
        if self.files is not None:
            yield _line("Saved files compared", self.files)
        found = Counter(each.trouble for each in self.findings)
        for trouble in AuditTrouble:
            number = found[trouble]
            yield _line(f"Exceptions: {trouble}", number, holds=not number)

    def as_json(self, link: str) -> dict[str, Any]:
        return {
            "since": self.period.since_on.isoformat(),
            "until": self.period.until_on.isoformat(),
            "team": one_line(self.team),
            "mode": self.mode,
            "written_at": self.written_at.isoformat(timespec="seconds"),
            "closes": self.closes,
            "equation": self.equation(),
            "statement": list(self.statement()),
            "sent": [each.as_json(link) for each in self.sends],
            "responses": [each.as_json(link) for each in self.responses or ()],
            "exceptions": [each.as_json() for each in self.findings],
            "remarks": list(self.remarks),
        }


def _line(what: str, number: int, holds: bool | None = None) -> dict[str, Any]:  # noqa: FBT001 - a cell
    words = {True: "✓ yes", False: "✗ NO", None: ""}
    return {"what": what, "number": number, "holds": words[holds]}


TABLES: Final = (
    table_of("""
Statement | statement
What               | what    |  | 46
Number             | number  |  | 12
Right              | holds   |  | 12
"""),
    table_of("""
Sent | sent
Reference          | reference         |        | 16
Project            | name              |        | 36
Iwi                | iwi.name          |        | 34
Sent               | sent_at           | moment | 18
Receipt            | receipt_number    |        | 18
Submission         | submission_number |        | 18
Tokens             | tokens            |        | 10
Sent by            | sent_by           |        | 26
In the journal     | in_journal        | yes    | 12
With the service   | on_service        | yes    | 12
Portal             | link              | link   | 16
Project id         | project_id        |        | 38
"""),
    table_of("""
Paid responses | responses
Reference          | reference    |        | 16
Project            | name         |        | 36
Responded          | responded_at | moment | 18
Who                | who          |        | 26
Response no.       | number       |        | 14
In the period      | in_period    | yes    | 14
Portal             | link         | link   | 16
Project id         | project_id   |        | 38
"""),
    table_of("""
Exceptions | exceptions
Exception          | trouble    |  | 26
About              | about      |  | 40
What is known      | what       |  | 70
What to do         | what_to_do |  | 60
"""),
)
"""As the workbook has them."""
PAGE_TABLES: Final = (TABLES[0], TABLES[3], TABLES[1], TABLES[2])
"""On one page, what a person must look at comes before a long list."""
