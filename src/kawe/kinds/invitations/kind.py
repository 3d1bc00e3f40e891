"""The kind of sheet whose rows are people to invite.

People are invited in chunks of at most 200. The service skips people whom it already
asked and answers SKIPPED, so after a doubt kawe reads the team first. It compares the
invitations with those from before the act, and never with a clock. How they stand is
kept in the journal, so that results show it.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

from kawe.domain.batch.explaining import CONFIRMED
from kawe.domain.batch.outcomes import OVER, Outcome
from kawe.domain.batch.saved_plans import Action
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import ADDRESS, fingerprint_of
from kawe.domain.service.service_words import (
    WITHDRAWN,
    Invitation,
    TeamInvitation,
    TeamRoll,
)
from kawe.domain.service.states import (
    BEGIN_ANEW,
    Done,
    Fingerprint,
    NotDone,
    Reason,
    RowKey,
    State,
    Step,
    Verdict,
    doubts_about,
)
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Content, PlainContent
from kawe.domain.sheet.findings import (
    PERSON_AGAIN,
    PERSON_GONE,
    PERSON_KNOWN,
    PERSON_ROLE,
    RowRef,
    Severity,
    blocks,
)
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import one_line
from kawe.errors import ScopeMissing, ServiceError
from kawe.flows.checked_rows import (
    OWNER_RULE,
    CheckContext,
    CheckedRow,
    owner_findings,
    schema_findings,
)
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission, guide_of
from kawe.flows.routing import Asker
from kawe.flows.run import Run
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.submitting import in_rounds
from kawe.flows.tools import all_rows
from kawe.ports import Journal, Lookups
from kawe_contract.enums import InvitationStatus, UserRole
from kawe_contract.limits import BULK_INVITE_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationContent(PlainContent):
    """What a row of an invitations sheet says; all of it, or as far as it is read."""

    name: str
    email: str
    role: str
    org_department: str | None = None
    org_department_other: str | None = None
    org_role: str | None = None
    org_role_other: str | None = None

    @property
    def identified_by(self) -> tuple[str, str]:
        return "email", "e-mail address"

    @property
    def once_by(self) -> str:
        return f"role {self.role}"

    @property
    def owner_words(self) -> str:
        """Name a person who is to be an owner."""
        whom = f"{one_line(self.name, limit=80)} ({one_line(self.email)})"
        return whom if self.role == UserRole.OWNER else ""


def email_key(email: str) -> RowKey:
    return RowKey(f"{ADDRESS}{email.casefold()}")


def invite_body(content: Content) -> dict[str, Any]:
    return {name: said for name, said in asdict(content).items() if said is not None}


def invitation_fingerprint(content: InvitationContent) -> Fingerprint:
    return fingerprint_of(invite_body(content))


Asked: TypeAlias = Mapping[str, Sequence[TeamInvitation]]
"""The invitations of each address."""
_Known: TypeAlias = tuple[str, tuple[str, str]]
"""The rule by which somebody is known, what that is, and what to do."""
_ACCEPTED: Final = InvitationStatus.ACCEPTED
_EVER: Final = datetime.min.replace(tzinfo=UTC)
_MEMBER: Final = "is a member of the team already"
_INVITED: Final = "has been invited already and has not answered yet"
_NOTHING: Final = "kawe invites nobody twice and changes no role."
_CHANGE: Final = "an owner changes the role with a sheet of members"
_RESEND: Final = "send it again with a sheet of resends"


async def mark_known_people(
    rows: Sequence[CheckedRow],
    *,
    asker: Asker,
    invited: Collection[RowRef],
    journal: Journal | None = None,
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known, has another role, or is gone.

    `invited` are rows whose person kawe invited or found there; the journal has what
    was seen of their invitations.
    """
    if not any(row.marker for row in rows):
        return tuple(rows)
    lookups = asker.tools.lookups
    team_id = asker.team_id or (await lookups.account()).team_id
    if (roll := await _read_team(lookups, team_id)) is _UNREAD:
        return tuple(rows)
    keys = [row.key for row in rows if row.key is not None]
    kept = {} if journal is None else await journal.invitations(keys)
    now = asker.tools.clock.now()
    seen = PeopleSeen(roll=roll, asked=roll.asked(), kept=kept, now=now)
    return tuple(
        _marked(row, seen=seen, is_done=row.row.ref in invited) for row in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSeen:
    """The team as it was read just now, and its invitations as they were before."""

    roll: TeamRoll
    asked: Asked
    kept: Mapping[RowKey, Invitation]
    now: datetime

    def last(self, email: str) -> Invitation | None:
        """Give the invitation of somebody that counts: an open one, or the latest."""
        if not (there := self.asked.get(email)):
            return None
        last = max(there, key=lambda one: (one.is_pending, one.made_at or _EVER))
        if email in self.roll.members:
            return replace(last.alone(), status=_ACCEPTED)
        return last.alone().seen_after(self.kept.get(email_key(email)), now=self.now)

    def known(self, email: str, content: Content | None) -> _Known | None:
        """Say how the team knows the person of a row; None: it never did."""
        wants = content.role if isinstance(content, InvitationContent) else ""
        there = self.asked.get(email, ())
        pending = next((each.role for each in there if each.is_pending), None)
        if (has := self.roll.members.get(email, pending)) is not None:
            said = f"This person {_MEMBER if email in self.roll.members else _INVITED}"
            if has in {"", wants} or not wants:
                return PERSON_KNOWN, (f"{said}; the service leaves them out.", "")
            has, wants = one_line(has, limit=20).capitalize(), wants.capitalize()
            said += f", with the role {has}; the row says {wants}. {_NOTHING}"
            when = "" if email in self.roll.members else "once they have accepted, "
            return PERSON_ROLE, (said, f"If {wants} is right, {when}{_CHANGE}.")
        if any(each.status == _ACCEPTED for each in there):
            return _gone("accepted an invitation and is not in the team any more")
        return self._ended(self.last(email))

    def _ended(self, last: Invitation | None) -> _Known | None:
        if last is not None and last.status == WITHDRAWN:
            return _gone("was invited, and the invitation was withdrawn", _RESEND)
        if last is None or last.status != InvitationStatus.EXPIRED:
            return None
        if last.expires_at is None:
            return _gone(f"was invited, and the invitation {OVER}", _RESEND)
        on = day_words(day_in_new_zealand(last.expires_at))
        said = f"The invitation of this person expired on {on}"
        return PERSON_AGAIN, (f"{said}: a submit sends a new one.", "")


def _gone(words: str, advice: str = "invite them again in the portal") -> _Known:
    return PERSON_GONE, (
        f"This person {words}; kawe invites nobody twice.",
        f"If they should be in the team, {advice}.",
    )


def _marked(checked: CheckedRow, *, seen: PeopleSeen, is_done: bool) -> CheckedRow:
    if not (email := checked.marker):
        return checked
    known = seen.known(email, checked.content)
    if known is None and is_done:
        known = _gone("was invited or in the team, and is neither any more")
    if known is None or (is_done and known[0] == PERSON_KNOWN):
        return checked
    rule, (message, advice) = known
    return checked.marked(
        "role" if rule == PERSON_ROLE else "email",
        Severity.NOTE if rule in {PERSON_KNOWN, PERSON_AGAIN} else Severity.WARNING,
        rule=rule,
        message=message,
        advice=advice,
    )


class InvitationsKind(Kind):
    """Rows that invite a person each."""

    word = "invitations"
    package = "kawe.kinds.invitations"
    content = InvitationContent
    sheet_names = frozenset({"invitations", "invitation", "invites"})
    guide = guide_of(
        word,
        "Fill in one row for each person on the sheet Invitations. Click on a cell to "
        "see what it wants.",
        untouched="Nobody is invited yet.",
        submit="Everybody gets an email with an invitation to your team. People who "
        "are in the team, or invited already, are left out.",
        again="nobody is invited twice, and those whose invitation has expired get a "
        "new one",
    )
    steps: ClassVar = {Step.INVITE: ("invite people", "to invite this person")}
    planned = Action.INVITE.value
    done = Outcome.INVITED.value
    known_rules = frozenset({PERSON_KNOWN, PERSON_GONE, PERSON_ROLE})
    again_rules = frozenset({PERSON_AGAIN})
    there = (
        "in the team or invited already",
        "The person is in the team already, or has an open invitation.",
    )
    marker = "Email"
    one = "an invitation"
    act = "invitation"
    will = "be invited by email"
    listed = "people to invite"
    acts = ("person to invite", "people to invite")
    does = ("invite {count}", "person", "people")
    undone = "Nobody was invited."
    gives = frozenset(
        f"invitation_{e}" for e in ("status", "expires_at", "id", "made_at")
    )
    is_real_in_sandbox = True
    shows_marker = False
    kept_fields = frozenset({"role"})
    requests_to_check = 3
    rows_in_a_request = BULK_INVITE_MAX

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        return tuple(_read_row(row, kind=self, context=context) for row in table.rows)

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Ask who is in the team, and who has been invited."""
        rows = tuple(
            replace(
                row, findings=tuple(e for e in row.findings if e.rule != OWNER_RULE)
            )
            if row.row.ref in inquiry.finished
            else row
            for row in rows
        )
        rows = await _as_invited(rows, inquiry)
        known = {key for key, e in inquiry.known.items() if e.state in BEGIN_ANEW}
        invited = {row.row.ref for row in rows if row.key in known}
        marked = await mark_known_people(
            rows, asker=inquiry.asker, invited=invited, journal=inquiry.journal
        )
        return Answers(rows=marked)

    async def submit(self, submission: Submission) -> None:
        """Invite everybody who was not invited, and keep how invitations stand."""
        run = submission.run
        settle, act = partial(reconcile_invitations, run), partial(invite_all, run)
        await in_rounds(submission, settle=settle, act=act)
        await keep_invitations(run, kind=self)


async def _as_invited(
    rows: tuple[CheckedRow, ...], inquiry: Inquiry
) -> tuple[CheckedRow, ...]:
    """Give rows with addresses as people were invited by them: case does not count."""
    journal = inquiry.journal
    found = {} if journal is None else await journal.find(inquiry.known)
    return tuple(
        _as_before(row, found[row.key].content) if row.key in found else row
        for row in rows
    )


def _as_before(row: CheckedRow, before: Content) -> CheckedRow:
    own, was = row.content, getattr(before, "email", "")
    if not was or not isinstance(own, InvitationContent):
        return row
    said = replace(own, email=was)
    take = partial(invitation_fingerprint, said)
    return replace(row, content=said, take_fingerprint=take)


INVITATIONS: Final = InvitationsKind()
_IN_DOUBT: Final = doubts_about(Step.INVITE)


async def invite_all(run: Run, entries: Sequence[Entry], roll: TeamRoll | None) -> None:
    """Invite everybody who has not been invited.

    `roll` is the team as just read; None: it is read now, for what each intent must
    note. Whom the team knows otherwise than the row asks is left to a person.
    """
    if not (waiting := [entry for entry in entries if entry.state is State.VALID]):
        return
    roll = roll or await _read_team(run.lookups, run.account.team_id)
    before, now = roll.asked(), run.clock.now()
    kept = await run.journal.invitations([entry.key for entry in waiting])
    seen = PeopleSeen(roll=roll, asked=before, kept=kept, now=now)
    said = [(entry, seen.known(entry.marker, entry.content)) for entry in waiting]
    asks = {PERSON_KNOWN, PERSON_AGAIN}
    other = [entry for entry, how in said if how and how[0] not in asks]
    left = {entry.key for entry in await run.move_all(other, State.ALREADY_THERE)}
    waiting = [entry for entry in waiting if entry.key not in left]
    run.progress.begin("Inviting people", total=len(waiting))
    for start in range(0, len(waiting), BULK_INVITE_MAX):
        chunk = waiting[start : start + BULK_INVITE_MAX]
        await _invite_chunk(run, chunk, before=before)


_UNREAD: Final = TeamRoll(members={}, invitations=())
"""The team, to a key that may not read it."""


async def _read_team(lookups: Lookups, team_id: str) -> TeamRoll:
    """Read who is in the team and who was asked."""
    try:
        return await lookups.team(team_id)
    except ScopeMissing:
        return _UNREAD


async def _invite_chunk(run: Run, chunk: Sequence[Entry], *, before: Asked) -> None:
    retry = SafeRetry(run=run)
    while await run.pace.turn() and not run.stop.is_set():
        whole = (await _ask(run, chunk, before=before))[0]
        # What is said of nobody in particular is said of everybody.
        if isinstance(whole, NotDone) and whole.reason is Reason.CHUNK_REFUSED:
            # One of them is wrong: halve until the service can say who.
            middle = len(chunk) // 2
            await _invite_chunk(run, chunk[:middle], before=before)
            await _invite_chunk(run, chunk[middle:], before=before)
            return
        if not await retry.may_retry(whole):
            run.progress.advance(len(chunk))
            return


async def _ask(
    run: Run, chunk: Sequence[Entry], *, before: Asked
) -> tuple[Verdict, ...]:
    people = [invite_body(entry.content) for entry in chunk]
    intents = []
    for entry, person in zip(chunk, people, strict=True):
        ids = tuple(each.id for each in before.get(entry.marker, ()))
        intents.append(await run.intend(entry, Step.INVITE, person, known=ids))
    await run.journal.note(intents)
    verdicts = await run.acts.invite(people)
    for intent, verdict in zip(intents, verdicts, strict=True):
        await run.conclude(intent, verdict)
    # A key that may not read the team has no more of an invitation than its id.
    answered = {
        entry.key: Invitation(id=answer.invitation_id)
        for entry, verdict in zip(chunk, verdicts, strict=True)
        if isinstance(verdict, Done)
        and (answer := verdict.invitation)
        and answer.invitation_id
    }
    if answered:
        await run.journal.keep_invitations(answered)
    return verdicts


async def reconcile_invitations(run: Run, entries: Sequence[Entry]) -> TeamRoll | None:
    """Settle doubtful invitations by reading the team; give what was read.

    A person who is not there, or of whom the key may not read, may safely be invited
    again.
    """
    if not (doubtful := [entry for entry in entries if entry.state in _IN_DOUBT]):
        return None
    roll = await _read_team(run.lookups, run.account.team_id)
    asked = roll.asked()
    for entry in doubtful:
        is_member = entry.marker in roll.members
        there = [e.id for e in asked.get(entry.marker, ()) if is_member or e.is_pending]
        attempts = await run.journal.attempts(entry.key)
        if set(there) - set(attempts[-1].intent.known_projects):
            await run.move(entry, State.INVITED, reason=f"Invited {CONFIRMED}")
        elif is_member or there:
            await run.move(entry, State.ALREADY_THERE)
        else:
            await run.move(entry, State.VALID)
    return roll


# They are a convenience of the result: the next run asks again.
_PATIENCE_SECONDS: Final = 20.0


async def keep_invitations(run: Run, *, kind: SheetKind) -> None:
    """Read the team once, and keep how the invitation of each person stands.

    Nothing is asked where everybody accepted. What the service does not give, or the
    key may not read, is left to the next run.
    """
    if run.stop.is_set():
        return
    # A row that was purged has no address any more.
    rows = await all_rows(
        run.journal, lambda e: bool(e.marker) and e.state in BEGIN_ANEW, kind.word
    )
    kept = await run.journal.invitations(row.key for row in rows)
    # An expired one may be sent again in the portal.
    accepted = {k for k, v in kept.items() if v.status == InvitationStatus.ACCEPTED}
    if accepted.issuperset(row.key for row in rows):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            roll = await run.lookups.team(run.account.team_id)
    except (ServiceError, TimeoutError):
        return
    seen = PeopleSeen(roll=roll, asked=roll.asked(), kept=kept, now=run.clock.now())
    latest = {row.key: each for row in rows if (each := seen.last(row.marker))}
    if changed := {key: each for key, each in latest.items() if kept.get(key) != each}:
        await run.journal.keep_invitations(changed)


_NOBODY: Final = InvitationContent(name="", email="", role="")


def _read_row(row: TableRow, *, kind: SheetKind, context: CheckContext) -> CheckedRow:
    values = {**context.given, **row.values()}
    owner = owner_findings(row, values.get("role"), context)
    findings = (
        *row.findings,
        *schema_findings(row, kind=kind, context=context, values=values),
    )
    told = (each.name for each in fields(InvitationContent) if each.name in values)
    said = replace(_NOBODY, **{name: str(values[name]) for name in told})
    is_whole = said.name and said.email and said.role and not blocks(findings)
    return CheckedRow(
        row=row,
        findings=(*findings, *owner),
        key=email_key(said.email) if said.email else None,
        content=said if is_whole else None,
        partly=said,
        # The address, case folded, as the service has it.
        marker=said.email.casefold(),
        take_fingerprint=partial(invitation_fingerprint, said) if is_whole else None,
    )
