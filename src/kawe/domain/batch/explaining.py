"""How rows stand, in words: what that means, and what a person should do."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.batch.agreements import packs_words
from kawe.domain.batch.outcomes import (
    GAVE_WAY,
    NOT_REACHED,
    BatchReport,
    Outcome,
    RowReport,
    late_words,
)
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import without_ids
from kawe.domain.service.states import FINISHED, IN_DOUBT, WAITS, State
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import (
    EDITED,
    LATE_MISTAKES,
    REPLACED,
    Finding,
    Severity,
    blocks,
)
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line, some_of

_SAME: Final = f"{Next.AGAIN}"
_GIVEN_UP: Final = "Nothing: kawe does nothing more for this row."
STAYS_DRAFT: Final = (
    "Nothing; to send it, write Yes in a column Send, which you add where there is "
    "none, and submit again."
)
"""Said of a draft that nobody asked to send, whatever its sheet has: it is done."""
_ADVICE: Final = {
    **dict.fromkeys(FINISHED, ""),
    **dict.fromkeys(IN_DOUBT, f"{_SAME}: kawe asks the service first."),
    **dict.fromkeys(NOT_REACHED, f"{_SAME}: this row's turn did not come."),
    State.DRAFTED: STAYS_DRAFT,
    **dict.fromkeys(WAITS, f"Buy tokens in the portal, then run {Next.RELEASE}."),
    State.INVALID: "Correct the row and submit the workbook again.",
    State.HELD: f"See {Next.WAITING}, look in the portal, then decide {Next.RESOLVE}.",
    State.UNCONFIRMED: "Look in the portal. If it was sent, the next run sees it; "
    "if not, send it there: kawe does not send it again.",
    State.WITHDRAWN: "Nothing: the row was taken out before it was created.",
    State.ABANDONED: _GIVEN_UP,
}
_WITHOUT: Final = {
    True: (Next.RELEASE, "{} does the same without its workbook."),
    False: (Next.RESULT_OF, "Without its workbook, submit {}."),
}
_ITS_DRAFT: Final = (
    "What the service has of it stays there until you remove it in the portal."
)
_NOT_SENT: Final = "It is a draft and not sent yet:"
_SENT_BY_SAME: Final = f"{_NOT_SENT} {Next.AGAIN}."
_SENT_BY_SUBMIT: Final = (
    f"{_NOT_SENT} submit the workbook without {Given.DRAFTS_ONLY} to send it."
)
CONFIRMED: Final = "(confirmed later)."
"""So end the words of a row that was in doubt, and is done."""
SENT_ALREADY: Final = "It had been sent in the portal already."
SENT_ELSEWHERE: Final = "It was sent already, and not by this journal."
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
        and not row.what_to_do.endswith(CONFIRMED)
        and row.what_to_do not in {SENT_ALREADY, SENT_ELSEWHERE}
        and row.outcome not in GAVE_WAY
        and not row.of_batch
    ]
    order = {outcome: at for at, outcome in enumerate(_FIRST)}
    return sorted(left, key=lambda row: order.get(row.outcome, len(order)))


def left_of(report: BatchReport) -> Counter[Outcome]:
    """Count the rows about which something is left to do, the most urgent first."""
    left = Counter(row.outcome for row in not_done(report.rows))
    # What a run has not reached is quiet, and not done.
    return left + Counter({each: report.quiet[each] for each in [Outcome.UNFINISHED]})


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
        return f"{_SAME}."
    step = _ADVICE[entry.state]
    if entry.state in IN_DOUBT:
        # Its workbook may be gone, or say something else by now.
        way_without, words = _WITHOUT[entry.kind.has_drafts]
        return f"{step} {words.format(way_without(entry.batch))}"
    return step


_AGAIN: Final = f"{Next.AGAIN}; rows that are done are left alone."
_MODES: Final = {
    "live": "Live: projects reach iwi, and each send uses a token.",
    "sandbox": "Sandbox: nothing reaches iwi, and no tokens are used.",
    "": "Check only: nothing was sent.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """An outcome in plain words."""

    means: str
    next_step: str = "Nothing."


OUTCOMES: Final = {
    Outcome.SENT: Explained(
        means="The project has been sent to iwi.",
        next_step="Nothing. Answers appear in the portal.",
    ),
    Outcome.INVITED: Explained(means="The person has been invited to the team."),
    Outcome.RESENT: Explained(
        means="The person has been invited again: the invitation of before had expired."
    ),
    Outcome.DONE: Explained(means="What the row asks for has been done."),
    Outcome.ALREADY_THERE: Explained(means=SheetKind.there[1]),
    Outcome.NOT_AS_ASKED: Explained(
        means="The person has another role, or is not in the team although they were "
        "invited once.",
        next_step="What the row says. kawe sends a new invitation where the last one "
        "has expired, and nothing else.",
    ),
    Outcome.DRAFTED: Explained(
        means="The project is in the service as a draft. No iwi can see it.",
        next_step=STAYS_DRAFT,
    ),
    Outcome.READY: Explained(
        means="The row was checked and found right. Nothing has been sent.",
        next_step=f"Submit the workbook: {Next.SUBMIT}.",
    ),
    Outcome.INVALID: Explained(
        means="Something in the row must be corrected first. Nothing was sent.",
        next_step="Correct the red cells in the result workbook and submit it.",
    ),
    Outcome.DEFERRED: Explained(
        means="The project is ready as a draft, but there was no token for it.",
        next_step=f"Buy tokens in the portal, then run {Next.RELEASE}.",
    ),
    Outcome.HELD: Explained(
        means="kawe stopped at this row: a person has to decide.",
        next_step=f"See {Next.WAITING} for the reason; then decide {Next.RESOLVE}.",
    ),
    Outcome.IN_DOUBT: Explained(
        means="The answer of the service was lost. kawe will not send again before it "
        "knows what happened.",
        next_step=f"{Next.AGAIN}: kawe asks the service first.",
    ),
    Outcome.UNFINISHED: Explained(
        means="The run stopped before this row's turn.", next_step=_AGAIN
    ),
    Outcome.WITHDRAWN: Explained(
        means="The row was taken out before a project was made of it."
    ),
    Outcome.ABANDONED: Explained(
        means="A person gave the row up.",
        next_step="Nothing. A draft that is left can be removed in the portal.",
    ),
}
"""In the order of the summary: done first."""
TOO_LATE: Final = Explained(
    means="Rows of these that were done before; the change is not applied.",
    next_step="Undo the change in your workbook, or make it in a sheet of acts.",
)


def mode_words(mode: str) -> str:
    return _MODES.get(mode, mode)


def explained_counts(
    report: BatchReport, counts: Counter[Outcome]
) -> Iterator[tuple[Outcome, int, Explained]]:
    """Give each outcome that rows have, how many have it, and what that means."""
    for outcome, explained in OUTCOMES.items():
        if counts[outcome]:
            said = _of(report, outcome, explained)
            step = report.says(said.next_step)
            yield outcome, counts[outcome], replace(said, next_step=step)


def _of(report: BatchReport, outcome: Outcome, said: Explained) -> Explained:
    if outcome is Outcome.ALREADY_THERE:
        return replace(said, means=SheetKind.named(report.kind).there[1])
    if outcome is Outcome.DRAFTED:
        return replace(said, next_step=_way(report))
    if outcome is Outcome.READY and report.sending is not None:
        return replace(said, means=f"{said.means} Of these: {report.sending.words()}.")
    return said


def _way(report: BatchReport) -> str:
    """Say how the drafts of a report are sent."""
    if (sending := report.sending) is None:
        return STAYS_DRAFT
    if sending.drafts_only and sending.asked:
        return (
            f"Submit again without {Given.DRAFTS_ONLY}; see the sheet with your rows."
        )
    return sending.way()


def token_sentences(report: BatchReport) -> Iterator[str]:
    """Say how many tokens the rows need that wait for them, and the packs."""
    left, needed = report.tokens_left, report.tokens_needed
    if not needed:
        return
    short = max(needed + report.reserve - (left or 0), 0)
    kept = f", and {report.reserve:,} stay in reserve" if report.reserve else ""
    waits = counted(len(report.waits), "row waits", "rows wait")
    yield f"{waits} for {counted(needed, 'token')}."
    if left is not None:
        yield f"The team has {counted(left, 'token')} now{kept}."
    if short:
        yield (
            f"{counted(short, 'more is', 'more are')} needed. In the portal, "
            f"{packs_words(short)}. kawe itself never buys."
        )
    yield report.says(f"When the tokens are there, run {Next.RELEASE}.")


_NAMED: Final = 5
_SENT: Final = ("it was sent", "they were sent")
_INVITED: Final = ("the person was invited", "the people were invited")
_DONE: Final = ("it was done", "they were done")
_DRAFTED: Final = ("its draft was made", "their drafts were made")
_AFTER: Final = {
    Outcome.SENT: _SENT,
    Outcome.DONE: _DONE,
    Outcome.HELD: _DRAFTED,
    **dict.fromkeys((Outcome.INVITED, Outcome.RESENT), _INVITED),
    **dict.fromkeys((Outcome.ALREADY_THERE, Outcome.NOT_AS_ASKED), _INVITED),
    **dict.fromkeys((Outcome.DRAFTED, Outcome.INVALID, Outcome.DEFERRED)),
    **dict.fromkeys((Outcome.IN_DOUBT, Outcome.WITHDRAWN, Outcome.ABANDONED)),
    **dict.fromkeys((Outcome.UNFINISHED, Outcome.READY)),
}
"""What was done with a row before its change came too late; None: nothing."""


def late_changes(rows: Iterable[tuple[Outcome, Sequence[Finding]]]) -> tuple[str, ...]:
    """Say how many rows were changed too late, and name the first cells.

    `rows` are each row's outcome and findings.
    """
    found: dict[tuple[str, str], list[Finding]]
    found = {_SENT: [], _INVITED: [], _DONE: [], _DRAFTED: []}
    # A note says that the change is brought to the draft, or that nothing changed.
    rules = {EDITED, REPLACED, LATE_MISTAKES}
    for outcome, findings in rows:
        told = (e for e in findings if e.rule in rules and e.severity != Severity.NOTE)
        late = next(told, None)
        after = _AFTER[outcome]
        if late is not None and after is not None:
            found[after].append(late)
    return tuple(_words(late, after=after) for after, late in found.items() if late)


def still_done(rows: Iterable[Sequence[Finding]]) -> str:
    """Name the first rows that are done and have an error now, though unchanged."""
    found = [
        f"{one_line(str(each.row), limit=60)}: {each.message}"
        for findings in rows
        if blocks(findings)
        for each in findings
        if each.rule == LATE_MISTAKES and each.severity is Severity.NOTE
    ]
    more = len(found) - _NAMED
    rest = (
        [f"{counted(more, 'more row stays', 'more rows stay')} so."] if more > 0 else []
    )
    return " ".join([*found[:_NAMED], *rest])


def _words(late: Sequence[Finding], *, after: tuple[str, str]) -> str:
    one, many = after
    rows = counted(len(late), "row was", "rows were")
    is_one = len(late) == 1
    whole = f"{one}, and the change is" if is_one else f"{many}, and the changes are"
    named = some_of([one_line(str(e.where), limit=60) for e in late], shown=_NAMED)
    return f"{rows} changed after {whole} not applied: {named}."
