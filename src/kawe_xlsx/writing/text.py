"""Makes any text safe for a sheet's XML; `page` writes it as text, never a formula."""

import re
from typing import Final

from kawe_xlsx.cells import inert
from kawe_xlsx.limits import CUT_MARK, EXCEL_TEXT_LIMIT

# Excel reads _x0041_ in a text as the letter A.
_ESCAPE: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_SHOWN_OF_LONG: Final = 1_000


def plain_text(text: str) -> str:
    """Make `text` inert, and cut it to the limit of a cell."""
    text = inert(text)
    if len(text) > EXCEL_TEXT_LIMIT:
        return text[:_SHOWN_OF_LONG] + CUT_MARK
    return text


def safe_text(text: str) -> str:
    """Escape `text` as a workbook stores it."""
    # The limit counts the shown text, without escapes.
    text = plain_text(text)
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def is_simple(text: str) -> bool:
    return (
        text.isprintable()
        and not ("&" in text or "<" in text or ">" in text or "_x" in text)
        and len(text) <= EXCEL_TEXT_LIMIT
        and text.strip(" ") == text
    )


def element(text: str) -> str:
    """Give the XML element of a text from `safe_text`."""
    kept = ' xml:space="preserve"' if text.strip() != text else ""
    return f"<t{kept}>{escaped(text)}</t>"


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(text: str) -> str:
    """Escape untrusted `text` for an attribute, without quotes."""
    if '"' not in text and is_simple(text):
        return text
    return escaped(safe_text(text)).replace('"', "&quot;").replace("\n", "&#10;")
