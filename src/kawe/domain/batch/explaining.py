"""How the rows stand, in words: what each outcome means, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.batch.advice import STAYS_DRAFT
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.batch.tokens import packs_words
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted

_NOTHING: Final = "Nothing."
_AGAIN: Final = "Run the same command again; rows that are done are left alone."
_MODES: Final = {
    "live": "Live: projects reach iwi, and each send uses a token.",
    "sandbox": "Sandbox: nothing reaches iwi, and no tokens are used.",
    "": "Check only: nothing was sent.",
}


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
    Outcome.ALREADY_THERE: Explained(means=SheetKind.there[1], next_step=_NOTHING),
    Outcome.NOT_AS_ASKED: Explained(
        means="The person has another role, or is not in the team although they were "
        "invited once. kawe invites nobody twice.",
        next_step="Change the role, or send the invitation again, in the portal.",
    ),
    Outcome.DRAFTED: Explained(
        means="The project is in the service as a draft. No iwi can see it.",
        next_step=STAYS_DRAFT,
    ),
    Outcome.READY: Explained(
        means="The row was checked and found right. Nothing has been sent.",
        next_step="Submit the workbook: kawe submit.",
    ),
    Outcome.INVALID: Explained(
        means="Something in the row must be corrected first. Nothing was sent.",
        next_step="Correct the red cells in the result workbook and submit it.",
    ),
    Outcome.DEFERRED: Explained(
        means="The project is ready as a draft, but there was no token for it.",
        next_step="Buy tokens in the portal, then run kawe release.",
    ),
    Outcome.HELD: Explained(
        means="kawe stopped at this row: a person has to decide.",
        next_step="Run kawe held to see why; then decide with kawe resolve.",
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
"""In the order of the summary: done first."""
TOO_LATE: Final = Explained(
    means="Rows of these that were done before; the change is not applied.",
    next_step="Undo the change in your workbook, or make it in the portal.",
)


def mode_words(mode: str) -> str:
    return _MODES.get(mode, mode)


def explained_counts(
    report: BatchReport, counts: Counter[Outcome]
) -> Iterator[tuple[Outcome, int, Explained]]:
    """Give each outcome that rows have, how many have it, and what that means."""
    for outcome, explained in OUTCOMES.items():
        if counts[outcome]:
            yield outcome, counts[outcome], _of(report, outcome, explained)


def _of(report: BatchReport, outcome: Outcome, said: Explained) -> Explained:
    if outcome is Outcome.ALREADY_THERE:
        return replace(said, means=SheetKind.named(report.kind).there[1])
    if outcome is Outcome.DRAFTED:
        return replace(said, next_step=_way(report))
    if outcome is Outcome.READY and report.sending is not None:
        means = f"{said.means} Of these: {report.sending.words()}."
        return replace(said, means=means)
    return said


def _way(report: BatchReport) -> str:
    """Say how the drafts of a report are sent."""
    sending = report.sending
    if sending is None:
        return STAYS_DRAFT
    if sending.drafts_only and sending.asked:
        return "Submit again without --drafts-only; see the sheet with your rows."
    return sending.way()


def token_sentences(report: BatchReport, *, waiting: int) -> Iterator[str]:
    """Say how many tokens the rows need that wait for them, and the packs."""
    left = report.tokens_left
    short = max(waiting - (left or 0), 0)
    waits = counted(waiting, "row waits", "rows wait")
    yield f"{waits} for {counted(waiting, 'token')}."
    if left is not None:
        yield f"The team has {counted(left, 'token')} now."
    if short:
        yield (
            f"{counted(short, 'more is', 'more are')} needed. In the portal, "
            f"{packs_words(short)}. kawe itself never buys."
        )
    yield "When the tokens are there, run kawe release."
