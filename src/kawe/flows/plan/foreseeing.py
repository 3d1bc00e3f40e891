"""Foreseeing: what a run would do with every row, and about how many requests it makes.

Nothing is changed: drafts are read, as they are read again before their send.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.saved_plans import Action
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.edits import There, ThereAlready
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import FINISHED, IN_DOUBT, RowKey, Step
from kawe.flows.check.checking import Checked
from kawe.flows.kinds import Kind
from kawe.flows.look import TeamLook
from kawe.flows.plan.counting import (
    acted_on,
    files_of,
    is_to_create,
    is_to_send,
    recounted,
)
from kawe.flows.routing import REMEMBERED_FOR
from kawe.flows.run import Run
from kawe.flows.settle.resolving import unlike_draft
from kawe.flows.submit.existing import is_recent, take_snapshot, there_already
from kawe.flows.submit.sharing import sent_by_hand
from kawe.flows.tools import each
from kawe_contract.limits import PAGE_MAX

_PER_FILE: Final = 2
_PER_CREATE: Final = 1
_PER_UPDATE: Final = 3
_PER_SEND: Final = 3
"""The draft is read, sent, and read back; an update likewise."""
_ACCOUNT: Final = 2
"""Asked for at the beginning and at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a run would do, row by row."""

    plan: Plan = field(repr=False)
    actions: Mapping[RowKey, Action]
    drafts: Mapping[RowKey, Project | None]
    """What the service shows of the drafts of rows that are acted on."""
    wanting: tuple[RowKey, ...]
    """Every row that would be sent if there were tokens enough, in order."""
    sends: tuple[RowKey, ...]
    """Those of `wanting` that are sent."""
    there: Mapping[RowKey, ThereAlready] = field(default_factory=dict)
    """What the service has already of rows that this journal has no project of."""

    own_steps: tuple[RowKey, ...] = ()
    """Every row without a draft that takes its step, in order."""

    @property
    def held(self) -> list[RowKey]:
        return [key for key, each in self.actions.items() if each is Action.HOLD]

    @property
    def creating(self) -> list[Entry]:
        """Give the rows of which a draft is made."""
        entries = self.plan.entries
        return [e for e in entries if Step.CREATE in self.actions[e.key].steps]


async def foresee(
    run: Run, plan: Plan, *, budget: Budget, drafts_only: bool
) -> Foreseen:
    """Say what carrying out a plan would do; read the drafts that there are."""
    drafts = await read_drafts(run, acted_on(plan))
    there = await find_there_already(run, plan)
    settled = await _settled(run, plan, drafts=drafts)
    settled |= {
        key: Action.NOTE_SENT if each.what is There.SENT else Action.HOLD
        for key, each in there.items()
        if each.what is not There.DRAFT
    }
    candidates = [
        entry
        for entry in acted_on(plan)
        if is_to_send(entry) and entry.key not in settled
    ]
    first = await run.journal.put_first_so_far()
    ordered = [] if drafts_only else in_order(candidates, first=first)
    wanting = tuple(entry.key for entry in ordered)
    sends = wanting[: budget.sends(len(wanting))]
    own_steps = tuple(entry.key for entry in in_order(plan.own_rows, first=first))
    # Those of which the service has a draft that this journal does not know.
    taken, again = there.keys() - settled.keys(), {entry.key for entry in plan.again}
    steps = Counter((*own_steps, *wanting, *sends))
    return Foreseen(
        plan=plan,
        actions={
            e.key: settled.get(e.key)
            or _action(
                e,
                plan,
                steps=steps[e.key],
                is_taken=e.key in taken,
                is_again=e.key in again,
            )
            for e in plan.entries
        },
        drafts=drafts,
        wanting=wanting,
        sends=sends,
        there=there,
        own_steps=own_steps,
    )


async def find_there_already(
    run: Run, plan: Plan, *, look: TeamLook | None = None, and_drafts: bool = False
) -> dict[RowKey, ThereAlready]:
    """Say what the service has of rows that this journal has no project of.

    `and_drafts`: also which drafts of this journal somebody else has sent, or changed.
    Where no row is to be created or sent, nothing is asked.
    """
    rows = [entry for entry in acted_on(plan) if is_to_create(entry)]
    drafts = [entry for entry in acted_on(plan) if and_drafts and entry.has_draft]
    there: dict[RowKey, ThereAlready] = {}
    if not rows and not drafts:
        return there
    # A search was for the new rows alone.
    serves = look is not None and is_recent(run, look) and (look.is_whole or not drafts)
    seen = await take_snapshot(run, [*rows, *drafts], seen=look if serves else None)
    run.tally.snapshot = seen
    for key in sent_by_hand(drafts, seen):
        there[key] = ThereAlready(what=There.SENT)
    kept = (each for each in drafts if each.key not in plan.changed)
    for entry, content in projects_among(kept):
        own = [each for each in seen.of(entry) if each.id == entry.project_id]
        if not own or not own[0].is_draft:
            continue
        if differs := await unlike_draft(entry, content, own[0], journal=run.journal):
            why = f"Its draft was changed in the portal, it seems: {', '.join(differs)}"
            there[entry.key] = ThereAlready(what=There.OTHER, why=why)
    for entry, content in projects_among(rows):
        standing = await there_already(run, entry, content, seen=seen)
        if standing is not None:
            there[entry.key] = standing
    return there


async def without_there_already(
    run: Run, plan: Plan, *, look: TeamLook | None = None
) -> Plan:
    """Count what a plan would do without what the service shows as done already.

    `look` is that of the check: nothing is read again while it is fresh.
    """
    there = await find_there_already(run, plan, look=look, and_drafts=True)
    # A changed draft is held when its turn comes: it counts until then.
    counted = {entry.key for entry in plan.entries if entry.has_draft}
    there = {
        key: each
        for key, each in there.items()
        if each.what is not There.OTHER or key not in counted
    }
    return recounted(replace(plan, there=there)) if there else plan


async def read_drafts(
    run: Run, entries: Sequence[Entry]
) -> dict[RowKey, Project | None]:
    """Read the draft of every row that has one; None where it is not shown."""
    found: dict[RowKey, Project | None] = {}

    async def read(row: tuple[RowKey, ProjectId]) -> None:
        key, project = row
        found[key] = await run.lookups.project(project)
        run.progress.advance()

    rows = [
        (entry.key, entry.project_id)
        for entry in entries
        if entry.project_id is not None and entry.has_draft
    ]
    if rows:
        run.progress.begin("Reading the drafts that there are", total=len(rows))
        await each(rows, read, workers=run.workers, stop=run.stop)
    return found


async def _settled(
    run: Run, plan: Plan, *, drafts: Mapping[RowKey, Project | None]
) -> dict[RowKey, Action]:
    """Say which drafts would not be touched, once the run reads them."""
    settled = {}
    for entry, content in projects_among(plan.entries):
        if entry.key not in drafts:
            continue
        if (project := drafts[entry.key]) is None or project.status is None:
            settled[entry.key] = Action.HOLD
            continue
        differs = await unlike_draft(entry, content, project, journal=run.journal)
        if project.is_sent:
            is_it = "reference" not in differs
            settled[entry.key] = Action.SKIP if is_it else Action.HOLD
        elif differs and entry.key not in plan.updated:
            settled[entry.key] = Action.HOLD
    return settled


def _action(
    entry: Entry, plan: Plan, *, steps: int, is_taken: bool, is_again: bool
) -> Action:
    """Say what is done with a row: `steps` is 1 where it waits, or takes its own."""
    if entry.key in plan.left_out:
        return Action.LEAVE
    if outcome_of(entry.state) is Outcome.HELD:
        return Action.HOLD
    if entry.state in FINISHED and entry.key in plan.changed:
        return Action.CHANGED
    if entry.takes_own_step:
        planned = entry.kind.planned if steps else Action.SKIP.value
        own = next(each for each in Action if each.value == planned)
        own = Action.ASK_AND_ACT if steps and entry.state in IN_DOUBT else own
        return Action.INVITE_AGAIN if is_again else own
    if is_taken:
        ways = (Action.TAKE, Action.TAKE_AND_WAIT, Action.TAKE_AND_SEND)
    elif is_to_create(entry):
        ways = (Action.CREATE, Action.CREATE_AND_WAIT, Action.CREATE_AND_SEND)
    elif entry.key in plan.updated:
        ways = (Action.UPDATE, Action.UPDATE_AND_WAIT, Action.UPDATE_AND_SEND)
    else:
        send = Action.ASK_AND_SEND if entry.state in IN_DOUBT else Action.SEND
        ways = (Action.SKIP, Action.WAIT, send)
    return ways[steps]


async def requests_of(run: Run, checked: Checked, foreseen: Foreseen) -> int:
    """Say about how many requests carrying out a plan takes."""
    rows, kind = acted_on(foreseen.plan), Kind.of(foreseen.plan.kind)
    done = [foreseen.actions[entry.key] for entry in rows]
    creates = len(foreseen.creating)
    looked_for = sum(is_to_create(entry) for entry in rows)
    return sum(
        (
            _ACCOUNT,
            await _checking(run, checked),
            len(foreseen.drafts),
            await _looks(run, (looked_for + len(foreseen.drafts), _known(foreseen))),
            # New projects are on the first pages.
            math.ceil((len(foreseen.wanting) - _known(foreseen)) / PAGE_MAX),
            _PER_FILE * len(files_of(foreseen.creating)),
            _PER_CREATE * creates,
            _PER_UPDATE * sum(Step.UPDATE in action.steps for action in done),
            _PER_SEND * sum(action.sends for action in done),
            # Whether the key may send is asked before anything is made, and the list
            # of receipts is read at the end.
            2 * any(action.sends for action in done),
            math.ceil(sum(a.is_own_step for a in done) / kind.rows_in_a_request),
        )
    )


async def _checking(run: Run, checked: Checked) -> int:
    """Count the requests of checking again: places, people, organisations."""
    known = await run.journal.iwi_answers(since=run.clock.now() - REMEMBERED_FOR)
    places = {
        row.content.place.key()
        for row in checked.rows
        if row.goes_to and row.content is not None and row.content.place is not None
    }
    return (
        len(places - known.keys())
        + math.ceil(len(checked.organisations) / PAGE_MAX)
        + Kind.of(checked.table.kind).requests_to_check
    )


def _known(foreseen: Foreseen) -> int:
    """Count the rows to send that are looked up in the whole list, or None."""
    made = {entry.key for entry in foreseen.creating}
    is_new = not foreseen.there and made.issuperset(foreseen.wanting)
    return 0 if is_new else len(foreseen.wanting)


async def _looks(run: Run, rows: Sequence[int]) -> int:
    """Count the requests of the searches before creates and before sends.

    `rows` are the numbers of rows of each search.
    """
    if not (looks := [count for count in rows if count]):
        return 0
    first = await run.lookups.projects(page=1)
    if first.total < PAGE_MAX:
        return len(looks)
    pages = math.ceil(first.total / PAGE_MAX)
    # The whole list ends with an empty page, and its first is read again.
    return sum(1 + (pages + 2 if pages <= count else count) for count in looks)
