"""How old a look at a draft may be when the draft is sent.

It is as old as the request that was answered: a slow answer says how the draft was.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import Final

from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.verdicts import NotDone, Reason
from kawe.flows.run import Run
from kawe.ports import Turns

FRESH_SECONDS: Final = 2.0
_MOST_SECONDS: Final = 15.0
OLD_LOOK: Final = NotDone(
    reason=Reason.NOT_REACHED,
    detail="it answers too slowly, or lets in too few requests, to send safely: what "
    "it says of a draft is too old each time",
)
"""No send was tried, as without a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLook:
    """A draft as the service shows it, and what its age depends on."""

    run: Run
    turns: Turns
    usual_seconds: float
    """The median of the looks before it: a slow one does not excuse itself."""
    project: Project | None

    @property
    def age_seconds(self) -> float:
        """Say how long ago the request left that was answered."""
        return self.run.clock.elapsed() - self.turns.left_at

    @property
    def is_fresh(self) -> bool:
        """Check that the draft may still be sent; say once when that is late."""
        age, tally = self.age_seconds, self.run.tally
        most = max(FRESH_SECONDS + self.turns.waited_seconds, 2 * self.usual_seconds)
        is_fresh = age <= min(most, _MOST_SECONDS)
        if is_fresh and age > FRESH_SECONDS and not tally.is_slow:
            tally.is_slow = True
            self.run.progress.say(
                "The service answers slowly, or lets in few requests: rows leave "
                f"slowly, up to {_MOST_SECONDS:.0f} seconds after kawe has looked at "
                f"their drafts instead of {FRESH_SECONDS:.0f}."
            )
        return is_fresh


async def look_at(run: Run, project_id: ProjectId, *, turns: Turns) -> DraftLook:
    """Read a draft: a colleague may have edited or sent it in the portal."""
    looks = run.tally.look_seconds
    usual_seconds = looks[(len(looks) - 1) // 2] if looks else 0.0
    project = await run.lookups.project(project_id)
    look = DraftLook(run=run, turns=turns, usual_seconds=usual_seconds, project=project)
    insort(looks, look.age_seconds)
    return look
