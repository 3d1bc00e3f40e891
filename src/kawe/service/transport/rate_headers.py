"""Reads the rate limit from the headers of an answer, in every known form.

========================  =====================================================
`Retry-After`             seconds, or a date
`RateLimit-Reset`         seconds, epoch seconds, epoch milliseconds, or a date
`RateLimit-Remaining`     a number; `-Limit` too, and `100, 100;w=60`
`RateLimit`               `limit=100, remaining=50, reset=30`, or
                          `"default";r=50;t=30`
`RateLimit-Policy`        `100;w=60`, or `"default";q=100;w=60`
========================  =====================================================

The first three may begin with `X-`, also as `X-Rate-Limit-`. An instant is relative to
the answer's own `Date`, since this machine's clock may be wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from kawe.contract import headers
from kawe.domain.service.windows import LONGEST_SECONDS

_SHORTEST_SECONDS: Final = 1.0
# No limit is larger, and Python refuses very long numbers.
_MOST_DIGITS: Final = 12
_QUOTED: Final = re.compile(r'"([^"]*)"')
_PARAMETER: Final = re.compile(r"\b([a-z]+)=(\d{1,12}(?:\.\d{1,6})?)")
_NUMBER: Final = re.compile(r"\s*(\d{1,12})\b")
_RETRY_AFTER: Final = headers.RETRY_AFTER.lower()
_COMBINED: Final = "ratelimit"
_POLICY: Final = "ratelimit-policy"


def _spellings(name: str) -> tuple[str, str, str]:
    plain = name.lower()
    return plain, f"x-{plain}", f"x-{plain.replace('ratelimit', 'rate-limit')}"


_LIMIT: Final = _spellings(headers.RATE_LIMIT)
_REMAINING: Final = _spellings(headers.RATE_REMAINING)
_RESET: Final = _spellings(headers.RATE_RESET)
_NAMES: Final = frozenset({_RETRY_AFTER, _COMBINED, *_REMAINING, *_RESET})


@dataclass(frozen=True, slots=True, kw_only=True)
class RateWords:
    """The rate limit in an answer; None: not given."""

    limit: int | None = None
    left: int | None = None
    wait_seconds: float | None = None
    """Until the window opens."""
    length_seconds: float | None = None


SILENCE: Final = RateWords()


def rate_words(answer: Mapping[str, str], *, now: datetime) -> RateWords:
    """Read the headers, with names in lower case."""
    if _NAMES.isdisjoint(answer):
        return SILENCE
    item = _tightest(answer.get(_COMBINED, ""))
    limit, length = _limit(answer, item)
    left = _left(answer)
    wait = _wait(answer, now=now)
    return RateWords(
        limit=limit,
        left=left if left is not None or item is None else item.left,
        wait_seconds=_clamped(
            wait if wait is not None or item is None else item.wait_seconds
        ),
        length_seconds=length,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One limit of a combined header."""

    name: str
    limit: int | None
    left: int | None
    wait_seconds: float | None


def _tightest(text: str) -> _Item | None:
    """Give the limit with the fewest requests left."""
    if not text:
        return None
    members = [text] if "remaining=" in text else text.split(",")
    items = [_item(member) for member in members]
    return min(items, key=lambda item: math.inf if item.left is None else item.left)


def _item(text: str) -> _Item:
    said = _parameters(text)
    left, wait = said.get("r", said.get("remaining")), said.get("t", said.get("reset"))
    limit = said.get("limit")
    return _Item(
        name=_name(text) or "",
        limit=None if limit is None else int(float(limit)),
        left=None if left is None else int(float(left)),
        wait_seconds=None if wait is None else float(wait),
    )


def _limit(
    answer: Mapping[str, str], item: _Item | None
) -> tuple[int | None, float | None]:
    """Give the size and length of the window."""
    text = next((answer[name] for name in _LIMIT if name in answer), "")
    limit = _number(text)
    if limit is None and item is not None:
        limit = item.limit
    policies = answer.get(_POLICY, "") or (text if ";" in text else "")
    for policy in filter(None, policies.split(",")):
        name, said = _name(policy), _parameters(policy)
        quota = _number(policy if name is None else said.get("q", ""))
        is_it = limit in {None, quota} and (
            item is None or name is None or name == item.name
        )
        if is_it and "w" in said:
            return limit or quota, float(said["w"])
    return limit, None


def _number(text: str) -> int | None:
    found = _NUMBER.match(text)
    return None if found is None else int(found[1])


def _name(text: str) -> str | None:
    found = _QUOTED.search(text)
    return None if found is None else found[1]


def _parameters(text: str) -> dict[str, str]:
    return dict(_PARAMETER.findall(_QUOTED.sub("", text)))


def _left(answer: Mapping[str, str]) -> int | None:
    for name in _REMAINING:
        text = answer.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            return int(text)
    return None


def _wait(answer: Mapping[str, str], *, now: datetime) -> float | None:
    for name in (_RETRY_AFTER, *_RESET):
        if name in answer:
            wait = _seconds(answer[name], answer=answer, now=now)
            if wait is not None:
                return wait
    return None


def _seconds(text: str, *, answer: Mapping[str, str], now: datetime) -> float | None:
    """Read seconds, an epoch in seconds or milliseconds, or a date.

    A number over 10¹² is epoch milliseconds, one over 10⁹ epoch seconds,
    anything else seconds from now.
    """
    try:
        number = float(text)
    except ValueError:
        instant = _date(text)
        return None if instant is None else _until(instant, answer=answer, now=now)
    if math.isnan(number):
        return None
    if 1e9 < number < 1e15:
        epoch = number / 1000 if number > 1e12 else number
        return _until(epoch, answer=answer, now=now)
    return number


def _until(epoch: float, *, answer: Mapping[str, str], now: datetime) -> float:
    date = _date(answer.get("date", ""))
    waits = [epoch - here for here in (date, now.timestamp()) if here is not None]
    # If the service's two clocks disagree, use ours.
    return next((wait for wait in waits if -60 <= wait <= LONGEST_SECONDS), waits[0])


def _date(text: str) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return at.timestamp()


def _clamped(wait: float | None) -> float | None:
    if wait is None:
        return None
    return min(max(wait, _SHORTEST_SECONDS), LONGEST_SECONDS)
