"""Columns that people split in parts: first name and surname."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.tables import Heading
from kawe.domain.text.texts import fold
from kawe.workbook.cells.readers import is_blank
from kawe.workbook.cells.reading import Remark, quoted, show, warning
from kawe_xlsx.cells import RawValue

Part: TypeAlias = tuple[Column, int]
"""A column, and which of its parts, from 1; 0: the whole column."""


def part_names(columns: Iterable[Column]) -> Mapping[str, Part]:
    return {
        fold(name): (column, number)
        for column in columns
        for number, names in enumerate(column.parts, start=1)
        for name in names
    }


def whole_headings(
    headings: Iterable[Heading],
) -> tuple[tuple[Heading, ...], tuple[Heading, ...]]:
    """Take parts only where all are there and the whole is not.

    Give all headings, and those that name a part and are not read.
    """
    given = tuple(headings)
    there = {(heading.means.field, heading.part) for heading in given if heading.means}

    def is_read(heading: Heading) -> bool:
        if heading.means is None or not heading.part:
            return True
        field, parts = heading.means.field, len(heading.means.parts)
        return (field, 0) not in there and there.issuperset(
            (field, number) for number in range(1, parts + 1)
        )

    return (
        tuple(
            heading if is_read(heading) else replace(heading, means=None, part=0)
            for heading in given
        ),
        tuple(heading for heading in given if not is_read(heading)),
    )


def joined(cells: Sequence[RawValue]) -> RawValue:
    """Give the cells of the parts, in their order, as one cell."""
    there = [cell for cell in cells if not is_blank(cell)]
    return " ".join(map(show, there)) if len(there) > 1 else next(iter(there), None)


def empty_part(title: str, *, shown: str) -> Remark:
    return warning(
        "name-part-empty",
        message=f"The cell is empty, so {title} is read as {quoted(shown)}.",
        advice="Fill it in; leave it empty if that is the whole name.",
    )
