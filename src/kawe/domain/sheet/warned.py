"""The warnings of some rows, counted and named where somebody agrees to a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.counts import counted

_WORDS: Final = {
    "alike-before": "like a project of before",
    "coordinate-accuracy": "coordinates of a coarse system",
    "coordinate-decimals": "coordinates with few decimals",
    "csv-encoding": "letters that were guessed",
    "date-in-text": "number that may be a date",
    "date-past": "date in the past",
    "date-with-time": "date with a time",
    "digits-lost": "number that lost digits",
    "edited-too-late": "edit that is not applied",
    "file-not-as-named": "file that is not what its name says",
    "file-on-several-rows": "file on several rows",
    "file-pattern": "pattern for files",
    "iwi-ignored": "iwi that the service ignores",
    "iwi-needed": "several iwi to choose from",
    "letters-lost": "letters lost",
    "name-repeated": "name on several rows",
    "organisation-near": "organisation that is nearly another",
    "organisation-spelt-twice": "organisation spelt in two ways",
    "place-at-sea": "place at sea",
    "place-on-many-rows": "place on many rows",
    "place-without-iwi": "place without iwi",
    "reference-near": "reference that is nearly another",
    "respond-by-day-off": "respond-by on a weekend or holiday",
    "start-after-end": "start after the end",
    "zero-lost": "number that lost its zero",
}
"""What a rule warns of; others are said by their own name."""


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
        f"{number:,} {_WORDS.get(rule, rule.replace('-', ' '))}"
        for rule, number in counts.most_common()
    )
    have = counted(len(warned), "row has a warning", "rows have warnings")
    return f"{have}: {named}."


def strictly(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Make errors of warnings, as --strict asks."""
    return tuple(
        replace(
            each,
            severity=Severity.ERROR,
            advice=f"{each.advice} With --strict, a warning stops its row.".strip(),
        )
        if each.severity is Severity.WARNING
        else each
        for each in findings
    )
