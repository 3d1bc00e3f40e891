"""Text as a sheet can hold it, safe whatever it is given.

Text that begins with = + - or @ must stay text: a description that someone
else wrote must not run in the officer's Excel. Here it is made fit for XML;
that it is written as text and never as a formula is up to `page`.
"""

from __future__ import annotations

import re
from typing import Final

from kawe.domain.sheet.sheet_guard import inert
from kawe.workbook.limits import CUT_MARK, EXCEL_TEXT_LIMIT

# Excel takes _x0041_ in a text for the letter A.
_ESCAPE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_SHOWN_OF_LONG: Final = 1_000


def plain_text(text: str) -> str:
    """Give `text` with nothing active in it, and no longer than a cell holds."""
    text = inert(text)
    if len(text) > EXCEL_TEXT_LIMIT:
        return text[:_SHOWN_OF_LONG] + CUT_MARK
    return text


def safe_text(text: str) -> str:
    """Give `text` as a workbook stores it."""
    # An escape may grow a text past the limit; the limit counts what is shown.
    text = plain_text(text)
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def is_simple(text: str) -> bool:
    """Say whether `text` goes into XML as it is, which nearly all texts do."""
    return (
        text.isprintable()
        and not ("&" in text or "<" in text or ">" in text or "_x" in text)
        and len(text) <= EXCEL_TEXT_LIMIT
        and text.strip(" ") == text
    )


def element(text: str) -> str:
    """Give a text that `safe_text` made as the XML of a cell's text."""
    kept = ' xml:space="preserve"' if text.strip() != text else ""
    return f"<t{kept}>{escaped(text)}</t>"


def escaped(text: str) -> str:
    """Give a text that `safe_text` made as XML between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(text: str) -> str:
    """Give foreign `text` as the value of an attribute, without its quotes."""
    return escaped(safe_text(text)).replace('"', "&quot;").replace("\n", "&#10;")
