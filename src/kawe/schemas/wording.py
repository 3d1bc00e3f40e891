"""Name and message of a broken rule.

Messages use the column's heading, hint and choices, never the words of the schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import MISSING
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line

_SHOWN_CHARACTERS: Final = 60
_EXPECTED: Final[Mapping[CellKind, str]] = {
    CellKind.TEXT: "text",
    CellKind.LONG_TEXT: "text",
    CellKind.DATE: "a date",
    CellKind.CHOICE: "one of the choices",
    CellKind.YES_NO: "Yes or No",
    CellKind.NUMBER: "a number",
    CellKind.EMAIL: "an email address",
    CellKind.PHONE: "a phone number, written as text",
    CellKind.LIST: "texts with ; between them",
    CellKind.PLACE: "a number or text",
    CellKind.IDENTIFIER: "an ID that the service gave",
}
# The value is none that is known.
_UNKNOWN: Final = frozenset({"not-a-choice", "unusable"})
# A person can shorten only these.
_PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One rule that one value breaks."""

    column: Column
    word: str
    """The schema's keyword: required, type, enum, pattern, …"""
    limit: Any
    """The keyword's value."""
    value: Any
    """None: the cell is empty."""


def tell(broken: Broken) -> tuple[str, str, str, str]:
    """Describe a broken rule as (field, rule, message, advice)."""
    column = broken.column
    rule, message, advice = _said(broken)
    advice = advice or column.hint
    if rule in _UNKNOWN and column.kind is not CellKind.PLACE:
        advice = column.or_empty(advice)
    return (column.field, rule, message, advice)


def _said(broken: Broken) -> tuple[str, str, str]:
    """Give rule, message and advice; empty advice: the column's hint."""
    column, limit = broken.column, broken.limit
    title, shown = column.title, _shown(broken.value)
    rule, message, advice = (
        "unusable",
        f"{shown} cannot be used as {title}: it should be {_EXPECTED[column.kind]}.",
        "",
    )
    match broken.word:
        case "required":
            rule, message = MISSING, f"{title} is missing."
            if column.option:
                advice = (
                    f"{column.hint} Or give one for every row that has none, with "
                    f"{column.option}."
                )
        case "minLength":
            rule, message = "empty", f"{title} is empty, or has an empty part."
        case "enum":
            rule, advice = "not-a-choice", _offer(column)
            message = f"{shown} is not one of the choices for {title}."
        case "maxLength" if column.kind in _PROSE:
            rule = "too-long"
            message, advice = _too_long(title, broken.value, limit)
        case "minimum":
            rule, message = "too-small", f"{title} must not be less than {limit}."
        case "maximum":
            rule, message = "too-large", f"{title} must not be more than {limit}."
        case _:
            pass
    return rule, message, advice


def _too_long(title: str, value: str, limit: int) -> tuple[str, str]:
    over = len(value) - limit
    return (
        f"{title} has {len(value):,} characters; {limit:,} is the most.",
        f"Shorten it by {counted(over, 'character')}.",
    )


def _offer(column: Column) -> str:
    labels = [choice.label for choice in column.choices]
    return f"Choose one of: {_either(labels)}."


def _either(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(value: object) -> str:
    if isinstance(value, Mapping | list):
        value = "; ".join(map(str, value))
    return f"“{one_line(str(value), limit=_SHOWN_CHARACTERS)}”"
