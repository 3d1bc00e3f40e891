"""Which rows a person named, and how many may fail before a run stops."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.errors import SettingsError

_ROWS: Final = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?")
_SHARE: Final = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)%")
_COUNT: Final = re.compile(r"\d{1,9}")
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChoice:
    """Rows that a person named, by the numbers that Excel shows or by reference."""

    ranges: tuple[tuple[int, int], ...] = ()
    references: tuple[str, ...] = ()

    def has(self, number: int, reference: str | None) -> bool:
        return reference in self.references or any(
            first <= number <= last for first, last in self.ranges
        )

    def named_in(self, cells: Iterable[object]) -> str | None:
        """Give the reference, of those that were named, that one of some cells is."""
        said = {str(each).strip() for each in cells}
        return next((each for each in self.references if each in said), None)

    def check_known(self, rows: Sequence[tuple[int, str | None]]) -> None:
        """Raise `SettingsError` where the sheet lacks a row that was named.

        `rows` are numbers and references. Of a range, one row must be there.
        """
        numbers = {number for number, _ in rows}
        references = {reference for _, reference in rows}
        unknown = [
            str(first) if first == last else f"{first}-{last}"
            for first, last in self.ranges
            if not any(first <= number <= last for number in numbers)
        ]
        unknown += [each for each in self.references if each not in references]
        if unknown:
            named = [one_line(each, limit=60) for each in unknown]
            raise SettingsError(
                message=f"{Given.ONLY} names what the sheet does not have: "
                f"{some_of(named, shown=_SHOWN)}.",
                hint="Write row numbers as Excel shows them, or references, such as "
                f"{Given.ONLY} 4,7-12. Nothing was sent.",
            )


def read_row_choice(text: str) -> RowChoice:
    """Read the value of --only: `4,7-12`, or references; digits are row numbers.

    Raises:
        SettingsError: It names no rows.
    """
    ranges, references = [], []
    for part in (each.strip() for each in text.split(",")):
        if (found := _ROWS.fullmatch(part)) is not None:
            ranges.append(_range(found, part))
        elif part:
            references.append(part)
    if not ranges and not references:
        raise SettingsError(
            message=f"{Given.ONLY} names no row.",
            hint=f"Write row numbers as Excel shows them, such as {Given.ONLY} 4,7-12.",
        )
    return RowChoice(ranges=tuple(ranges), references=tuple(references))


def _range(found: re.Match[str], part: str) -> tuple[int, int]:
    first = int(found[1])
    last = first if found[2] is None else int(found[2])
    if not 1 <= first <= last:
        raise SettingsError(
            message=f"{Given.ONLY} cannot read {part!r}: rows count from 1, upwards.",
            hint=f"Write the smaller number first, such as {Given.ONLY} 7-12.",
        )
    return first, last


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How many rows may fail before a run stops: a number, or a share of the rows."""

    rows: int | None = None
    percent: float | None = None

    def of(self, rows_read: int) -> int:
        """Say how many of `rows_read` rows may fail."""
        if self.rows is not None:
            return self.rows
        return int(rows_read * (self.percent or 0.0) / 100)

    def words(self) -> str:
        """Say it as it was typed."""
        if self.rows is not None:
            return counted(self.rows, "row")
        return f"{self.percent:g}% of the rows"


def read_allowance(text: str) -> Allowance:
    """Read the value of --max-errors: `5` or `2.5%`.

    Raises:
        SettingsError: It is neither.
    """
    typed = text.strip()
    if (share := _SHARE.fullmatch(typed)) is not None and float(share[1]) <= 100:
        return Allowance(percent=float(share[1]))
    if _COUNT.fullmatch(typed):
        return Allowance(rows=int(typed))
    raise SettingsError(
        message=f"{Given.MAX_ERRORS} is a number or a share of the rows, not "
        f"{one_line(text, limit=40)!r}.",
        hint=f"Write {Given.MAX_ERRORS} 5, or {Given.MAX_ERRORS} 2%.",
    )
