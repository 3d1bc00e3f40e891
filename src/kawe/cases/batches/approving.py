"""Approvals that persons sign: made with their own key, checked before live sends."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kawe import __version__, signatures
from kawe.cases.choices import agreed_mode
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.domain.batch import approvals
from kawe.domain.batch.agreements import Reach, reach_of
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.rows.entries import BatchName, Entry
from kawe.domain.service.service_words import Account
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.errors import GuardRefused
from kawe.files.plans import approval_files, read_approval, write_approval
from kawe.flows.wait.queueing import waiting
from kawe.settings.approvers import ApprovalKey, keep_approval_key, kept_approval_key
from kawe.settings.files import quoted
from kawe.signatures import ApprovalSigner

__all__ = ["ApprovalSigner", "approval_files", "write_approval"]

_SHOWN: Final = 3
_UNDONE: Final = "A send or an invitation cannot be undone."


def own_signer(
    *, passphrase: Callable[[], str], new_passphrase: Callable[[], str]
) -> tuple[ApprovalSigner, Path | None]:
    """Open this person's approval key, or make it; give its path where it is new.

    A passphrase is asked for where it is needed; a new one may be empty.
    """
    if (kept := kept_approval_key()) is None:
        made = signatures.new_signer()
        pem = made.to_pem(new_passphrase())
        return made, keep_approval_key(ApprovalKey(public_key=made.public_key, pem=pem))
    signer = signatures.open_signer(
        kept.pem, passphrase() if signatures.needs_passphrase(kept.pem) else ""
    )
    if signer.public_key != kept.public_key:
        raise GuardRefused(
            message="Your approval key does not belong to the public key beside it.",
            hint="Nothing was signed. Restore the file from a backup.",
        )
    return signer, None


def planned_reach(saved: SavedPlan) -> Reach | None:
    """Describe what reaches people, as far as the plan knows; None: nobody is asked."""
    kind = saved.reading.kind
    is_real = saved.account.mode == "live" or (kind and kind.is_real_in_sandbox)
    if kind is None or not saved.acts or not is_real:
        return None
    return reach_of({kind: saved.acts})


def reach_of_approval(saved: SavedPlan) -> Reach:
    """Describe what whoever signs a plan agrees to.

    Raises:
        GuardRefused: It reaches nobody.
    """
    waits = sum(row.action.waits for row in saved.rows)
    if not saved.acts + waits:
        raise GuardRefused(
            message="The plan reaches nobody, so it needs no approval.",
            hint="Nothing was signed.",
        )
    does = f"approve {counted(saved.acts, saved.act)}"
    if waits:
        does += f" and {counted(waits, 'row')} that will wait for tokens"
    would = f"You would {does}"
    return Reach(
        acts=saved.acts + waits, does=does, undone=_UNDONE, over=would, alone=would
    )


def key_lines(name: str, public_key: str) -> list[str]:
    """Say how the approval key of a person is put into the settings of another."""
    fingerprint = approvals.fingerprint_words(public_key)
    return [
        "Whoever submits writes this into their own settings:",
        "[approvers.keys]",
        f"{quoted(name)} = {quoted(approvals.KEY_MARK + public_key)}",
        f"Fingerprint, to be read over the phone: {fingerprint}",
    ]


async def who_approves(toolkit: Toolkit, saved: SavedPlan) -> Account:
    """Ask the service who this person is; they must be of the plan's team.

    Raises:
        GuardRefused: The plan is of another service, mode or team.
    """
    settings, meant = toolkit.settings, saved.account
    _same("the service at", meant.base_url, settings.service_url())
    async with toolkit.open_service() as service:
        account = await service.lookups.account()
    _same("a key that is", meant.mode, agreed_mode(settings, account))
    if account.team_id != meant.team_id:
        _same("the team", meant.team_name, f"{account.team_name} (another team)")
    return account


def _same(what: str, of_plan: str, yours: str) -> None:
    if of_plan != yours:
        raise GuardRefused(
            message=f"The plan is for {what} {one_line(of_plan)}, and yours is "
            f"{one_line(yours)}.",
            hint="Nothing was signed. Use your key of the team and mode of the plan.",
        )


def sign_plan(
    saved: SavedPlan,
    *,
    file: str,
    account: Account,
    signer: ApprovalSigner,
    toolkit: Toolkit,
) -> approvals.SignedApproval:
    """Sign a plan in the name of the person behind `account`.

    `file` is the SHA-256 of the bytes of its file.
    """
    person, meant = account.person, saved.account
    statement = approvals.Statement(
        plan=saved.sha256,
        file=file,
        kind=str(saved.reading.kind or ""),
        workbook=one_line(saved.reading.workbook.name),
        sheet=one_line(saved.sheet),
        mode=meant.mode,
        service=meant.base_url,
        team_id=meant.team_id,
        team=account.team_name,
        user_id="" if person is None else person.id,
        user="" if person is None else person.name,
        email="" if person is None else person.email,
        acts=saved.acts,
        waits=sum(row.action.waits for row in saved.rows),
        salt=saved.salt,
        rows=approvals.covered_hash(approvals.covered_rows(saved)),
        at=toolkit.clock.now(),
        kawe=__version__,
    )
    return approvals.SignedApproval(
        statement=statement,
        public_key=signer.public_key,
        signature=signer.sign(statement.message),
    )


async def signed_approvals(
    session: Session, saved: SavedPlan, *, path: Path, file: str, batch: BatchName
) -> tuple[approvals.Approval, ...]:
    """Give the approvals of a plan that count: beside its file, or in the journal.

    Raises:
        GuardRefused: There are fewer than the settings want; the message says why
            those that there are do not count.
    """
    judge, troubles = _judge(session), dict[str, str]()
    counting: dict[str, approvals.SignedApproval] = {}
    for name, signed in await _candidates(session, saved, path):
        why = "it is no approval of kawe's, or it was changed"
        if signed is not None:
            why = judge.trouble(signed) or approvals.not_of_plan(
                signed, saved, file=file
            )
        if signed is None or why:
            troubles[name] = why
        else:
            counting.setdefault(signed.signature, signed)
    if (has := judge.persons(counting.values())) < judge.approvers.require:
        if 0 < has < len(counting):
            troubles["One of them"] = "it is by the same person as another"
        raise _too_few(judge, troubles, has=has, path=path)
    rows = tuple(approvals.covered_rows(saved))
    return tuple(
        approvals.Approval(
            plan=approvals.approved_plan(saved),
            batch=batch,
            author=saved.author,
            approved_by=judge.approvers.name_of(each.public_key),
            sends=saved.acts,
            at=each.statement.at,
            proof=approvals.Proof(signed=each, rows=rows),
        )
        for each in counting.values()
    )


async def _candidates(
    session: Session, saved: SavedPlan, path: Path
) -> list[tuple[str, approvals.SignedApproval | None]]:
    beside = [(each.name, read_approval(each)) for each in approval_files(path)]
    kept = [
        (f"The approval of {each.approved_by} in the journal", each.proof.signed)
        for each in await session.journal.approvals()
        if each.proof is not None and each.plan == approvals.approved_plan(saved)
    ]
    return [*beside, *kept]


def _too_few(
    judge: approvals.ApprovalJudge, troubles: Mapping[str, str], *, has: int, path: Path
) -> GuardRefused:
    name = one_line(str(path))
    return GuardRefused(
        message=approvals.short_words(
            troubles, require=judge.approvers.require, has=has
        ),
        hint="Nothing was sent. Another person approves it with their own key: "
        f"{Next.APPROVE(name)}. {Next.ADD_APPROVAL}, and "
        f"{Next.AGAIN}.",
    )


def wants_approval(session: Session) -> bool:
    """Say whether a live send needs a signed approval.

    Raises:
        GuardRefused: The settings want a second person, and name nobody's key.
    """
    settings = session.toolkit.settings
    if settings.approvers is None and settings.approval == "second_person":
        raise GuardRefused(
            message="The settings want a second person's signed approval for every "
            "live send or invitation, and name nobody's key.",
            hint="Nothing was sent. The other person is shown theirs by "
            f"{Next.SHOW_KEY}. Put it into your settings, under [approvers.keys].",
        )
    return settings.approvers is not None


async def check_release(session: Session, batches: Sequence[BatchName]) -> None:
    """Check that signed approvals name every row that waits, as it is now.

    Raises:
        GuardRefused: The settings want them, and there are too few.
    """
    rows = await waiting(tuple(batches), journal=session.journal)
    if not rows or not session.is_live or not wants_approval(session):
        return
    judge = _judge(session)
    proofs = [
        (each.proof.signed, frozenset(each.proof.rows))
        for each in await session.journal.approvals()
        if each.proof is not None and is_genuine(each)
        if not judge.trouble(each.proof.signed)
    ]

    def is_short(row: Entry) -> bool:
        given = [one for one, rows in proofs if one.statement.may_send(row) in rows]
        return judge.persons(given) < judge.approvers.require

    if short := [row for row in rows if is_short(row)]:
        named = some_of([one_line(row.marker, limit=60) for row in short], shown=_SHOWN)
        have = counted(len(short), "row that waits has", "rows that wait have")
        raise GuardRefused(
            message=f"{have} no signed approval that counts: {named}.",
            hint="Nothing was sent. An approval is of the rows of a plan as they were "
            "then. Make a plan of the workbook, have it approved, and submit it: "
            f"{Next.SAVE_PLAN}",
        )


def _judge(session: Session) -> approvals.ApprovalJudge:
    approvers = session.toolkit.settings.approvers
    assert approvers is not None, "asked for only where they are set"
    own = kept_approval_key()
    return approvals.ApprovalJudge(
        approvers=approvers,
        binding=session.binding,
        user=session.account.person,
        own_key="" if own is None else own.public_key,
        now_at=session.toolkit.clock.now(),
        verifies=_is_signed,
    )


def is_genuine(approval: approvals.Approval) -> bool:
    """Say whether a kept approval is typed, or signed by the key that it names."""
    if (proof := approval.proof) is None:
        return True
    is_same_plan = approval.plan.endswith(proof.signed.statement.plan)
    return is_same_plan and proof.is_whole and _is_signed(proof.signed)


def _is_signed(signed: approvals.SignedApproval) -> bool:
    return signatures.verifies(
        signed.public_key, message=signed.statement.message, signature=signed.signature
    )
