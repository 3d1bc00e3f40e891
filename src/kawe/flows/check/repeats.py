"""Rows that repeat a project: one that was sent, is a draft, or stood here before.

Whatever reference, journal, sheet, workbook, computer and month: a row without a
project of its own is compared with all that the team has and all that the journal
knows. What is likely a repeat is never sent without a person's word.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from typing import Final

from kawe.domain.rows.comparing import (
    KnownWork,
    KnownWorks,
    Likeness,
    Traits,
    agreement,
    is_excused,
    is_next_round,
    is_over,
    moved_references,
    traits_of,
    traits_of_project,
)
from kawe.domain.rows.edits import differences
from kawe.domain.rows.entries import Entry, KnownRow, projects_among
from kawe.domain.rows.identity import reference_in
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import BEFORE_CREATE, RowKey, State, Step
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import (
    ACT_AGAIN,
    EDITED,
    SENT_ELSEWHERE,
    Finding,
    Remark,
    RowRef,
    Severity,
)
from kawe.domain.sheet.tables import Table
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, fold, near_reference, one_line
from kawe.flows.check.reusing import is_reused, keys_of
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.look import TeamLook
from kawe.ports import Journal

LIKELY_REPEAT: Final = "likely-repeat"
ON_SHEETS: Final = "row-on-sheets"
REPEATS: Final = frozenset({LIKELY_REPEAT, ON_SHEETS, ACT_AGAIN})
NEXT_ROUND: Final = "next-round"
REFERENCES_MOVED: Final = "references-moved"
_UNCLEAR: Final = frozenset(
    {State.SEND_INTENT, State.SEND_DOUBT, State.HELD, State.ABANDONED}
)
_ANOTHER: Final = frozenset({"new", "hou"})
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_SHOWN: Final = 3
WORD: Final = (
    "if it is another one, write new under Repeat of, or submit with "
    f"{Given.ACCEPT_REPEATS}."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A project that rows are compared with, as the service or the journal has it."""

    id: ProjectId
    name: str
    marker: str
    traits: Traits
    came: str
    """How far it came, as in: was sent on 21 November 2026."""
    is_sent: bool
    """It was sent, or may have been."""
    at: datetime
    """When it was sent; of a draft, when it was made."""
    entry: Entry | None = None
    """The row of this journal that it belongs to."""
    shown: Project | None = None
    """As the service shows it."""

    def __str__(self) -> str:
        """Name it, and say how far it came."""
        name = f"“{one_line(self.name, limit=60)}”"
        return f"{one_line(self.marker, limit=60)} {name}, which {self.came}".lstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBefore:
    """All that the rows of a sheet are compared with."""

    works: KnownWorks[Earlier]
    by_id: Mapping[str, Earlier]
    by_marker: Mapping[str, Earlier]
    known: Mapping[RowKey, KnownRow]
    """The rows that the journal knows."""
    first_read: Mapping[RowKey, datetime]
    unowned: frozenset[str] = frozenset()
    """The markers of known rows whose draft is in doubt."""

    def like(
        self, row: CheckedRow, traits: Traits, *, here: Collection[RowKey]
    ) -> Iterator[tuple[Earlier, Likeness]]:
        """Give what a row likely repeats, and how; `here` are the keys of its sheet."""
        known = None if row.key is None else self.known.get(row.key)
        own = self.by_marker.get(row.marker)
        if own is not None and own.shown is not None:
            # It is that project, or a person decides about the two.
            return
        for kept, agrees in self.works.like(traits):
            earlier, entry = kept.of, kept.of.entry
            is_here = entry is not None and entry.key in here
            if not earlier.is_sent and (is_here or earlier.marker in self.unowned):
                # A person put the two side by side.
                continue
            is_mate = known and entry and known.batch == entry.batch
            read_at = self.first_read.get(row.key or RowKey(""), _NEVER)
            if not ((is_mate and read_at <= earlier.at) or is_excused(traits, kept)):
                yield earlier, agrees

    def covers(self, row: CheckedRow, like: Sequence[tuple[Earlier, Likeness]]) -> bool:
        """Check that the word of a row's own cell covers what it likely repeats.

        Not what was made after the row was first read, nor what it repeats wholly:
        such a cell was copied with the row.
        """
        read_at = self.first_read.get(row.key or RowKey(""), _NEVER)
        return not any(e.at > read_at or agrees.is_whole for e, agrees in like)


NOTHING_BEFORE: Final = KnownBefore(
    works=KnownWorks(()), by_id={}, by_marker={}, known={}, first_read={}
)


def references_of(
    entries: Sequence[Entry], before: KnownBefore
) -> list[tuple[str, Traits]]:
    """Give what known rows said, by the keys of their references."""
    of_team = {f"ref:{name}": each.traits for name, each in before.by_marker.items()}
    # Of a purged row only the service says what it was.
    said = (
        (each, content) for each, content in projects_among(entries) if content.name
    )
    own = {str(each.key): traits_of(content) for each, content in said}
    return list((of_team | own).items())


def is_new(row: CheckedRow, known: Mapping[RowKey, KnownRow]) -> bool:
    """Check that a row is about a project, and has none yet in this journal."""
    before = None if row.key is None else known.get(row.key)
    return row.project is not None and (before is None or before.state in BEFORE_CREATE)


async def what_was_before(
    rows: Sequence[CheckedRow],
    *,
    known: Mapping[RowKey, KnownRow],
    look: TeamLook,
    journal: Journal,
    today: date,
) -> KnownBefore:
    """Gather what the team has and what the journal knows of works like these rows."""
    said = [row.project for row in rows if row.project is not None]
    # Mostly the journal has no row that the team has not, and none is needed.
    here = cache(lambda: [*map(traits_of, said)])
    wanted = cache(lambda: KnownWorks(KnownWork(traits=e, of=None) for e in here()))
    shown = {each.id: each for each in look.projects.values() if not each.is_of_iwi}

    def may_matter(entry: Entry) -> bool:
        content = entry.content.project
        return content is not None and (
            entry.project_id in shown or wanted().has_like(_kept_of(entry, content))
        )

    entries = await journal.made(may_matter, beside=())
    sent_at = await journal.sent_at(entry.key for entry in entries)
    kept = []
    owned: dict[ProjectId, Earlier] = {}
    for entry, content in projects_among(entries):
        earlier = await _of_journal(entry, content, sent_at, journal=journal)
        if (there := shown.get(earlier.id)) is not None:
            # Of a purged row only the service says what it was.
            traits = earlier.traits if content.name else traits_of_project(there)
            earlier = replace(earlier, shown=there, traits=traits)
        owned[earlier.id] = earlier
        # Of a row that was given up before a send nothing is left but its draft.
        if earlier.is_sent or entry.state is not State.ABANDONED:
            over = is_over(shown.get(earlier.id), content.end_on, today)
            kept.append(KnownWork(traits=earlier.traits, of=earlier, is_over=over))
    for project in shown.values():
        traits = traits_of_project(project)
        kept.append(
            KnownWork(
                traits=traits,
                of=owned.get(project.id) or _of_service(project, traits),
                is_over=is_over(project, traits.days[1], today),
            )
        )
    earlier_ones = [each.of for each in kept]
    return KnownBefore(
        works=KnownWorks(kept, beside=here() if kept else ()),
        by_id={each.id: each for each in earlier_ones},
        by_marker={each.marker: each for each in earlier_ones if each.marker},
        known=known,
        first_read=await journal.first_read(known),
        unowned=frozenset(
            row.marker
            for row in known.values()
            if row.project_id is None and row.state not in BEFORE_CREATE
        ),
    )


def _kept_of(entry: Entry, content: ProjectContent) -> Traits:
    # Of a purged row nothing but its key says what the reference was.
    reference = near_reference(reference_in(entry.key) or "")
    return replace(traits_of(content), reference=reference)


async def _of_journal(
    entry: Entry,
    content: ProjectContent,
    sent_at: Mapping[RowKey, datetime],
    *,
    journal: Journal,
) -> Earlier:
    at, came, is_sent = entry.moved_at, "became a draft", False
    if entry.key in sent_at:
        at, came, is_sent = sent_at[entry.key], "was sent", True
    elif entry.state in _UNCLEAR:
        attempts = await journal.attempts(entry.key)
        sends = [each for each in attempts if each.intent.step is Step.SEND]
        if sends and sends[-1].verdict in {None, "unknown"}:
            came, is_sent = "may have been sent", True
    return Earlier(
        id=entry.project_id or ProjectId(""),
        name=entry.content.name,
        marker=entry.marker,
        traits=_kept_of(entry, content),
        came=f"{came} on {day_words(day_in_new_zealand(at))}",
        is_sent=is_sent,
        at=at,
        entry=entry,
    )


def _of_service(project: Project, traits: Traits) -> Earlier:
    came = "is a draft of the team, made" if project.is_draft else "is sent, and made"
    return Earlier(
        id=project.id,
        name=project.name,
        marker=project.reference or "",
        traits=traits,
        came=f"{came} on {day_words(day_in_new_zealand(project.created_at))}",
        is_sent=not project.is_draft,
        at=project.created_at,
        shown=project,
    )


def mark_repeats(
    rows: Sequence[CheckedRow], *, before: KnownBefore, table: Table, accepts: bool
) -> tuple[CheckedRow, ...]:
    """Refuse rows that likely repeat a project; only warn where a person said so."""
    # A row whose reference another project has now is gone from the sheet.
    here = keys_of(row for row in rows if not is_reused(row))
    proofs = {e.row.ref: own for e in rows if (own := _proof(e, table, before))}
    borne = Counter(proof.id for proof in proofs.values())
    references = {near_reference(marker) for marker in before.by_marker}

    def marked(row: CheckedRow) -> CheckedRow:
        if row.project is None or not is_new(row, before.known):
            return row
        traits, proof = traits_of(row.project), proofs.get(row.row.ref)
        row = _of_column(row, references)
        agrees = proof is not None and agreement(traits, proof.traits).is_any
        if proof is not None and agrees and borne[proof.id] == 1:
            if proof.is_sent and not has_word(row):
                return _sent_already(row, proof)
            is_itself = proof.marker == row.marker
            found = {} if is_itself else {proof.id: (proof, "its Project id says so")}
            is_said = has_word(row)
        else:
            row = _stale(row, table, proof)
            like = list(before.like(row, traits, here=here))
            found = {e.id: (e, agrees.in_words()) for e, agrees in like}
            is_said = has_word(row) and before.covers(row, like)
            sent = [each.traits for each, _ in like if each.is_sent]
            if is_next_round(traits, sent):
                rounds = counted(len(sent), "round")
                message = f"It goes on where {rounds} of the same work were sent."
                note = Severity.NOTE
                return row.marked("name", note, rule=NEXT_ROUND, message=message)
        return _asked(row, [*found.values()], here=here, accepts=accepts or is_said)

    return tuple(map(marked, rows))


def has_word(row: CheckedRow) -> bool:
    """Check that the row says itself whose repeat it is, or that it is another."""
    return bool(row.row.value("repeat_of"))


def _proof(row: CheckedRow, table: Table, before: KnownBefore) -> Earlier | None:
    """Give the project that kawe's own columns name for a row."""
    number = row.row.ref.row
    by_id = before.by_id.get(table.projects.get(number, ""))
    return by_id or before.by_marker.get(table.markers.get(number, ""))


def _of_column(row: CheckedRow, references: set[str]) -> CheckedRow:
    """Refuse an earlier reference in Repeat of that nobody knows."""
    said = str(row.row.value("repeat_of") or "")
    if not said or fold(said) in _ANOTHER or near_reference(said) in references:
        return row
    return row.marked(
        "repeat_of",
        rule="repeat-of-unknown",
        message=f"No earlier project has the reference {one_line(said, limit=60)}.",
        advice="Write the reference of the project that this one repeats, or new.",
    )


def _stale(row: CheckedRow, table: Table, proof: Earlier | None) -> CheckedRow:
    """Say that kawe's columns are no longer about this row."""
    if proof is None and row.row.ref.row in table.projects:
        return row.marked(
            "name",
            Severity.WARNING,
            rule=SENT_ELSEWHERE,
            message="Another account may have sent it: nobody here knows its Project "
            "id.",
            advice="If so, take the row out; if it is new, clear kawe's columns there.",
        )
    if proof is None or proof.marker == row.marker:
        return row
    return row.marked(
        "name",
        Severity.NOTE,
        rule="project-id-stale",
        message=f"kawe's columns beside this row are about {proof}: they are not read.",
    )


def _sent_already(row: CheckedRow, proof: Earlier) -> CheckedRow:
    """Say that a row of a result was edited after its project was sent."""
    said = None if row.content is None else row.content.project
    is_itself = proof.marker == row.marker
    if is_itself and said and proof.shown and not differences(said, proof.shown):
        return row
    return row.marked(
        "name",
        rule=EDITED,
        message=f"This row is {proof}, as kawe's columns say; the edit is not applied.",
        advice="Undo the edit here; if it is another project, write new under Repeat "
        "of.",
    )


def _asked(
    row: CheckedRow,
    found: Sequence[tuple[Earlier, str]],
    *,
    here: Collection[RowKey],
    accepts: bool,
) -> CheckedRow:
    if not found:
        return row
    first, why = min(found, key=lambda each: not each[0].is_sent)
    more = counted(len(found) - 1, "more project is", "more projects are")
    others = f" {more} like it." if len(found) > 1 else ""
    becomes = ": it becomes a second project" if accepts else ""
    is_named = row.said is not None and row.said.identified_by[0] == "reference"
    marked = row.marked(
        "reference" if is_named else "name",
        Severity.WARNING if accepts else Severity.ERROR,
        rule=LIKELY_REPEAT,
        message=f"This looks like {first} ({why}){becomes}.{others}",
        advice="" if accepts else f"{_as_it_was(row, first, here=here)}; {WORD}",
    )
    listed = frozenset(each.id for each, _ in found)
    return replace(marked, repeats=listed)


def _as_it_was(row: CheckedRow, earlier: Earlier, *, here: Collection[RowKey]) -> str:
    """Say how the row becomes again the row of this journal that it may be."""
    if (entry := earlier.entry) is None or entry.key in here:
        return "If it is the same project, take the row out"
    if (reference := reference_in(entry.key)) is not None:
        written = f"write {one_line(reference, limit=60)} in Reference again"
        return f"If it is the same project, {written}"
    back = ", ".join(_said_before(row, entry, earlier.traits))
    return f"If it is the same project, put back what it said ({back})"


def _said_before(row: CheckedRow, entry: Entry, traits: Traits) -> Iterator[str]:
    """Name what a row of this journal said otherwise than the row does now."""
    was, now = entry.content.project, row.project
    if now is not None and now.reference:
        yield "Reference: empty"
    if was is None or now is None:
        return
    if was.name != now.name:
        yield f"Name: {one_line(was.name, limit=80)}"
    headings = ("Start date", "End date", "Respond by")
    days = zip(headings, traits.days, traits_of(now).days, strict=True)
    for heading, then, day in days:
        if then is not None and then != day:
            yield f"{heading}: {day_words(then)}"
    if (was.place, was.address) != (now.place, now.address):
        at = was.address if was.place is None else "{}, {}".format(*was.place.key())
        yield f"place: {one_line(at or 'empty', limit=80)}"


def moved_finding(
    rows: Sequence[CheckedRow], *, table: Table, was: Sequence[tuple[str, Traits]]
) -> tuple[Finding, frozenset[str]] | None:
    """Refuse a sheet whose references stand beside what other known rows said.

    Gives the finding, and the keys that other rows bear now.
    """
    if not was:
        return None
    said = [
        (row.key, traits_of(row.project))
        for row in rows
        if row.key is not None and row.project is not None and row.project.reference
    ]
    moved = moved_references([(str(key), each) for key, each in said], known=was)
    heading = table.heading_of("reference")
    if not moved or heading is None:
        return None
    at = {str(row.key): row.row.ref.row for row in rows}
    steps = Counter(at[key] - at[other] for key, other in moved if other in at)
    step, rows_so = steps.most_common(1)[0] if steps else (0, 0)
    by = f" by {counted(abs(step), 'row')}" if 2 * rows_so > len(moved) else ""
    named = "; ".join(
        f"{one_line(reference_in(RowKey(key)) or '', limit=40)} says now what "
        f"{one_line(reference_in(RowKey(other)) or 'another row', limit=40)} said"
        for key, other in moved[:_SHOWN]
    )
    where = RowRef(sheet=table.sheet, row=table.heading_row).cell(heading.column)
    found = Remark(
        rule=REFERENCES_MOVED,
        message=f"The references have moved{by}: {named}. "
        f"{counted(len(moved), 'row')} in all.",
        advice="Nothing of this sheet is sent until they stand where they stood. If "
        f"they are meant so, submit with {Given.ACCEPT_REFERENCES}; if this column is "
        "no reference, say what it is.",
    ).at(where, heading=heading.text)
    return found, frozenset(key for key, _ in moved)
