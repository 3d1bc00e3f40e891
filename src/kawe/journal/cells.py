"""The person's cells and findings, as JSON.

Dates, times, and numbers that JSON cannot write keep their type: the result workbook
gives back what the person wrote.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from typing import Any, Final

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import CellRef, RowRef
from kawe.domain.sheet.tables import RawValue

_READERS: Final[dict[str, Callable[[str], RawValue]]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "number": float,
}


def raw_to_json(raw: Sequence[RawValue]) -> str:
    """Write the values of one line; ASCII, so that any text survives."""
    try:
        return _FAST.encode(raw)
    except ValueError:
        # A number that JSON has no word for is rare: only then look at each.
        return _FAST.encode([_worded(value) for value in raw])


def raw_from_json(text: str) -> tuple[RawValue, ...]:
    """Read the values of one line back.

    Raises:
        ValueError, LookupError, TypeError: `text` is not from `raw_to_json`.
    """
    values = _listed(text, hook=_untagged)
    if any(isinstance(value, list) for value in values):
        raise TypeError("a list is no value of a cell")
    return tuple(values)


def findings_to_json(findings: Sequence[Finding]) -> str:
    return json.dumps([_finding_to_list(finding) for finding in findings])


def findings_from_json(text: str) -> tuple[Finding, ...]:
    """Read the findings of one line back.

    Raises:
        ValueError, TypeError: `text` is not from `findings_to_json`.
    """
    return tuple(_finding_from_list(parts) for parts in _listed(text))


def _tagged(value: object) -> dict[str, str]:
    # A datetime is a date too, so it has to be asked for first.
    for kind in (datetime, date, time):
        if isinstance(value, kind):
            return {kind.__name__: value.isoformat()}
    raise TypeError(f"{type(value).__name__} is no value of a cell")


def _worded(value: RawValue) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value)}
    return value


def _untagged(tagged: dict[str, Any]) -> RawValue:
    ((kind, text),) = tagged.items()
    return _READERS[kind](text)


def _finding_to_list(finding: Finding) -> list[object]:
    where = finding.where
    return [
        where.sheet,
        where.row,
        where.column if isinstance(where, CellRef) else None,
        finding.severity.value,
        finding.rule,
        finding.heading,
        finding.value,
        finding.message,
        finding.advice,
    ]


def _finding_from_list(parts: Sequence[Any]) -> Finding:
    sheet, row, column, severity, rule, heading, value, message, advice = parts
    place = RowRef(sheet=sheet, row=row)
    return Finding(
        where=place if column is None else place.cell(column),
        severity=Severity(severity),
        rule=rule,
        heading=heading,
        value=value,
        message=message,
        advice=advice,
    )


def _listed(
    text: str, *, hook: Callable[[dict[str, Any]], RawValue] | None = None
) -> list[Any]:
    value = json.loads(text, object_hook=hook)
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return value


_FAST: Final = json.JSONEncoder(default=_tagged, allow_nan=False)
