"""Cells that hold words: names, references, descriptions, phone numbers, ids."""

from __future__ import annotations

from datetime import date, time
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import clean
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReader,
    CellReading,
    ColumnFacts,
    Remark,
    note,
    number_text,
    quoted,
    show,
    warning,
)
from kawe.workbook.cells.suspicious import lost_digits, lost_length, lost_letters

# Excel keeps no more digits of a number than this.
_KEPT_DIGITS: Final = 15
_POSTCODE_DIGITS: Final = 4
_AS_TEXT: Final = "Format the column as Text and type it again, zero and all."


def text_reader(column: Column, facts: ColumnFacts) -> CellReader:
    """Make the reader of a column of words of any kind."""
    is_prose = column.kind is CellKind.LONG_TEXT

    def read(raw: RawValue) -> CellReading:
        if isinstance(raw, str):
            text = words(raw, keep_lines=is_prose)
            remarks = signs(raw, is_prose=is_prose)
            if any(remark.severity is Severity.ERROR for remark in remarks):
                return CellReading(remarks=remarks)
            return CellReading(value=text, remarks=remarks) if text else EMPTY
        return CellReading(value=plain(raw), remarks=_typed(raw, column, facts))

    return read


def words(raw: str, *, keep_lines: bool = False) -> str:
    """Give a text as it is sent: cleaned, on one line unless it is prose."""
    text = clean(raw)
    return text if keep_lines or "\n" not in text else " ".join(text.split())


def plain(raw: RawValue) -> str:
    """Give a cell that is no text as the text that it stands for."""
    return raw.isoformat() if isinstance(raw, date) else show(raw)


def signs(raw: str, *, is_prose: bool = False) -> tuple[Remark, ...]:
    """Find what a text may have lost before it came here."""
    return (
        *lost_letters(raw, is_prose=is_prose),
        *lost_length(raw),
        *lost_digits(raw.strip()),
    )


def _typed(raw: RawValue, column: Column, facts: ColumnFacts) -> tuple[Remark, ...]:
    """Say what Excel made of a text when it took it for something else."""
    match raw:
        case bool() | None | str():
            return ()
        case date() | time():
            return (
                warning(
                    "date-in-text",
                    message=(
                        f"Excel holds a date or time here, {quoted(show(raw))}; it may "
                        "have been typed as something else, such as 12-3."
                    ),
                    advice="Format the column as Text and type it again.",
                ),
            )
        case int() | float():
            return _number(raw, column, facts)


def _number(number: float, column: Column, facts: ColumnFacts) -> tuple[Remark, ...]:
    text = number_text(number)
    digits = text.lstrip("-")
    if not digits.isdigit() or len(digits) > _KEPT_DIGITS:
        return lost_digits(text)
    expected = facts.padded_digits
    if column.kind is CellKind.PHONE:
        return () if digits.startswith("64") else (_phone(text),)
    if "postcode" in column.field:
        expected = _POSTCODE_DIGITS
    if len(digits) >= expected:
        return ()
    return (
        warning(
            "zero-lost",
            message=f"{quoted(text)} may have lost a zero at its start.",
            advice=_AS_TEXT,
        ),
    )


def _phone(text: str) -> Remark:
    return warning(
        "zero-lost",
        message=(
            f"{quoted(text)} is held as a number, so a zero at its start is lost."
        ),
        advice=_AS_TEXT,
    )


def list_reader() -> CellReader:
    """Make the reader of a column of several texts with `;` between them."""

    def read(raw: RawValue) -> CellReading:
        if not isinstance(raw, str):
            return CellReading(value=[plain(raw)])
        remarks = signs(raw)
        if any(remark.severity is Severity.ERROR for remark in remarks):
            return CellReading(remarks=remarks)
        # A line break in the cell parts its texts as well.
        parts = [words(part) for part in clean(raw).replace("\n", ";").split(";")]
        texts = [part for part in parts if part]
        once = list(dict.fromkeys(texts))
        if len(once) < len(texts):
            twice = next(text for text in once if texts.count(text) > 1)
            said = note("listed-twice", message=f"{quoted(twice)} is listed twice.")
            remarks = (*remarks, said)
        return CellReading(value=once or None, remarks=remarks)

    return read
