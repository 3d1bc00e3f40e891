"""How much a run would do for some rows, in which order, and what stays a draft."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from kawe.domain.batch.explaining import late_changes
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.sending import IwiLoad, Sending, load_of
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    IN_DOUBT,
    UNSENT,
    RowKey,
)
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import AS_IT_STANDS, Finding, warnings_of
from kawe.domain.text.row_choice import RowChoice
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow


def is_to_create(entry: Entry) -> bool:
    """Say whether a row has no draft yet and is to have one."""
    return entry.kind.has_drafts and entry.state in BEFORE_CREATE


def drafts_made_by(plan: Plan) -> list[Entry]:
    """Give the rows of which a plan makes a draft: not those that are there already."""
    return [e for e in touched(plan) if is_to_create(e) and e.key not in plan.there]


def is_to_send(entry: Entry) -> bool:
    return entry.wants_send and entry.state in BEFORE_CREATE | UNSENT | IN_DOUBT


def owners_of(plan: Plan) -> list[str]:
    """Name the people whom a plan would make owners, and their addresses."""
    return list(filter(None, (entry.content.owner_words for entry in plan.own_rows)))


def files_of(entries: Iterable[Entry]) -> list[Attachment]:
    """List what is uploaded for rows that are made, or take their own step."""
    return [
        file
        for entry in entries
        if is_to_create(entry) or entry.takes_own_step
        for file in entry.content.files
    ]


def recounted(plan: Plan) -> Plan:
    """Count again what a plan would do, without the rows that it leaves out."""
    made = drafts_made_by(plan)
    files = files_of([*made, *plan.own_rows])
    return replace(
        plan,
        to_create=len(made),
        to_update=len(plan.updated - plan.left_out),
        to_send=len(sent_now(plan)),
        own_steps=len(plan.own_rows),
        upload_files=len(files),
        upload_bytes=sum(file.size_bytes for file in files),
    )


def sent_now(plan: Plan) -> list[Entry]:
    """Give the rows that are to be sent, as far as a saved plan says nothing else."""
    may, settled = plan.may_send, plan.settled_there
    return [
        entry
        for entry in touched(plan)
        if is_to_send(entry)
        and (may is None or entry.key in may)
        and entry.key not in settled
    ]


def load_of_sends(
    checked: Checked, keys: Collection[RowKey], *, finished_before: int = 0
) -> IwiLoad:
    return load_of(
        (row.goes_to for row in checked.rows if row.is_valid and row.key in keys),
        finished_before=finished_before,
    )


def touched(plan: Plan) -> list[Entry]:
    return [entry for entry in plan.entries if entry.key not in plan.left_out]


def acted_on(plan: Plan) -> list[Entry]:
    """Give the rows for which the service is asked to change something."""
    return [
        entry
        for entry in touched(plan)
        if is_to_send(entry)
        or is_to_create(entry)
        or entry.takes_own_step
        or entry.key in plan.updated
    ]


def warned_rows(plan: Plan) -> list[tuple[str, ...]]:
    """Give the warnings of each row for which something is done."""
    keys = {entry.key for entry in acted_on(plan)}
    return [warnings_of(line.findings) for line in plan.lines if line.row in keys]


def as_they_stand(plan: Plan) -> list[Finding]:
    """Say of which rows the draft goes, though it says something else."""
    keys = {entry.key for entry in acted_on(plan)}
    found = (each for line in plan.lines if line.row in keys for each in line.findings)
    return [each for each in found if each.rule == AS_IT_STANDS]


def changed_too_late(plan: Plan) -> tuple[str, ...]:
    """Say which rows of a plan were changed after the service had them."""
    outcomes = {entry.key: outcome_of(entry.state) for entry in plan.entries}
    outcomes |= dict.fromkeys(plan.done_with_mistakes, Outcome(plan.kind.done))
    return late_changes(
        (outcomes[line.row], line.findings)
        for line in plan.lines
        if line.row in outcomes
    )


def left_out(plan: Plan, keys: Collection[RowKey]) -> Plan:
    return recounted(replace(plan, left_out=plan.left_out | frozenset(keys)))


def without_done_by(plan: Plan, earlier: Sequence[Plan]) -> Plan:
    """Leave out the rows that earlier sheets of the same run do."""
    going = {
        entry.key: is_to_send(entry) or entry.takes_own_step
        for each in earlier
        for entry in acted_on(each)
    }
    done = [
        entry.key
        for entry in acted_on(plan)
        if entry.key in going and (going[entry.key] or not is_to_send(entry))
    ]
    return left_out(plan, done) if done else plan


def only(plan: Plan, choice: RowChoice) -> Plan:
    """Leave out every row that a person did not name.

    Raises:
        SettingsError: The sheet does not have a row that was named.
    """
    markers = {entry.key: entry.marker for entry in plan.entries}
    # A row with mistakes is left out in any case; its cells alone say which it is.
    rows = [(line, None if line.has_mistakes else line.row) for line in plan.lines]
    named = [
        (
            line.where.row,
            choice.named_in(line.raw) if row is None else markers[row],
            row,
        )
        for line, row in rows
    ]
    choice.check_known([(number, marker) for number, marker, _ in named])
    others = [
        key
        for number, marker, key in named
        if key is not None and not choice.has(number, marker)
    ]
    return left_out(plan, others)


def canary(plan: Plan, rows: int, *, first: Sequence[RowKey] = ()) -> Plan:
    """Leave out all rows with work but the first few, those to send first."""
    ordered = in_order(acted_on(plan), first=first)
    ordered.sort(key=is_to_send, reverse=True)
    return left_out(plan, [entry.key for entry in ordered[max(0, rows) :]])


def sending_asked(checked: Checked) -> Sending | None:
    """Count what the right rows of a sheet ask for; None for rows without drafts."""
    if not checked.table.kind.has_drafts:
        return None
    heading = checked.table.heading_of("send")
    right = [row for row in checked.rows if row.is_valid]
    asked = sum(row.wants_send for row in right)
    return Sending(
        heading="" if heading is None else heading.text,
        sends_all=checked.sends_all,
        asked=asked,
        quiet=len(right) - asked,
        says_no=_says_no(right),
    )


def sending_of(
    plan: Plan, checked: Checked, *, drafts_only: bool = False
) -> Sending | None:
    """Count the rows that a run does not leave out; None for rows without drafts."""
    if (asked_for := sending_asked(checked)) is None:
        return None
    rows, able = touched(plan), BEFORE_CREATE | UNSENT | IN_DOUBT
    unsent = {e.key for e in rows if e.state in able} - plan.settled_there
    asked = {entry.key for entry in rows if is_to_send(entry)} & unsent
    unasked = unsent - asked
    ready = asked | ({entry.key for entry in acted_on(plan)} & unsent)
    return replace(
        asked_for,
        drafts_only=drafts_only,
        asked=len(asked),
        quiet=len(ready - asked),
        kept=len(unsent - ready),
        sent=len(plan.sent_there) + sum(each.state in AFTER_SEND for each in rows),
        says_no=_says_no(row for row in checked.rows if row.key in unasked),
    )


def _says_no(rows: Iterable[CheckedRow]) -> tuple[str, ...]:
    return tuple(
        str(row.row.where("send")) for row in rows if row.row.value("send") is False
    )
