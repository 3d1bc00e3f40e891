"""The warnings of some rows, counted and named where somebody agrees to a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import A_YEAR, short_day_words
from kawe.domain.text.next_steps import Given

_WORDS: Final = {
    "as-it-stands": "whose draft goes as it stands in the service",
    "coordinate-accuracy": "with coordinates of a coarse system",
    "coordinate-decimals": "with few decimals in the place",
    "csv-encoding": "with letters that were guessed",
    "date-in-text": "with a date where a text belongs",
    "date-past": "with a date in the past",
    "date-with-time": "with a time beside a date",
    "digits-lost": "with digits lost",
    "edited-too-late": "edited too late",
    "file-not-as-named": "with a file that is not what its name says",
    "file-on-several-rows": "with a file of another row",
    "file-pattern": "with a pattern for files",
    "iwi-ignored": "with iwi that the service ignores",
    "iwi-needed": "without a choice of iwi",
    "letters-lost": "with letters lost",
    "likely-repeat": "like a project of before",
    "name-repeated": "with the name of another row",
    "organisation-near": "with nearly the name of an organisation",
    "organisation-spelt-twice": "with an organisation that is spelt in two ways",
    "person-gone": "of people who are not in the team any more",
    "person-role": "of people who have another role",
    "place-at-sea": "at sea",
    "place-on-many-rows": "with a place that many rows have",
    "place-without-iwi": "without iwi",
    "reference-near": "with nearly the reference of another row",
    "respond-by-far-away": "with more than a year to respond",
    "respond-by-day-off": "respond-by on a weekend or holiday",
    "start-after-end": "with a start after the end",
    "text-full": "with a text as long as Excel allows",
    "zero-lost": "with a zero lost",
}
"""What a rule says of rows, to follow a number; others are said by their name."""


def warnings_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Name the rules that warn of one row, each once, by name."""
    warned = {each.rule for each in findings if each.severity is Severity.WARNING}
    return tuple(sorted(warned))


def warned_words(rows: Iterable[tuple[str, ...]]) -> str:
    """Say how many rows have warnings, and which; empty where none has."""
    warned = [rules for rules in rows if rules]
    if not warned:
        return ""
    counts = Counter(rule for rules in warned for rule in rules)
    named = ", ".join(
        f"{number:,} {_said(rule)}" for rule, number in counts.most_common()
    )
    have = counted(len(warned), "row has a warning", "rows have warnings")
    return f"{have}: {named}."


def _said(rule: str) -> str:
    return _WORDS.get(rule) or "with " + rule.replace("-", " ")


def warned_json(rows: Iterable[tuple[str, ...]]) -> dict[str, object]:
    """Give the rows that have warnings, and the rows by warning, for JSON documents."""
    warned = [rules for rules in rows if rules]
    return {
        "rows_with_warnings": len(warned),
        "warnings": dict(Counter(rule for rules in warned for rule in rules)),
    }


def strictly(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Make errors of warnings, as --strict asks."""
    return tuple(
        replace(
            each,
            severity=Severity.ERROR,
            advice=f"{each.advice} With {Given.STRICT}, a warning stops its "
            "row.".strip(),
        )
        if each.severity is Severity.WARNING
        else each
        for each in findings
    )


def far_words(days: Iterable[date | None], *, today: date) -> str:
    """Say of how many rows iwi have more than a year to answer; empty: of none."""
    far = [each for each in days if each is not None and each > today + A_YEAR]
    if not far:
        return ""
    have = counted(len(far), "row gives", "rows give")
    return (
        f"{have} iwi more than a year to respond, at the latest until "
        f"{short_day_words(max(far))}. Check the year."
    )
