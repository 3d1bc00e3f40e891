"""What must be true of a world when everything is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Self

from faults.simulation.command import Ended
from faults.simulation.kept import Kept
from faults.simulation.world import Setting, World
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.content import ProjectContent
from kawe.errors import KaweError

_ANOTHER = "another computer"


@dataclass(slots=True, kw_only=True)
class Findings:
    """What became of one world, or of many."""

    worlds: int = 0
    rows: int = 0
    runs: int = 0
    struck: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    """Where processes ended in the middle."""
    others: Counter[str] = field(default_factory=Counter)
    """What colleagues did meanwhile."""
    outcomes: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    lost: int = 0
    held_for_faults: int = 0
    held_otherwise: int = 0
    """A colleague meddled, the journal was lost, or statuses were null."""
    orphans: int = 0
    orphans_unreported: int = 0
    raced: int = 0
    """Two computers sent one draft within what neither can see; no 409 came."""
    by_hand_too: int = 0
    """A colleague sent in the portal what kawe sent too, or sends another draft."""
    unsaid: int = 0
    """Rows that waited on a computer, and were gone without a word."""
    claimed: int = 0
    """Rows that were reported sent and were not."""
    rewritten: int = 0
    """Rows sent again of which people had rewritten more than two traits."""
    answered: int = 0
    """Rows sent again with a word beside them that was given for an earlier send."""
    stuck: int = 0
    """New rows that no true answer to a question lets go."""
    doubled_by: Counter[str] = field(default_factory=Counter)
    """Second sends by habit; and so the others."""
    new: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    """How many new rows were asked about."""
    workbooks: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)
    asked_again: Counter[str] = field(default_factory=Counter)
    """How many workbooks needed more than one answer."""
    to_a_person: list[str] = field(default_factory=list)
    """Rows that are held, or asked about, though nobody gave a reason to."""
    broken: list[str] = field(default_factory=list)
    """What was not as promised."""

    def __iadd__(self, other: Findings) -> Self:
        """Add another world's."""
        for each in fields(self):
            both = getattr(self, each.name) + getattr(other, each.name)
            setattr(self, each.name, both)
        return self


def live(setting: Setting) -> tuple[Findings, World]:
    """Let a world live, and hold what became of it against the promises."""
    world = World(setting=setting)
    findings = Findings(worlds=1, rows=world.size)
    try:
        world.run_in_trouble()
        world.calm_down()
        ended = world.run()
        if world.character.loses_journals and _ANOTHER in ended.words:
            # What a lost journal had under way looks like somebody at work.
            world.run()
        before = _entries(world)
        again = world.run()
        findings.broken += _at_rest(world, before=before, again=again)
    except KaweError as trouble:
        findings.broken.append(f"{type(trouble).__name__}: {trouble.message}")
    _judge(world, findings)
    findings.runs = world.runs
    findings.struck.update(world.weather.struck)
    findings.ends.update(world.ends)
    findings.others.update(world.colleague.did)
    findings.broken = [f"seed {setting.seed}: {each}" for each in findings.broken]
    return findings, world


def _entries(world: World) -> dict[RowKey, Entry]:
    rows = [] if world.journal is None else world.journal.rows()
    return {entry.key: entry for entry in rows}


def _at_rest(
    world: World, *, before: dict[RowKey, Entry], again: Ended
) -> Iterator[str]:
    after = _entries(world)
    if world.acts:
        yield f"a run after the last made {world.acts} unsafe calls"
    moved = [
        key
        for key, entry in after.items()
        if outcome_of(entry.state) is not outcome_of(before[key].state)
    ]
    if moved:
        yield f"a run after the last moved {moved[:3]}"
    if len(again.outcomes) != world.size:
        yield f"{len(again.outcomes)} outcomes for {world.size} rows ({again.words})"


def _judge(world: World, findings: Findings) -> None:
    entries = _entries(world)
    for each in world.checked.rows:
        assert isinstance(each.content, ProjectContent)
        assert each.key is not None
        entry = entries.get(each.key)
        if entry is None:
            findings.lost += 1
            findings.broken.append(f"{each.key} is in no journal")
            continue
        _judge_row(world, findings, entry=entry, content=each.content)


def _judge_row(
    world: World, findings: Findings, *, entry: Entry, content: ProjectContent
) -> None:
    kept = world.service.marked(entry.marker)
    outcome = outcome_of(entry.state)
    findings.outcomes[outcome] += 1
    sends = sum(len(each.sends) for each in kept)
    if sends > 1:
        findings.doubled += 1
        findings.broken.append(f"{entry.key} was sent {sends} times")
    elif sends and any(each.by_hand for each in kept):
        findings.by_hand_too += 1
    if outcome is Outcome.HELD:
        if world.character.is_ordinary:
            findings.held_for_faults += 1
        else:
            findings.held_otherwise += 1
    trouble = _trouble(entry, content=content, kept=kept)
    if trouble:
        findings.lost += 1
        findings.broken.append(f"{entry.key} {trouble}")
    _count_orphans(findings, entry=entry, kept=kept, world=world)


def _trouble(
    entry: Entry, *, content: ProjectContent, kept: Sequence[Kept]
) -> str | None:
    outcome = outcome_of(entry.state)
    own = [each for each in kept if each.id == entry.project_id]
    if outcome is Outcome.HELD:
        return None if entry.reason else "is held and nobody knows why"
    by_us = any(each.sends for each in kept)
    by_anybody = content.send and any(each.is_sent for each in kept)
    if (by_us or by_anybody) and outcome is not Outcome.SENT:
        return f"was sent and is {outcome}"
    if content.send:
        if outcome is not Outcome.SENT:
            return f"is {outcome} ({entry.state}) at the end"
        return None if own and own[0].is_sent else "is reported sent and is not"
    if outcome is Outcome.SENT and not by_us and own and own[0].is_sent:
        # A colleague sent it by hand before the journal was lost.
        return None
    return None if entry.state is State.DRAFTED and own else f"is {outcome}, no draft"


def _count_orphans(
    findings: Findings, *, entry: Entry, kept: Sequence[Kept], world: World
) -> None:
    own = entry.project_id or (kept[0].id if kept else None)
    orphans = [each for each in kept if each.id != own and not each.is_sent]
    if not orphans:
        return
    findings.orphans += len(orphans)
    if entry.state is not State.HELD:
        findings.orphans_unreported += len(orphans)
        if not world.character.loses_journals:
            findings.broken.append(f"{entry.key} has an orphan that nobody told of")
