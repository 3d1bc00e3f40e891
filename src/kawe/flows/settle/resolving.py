"""Resolving: a person decides about a row that is held, and is told what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.edits import content_of_draft, differences
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import of_both, project_fingerprint
from kawe.domain.service.service_words import Project, ProjectId, projects_in, standing
from kawe.domain.service.states import (
    AFTER_SEND,
    DEFAULT_SETTLE_SECONDS,
    RowKey,
    State,
    Step,
)
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import clean, counted, one_line
from kawe.errors import SettingsError
from kawe.flows.scanning import Scan, scan_projects
from kawe.flows.settle.reconciling import GONE, NOT_SHOWN
from kawe.ports import Clock, Journal, Lookups


class Decision(StrEnum):
    """What a person can decide about a held row."""

    ADOPT = "adopt"
    """A project of the service is the row's own, unchanged."""
    RETRY = "retry"
    """Let the row go on: kawe asks the service first."""
    ABANDON = "abandon"
    """Do nothing more for the row, now or in later runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDecision:
    """A person's decision about a held row."""

    decision: Decision
    project: ProjectId | None = None
    """The one to adopt."""
    why: str = ""
    """Their reason, for the journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A row that was decided about."""

    entry: Entry
    adopted: Project | None = None
    """The project that was taken for it."""
    differs: tuple[str, ...] = ()
    """In what its project is not what the row says."""
    given_up: ProjectId | None = None
    """The draft that is gone: another one is made."""

    def as_json(self) -> dict[str, Any]:
        """Say what the row is now, and which project was taken for it."""
        said: dict[str, Any] = {
            "reference": self.entry.marker,
            "outcome": outcome_of(self.entry.state).value,
        }
        if self.given_up is not None:
            said["given_up"] = self.given_up
        if (adopted := self.adopted) is not None:
            said["adopted"] = {
                "project_id": adopted.id,
                "name": adopted.name,
                "sent": None if adopted.status is None else adopted.is_sent,
                "differs": list(self.differs),
            }
        return said


RETRIED: Final = f"A person chose {Decision.RETRY}."
"""Said of a row that a person let go on, whatever there is with the service."""
ADOPTED: Final = "A person took the project as it stands."
"""Said of a row whose draft need not say what the row says."""
AS_IT_STANDS: Final = (
    "A person let the draft go as it stands in the service, without what the workbook "
    "says by now."
)
"""Said of a row that was edited after its draft, and whose edit does not count."""
# Journals of earlier versions have this sentence.
_AS_MADE: Final = "A person let the draft go as it was made, without the later edit."
GIVEN_UP: Final = "A person let another draft be made in place of one that is gone."
EDIT_STANDS: Final = frozenset({ADOPTED, AS_IT_STANDS, _AS_MADE})
"""Decisions for which an edit in the workbook holds a row no more."""
_ONE_PROJECT: Final = (
    "Nothing was changed. One project belongs to one row: look for the row's own "
    f"in the portal, or choose {Given.RETRY} or {Given.ABANDON}."
)
_EDITED: Final = "The row was changed after its draft was made"
CHANGED_AFTER_DRAFT: Final = (
    f"{_EDITED}: submit with {Given.UPDATE_DRAFTS} to "
    "change the draft too, undo the change, or give the row a new reference and submit "
    f"with {Given.ACCEPT_REPEATS} to make a new draft."
)


_WHY: Final = " Why: "


async def decided(key: RowKey, *, journal: Journal) -> str:
    return (await journal.let_go(key)).partition(_WHY)[0]


async def unlike_draft(
    entry: Entry, content: ProjectContent, project: Project, *, journal: Journal
) -> tuple[str, ...]:
    """Name the fields in which a draft is not what is to leave for its row.

    A draft that a person took is to say what it said then; no row has its reference.
    """
    differs = differences(content, project)
    if not differs or await decided(entry.key, journal=journal) != ADOPTED:
        return differs
    is_so = content_of_draft(content, project) == content
    return () if is_so else tuple(each for each in differs if each != "reference")


def beyond_words(fields: tuple[str, ...]) -> str:
    return (
        f"{_EDITED}, and the service cannot change {', '.join(fields)} of a draft: "
        f"undo that, or give the row a new reference and submit with "
        f"{Given.ACCEPT_REPEATS} to make a new draft."
    )


def is_held_for_edit(entry: Entry) -> bool:
    return entry.state is State.HELD and entry.reason.startswith(_EDITED)


@dataclass(slots=True, kw_only=True)
class Resolver:
    """Carries out what a person decided about held rows; one list is read for all."""

    journal: Journal
    lookups: Lookups
    clock: Clock
    settle_seconds: float = DEFAULT_SETTLE_SECONDS
    _listed: Scan[Project] | None = None

    async def resolve(self, entry: Entry, word: PersonDecision) -> Resolved:
        """Carry out a person's decision about one held row; sends nothing itself.

        A retry gives up a draft that is gone for good.

        Raises:
            SettingsError: The row is not held, or the project is not visible, is
                another row's by its reference or by the journal, or the row's send was
                accepted and the project is a draft; or the draft may come back, or was
                perhaps sent.
        """
        if (outcome := outcome_of(entry.state)) is not Outcome.HELD:
            raise SettingsError(
                message=f"The row {entry.marker} is not held: it is {outcome}.",
                hint=f"{Next.WAITING} lists the rows that wait for a decision.",
            )
        decision = word.decision
        why = _why(entry, word)
        reason = _reason(entry, decision) + why
        adopts = decision is Decision.ADOPT
        wanted = word.project if adopts else entry.project_id
        if adopts and wanted is None:
            raise SettingsError(
                message=f"{one_line(entry.marker)} is not held for one project alone.",
                hint=f"See {Next.WAITING}, and name the project with {Given.ADOPT}.",
            )
        if decision is Decision.ABANDON or wanted is None:
            state = State.ABANDONED if decision is Decision.ABANDON else State.VALID
            moved = await self.journal.move(
                entry.key, state, at=self.clock.now(), reason=reason
            )
            return Resolved(entry=moved)
        if adopts:
            await self._refuse_owned(entry, wanted)
        if (found := await self.lookups.project(wanted)) is None and not adopts:
            moved = await self._give_up(entry, reason=f"{GIVEN_UP}{why}")
            return Resolved(entry=moved, given_up=wanted)
        if found is None:
            raise SettingsError(
                message="The service does not show that project to this key.",
                hint="Copy the project id from the portal, or use a key of the team.",
            )
        if adopts:
            _refuse_other(entry, found)
        content = entry.content.project
        moved = await self.journal.move(
            entry.key,
            _state_of(entry, found),
            at=self.clock.now(),
            reason=reason,
            project=wanted,
            revised=_as_drafted(entry, content, found) if adopts and content else None,
        )
        differs = () if content is None else differences(content, found)
        return Resolved(entry=moved, adopted=found if adopts else None, differs=differs)

    async def _give_up(self, entry: Entry, *, reason: str) -> Entry:
        """Let a held row, whose draft was just read in vain, begin anew.

        The first reading in vain is written down; a window later another one counts.

        Raises:
            SettingsError: The draft may come back, or was perhaps sent.
        """
        name, now = one_line(entry.marker), self.clock.now()
        if not entry.reason.startswith(NOT_SHOWN):
            await self._refuse_sent(entry)
            await self.journal.move(entry.key, State.DRAFTED, at=now)
            entry = await self.journal.move(entry.key, State.HELD, at=now, reason=GONE)
        again_at = entry.moved_at + timedelta(seconds=self.settle_seconds)
        if now < again_at:
            raise SettingsError(
                message=f"{GONE} It may be late, and {name} stays held.",
                hint=f"Say the same again after {moment_words(again_at)} (NZ time).",
            )
        self._listed = self._listed or await scan_projects(self.lookups)
        found = await scan_projects(self.lookups, search=entry.marker)
        listed = {each.reference for each in (*self._listed.items, *found.items)}
        if entry.marker in listed or not (self._listed.is_stable and found.is_stable):
            raise SettingsError(
                message=f"{GONE} Yet a list may have a project with the reference "
                f"{name}, and it stays held.",
                hint=f"Look for it in the portal. If it is there, name it with "
                f"{Given.ADOPT}; if not, say the same again.",
            )
        return await self.journal.move(entry.key, State.VALID, at=now, reason=reason)

    async def _refuse_sent(self, entry: Entry) -> None:
        attempts = await self.journal.attempts(entry.key)
        sends = (at.verdict for at in attempts if at.intent.step is Step.SEND)
        if entry.state in AFTER_SEND or any(each != "not-done" for each in sends):
            raise SettingsError(
                message=f"{GONE} {one_line(entry.marker)} may have been sent: kawe "
                "does not make it again.",
                hint=f"Look in the portal. If it was never sent, choose "
                f"{Given.ABANDON} and give the row a new reference.",
            )

    async def _refuse_owned(self, entry: Entry, wanted: ProjectId) -> None:
        """Refuse what can be refused without asking the service."""
        if entry.content.project is None:
            raise SettingsError(
                message=f"{one_line(entry.marker)} is {entry.kind.one}: no project can "
                "be its own.",
                hint=f"Choose {Given.RETRY} or {Given.ABANDON}.",
            )
        if (key := await self.journal.owner_of(wanted)) is None or key == entry.key:
            return
        owner = (await self.journal.find([key]))[key]
        raise SettingsError(
            message="Another row of this journal has that project: "
            f"{_named(owner.marker, owner.content.name)}.",
            hint=_ONE_PROJECT,
        )


def _why(entry: Entry, word: PersonDecision) -> str:
    """Say why a person decided so, and of which projects they knew."""
    beside = "; ".join(f"{said} ({each})" for said, each in projects_in(entry.reason))
    whys = ". Beside: ".join(filter(None, (one_line(word.why), beside)))
    return f"{_WHY}{whys}" if whys else ""


def _as_drafted(entry: Entry, content: ProjectContent, project: Project) -> Entry:
    """Give a row with what `project` says, and marked where that is something else."""
    said = content_of_draft(content, project)
    if said == content:
        return entry
    mark = of_both(project_fingerprint(said), entry.fingerprint)
    return replace(entry, content=said, fingerprint=mark)


def _refuse_other(entry: Entry, project: Project) -> None:
    """Refuse a project whose reference says that it is another row's.

    Not one without a reference, which was made by hand, nor one that the row is held
    for.
    """
    reference = clean(project.reference or "")
    named = {each for _, each in projects_in(entry.reason)}
    if reference in {"", clean(entry.marker)} or project.id in named:
        return
    raise SettingsError(
        message=f"That project is {_named(reference, project.name)}, not "
        f"{one_line(entry.marker)}.",
        hint=_ONE_PROJECT,
    )


def _named(reference: str, name: str) -> str:
    return f"{one_line(reference, limit=80)} (“{one_line(name, limit=80)}”)"


def _reason(entry: Entry, decision: Decision) -> str:
    # `Journal.let_go` gives this again until the row is sent.
    if decision is Decision.ADOPT:
        return ADOPTED
    if decision is Decision.RETRY and is_held_for_edit(entry):
        return AS_IT_STANDS
    return f"A person chose {decision}."


def _state_of(entry: Entry, project: Project) -> State:
    if project.is_sent:
        return State.SENT
    if entry.state is State.UNCONFIRMED:
        raise SettingsError(
            message=f"The service accepted the send of {entry.marker} and shows a "
            "draft: kawe does not send a row twice.",
            hint=f"Send it in the portal and {Next.AGAIN}, or give the "
            f"row up with {Given.ABANDON}.",
        )
    return State.READY if entry.wants_send else State.DRAFTED


def resolved_lines(resolved: Resolved) -> Iterator[str]:
    """Say what became of the row."""
    moved, adopted = resolved.entry, resolved.adopted
    outcome = outcome_of(moved.state)
    goes_on = outcome not in {Outcome.SENT, Outcome.ABANDONED}
    how = "" if goes_on else f"; it is {outcome}"
    yield f"{one_line(moved.marker)} is no longer held{how}."
    if adopted is not None:
        yield from _adopted_lines(resolved, adopted)
    if resolved.given_up is not None:
        yield _given_up_line(resolved)
    if moved.reason.startswith(AS_IT_STANDS):
        yield (
            "Its draft goes as it stands in the service; what the workbook says now "
            "is not applied."
        )
    elif goes_on and resolved.differs and adopted is None:
        yield (
            f"Its draft says something else than the row in "
            f"{', '.join(resolved.differs)}. Let both say the same, or the next submit "
            f"holds the row again; {Given.ADOPT} would send the draft as it stands."
        )
    if outcome is Outcome.SENT:
        yield "The service shows it as sent; kawe does not send it again."
    elif goes_on:
        yield "Submit its workbook again to let it go on."


def _given_up_line(resolved: Resolved) -> str:
    return (
        f"The draft of {one_line(resolved.entry.marker)} that is gone is given up "
        f"({resolved.given_up}): the next submit makes another one."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRows:
    """What came of one decision about many rows."""

    done: Sequence[Resolved]
    left: Sequence[tuple[Entry, SettingsError]]
    """Those that stay held, and why."""

    def as_json(self) -> dict[str, Any]:
        return {
            "resolved": [each.as_json() for each in self.done],
            "held": [
                {"reference": entry.marker, "why": str(trouble)}
                for entry, trouble in self.left
            ],
        }

    def lines(self) -> Iterator[str]:
        """Say which rows stay held, and which drafts go that say something else."""
        freed = counted(len(self.done), "row is", "rows are")
        yield f"{freed} no longer held; {len(self.left):,} stay so."
        yield from (f"{one_line(e.marker)} stays held: {why}" for e, why in self.left)
        differing: dict[str, list[str]] = {}
        for each in self.done:
            if each.differs and each.entry.reason.startswith(ADOPTED):
                rows = differing.setdefault(", ".join(each.differs), [])
                rows.append(one_line(each.entry.marker))
        if differing:
            yield (
                "These are taken as they stand in the service, though their rows "
                "differ:"
            )
        yield from (f"  {', '.join(rows)}: in {why}" for why, rows in differing.items())
        yield from (_given_up_line(e) for e in self.done if e.given_up is not None)


def _adopted_lines(resolved: Resolved, adopted: Project) -> Iterator[str]:
    """Say which project now belongs to the row."""
    yield f"Its project is “{one_line(adopted.name)}”, {standing(adopted)}."
    if not resolved.differs:
        return
    will_go = resolved.entry.wants_send and not adopted.is_sent
    stays = "goes to iwi" if will_go else "stays"
    yield (
        f"It differs from the row in {', '.join(resolved.differs)}, and {stays} as it "
        "stands in the service."
    )
