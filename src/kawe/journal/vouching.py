"""Who answers for batches, and who agreed to plans.

A signed approval is a record of its own and an event in the history of one of its rows.
The event has a hash of the record, so that the chain shows when either is changed,
added or taken out.
"""

import json
from collections.abc import Callable
from typing import Final

from kawe.domain.batch.approvals import Approval, Proof, approval_from_text
from kawe.domain.rows.entries import BatchName
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.states import RowKey
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError
from kawe.journal.events import Event, EventKind
from kawe.journal.records import batch_from_record, instant
from kawe.journal.standings import Standings
from kawe.journal.store import Record, Store, all_of
from kawe.journal.words import instant_to_text, storable, unknown

_SIGNATURE: Final = 6


def put_owner(store: Store, batch: BatchName, owner: str) -> None:
    """Keep who answers for a batch, in place of who did, within a transaction."""
    _check_batch(store, batch)
    store.run("put_batch_owner", [(batch, storable(owner))])


def put_approval(
    store: Store, rows: Standings, approval: Approval, *, row: RowKey | None
) -> None:
    """Keep an approval, unless it is kept; link a signed one to `row`."""
    _check_batch(store, approval.batch)
    record = _to_record(approval)
    kept = store.rows(
        "approval_kept", approval.plan, approval.approved_by, record[_SIGNATURE]
    )
    if approval.proof is not None and not any(kept):
        if row is None:
            raise unknown(RowKey(""))
        stands = rows.row(row).state
        event = Event(
            row=row,
            kind=EventKind.APPROVAL,
            at=approval.at,
            came_from=stands,
            went_to=stands,
            detail=sha256_of(record),
        )
        rows.put_events([event])
    store.run("put_approval", [record])


def _check_batch(store: Store, batch: BatchName) -> None:
    batches = all_of(store, "batches", batch_from_record)
    if batch not in {each.name for each in batches}:
        raise JournalError(message=f"The journal has no batch {batch}.")


def unproven(store: Store, *, proves: Callable[[Approval], bool]) -> str:
    """Say what is wrong first with the signed approvals; empty: nothing.

    `proves` checks a signature. The chain of events is taken for whole.
    """
    linked: dict[str, int] = dict(store.rows("approval_links"))
    for record in store.rows("approvals"):
        if not record[_SIGNATURE]:
            continue
        who = one_line(str(record[3]), limit=80)
        if linked.pop(sha256_of(record), None) is None:
            return f"The approval of {who} is not what was written."
        if not proves(approval_from_record(record)):
            return f"The approval of {who} has a signature that is wrong."
    for seq in linked.values():
        return f"The approval that event {seq} tells of is not there, or was changed."
    return ""


def approval_from_record(record: Record) -> Approval:
    """Read who agreed to a plan."""
    plan, batch, author, approved_by, sends, at, signature, document, covers = record
    proof = None
    if signature:
        signed = approval_from_text(document)
        rows = tuple((str(key), str(said)) for key, said in json.loads(covers))
        proof = Proof(signed=signed, rows=rows)
    return Approval(
        plan=plan,
        batch=BatchName(batch),
        author=author,
        approved_by=approved_by,
        sends=sends,
        at=instant(at),
        proof=proof,
    )


def _to_record(approval: Approval) -> Record:
    proof, signed = approval.proof, ("", "", "")
    if proof is not None:
        covers = json.dumps(proof.rows, separators=(",", ":"))
        signed = (proof.signed.signature, proof.signed.to_text(), covers)
    return (
        approval.plan,
        approval.batch,
        storable(approval.author),
        storable(approval.approved_by),
        approval.sends,
        instant_to_text(approval.at),
        *signed,
    )
