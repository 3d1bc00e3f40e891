"""A list that is written as a workbook with one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kawe_xlsx.cells import RawValue


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainTable:
    """Rows under headings, on a sheet called `title`."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[Sequence[RawValue]]
    links: tuple[str, ...] = ()
    """Headings of columns with links of kawe's own making: web addresses, or names of
    files that lie beside the workbook."""
    above: tuple[str, ...] = ()
    """Lines above the headings; the first is printed large."""
