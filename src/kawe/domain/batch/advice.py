"""What a person should do about a row, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kawe.domain.batch.outcomes import Outcome, RowReport, late_words
from kawe.domain.rows.entries import Entry
from kawe.domain.service.naming_projects import without_ids
from kawe.domain.service.states import IN_DOUBT, State

_AGAIN: Final = "Run the same command again"
_GIVEN_UP: Final = "Nothing: kawe does nothing more for this row."
STAYS_DRAFT: Final = (
    "Nothing; to send it, write Yes in a column Send, which you add where there is "
    "none, and submit again."
)
"""Said of a draft that nobody asked to send, whatever its sheet has: it is done."""
_ADVICE: Final = {
    **dict.fromkeys(IN_DOUBT, f"{_AGAIN}: kawe asks the service first."),
    State.VALID: f"{_AGAIN}: this row's turn did not come.",
    State.FILES_READY: f"{_AGAIN}: this row's turn did not come.",
    State.READY: f"{_AGAIN}: this row's turn did not come.",
    State.DRAFTED: STAYS_DRAFT,
    State.WAIT_TOKENS: "Buy tokens in the portal, then run kawe release.",
    State.INVALID: "Correct the row and submit the workbook again.",
    State.HELD: "See kawe held, look in the portal, then decide with kawe resolve.",
    State.UNCONFIRMED: "Look in the portal. If it was sent, the next run sees it; "
    "if not, send it there: kawe does not send it again.",
    State.WITHDRAWN: "Nothing: the row was taken out before it was created.",
    State.ABANDONED: _GIVEN_UP,
    State.SENT: "",
    State.CONFIRMED: "",
    State.RECEIPTED: "",
    State.INVITED: "",
    State.DONE: "",
    State.ALREADY_THERE: "",
}
_WITHOUT: Final = {
    True: "kawe release {} does the same without its workbook.",
    False: "Without its workbook, submit the result that kawe report {} writes.",
}
_ITS_DRAFT: Final = (
    "What the service has of it stays there until you remove it in the portal."
)
_NOT_SENT: Final = "It is a draft and not sent yet:"
_SENT_BY_SAME: Final = f"{_NOT_SENT} run the same command again."
_SENT_BY_SUBMIT: Final = (
    f"{_NOT_SENT} submit the workbook without --drafts-only to send it."
)
_OVER: Final = frozenset({Outcome.WITHDRAWN, Outcome.ABANDONED})
_FIRST: Final = (
    Outcome.HELD,
    Outcome.NOT_AS_ASKED,
    Outcome.IN_DOUBT,
    Outcome.DEFERRED,
    Outcome.UNFINISHED,
    Outcome.INVALID,
)


def not_done(rows: Iterable[RowReport]) -> list[RowReport]:
    """Give the rows about which something is left to do, the most urgent first.

    A row of another batch is not done there.
    """
    left = [
        row
        for row in rows
        if row.what_to_do.replace(STAYS_DRAFT, "")
        # A draft that went as it stood, as a person wanted, is done.
        and (
            row.is_changed_too_late
            or row.what_to_do != late_words(row.outcome, row.findings)
        )
        and row.outcome not in _OVER
        and not row.of_batch
    ]
    order = {outcome: at for at, outcome in enumerate(_FIRST)}
    return sorted(left, key=lambda row: order.get(row.outcome, len(order)))


def advice_for(entry: Entry, *, same_sends: bool = False, way: str = "") -> str:
    """Say what to do about a row: why it stands so, then the next step.

    `same_sends`: the command of the report would send it. `way` says how a draft of
    its sheet is sent.
    """
    step = _step(entry, same_sends=same_sends, way=way)
    reason = without_ids(entry.reason).strip()
    if reason and not reason.endswith((".", "!", "?")):
        reason += "."
    return f"{reason} {step}".strip()


def _step(entry: Entry, *, same_sends: bool, way: str) -> str:
    if entry.state is State.DRAFTED and entry.wants_send:
        return _SENT_BY_SAME if same_sends else _SENT_BY_SUBMIT
    if entry.state is State.DRAFTED and way:
        return way
    if entry.state is State.ABANDONED and entry.project_id is not None:
        return f"{_GIVEN_UP} {_ITS_DRAFT}"
    if entry.state is State.READY and entry.reason:
        return f"{_AGAIN}."
    step = _ADVICE[entry.state]
    if entry.state in IN_DOUBT:
        # Its workbook may be gone, or say something else by now.
        return f"{step} {_WITHOUT[entry.kind.has_drafts].format(entry.batch)}"
    return step
