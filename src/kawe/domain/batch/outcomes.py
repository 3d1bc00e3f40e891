"""How a row stands for the person, in one word, after a run."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from operator import is_
from typing import Any, Final

from kawe.domain.batch.sending import NO_LOAD, IwiLoad, Sending, ready_json
from kawe.domain.batch.waiting import tokens_so_far
from kawe.domain.service.service_words import WITHDRAWN, Invitation
from kawe.domain.service.states import AFTER_SEND, IN_DOUBT, WAITS, State
from kawe.domain.sheet.columns import GIVEN
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import (
    AS_IT_STANDS,
    EDITED,
    LATE_MISTAKES,
    PERSON_AGAIN,
    PERSON_GONE,
    PERSON_ROLE,
    Finding,
    Problems,
    RowRef,
    Severity,
    grouped,
)
from kawe.domain.sheet.tables import NO_COLUMNS, ReadAs
from kawe.domain.text.next_steps import Next, Says
from kawe.domain.text.texts import counted, some_of
from kawe_contract.enums import InvitationStatus
from kawe_places.values import Place
from kawe_xlsx.cells import RawValue


class Outcome(StrEnum):
    """Every row of every workbook has exactly one of these."""

    SENT = "sent"
    DRAFTED = "drafted"
    INVITED = "invited"
    RESENT = "re-sent"
    """Invited again: the invitation of before had expired."""
    DONE = "done"
    ALREADY_THERE = "already there"
    NOT_AS_ASKED = "not as asked"
    """The person has another role, or is not in the team although once invited."""
    INVALID = "to correct"
    DEFERRED = "deferred"
    HELD = "held"
    IN_DOUBT = "in doubt"
    WITHDRAWN = "withdrawn"
    ABANDONED = "given up"
    UNFINISHED = "unfinished"
    """A run stopped before this row's turn; run again."""
    READY = "ready"
    """Checked and found right; nothing has been asked of the service."""


_SHOWN: Final = 20
_OF_PEOPLE: Final = frozenset({Outcome.INVITED, Outcome.ALREADY_THERE})
_MAY_DIFFER: Final = _OF_PEOPLE | {Outcome.READY}
_DONE: Final = _OF_PEOPLE | {
    *(Outcome.SENT, Outcome.DONE, Outcome.NOT_AS_ASKED, Outcome.RESENT)
}
DID: Final = frozenset({Outcome.SENT, Outcome.INVITED, Outcome.RESENT, Outcome.DONE})
"""What was asked for is done, by kawe."""
GAVE_WAY: Final = frozenset({Outcome.WITHDRAWN, Outcome.ABANDONED})
"""Nothing more is done for these, as a person wanted."""
NOT_REACHED: Final = (State.VALID, State.FILES_READY, State.READY)
"""A run stopped before the turn of a row that stands so."""
GOES_ON: Final = frozenset({Outcome.UNFINISHED, Outcome.IN_DOUBT})
"""A run goes on with these; while it does, they are on their way."""
NEEDS_PERSON: Final = frozenset(
    {Outcome.DEFERRED, Outcome.HELD, Outcome.IN_DOUBT, Outcome.NOT_AS_ASKED}
)
OVER: Final = "has expired or was withdrawn"
"""Said of an invitation; the service shows both alike."""
_AGAIN: Final = "If they should be in the team, send it again with a sheet of resends."
_WITHDRAWN: Final = f"Somebody withdrew the invitation. {_AGAIN}"
_EXPIRED: Final = f"The invitation has expired. {Next.AGAIN}: a new one is sent."
_ENDED: Final = f"The invitation {OVER}. {_AGAIN}"
_OF_STATE: Final = {
    **dict.fromkeys(IN_DOUBT, Outcome.IN_DOUBT),
    **dict.fromkeys(NOT_REACHED, Outcome.UNFINISHED),
    State.DRAFTED: Outcome.DRAFTED,
    **dict.fromkeys(WAITS, Outcome.DEFERRED),
    **dict.fromkeys(AFTER_SEND, Outcome.SENT),
    State.INVITED: Outcome.INVITED,
    State.DONE: Outcome.DONE,
    State.ALREADY_THERE: Outcome.ALREADY_THERE,
    State.INVALID: Outcome.INVALID,
    **dict.fromkeys((State.HELD, State.UNCONFIRMED), Outcome.HELD),
    State.WITHDRAWN: Outcome.WITHDRAWN,
    State.ABANDONED: Outcome.ABANDONED,
}


def outcome_of(state: State) -> Outcome:
    return _OF_STATE[state]


def changed_too_late(outcome: Outcome, findings: Iterable[Finding]) -> Finding | None:
    """Give the finding that says that a row is done and was changed since; or None."""
    if outcome not in _DONE:
        return None
    return next((each for each in findings if _is_too_late(each)), None)


def late_words(outcome: Outcome, findings: Sequence[Finding]) -> str:
    """Say of a row that is done in what it says something else; or nothing."""
    late = changed_too_late(outcome, findings)
    if late is None and outcome is Outcome.SENT:
        late = next((each for each in findings if each.rule == AS_IT_STANDS), None)
    return f"{late.message} {late.advice}" if late else ""


def _is_too_late(finding: Finding) -> bool:
    # What a mistake stands for is not applied either; a note says that nothing changed.
    is_edited = finding.rule == EDITED and finding.severity is Severity.ERROR
    has_mistakes = finding.rule == LATE_MISTAKES
    return is_edited or (has_mistakes and finding.severity is not Severity.NOTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReport:
    """One row of the person's sheet and how it stands."""

    where: RowRef
    raw: tuple[RawValue, ...]
    """The person's values, in the order of the sheet's headings."""
    outcome: Outcome
    what_to_do: str
    """A sentence; empty where nothing is left to do."""
    name: str = ""
    reference: str | None = None
    """The marker that the service knows the row by."""
    project_id: str | None = None
    link: str | None = None
    receipt_number: str | None = None
    invitation: Invitation | None = None
    """Of a person: how their invitation stood when the report was made."""
    at: datetime | None = None
    """When the row was sent or invited; else since when it has this outcome."""
    iwi: tuple[str, ...] = ()
    """The names of the iwi that it goes to, or went to."""
    place: Place | None = None
    """Where it is, as far as its cells say so."""
    respond_by_on: date | None = None
    """Orders the rows that wait for a person."""
    turn: int | None = None
    """Its number in the queue, from 1."""
    turns_in: str = ""
    """Where such rows cost a token and nothing in turn; as its content says it."""
    findings: tuple[Finding, ...] = ()
    files: tuple[Attachment, ...] = ()
    """The files that go with it, or went with it."""
    changed: tuple[str, ...] = ()
    """What an act changes of each field, from what to what."""
    message: str = ""
    """As iwi read it, where the row of the sheet does not have it."""
    of_batch: str = ""
    """The batch that it belongs to and is counted in, where that is another one."""

    @property
    def is_changed_too_late(self) -> bool:
        return changed_too_late(self.outcome, self.findings) is not None

    def said(self, says: Says) -> "RowReport":
        """Give it in the words of a face."""
        step, found = says(self.what_to_do), tuple(e.said(says) for e in self.findings)
        if step == self.what_to_do and all(map(is_, found, self.findings)):
            return self
        return replace(self, what_to_do=step, findings=found)

    def compared(self) -> "RowReport":
        """Give the row as not as asked, if its person is not in the team as it asks."""
        said = self.invitation
        status = "" if said is None else said.status
        # What was found may be older than how the invitation stands.
        is_open = status == InvitationStatus.PENDING
        if any(each.rule == PERSON_AGAIN for each in self.findings):
            if self.outcome is Outcome.INVITED and (is_open or not status):
                return replace(self, outcome=Outcome.RESENT)
            if self.outcome is Outcome.READY:
                return self
        rules = {PERSON_ROLE} if is_open else {PERSON_ROLE, PERSON_GONE}
        why = [f"{f.message} {f.advice}" for f in self.findings if f.rule in rules]
        if status in {InvitationStatus.EXPIRED, WITHDRAWN}:
            in_time = said is not None and said.expires_at is not None
            is_over = in_time and status == InvitationStatus.EXPIRED
            ended = _EXPIRED if is_over else _ENDED
            why.append(_WITHDRAWN if status == WITHDRAWN else ended)
        if self.outcome not in _MAY_DIFFER or not why:
            return self
        step = f"{why[0]} {self.what_to_do}".strip()
        return replace(self, outcome=Outcome.NOT_AS_ASKED, what_to_do=step)

    def as_json(self) -> dict[str, Any]:
        """Give the row for JSON documents."""
        asked = self.invitation
        return {
            "sheet": self.where.sheet,
            "row": self.where.row,
            "outcome": self.outcome.value,
            "turn": self.turn,
            "what_to_do": self.what_to_do,
            "name": self.name,
            "reference": self.reference,
            "iwi": list(self.iwi),
            "project_id": self.project_id,
            "link": self.link,
            "receipt_number": self.receipt_number,
            "invitation_id": asked and asked.id,
            "invitation_status": asked and (asked.status or None),
            "invitation_made_at": asked and asked.made_at,
            "invitation_expires_at": asked and asked.expires_at,
            "at": self.at,
            "respond_by": self.respond_by_on,
            "message_as_sent": self.message or None,
            "findings": [each.as_json() for each in self.findings],
            "of_batch": self.of_batch or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnownedDraft:
    """A draft in the service that no row owns: kawe never sends it."""

    reference: str
    name: str
    project_id: str
    why: str
    """Why no row owns it, as words for brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """How all rows of a workbook or batch stand: the content of a result."""

    batch: str
    """The batch's name; empty after a check, which opens none."""
    kind: str
    workbook: str
    """The name of the person's workbook, without folders."""
    team: str
    mode: str
    """live or sandbox; empty when the service was not asked."""
    written_at: datetime
    sheet: str
    headings: tuple[str, ...]
    rows: Sequence[RowReport] = field(repr=False)
    """In the order of the sheet; of a large check, made anew each time."""
    quiet: Counter[Outcome] = field(default_factory=Counter)
    """Rows that are not among `rows`, as nothing is to be told of them."""
    read_as: ReadAs = NO_COLUMNS
    """How the columns were read; empty where no workbook was."""
    tokens_left: int | None = None
    reserve: int = 0
    """So many tokens stay untouched."""
    owner: str = ""
    """Who answers for the batch; empty where nobody can be named."""
    remarks: tuple[str, ...] = ()
    """Sentences about the whole run, such as why it stopped."""
    findings: tuple[Finding, ...] = ()
    """What was found of the sheet and of no single row."""
    iwi_load: IwiLoad = NO_LOAD
    """How many projects go to each iwi; empty when the service was not asked."""
    gives: frozenset[str] = GIVEN
    """What the service gives for its rows, as `RowReport.as_json` has it."""
    sending: Sending | None = None
    """What was to be sent; None for rows without drafts, and where nobody knows."""
    orphans: tuple[UnownedDraft, ...] = ()
    """Drafts of this batch that no row owns any more."""
    changed_too_late: int = 0
    """How many done rows were changed since."""
    missing: tuple[str, ...] = ()
    """References of rows that no workbook has, and nobody decided about."""
    run: str = ""
    """The id of the run that wrote it; empty where it is not written."""
    says: Says = field(default=str, repr=False, compare=False)
    """Says what kawe has to say of every report."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Give every sentence about the whole run; first, that nothing is sent."""
        said = self.sending and self.sending.remarks(is_over=bool(self.batch))
        return tuple(map(self.says, (*(said or ()), *self.remarks)))

    def said(self, says: Says) -> "BatchReport":
        """Give it in the words of a face."""
        return replace(
            self,
            rows=tuple(row.said(says) for row in self.rows),
            remarks=tuple(map(says, self.remarks)),
            findings=tuple(each.said(says) for each in self.findings),
            says=says,
        )

    def head_json(self) -> dict[str, str]:
        """Say what it is of."""
        names = ("batch", "kind", "workbook", "team", "mode", "owner")
        return {name: getattr(self, name) for name in names}

    def sums_json(self, counts: Counter[Outcome], problems: Problems) -> dict[str, Any]:
        """Say how all rows stand; counts and problems are those of the rows."""
        return {
            "rows_read": counts.total(),
            "counts": {outcome.value: n for outcome, n in counts.items()},
            **ready_json(self.sending),
            "changed_too_late": self.changed_too_late,
            "tokens_left": self.tokens_left,
            **self.read_as.as_json(),
            "remarks": list(self.notes),
            "findings": [each.as_json() for each in problems],
            "iwi_load": self.iwi_load.as_json(),
            "orphans": [*map(asdict, self.orphans)],
        }

    def counts(self) -> Counter[Outcome]:
        """Count the rows by outcome, but for those that another batch counts."""
        told = Counter(row.outcome for row in self.rows if not row.of_batch)
        return self.quiet + told

    @property
    def waits(self) -> list[RowReport]:
        """Give the rows that a release sends; no turn has one that no workbook has."""
        rows = (e for e in self.rows if e.outcome is Outcome.DEFERRED)
        return [e for e in rows if e.turn is not None and not e.of_batch]

    @property
    def tokens_needed(self) -> int:
        return tokens_so_far(each.turns_in for each in self.waits)[-1]

    def to_correct(self) -> list[RowReport]:
        return [row for row in self.rows if row.outcome is Outcome.INVALID]

    def problems(self, of_rows: Iterable[Finding] | None = None) -> Problems:
        """Group every finding; `of_rows` are those of the rows, if they are at hand."""
        if of_rows is None:
            of_rows = (each for row in self.rows for each in row.findings)
        return grouped(
            (*self.findings, *of_rows),
            all_rows=lambda: (row.where.row for row in self.rows),
        )


def unowned_words(orphans: Sequence[UnownedDraft]) -> str:
    """Say in one sentence which drafts are left, and what to do; or nothing."""
    if not orphans:
        return ""
    named = [f"{each.reference} ({each.why})" for each in orphans]
    belong = "draft in the service belongs", "drafts in the service belong"
    return (
        f"{counted(len(orphans), *belong)} to no row any more, and kawe never sends "
        "such drafts. Search for each in the portal and remove what nobody needs: "
        f"{some_of(named, shown=_SHOWN, between='; ')}."
    )


def sum_words(report: BatchReport, *, rows_read: int) -> tuple[bool, str]:
    """Say whether every row that was read has exactly one outcome, and in words."""
    counts = report.counts()
    outcomes = counts.total()
    places = len({row.where for row in report.rows if not row.of_batch})
    if outcomes == places == rows_read:
        read = counted(rows_read, "row was", "rows were")
        here = "" if counts[Outcome.NOT_AS_ASKED] else ": all here"
        return True, f"{read} read, and {counted(outcomes, 'outcome')} found{here}."
    return False, (
        f"THE SUMS DO NOT AGREE: {counted(rows_read, 'row')} read, "
        f"{counted(outcomes, 'outcome')} for {counted(places, 'row')}. This is an "
        "error of kawe: look at every row in the portal before you rely on this result."
    )
