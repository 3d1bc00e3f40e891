"""Cells that hold words: names, references, descriptions, phone numbers, ids.

A text that may have lost macrons or digits gets a remark; kawe never restores it.
"""

from __future__ import annotations

import re
from datetime import date, time
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import clean
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReader,
    CellReading,
    ColumnFacts,
    Remark,
    error,
    note,
    number_text,
    quoted,
    show,
    warning,
)
from kawe_xlsx.cells import RawValue
from kawe_xlsx.limits import CUT_MARK, EXCEL_TEXT_LIMIT

# Excel keeps no more digits of a number than this.
_KEPT_DIGITS: Final = 15
_POSTCODE_DIGITS: Final = 4
_AS_TEXT: Final = "Format the column as Text and type it again, zero and all."
# UTF-8 read as Windows-1252: ā is Ä and U+0081, ō is Å and U+008D, ’ is â€™.
_CP1252_TAIL: Final = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_DOUBLE_READ: Final = re.compile(
    rf"[ÃÄÅ][{_CP1252_TAIL}]|â€|Â[\xa0-\xbf]|\ufffd|(?<=[A-Za-z])[ÄÅ](?=[a-z])"
)
# A macron saved as a question mark, inside a word that could be Māori: M?ori.
_SYLLABLES: Final = r"(?:(?:ng|wh|[hkmnprtw])?[aeiou?])"
_QUESTIONED: Final = re.compile(
    rf"(?<![\w?/&=]){_SYLLABLES}+(?![\w?/&=])", re.IGNORECASE
)
_INNER_MARK: Final = re.compile(r"[a-z]\?[a-z]", re.IGNORECASE)
# The same at the start of a word, ?taki; people also mark doubts so.
_FIRST_MARK: Final = re.compile(r"\?[a-z][a-z?]{2}", re.IGNORECASE)
_BEFORE_WORDS: Final = "( \t\n\xa0\"'“‘"
_SCIENTIFIC: Final = re.compile(r"\d(?:\.\d+)?[Ee]\+\d+")
_EDGE: Final = 12


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
    """Clean a text as it is sent; without `keep_lines`, on one line."""
    text = clean(raw)
    return text if keep_lines or "\n" not in text else " ".join(text.split())


def plain(raw: RawValue) -> str:
    return raw.isoformat() if isinstance(raw, date) else show(raw)


def signs(raw: str, *, is_prose: bool = False) -> tuple[Remark, ...]:
    """Find letters, length and digits that a text may have lost."""
    return (
        *lost_letters(raw, is_prose=is_prose),
        *lost_length(raw),
        *lost_digits(raw.strip()),
    )


def _typed(raw: RawValue, column: Column, facts: ColumnFacts) -> tuple[Remark, ...]:
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
        lost = "is held as a number, so a zero at its start is lost."
        return () if digits.startswith("64") else (_zero(text, lost),)
    if "postcode" in column.field:
        expected = _POSTCODE_DIGITS
    if len(digits) >= expected:
        return ()
    return (_zero(text, "may have lost a zero at its start."),)


def _zero(text: str, lost: str) -> Remark:
    return warning("zero-lost", message=f"{quoted(text)} {lost}", advice=_AS_TEXT)


def read_list(raw: RawValue) -> CellReading:
    """Read several texts with `;` between them."""
    if not isinstance(raw, str):
        return CellReading(value=[plain(raw)])
    remarks = signs(raw)
    if any(remark.severity is Severity.ERROR for remark in remarks):
        return CellReading(remarks=remarks)
    # A line break also separates texts.
    parts = [words(part) for part in clean(raw).replace("\n", ";").split(";")]
    texts = [part for part in parts if part]
    once = list(dict.fromkeys(texts))
    if len(once) < len(texts):
        twice = next(text for text in once if texts.count(text) > 1)
        said = note("listed-twice", message=f"{quoted(twice)} is listed twice.")
        remarks = (*remarks, said)
    return CellReading(value=once or None, remarks=remarks)


def lost_letters(raw: str, *, is_prose: bool) -> tuple[Remark, ...]:
    """Find letters that were lost when the text was saved.

    A question mark inside a word is an error, in prose only a warning; at the start
    of a word it is always a warning.
    """
    found = _DOUBLE_READ.search(raw)
    may_question = not found and "?" in raw
    inner = _questioned(raw) if may_question else None
    first = _questioned_first(raw) if may_question and not inner else None
    sample = _around(raw, found) if found else inner or first
    if not sample:
        return ()
    severity = Severity.WARNING if first or (inner and is_prose) else Severity.ERROR
    return (
        Remark(
            severity=severity,
            rule="letters-lost",
            message=f"{quoted(sample)} has lost letters such as ā or ō.",
            advice=(
                "Type it again, or save the sheet it came from as an Excel Workbook "
                "(.xlsx) or as CSV UTF-8."
            ),
        ),
    )


def lost_length(raw: str) -> tuple[Remark, ...]:
    """Find text that was cut off."""
    if raw.rstrip().endswith(CUT_MARK.strip()):
        return (
            error(
                "text-cut",
                message="This text was cut when the result workbook was written.",
                advice="Copy the whole text from your own workbook.",
            ),
        )
    if len(raw) == EXCEL_TEXT_LIMIT:
        return (
            warning(
                "text-full",
                message=(
                    f"This text is {EXCEL_TEXT_LIMIT:,} characters long, as much as "
                    "an Excel cell holds; its end may be missing."
                ),
                advice="Look at its end, and put what is long into an attached file.",
            ),
        )
    return ()


def lost_digits(text: str) -> tuple[Remark, ...]:
    """Find a number that Excel shortened to something like 1E+05."""
    if not _SCIENTIFIC.fullmatch(text):
        return ()
    return (
        warning(
            "digits-lost",
            message=f"{quoted(text)} looks like a long number that Excel shortened.",
            advice="Format the column as Text and type the number again.",
        ),
    )


def _questioned(raw: str) -> str | None:
    for word in _QUESTIONED.finditer(raw):
        if _INNER_MARK.search(word[0]):
            return word[0]
    return None


def _questioned_first(raw: str) -> str | None:
    for word in _QUESTIONED.finditer(raw):
        before = raw[word.start() - 1] if word.start() else " "
        if before in _BEFORE_WORDS and _FIRST_MARK.match(word[0]):
            return word[0]
    return None


def _around(raw: str, found: re.Match[str]) -> str:
    return raw[max(0, found.start() - _EDGE) : found.end() + _EDGE]
