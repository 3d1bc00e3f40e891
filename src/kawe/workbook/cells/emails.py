"""Cells that hold one email address."""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import one_line
from kawe.workbook.cells.reading import CellReader, CellReading, quoted, refused, show
from kawe.workbook.cells.words import words

_NAMED: Final = re.compile(r"[^<>]*<\s*([^<>\s]+)\s*>")
_SEVERAL: Final = re.compile(r"@[^@]*[;,\s/]+[^@]*@")
_AROUND: Final = " ;,.\"'‘’“”<>()"


def email_reader() -> CellReader:
    """Make the reader of a column of email addresses.

    It unwraps `Name <a@b>` and `mailto:`, and uses no network.
    """

    def read(raw: RawValue) -> CellReading:
        # 15 ms, and most commands read no cell.
        from email_validator import (  # noqa: PLC0415 - start-up
            EmailNotValidError,
            validate_email,
        )

        shown = words(show(raw))
        address = _unwrapped(shown)
        if _SEVERAL.search(address):
            return refused(
                "email-several",
                message=f"{quoted(shown)} holds more than one email address.",
                advice="Keep one; give each person a row of their own.",
            )
        try:
            found = validate_email(address, check_deliverability=False)
        except EmailNotValidError as why:
            return refused(
                "email-unreadable",
                message=f"{quoted(shown)} is not an email address.",
                advice=f"Correct it. {one_line(str(why))}",
            )
        return CellReading(value=found.normalized)

    return read


def _unwrapped(text: str) -> str:
    named = _NAMED.fullmatch(text)
    address = (named[1] if named else text).strip(_AROUND)
    if address[:7].lower() == "mailto:":
        address = address[7:].partition("?")[0]
    return address
