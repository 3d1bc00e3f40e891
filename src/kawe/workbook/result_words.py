"""What each outcome, mode and severity is called in a result workbook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import Severity

_NOTHING: Final = "Nothing."
_AGAIN: Final = "Run the same command again; rows that are done are left alone."


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """An outcome in plain words."""

    means: str
    next_step: str


OUTCOMES: Final = {
    Outcome.SENT: Explained(
        means="The project has been sent to iwi.",
        next_step="Nothing. Answers appear in the portal.",
    ),
    Outcome.INVITED: Explained(
        means="The person has been invited to the team.", next_step=_NOTHING
    ),
    Outcome.DONE: Explained(
        means="What the row asks for has been done.", next_step=_NOTHING
    ),
    Outcome.ALREADY_THERE: Explained(
        means="The person is in the team already, or has an open invitation.",
        next_step=_NOTHING,
    ),
    Outcome.DRAFTED: Explained(
        means="The project is in the service as a draft. No iwi can see it.",
        next_step="Write Yes in the column Send when it should go, and submit again.",
    ),
    Outcome.READY: Explained(
        means="The row was checked and found right. Nothing has been sent.",
        next_step="Submit the workbook: kawe submit.",
    ),
    Outcome.INVALID: Explained(
        means="Something in the row must be corrected first. Nothing was sent.",
        next_step="Correct the red cells, save this workbook and submit it.",
    ),
    Outcome.DEFERRED: Explained(
        means="The project is ready as a draft, but there was no token for it.",
        next_step="Buy tokens in the portal, then run kawe release.",
    ),
    Outcome.HELD: Explained(
        means="kawe stopped at this row: a person has to decide.",
        next_step="See the sheet Waiting; then run kawe held and kawe resolve.",
    ),
    Outcome.IN_DOUBT: Explained(
        means=(
            "The answer of the service was lost. kawe will not send again before it "
            "knows what happened."
        ),
        next_step="Run the same command again: kawe asks the service first.",
    ),
    Outcome.UNFINISHED: Explained(
        means="The run stopped before this row's turn.", next_step=_AGAIN
    ),
    Outcome.WITHDRAWN: Explained(
        means="The row was taken out before a project was made of it.",
        next_step=_NOTHING,
    ),
    Outcome.ABANDONED: Explained(
        means="A person gave the row up: kawe resolve, or kawe deferred drop.",
        next_step="Nothing. A draft that is left can be removed in the portal.",
    ),
}
"""In the order in which the summary lists them: done first, then what is left."""

SEVERITIES: Final = {
    Severity.ERROR: "Must be corrected",
    Severity.WARNING: "Please look",
    Severity.NOTE: "For your information",
}

_MODES: Final = {
    "live": "Live: projects reach iwi, and each send uses a token.",
    "sandbox": "Sandbox: nothing reaches iwi, and no tokens are used.",
    "": "Check only: nothing was sent.",
}


def mode_words(mode: str) -> str:
    """Say what the mode of a run means."""
    return _MODES.get(mode, mode)
