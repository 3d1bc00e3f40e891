"""What must hold after every step, whatever people and the world do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from doubles.world import Seen, Truth
from faults.people.books import number_of
from faults.state_machine.books import BY_HAND, Book
from kawe.domain.batch.outcomes import BatchReport, Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import AFTER_SEND, RowKey, State
from kawe.domain.sheet.content import ProjectContent
from kawe.flows.settle.resolving import is_held_for_edit

_PEOPLE_DID: Final = (
    "it may have been changed in the portal",
    "The draft was changed in the portal as well",
    "that differs from the row in",
    "that is no draft any more",
)


def nothing_is_doubled(
    seen: Seen, *, by_hand: Iterable[str], let_go: Collection[int] = ()
) -> None:
    """No project is sent twice, and no row by kawe more than once.

    The number in its name says which row it is, on whatever computer and under
    whatever reference.
    """
    hand = set(by_hand)
    assert [each for each in seen.projects if each.sends > 1] == []
    ours = Counter(
        number_of(each.name)
        for each in seen.projects
        if each.sends and each.reference and each.id not in hand
    )
    twice = {row: times for row, times in ours.items() if times > 1}
    assert twice.keys() <= set(let_go), twice


def only_what_was_meant_is_sent(
    before: Iterable[Truth],
    after: Iterable[Truth],
    *,
    wanted: Collection[str],
    adopted: Collection[str],
) -> None:
    """A run sends rows of its workbook, as they say or as a person adopted them."""
    drafts = {each.id: each for each in before if not each.is_sent}
    known = {each.id for each in before if each.is_sent}
    sent = [e for e in after if e.is_sent and e.reference and e.id not in known]
    assert [each for each in sent if each.reference not in wanted] == []
    edited = [
        each
        for each in sent
        if each.id in drafts
        and drafts[each.id].description == each.description
        and each.description.startswith(BY_HAND)
        and each.reference not in adopted
    ]
    assert edited == []


def nothing_is_claimed(seen: Seen, entries: Iterable[Entry]) -> None:
    """What the journal has as sent is sent, as invited is invited."""
    sent = {each.id for each in seen.projects if each.is_sent}
    for entry in entries:
        if entry.state in AFTER_SEND:
            assert entry.project_id in sent, entry
        if entry.state in {State.INVITED, State.ALREADY_THERE}:
            assert entry.marker in seen.people, entry


def every_row_has_one_outcome(
    report: BatchReport, *, rows: int | None, seen: Seen
) -> None:
    """The outcomes add up to the rows read, and none says more than is true."""
    sent = {each.id for each in seen.projects if each.is_sent}
    assert report.counts().total() == len(report.rows)
    assert rows in {None, len(report.rows)}
    for row in report.rows:
        assert row.outcome is not Outcome.READY, row
        assert row.outcome is not Outcome.SENT or row.project_id in sent, row


def no_organisation_is_made_twice(seen: Seen) -> None:
    """A new organisation is made by one row and used by all."""
    assert len(set(seen.organisations)) == len(seen.organisations)


def tokens_add_up(seen: Seen, *, bought: int, spent_by_others: int) -> None:
    """The balance fell by exactly the sends."""
    sends = sum(each.sends for each in seen.projects if each.reference)
    assert seen.balance == bought - sends - spent_by_others


def nothing_is_lost(
    seen: Seen,
    *,
    book: Book,
    entries: Mapping[RowKey, Entry],
    asked: Collection[int] = (),
) -> list[Entry]:
    """Every row came to rest where its workbook wants it; give the held ones."""
    sent = {each.id for each in seen.projects if each.is_sent}
    held = []
    for row in book.checked().rows:
        if row.key is None or not isinstance(row.content, ProjectContent):
            continue
        if row.key not in entries and number_of(row.content.name) in asked:
            continue
        entry = entries[row.key]
        outcome = outcome_of(entry.state)
        if outcome is Outcome.HELD:
            held.append(entry)
            assert entry.reason, entry
        elif entry.state is not State.ABANDONED:
            wanted = {Outcome.SENT} if row.content.send else {Outcome.DRAFTED}
            # A draft that is not to be sent is looked at no more.
            by_hand = {Outcome.SENT} if entry.project_id in sent else set()
            assert outcome in wanted | by_hand, entry
    return held


def is_held_for_people(entry: Entry) -> bool:
    """Say whether what people did holds a row: no network can do that.

    They edited it after its draft was made, or a colleague changed or sent the
    draft, or made a project of the same reference.
    """
    return is_held_for_edit(entry) or any(
        words in entry.reason for words in _PEOPLE_DID
    )
