"""Which send a receipt proves: a receipt has the name of a project, and no id of it.

A number that is known is certain, and so is a name that one send and one receipt have.
Of several with one name, a receipt belongs to the send that the service's log has at
the very same instant, or else to the one whose time is clearly nearest.

The submission number tells no more: the interface shows it on receipts, and on nothing
that names a project. It is for people.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from kawe.domain.service.service_words import Receipt

_CLOCKS_DIFFER: Final = timedelta(minutes=15)
_CLEARLY: Final = timedelta(minutes=1)
"""So much further away must be the next one that has the name."""
_Timed: TypeAlias = tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSend:
    """A project that was sent, as far as it may be told from others."""

    id: str
    name: str
    sent_at: datetime | None
    logged_at: datetime | None = None
    """When the service's log has it as sent, where that was asked for."""
    receipt_number: str | None = None
    """Where it is known already."""


def sends_by_receipt(
    sends: Iterable[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    """Give the id of its send for each receipt, by id, that certainly has one."""
    numbers: dict[str, str] = {}
    by_name: dict[str, list[NamedSend]] = defaultdict(list)
    for send in sends:
        if send.receipt_number:
            numbers[send.receipt_number] = send.id
        else:
            by_name[send.name].append(send)
    found = {
        each.id: numbers[each.receipt_number]
        for each in receipts
        if each.receipt_number in numbers
    }
    papers: dict[str, list[Receipt]] = defaultdict(list)
    for receipt in receipts:
        if receipt.id not in found and receipt.project_name in by_name:
            papers[receipt.project_name].append(receipt)
    for name, group in papers.items():
        found |= _of_one_name(by_name[name], group)
    return found


def unsure_names(
    sends: Iterable[NamedSend], receipts: Iterable[Receipt], found: Mapping[str, str]
) -> frozenset[str]:
    """Give the names of which nobody can say which receipt belongs to which send."""
    sure = frozenset(found.values())
    lacking = {each.name for each in sends if each.id not in sure}
    return frozenset(
        each.project_name
        for each in receipts
        if each.id not in found and each.project_name in lacking
    )


def _of_one_name(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    found = _at_one_instant(sends, receipts)
    sure = frozenset(found.values())
    return found | _by_nearness(
        [each for each in sends if each.id not in sure],
        [each for each in receipts if each.id not in found],
    )


def _at_one_instant(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    """Give those that the service itself wrote at one instant, to the millisecond."""
    sent = Counter(each.logged_at for each in sends)
    made = Counter(each.created_at for each in receipts)
    ids = {each.logged_at: each.id for each in sends}
    return {
        each.id: ids[each.created_at]
        for each in receipts
        if sent[each.created_at] == made[each.created_at] == 1
    }


def _by_nearness(
    sends: Sequence[NamedSend], receipts: Sequence[Receipt]
) -> dict[str, str]:
    if len(sends) == len(receipts) == 1:
        return {receipts[0].id: sends[0].id}
    sent = sorted((s.sent_at, s.id) for s in sends if s.sent_at is not None)
    if len(sent) < len(sends):
        # That of which no time is known could be the one.
        return {}
    made = sorted((r.created_at, r.id) for r in receipts)
    nearest = {key: _nearest(at, made) for at, key in sent}
    pairs = ((key, _nearest(at, sent)) for at, key in made)
    return {
        receipt: send
        for receipt, send in pairs
        if send is not None and nearest[send] == receipt
    }


def _nearest(at: datetime, others: Sequence[_Timed]) -> str | None:
    """Give the one that is clearly nearest; None: nobody can say."""
    place = bisect(others, (at, ""))
    near = sorted(
        (abs(other - at), key) for other, key in others[max(0, place - 2) : place + 2]
    )
    if not near or near[0][0] > _CLOCKS_DIFFER:
        return None
    is_clear = len(near) == 1 or near[1][0] - near[0][0] >= _CLEARLY
    return near[0][1] if is_clear else None
