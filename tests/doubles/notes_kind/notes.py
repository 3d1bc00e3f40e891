"""A third kind of sheet: notes to oneself, on projects that are there already.

All that kawe must know of it stands in this folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import fingerprint_of, sha256_of
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import RowKey, State, Step, doubts_about
from kawe.domain.sheet.content import PlainContent
from kawe.domain.sheet.findings import Severity, blocks
from kawe.domain.sheet.tables import Table, TableRow
from kawe.flows.checked_rows import CheckContext, CheckedRow, mark, schema_findings
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission
from kawe.flows.run import Run
from kawe.flows.submit.submitting import in_rounds

NOTE = Step("note")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteContent(PlainContent):
    """What a row of notes says."""

    about: str
    content: str
    meeting_type: str = "OTHER"
    project_id: str = ""
    """The project that has the reference; empty until the service was asked."""

    @property
    def name(self) -> str:
        return self.content

    @property
    def identified_by(self) -> tuple[str, str]:
        return "content", "project and note"

    @property
    def body(self) -> dict[str, object]:
        """Give what is asked for (NoteBody)."""
        return {"content": self.content, "meeting_type": self.meeting_type}


class NotesKind(Kind):
    """Rows that are written down on the thread of a project, for nobody else."""

    word = "memos"
    package = "doubles.notes_kind"
    content = NoteContent
    sheet_names = frozenset({"memos", "memo"})
    guide = ("Fill in one row for each note.", "Submit it: kawe submit notes.xlsx.")
    steps: ClassVar = {NOTE: ("write notes", "to write it")}
    done = Outcome.DONE.value
    one = "a note"
    act = "note"
    will = "be written"
    acts = ("note to write", "notes to write")
    does = ("write {count}", "note", "notes")
    undone = "Nothing was written."
    is_real_in_sandbox = True

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        """Check every row by itself."""
        return tuple(self._read(row, context) for row in table.rows)

    def _read(self, row: TableRow, context: CheckContext) -> CheckedRow:
        found = (*row.findings, *schema_findings(row, kind=self, context=context))
        if blocks(found):
            return CheckedRow(row=row, findings=found)
        content = NoteContent(**{name: str(v) for name, v in row.values().items()})
        digest = sha256_of([content.about, content.content])
        return CheckedRow(
            row=row,
            findings=found,
            key=RowKey(f"note:{digest}"),
            content=content,
            marker=f"N{digest[:8]}",
            take_fingerprint=partial(fingerprint_of, content.body),
        )

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Ask which projects are meant."""
        return Answers(rows=tuple([await _about(row, inquiry) for row in rows]))

    async def submit(self, submission: Submission) -> None:
        """Write every note down, once."""
        run = submission.run

        async def settle(entries: Sequence[Entry]) -> None:
            for entry in entries:
                if entry.state in doubts_about(NOTE) and not run.stop.is_set():
                    await _settle(run, entry)

        async def act(entries: Sequence[Entry], _: None) -> None:
            for entry in entries:
                if entry.state is State.VALID and not run.stop.is_set():
                    await _write(run, entry)

        await in_rounds(submission, settle=settle, act=act)


async def _about(row: CheckedRow, inquiry: Inquiry) -> CheckedRow:
    content = row.content
    if not isinstance(content, NoteContent):
        return row
    page = await inquiry.asker.tools.lookups.projects(page=1, search=content.about)
    found = [each.id for each in page.items if each.reference == content.about]
    if len(found) == 1:
        return replace(row, content=replace(content, project_id=found[0]))
    finding = mark(
        row.row,
        "about",
        Severity.ERROR,
        rule="no-project",
        message="The service has no such project.",
        advice="Type the reference as it is there.",
    )
    return replace(row, findings=(*row.findings, finding))


async def _write(run: Run, entry: Entry) -> None:
    """Write one note, unless it is there already."""
    before, content = await _there(run, entry)
    if before or not await run.pace.turn():
        if before:
            await run.move(entry, State.ALREADY_THERE)
        return
    intent = await run.intend(entry, NOTE, content.body)
    await run.journal.note([intent])
    verdict = await run.acts.act(
        NOTE, "note_create", path={"id": content.project_id}, body=content.body
    )
    await run.conclude(intent, verdict)


async def _settle(run: Run, entry: Entry) -> None:
    """Settle a doubt by reading; what is not there may still be on its way."""
    there, _ = await _there(run, entry)
    if not there:
        await run.wait_until(run.clock.elapsed() + run.settle_seconds)
        there, _ = await _there(run, entry)
    if there:
        await run.move(entry, State.DONE, reason="Written (confirmed later).")
    elif not run.stop.is_set():
        await run.move(entry, State.VALID)


async def _there(run: Run, entry: Entry) -> tuple[list[str], NoteContent]:
    """Give the ids of the notes that say the same, and what that is."""
    content = entry.content
    if not isinstance(content, NoteContent):
        raise TypeError(f"{entry.key} is no note")
    project = ProjectId(content.project_id)
    page = await run.lookups.listed("engagement_list", path={"id": project}, page=1)
    same = [e for e in page.items if e["content"] == content.content]
    return [str(each["id"]) for each in same], content
