"""What a person is told after a decision about a held row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.naming_projects import standing
from kawe.domain.service.service_words import Project
from kawe.domain.text.counts import counted
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.flows.settle.resolving import ADOPTED, AS_IT_STANDS, Resolved


def resolved_lines(resolved: Resolved, *, adopted: Project | None) -> Iterator[str]:
    """Say what became of the row; `adopted` is the project that was taken for it."""
    moved = resolved.entry
    outcome = outcome_of(moved.state)
    goes_on = outcome not in {Outcome.SENT, Outcome.ABANDONED}
    how = "" if goes_on else f"; it is {outcome}"
    yield f"{one_line(moved.marker)} is no longer held{how}."
    if adopted is not None:
        yield from _adopted_lines(resolved, adopted)
    if resolved.given_up is not None:
        yield given_up_line(resolved)
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


def given_up_line(resolved: Resolved) -> str:
    """Say which draft is given up, and that another one is made."""
    return (
        f"The draft of {one_line(resolved.entry.marker)} that is gone is given up "
        f"({resolved.given_up}): the next submit makes another one."
    )


def all_resolved_lines(
    done: Sequence[Resolved], left: Sequence[tuple[Entry, SettingsError]]
) -> Iterator[str]:
    """Say what became of many rows, and which drafts go that say something else."""
    freed = counted(len(done), "row is", "rows are")
    yield f"{freed} no longer held; {len(left):,} stay so."
    yield from (f"{one_line(e.marker)} stays held: {why}" for e, why in left)
    differing: dict[str, list[str]] = {}
    for each in done:
        if each.differs and each.entry.reason.startswith(ADOPTED):
            rows = differing.setdefault(", ".join(each.differs), [])
            rows.append(one_line(each.entry.marker))
    if differing:
        yield "These are taken as they stand in the service, though their rows differ:"
    yield from (f"  {', '.join(rows)}: in {why}" for why, rows in differing.items())


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
