"""What a cell can hold, and what it can mean."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TypeAlias

# What a cell can hold as Excel or a CSV gives it; None is an empty cell.
RawValue: TypeAlias = str | float | int | bool | date | datetime | time | None
# What a cell means: JSON values, for the schema. Dates are ISO text.
CellValue: TypeAlias = str | float | int | bool | list[str] | None
