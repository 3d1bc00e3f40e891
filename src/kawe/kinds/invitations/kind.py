"""The kind of sheet whose rows are people to invite.

People are invited in chunks of at most 200. The service skips people whom it already
asked and answers SKIPPED, so after a doubt kawe reads the team first. It compares the
invitations with those from before the act, and never with a clock. How they stand is
kept in the journal, so that results show it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

from kawe.domain.batch.outcomes import OVER, Outcome
from kawe.domain.batch.saved_plans import Action
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import ADDRESS, fingerprint_of, sha256_of
from kawe.domain.service.service_words import Invitation, TeamInvitation, TeamRoll
from kawe.domain.service.states import (
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
    PERSON_GONE,
    PERSON_KNOWN,
    PERSON_ROLE,
    Finding,
    RowRef,
    Severity,
    blocks,
)
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.errors import ScopeMissing, ServiceError
from kawe.flows.checked_rows import CheckContext, CheckedRow, mark, schema_findings
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission
from kawe.flows.routing import Asker
from kawe.flows.run import Run
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.submitting import in_rounds
from kawe.flows.tools import all_rows
from kawe_contract.enums import InvitationStatus, UserRole
from kawe_contract.limits import BULK_INVITE_MAX
from kawe_places.values import CellValue


class PartOfInvitation(PlainContent):
    """What a row of an invitations sheet says whose cells have mistakes."""

    __slots__ = ()

    @property
    def identified_by(self) -> tuple[str, str]:
        return "email", "e-mail address"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationContent(PartOfInvitation):
    """What a row of an invitations sheet says."""

    name: str
    email: str
    role: str
    org_department: str | None = None
    org_department_other: str | None = None
    org_role: str | None = None
    org_role_other: str | None = None

    @property
    def once_by(self) -> str:
        return self.role

    @property
    def is_owner(self) -> bool:
        return self.role == UserRole.OWNER

    @property
    def owner_words(self) -> str:
        """Name a person who is to be an owner."""
        if not self.is_owner:
            return ""
        return f"{one_line(self.name, limit=80)} ({one_line(self.email)})"


def email_key(email: str) -> RowKey:
    return RowKey(f"{ADDRESS}{email.casefold()}")


def invite_body(content: InvitationContent) -> dict[str, Any]:
    """Make one item of a bulk invitation (InviteUserBody)."""
    return {name: said for name, said in asdict(content).items() if said is not None}


def invitation_fingerprint(content: InvitationContent) -> Fingerprint:
    return fingerprint_of(invite_body(content))


class InvitationsKind(Kind):
    """Rows that invite a person each."""

    word = "invitations"
    package = "kawe.kinds.invitations"
    content = InvitationContent
    sheet_names = frozenset({"invitations", "invitation", "invites"})
    guide = (
        (
            "Fill in one row for each person on the sheet Invitations. Click on a "
            "cell to see what it wants."
        ),
        (
            f"Check it: {Next.CHECK('invitations.xlsx')}. Nobody is invited yet. kawe "
            "names each cell that needs correcting and says what to do."
        ),
        (
            f"Submit it: {Next.SUBMIT('invitations.xlsx')}. Everybody gets an email "
            "with an invitation to your team. People who are in the team, or invited "
            "already, are left out."
        ),
        "You can submit the same workbook again at any time: nobody is invited twice.",
    )
    steps: ClassVar = {Step.INVITE: ("invite people", "to invite this person")}
    planned = Action.INVITE.value
    done = Outcome.INVITED.value
    known_rules = frozenset({PERSON_KNOWN, PERSON_GONE, PERSON_ROLE})
    there = (
        "in the team or invited already",
        "The person is in the team already, or has an open invitation.",
    )
    marker = "Email"
    one = "an invitation"
    act = "invitation"
    will = "be invited"
    listed = "people to invite"
    acts = ("person to invite", "people to invite")
    does = ("invite {count}", "person", "people")
    undone = "Nobody was invited."
    gives = frozenset(
        {
            *("invitation_status", "invitation_expires_at"),
            *("invitation_id", "invitation_made_at"),
        }
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
        rows = without_owner_findings(rows, done=inquiry.finished)
        known = {key for key, each in inquiry.known.items() if each.state in INVITED}
        invited = {row.row.ref for row in rows if row.key in known}
        marked = await mark_known_people(rows, asker=inquiry.asker, invited=invited)
        return Answers(rows=marked)

    async def submit(self, submission: Submission) -> None:
        """Invite everybody who was not invited, and keep how invitations stand."""
        run = submission.run
        settle, act = partial(reconcile_invitations, run), partial(invite_all, run)
        await in_rounds(submission, settle=settle, act=act)
        await keep_invitations(run, kind=self)


INVITATIONS: Final = InvitationsKind()
_IN_DOUBT: Final = doubts_about(Step.INVITE)


async def invite_all(run: Run, entries: Sequence[Entry], roll: TeamRoll | None) -> None:
    """Invite everybody who has not been invited.

    `roll` is the team as just read; None: it is read now, for what each intent must
    note. Whom the team knows otherwise than the row asks is left to a person.
    """
    waiting = [entry for entry in entries if entry.state is State.VALID]
    if not waiting:
        return
    roll = roll or await _read_team(run)
    before = {} if roll is None else roll.asked()
    if roll is not None:
        known = partial(how_known, roll=roll, asked=before)
        said = [(entry, known(entry.marker, entry.content)) for entry in waiting]
        other = [entry for entry, how in said if how and how[0] != PERSON_KNOWN]
        left = {entry.key for entry in await run.move_all(other, State.ALREADY_THERE)}
        waiting = [entry for entry in waiting if entry.key not in left]
    run.progress.begin("Inviting people", total=len(waiting))
    for start in range(0, len(waiting), BULK_INVITE_MAX):
        chunk = waiting[start : start + BULK_INVITE_MAX]
        await _invite_chunk(run, chunk, before=before)


async def _read_team(run: Run) -> TeamRoll | None:
    """Read who is in the team and who was asked; None: the key may not."""
    try:
        return await run.lookups.team(run.account.team_id)
    except ScopeMissing:
        return None


async def _invite_chunk(run: Run, chunk: Sequence[Entry], *, before: Asked) -> None:
    retry = SafeRetry(run=run)
    while await run.pace.turn() and not run.stop.is_set():
        verdicts = await _ask(run, chunk, before=before)
        whole = verdicts[0]
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
    people = [_body(entry) for entry in chunk]
    intents = [
        replace(
            await run.intend(entry, Step.INVITE, body_sha256=sha256_of(person)),
            known_projects=tuple(each.id for each in before.get(entry.marker, ())),
        )
        for entry, person in zip(chunk, people, strict=True)
    ]
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


def _body(entry: Entry) -> dict[str, Any]:
    content = entry.content
    if not isinstance(content, InvitationContent):
        raise TypeError(f"{entry.key} is no invitation")
    return invite_body(content)


async def reconcile_invitations(run: Run, entries: Sequence[Entry]) -> TeamRoll | None:
    """Settle doubtful invitations by reading the team; give what was read.

    A person who is not there may safely be invited again.
    """
    doubtful = [entry for entry in entries if entry.state in _IN_DOUBT]
    if not doubtful:
        return None
    roll = await _read_team(run)
    if roll is None:
        # Repeating the chunk is safe too.
        await run.move_all(doubtful, State.VALID)
        return None
    asked = roll.asked()
    for entry in doubtful:
        is_member = entry.marker in roll.members
        there = [e.id for e in asked.get(entry.marker, ()) if is_member or e.is_pending]
        attempts = await run.journal.attempts(entry.key)
        if set(there) - set(attempts[-1].intent.known_projects):
            await run.move(entry, State.INVITED, reason="Invited (confirmed later).")
        elif is_member or there:
            await run.move(entry, State.ALREADY_THERE)
        else:
            await run.move(entry, State.VALID)
    return roll


INVITED: Final = frozenset({State.INVITED, State.ALREADY_THERE})
# They are a convenience of the result: the next run asks again.
_PATIENCE_SECONDS: Final = 20.0
_ACCEPTED: Final = InvitationStatus.ACCEPTED
_EVER: Final = datetime.min.replace(tzinfo=UTC)


async def keep_invitations(run: Run, *, kind: SheetKind) -> None:
    """Read the team once, and keep how the invitation of each person stands.

    Nothing is asked where everybody accepted. What the service does not give, or the
    key may not read, is left to the next run.
    """
    if run.stop.is_set():
        return
    # A row that was purged has no address any more.
    rows = await all_rows(
        run.journal, lambda e: bool(e.marker) and e.state in INVITED, of=kind
    )
    kept = await run.journal.invitations(row.key for row in rows)
    # An expired one may be sent again in the portal.
    if all(row.key in kept and kept[row.key].status == _ACCEPTED for row in rows):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            roll = await run.lookups.team(run.account.team_id)
    except (ServiceError, TimeoutError):
        return
    asked = roll.asked()
    latest = {
        row.key: _last(asked[row.marker], is_member=row.marker in roll.members)
        for row in rows
        if row.marker in asked
    }
    changed = {key: each for key, each in latest.items() if kept.get(key) != each}
    if changed:
        await run.journal.keep_invitations(changed)


def _last(each: Iterable[TeamInvitation], *, is_member: bool) -> Invitation:
    """Give the invitation that counts: an open one, or else the latest."""
    last = max(each, key=lambda one: (one.is_pending, one.made_at or _EVER)).alone()
    return replace(last, status=_ACCEPTED) if is_member else last


_OWNER_RULE: Final = "owner-not-allowed"
_REQUIRED = ("name", "email", "role")
_OPTIONAL = ("org_department", "org_department_other", "org_role", "org_role_other")


def without_owner_findings(
    rows: Iterable[CheckedRow], *, done: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    return tuple(
        replace(row, findings=tuple(f for f in row.findings if f.rule != _OWNER_RULE))
        if row.row.ref in done
        else row
        for row in rows
    )


def _read_row(row: TableRow, *, kind: SheetKind, context: CheckContext) -> CheckedRow:
    email = row.value("email")
    values = {**context.given, **row.values()}
    owner = _owner_findings(row, role=values.get("role"), context=context)
    findings = (
        *row.findings,
        *schema_findings(row, kind=kind, checker=context.checker, values=values),
    )
    content = None if blocks(findings) else _content(values)
    return CheckedRow(
        row=row,
        findings=(*findings, *owner),
        key=email_key(email) if isinstance(email, str) else None,
        content=content,
        partly=PartOfInvitation(),
        # The address, case folded, as the service has it.
        marker=email.casefold() if isinstance(email, str) else "",
        take_fingerprint=partial(invitation_fingerprint, content) if content else None,
    )


def _content(values: dict[str, CellValue]) -> InvitationContent | None:
    """Give whom the row invites; None where a required cell says nothing."""
    if any(name not in values for name in _REQUIRED):
        return None
    there = (name for name in (*_REQUIRED, *_OPTIONAL) if name in values)
    return InvitationContent(**{name: str(values[name]) for name in there})


def _owner_findings(
    row: TableRow, *, role: CellValue, context: CheckContext
) -> tuple[Finding, ...]:
    """Refuse owners unless a person said that they are meant.

    What an owner may do is in the interface, Authentication, 9.
    """
    if context.choices.allows_owners or role != "OWNER":
        return ()
    finding = mark(
        row,
        "role",
        Severity.ERROR,
        rule=_OWNER_RULE,
        message="An owner may remove people, buy tokens and manage keys, so kawe "
        "invites owners only when it is told to.",
        advice=f"Choose Member, or run again with {Given.ALLOW_OWNER}.",
    )
    return (finding,)


Asked: TypeAlias = Mapping[str, Sequence[TeamInvitation]]
"""The invitations of each address."""
_Known: TypeAlias = tuple[str, tuple[str, str]]
"""The rule by which somebody is known, what that is, and what to do."""
_MEMBER: Final = "is a member of the team already"
_INVITED: Final = "has been invited already and has not answered yet"
_NOTHING: Final = "kawe invites nobody twice and changes no role."
_CHANGE: Final = "an owner of the team changes the role in the portal"
_RESEND: Final = "send the invitation again in the portal"


async def mark_known_people(
    rows: Sequence[CheckedRow], *, asker: Asker, invited: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known, has another role, or is gone.

    `invited` are rows whose person kawe invited or found there.
    """
    if not any(row.marker for row in rows):
        return tuple(rows)
    try:
        lookups = asker.tools.lookups
        roll = await lookups.team(asker.team_id or (await lookups.account()).team_id)
    except ScopeMissing:
        return tuple(rows)
    asked = roll.asked()
    return tuple(
        _marked(row, roll=roll, asked=asked, is_done=row.row.ref in invited)
        for row in rows
    )


def how_known(
    email: str, content: Content | None, *, roll: TeamRoll, asked: Asked
) -> _Known | None:
    """Say how the team knows the person of a row; None: it never did."""
    wants = content.role if isinstance(content, InvitationContent) else ""
    there = asked.get(email, ())
    pending = next((each.role for each in there if each.is_pending), None)
    has = roll.members.get(email, pending)
    if has is not None:
        said = f"This person {_MEMBER if email in roll.members else _INVITED}"
        if has in {"", wants} or not wants:
            return PERSON_KNOWN, (f"{said}; the service leaves them out.", "")
        has, wants = one_line(has, limit=20).capitalize(), wants.capitalize()
        said += f", with the role {has}; the row says {wants}. {_NOTHING}"
        return PERSON_ROLE, (said, f"If {wants} is right, {_CHANGE}.")
    match {each.status for each in there}:
        case statuses if InvitationStatus.ACCEPTED in statuses:
            return _gone("accepted an invitation and is not in the team any more")
        case statuses if InvitationStatus.EXPIRED in statuses:
            # A withdrawn one is shown so too.
            return _gone(f"was invited, and the invitation {OVER}", _RESEND)
        case _:
            return None


def _gone(words: str, advice: str = "invite them again in the portal") -> _Known:
    return PERSON_GONE, (
        f"This person {words}; kawe invites nobody twice.",
        f"If they should be in the team, {advice}.",
    )


def _marked(
    checked: CheckedRow, *, roll: TeamRoll, asked: Asked, is_done: bool
) -> CheckedRow:
    email = checked.marker
    if not email:
        return checked
    known = how_known(email, checked.content, roll=roll, asked=asked)
    if known is None and is_done:
        known = _gone("was invited or in the team, and is neither any more")
    if known is None or (is_done and known[0] == PERSON_KNOWN):
        return checked
    rule, (message, advice) = known
    finding = mark(
        checked.row,
        "role" if rule == PERSON_ROLE else "email",
        Severity.NOTE if rule == PERSON_KNOWN else Severity.WARNING,
        rule=rule,
        message=message,
        advice=advice,
    )
    return checked.with_findings(finding)
