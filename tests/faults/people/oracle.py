"""What must be true of a world with people in it when all have come to rest."""

from __future__ import annotations

from collections.abc import Iterator

from doubles.memory_journal import MemoryJournal, at_once
from faults.people.books import number_of
from faults.people.world import Setting, World
from faults.simulation.kept import Kept
from faults.simulation.oracle import Findings
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import MAX_CREATES
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import EDITED, REPLACED, Finding, Severity

_ENOUGH = 3
_UNSEEN_SECONDS = 3.0
"""From the reading of a draft to the request that sends it, and some more."""


def live(setting: Setting) -> tuple[Findings, World]:
    """Let a world live, and hold what became of it against the promises."""
    world = World(setting=setting)
    world.live()
    findings = Findings(worlds=1, rows=world.press.made)
    _judge(world, findings)
    for person in world.people:
        computer = person.computer
        findings.runs += computer.runs
        findings.ends.update(computer.ends)
        findings.others.update(person.did)
        findings.unsaid += computer.unsaid
        findings.claimed += computer.claimed
        findings.broken += computer.broken
    findings.struck.update(world.weather.struck)
    findings.others.update(world.colleague.did)
    if world.acts_at_rest and not world.character.service_is:
        findings.broken.append(f"a pass at rest made {world.acts_at_rest} unsafe calls")
    findings.broken = [f"seed {setting.seed}: {each}" for each in findings.broken]
    return findings, world


def _judge(world: World, findings: Findings) -> None:
    if world.character.service_is:
        findings.broken += _of_odd_service(world)
        findings.outcomes[world.character.service_is] += world.press.made
        return
    projects, rows = world.of_row(), _Rows(world)
    for number in range(1, world.press.made + 1):
        _judge_row(findings, rows, number=number, projects=projects.get(number, []))


class _Rows:
    """How each row stands on every computer."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.excused = world.excused | world.touched()
        self.entries: dict[int, list[Entry]] = {}
        self.wanted: set[int] = set()
        self.asked: set[int] = set()
        for computer in world.computers:
            for entry in computer.entries():
                number = number_of(entry.content.name)
                self.entries.setdefault(number, []).append(entry)
            for book in computer.books:
                self.wanted |= {number_of(row.name) for row in book.rows if row.send}
            if computer.journal is not None:
                self._read_lines(MemoryJournal(store=computer.journal.store))

    def _read_lines(self, journal: MemoryJournal) -> None:
        for batch in at_once(journal.batches()):
            for reading in at_once(journal.readings(batch.name)):
                for line in at_once(journal.lines(batch.name, reading=reading)):
                    if line.row is None or any(map(_asks, line.findings)):
                        self.asked.add(number_of(str(line.raw[0])))

    def held(self, number: int) -> list[Entry]:
        """Give what waits for a person, on any computer."""
        entries = self.entries.get(number, [])
        return [e for e in entries if outcome_of(e.state) is Outcome.HELD]


def _asks(finding: Finding) -> bool:
    """Say whether a finding asks for a word or a correction."""
    is_edited = finding.rule in {EDITED, REPLACED}
    return is_edited or finding.severity is Severity.ERROR


def _judge_row(
    findings: Findings, rows: _Rows, *, number: int, projects: list[Kept]
) -> None:
    sends = sum(len(each.sends) for each in projects)
    by_hand = any(each.by_hand for each in projects)
    outcome = _outcome(rows, number, sent=bool(sends) or by_hand)
    findings.outcomes[outcome] += 1
    if sends > 1 and _is_race(rows.world, projects):
        findings.raced += 1
    elif sends > 1:
        findings.doubled += 1
        findings.broken.append(
            f"row {number} was sent {sends} times: {_told(projects)}"
        )
    elif sends and by_hand:
        findings.by_hand_too += 1
        if _after_a_hand(rows.world, projects):
            findings.doubled += 1
            findings.broken.append(
                f"row {number} was sent after a colleague: {_told(projects)}"
            )
    held = rows.held(number)
    findings.broken += [
        f"row {number} is held for no reason" for e in held if not e.reason
    ]
    if held or number in rows.asked:
        if number in rows.excused or rows.world.character.loses_journals:
            findings.held_otherwise += 1
        else:
            findings.held_for_faults += 1
            findings.to_a_person.append(
                f"seed {rows.world.setting.seed}: row {number}: "
                + "; ".join(each.reason for each in held)
            )
    if number in rows.wanted and outcome == "lost":
        findings.lost += 1
        states = [each.state.value for each in rows.entries.get(number, [])]
        findings.broken.append(f"row {number} is lost: {states}")
    own = {each.project_id for each in rows.entries.get(number, [])}
    spare = [each for each in projects if not each.is_sent and each.id not in own]
    findings.orphans += len(spare)


def _is_race(world: World, projects: list[Kept]) -> bool:
    """Say whether two computers sent one draft before either could see it sent.

    Both read it as a draft: it is what is said to remain, and counted apart.
    """
    sent = [each for each in projects if each.sends]
    if len(sent) != 1 or len(sent[0].sends) != 2:
        return False
    first, second = sent[0].asked
    is_shown_at = sent[0].sends[0] + world.character.read_lag_seconds
    return first.by is not second.by and second.at <= is_shown_at + _UNSEEN_SECONDS


def _after_a_hand(world: World, projects: list[Kept]) -> bool:
    """Say whether kawe sent what it could see that a colleague had sent."""
    character, window = world.character, world.setting.settle_seconds
    # A send may be carried out long after it was asked for.
    late = window if character.has_faults else 0
    of_its_own = _UNSEEN_SECONDS + character.read_lag_seconds + late
    of_another = of_its_own + character.lag_seconds + window / 2
    return any(
        sent - hand > (of_its_own if each is other else of_another)
        for each in projects
        for sent in each.sends
        for other in projects
        for hand in other.by_hand
    )


def _outcome(rows: _Rows, number: int, *, sent: bool) -> str:
    if sent:
        return "sent"
    if number not in rows.wanted:
        return "not to be sent"
    if rows.held(number):
        return "held"
    return "asked about" if number in rows.asked else "lost"


def _told(projects: list[Kept]) -> str:
    return ", ".join(
        f"project {each.number} at {' '.join(f'{at:.0f}' for at in each.sends)} s"
        + "".join(f", by hand at {at:.0f} s" for at in each.by_hand)
        for each in projects
        if each.sends or each.by_hand
    )


def _of_odd_service(world: World) -> Iterator[str]:
    """Say what was broken where the service itself does not do as it is told."""
    for computer in world.computers:
        workers = computer.manner.workers
        # As many as go together; and some until it is plain that it is the service.
        most = workers + _ENOUGH
        if computer.most_creates > most:
            yield f"{computer.name}: {computer.most_creates} creates in one run"
        for entry in computer.entries():
            yield from _of_odd_entry(world, entry)
    if world.character.service_is == "ignores draft":
        return
    for number, projects in world.of_row().items():
        # A create whose answer was lost cannot be found again there.
        if len(projects) > MAX_CREATES * len(world.computers):
            yield f"row {number} has {len(projects)} drafts"
        if sum(len(each.sends) for each in projects) > 1:
            yield f"row {number} was sent twice"


def _of_odd_entry(world: World, entry: Entry) -> Iterator[str]:
    content = entry.content
    if entry.project_id is None or not isinstance(content, ProjectContent):
        return
    kept = world.service.shelves.by_id[entry.project_id]
    is_said = outcome_of(entry.state) in {Outcome.SENT, Outcome.HELD, Outcome.IN_DOUBT}
    if kept.is_sent and not is_said:
        yield f"{content.name} was sent by the service and is {entry.state}"
