"""Whether what was sent looks sent: read back at once, and again on a schedule."""

from collections.abc import Sequence
from typing import Final

from kawe.domain.rows.edits import words_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import State, read_times
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError
from kawe.flows.run import Run

_PARTS: Final = (
    *("reference", "name", "description", "type", "phase"),
    *("start_at", "end_at", "respond_by_at", "place"),
)
"""What a person agreed to of a project."""


async def confirm_sent(run: Run, entries: Sequence[Entry]) -> None:
    """Read back rows that were sent before; `Run.confirm_all` writes it down."""
    for entry in entries:
        if entry.project_id is not None and not run.stop.is_set():
            take_note(run, entry, project=await read_back(run, entry.project_id))
    await run.confirm_all()


async def confirm_late(run: Run) -> None:
    """Read back again, within a settle window, what was not shown as sent yet."""
    for at in read_times(run.clock.elapsed(), settle_seconds=run.settle_seconds):
        if not run.tally.unconfirmed or run.stop.is_set():
            return
        await run.wait_until(at)
        waiting, run.tally.unconfirmed = run.tally.unconfirmed, {}
        await confirm_sent(run, [entry for entry, _ in waiting.values()])
    for entry, project in run.tally.unconfirmed.values():
        if project is not None and project.is_draft and entry.state is State.SENT:
            await run.move(
                entry,
                State.UNCONFIRMED,
                reason="The service accepted the send but still shows a draft.",
            )


def take_note(run: Run, entry: Entry, *, project: Project | None) -> None:
    """Note how the service shows a row that was sent."""
    if project is not None and project.is_sent:
        run.tally.read_back.append(entry)
        if words := _changes(run.tally.looked_at.pop(entry.key, project), project):
            run.tally.sent_otherwise[entry.key] = (
                f"{entry.marker} went out otherwise than agreed: {words}."
            )
        if project.iwi:
            run.tally.sent_to[entry.key] = project.iwi
    elif entry.state is State.SENT:
        run.tally.unconfirmed[entry.key] = (entry, project)


async def read_back(run: Run, project_id: ProjectId) -> Project | None:
    """Read a project; an error stops the run, and nothing is lost."""
    try:
        return await run.lookups.project(project_id)
    except KaweError as trouble:
        run.stop.set(trouble)
        return None


def _changes(was: Project, now: Project) -> str:
    """Say in what a project that was agreed to has changed, from what to what."""
    said = (
        (part, words_of(getattr(was, part)), words_of(getattr(now, part)))
        for part in _PARTS
    )
    changed = [f"{p} from {one_line(a)} to {one_line(b)}" for p, a, b in said if a != b]
    return "; ".join(changed).replace("_at from", " from")
