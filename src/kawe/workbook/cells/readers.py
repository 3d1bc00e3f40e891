"""The reader of a column: the right kind, with a cache; numbers, names, addresses."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, time
from typing import Final, TypeGuard
from unicodedata import is_normalized

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import NAME_TURNED, Remark, Severity
from kawe.domain.text.texts import DASHES, clean, one_line
from kawe.workbook.cells.choices import choice_reader, read_yes_no
from kawe.workbook.cells.dates import date_facts, date_reader
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReader,
    CellReading,
    ColumnFacts,
    error,
    note,
    number_text,
    quoted,
    refused,
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
# The same at the start of a word, ?taki, as people also mark doubts; or Ng?.
_FIRST_MARK: Final = re.compile(r"^\?[a-z][a-z?]{2}|^(ng|[tkm])\?$", re.IGNORECASE)
_BEFORE_WORDS: Final = "( \t\n\xa0\"'“‘"
_SCIENTIFIC: Final = re.compile(r"\d(?:\.\d+)?[Ee]\+\d+")
_EDGE: Final = 12
_DITTO: Final = r"ditto|see above|(?:same )?as (?:per )?above|[\"”″〃]+"
NO_CODE_YET: Final = rf"(?:tb[acd]|new|n/?a|none|nil|pending|[?.–—-]+|{_DITTO})"
"""What stands in place of a number that there is not yet."""
_NO_CODE: Final = re.compile(NO_CODE_YET, re.IGNORECASE)
_MAY_BE_NONE: Final = re.compile(rf"\|{NO_CODE_YET}\|", re.IGNORECASE)
_SAID: Final = ("name", "description", "message")
_BULLETS: Final = "•·▪◦●○‣ "
_ADDRESS: Final = r"[^\s,;@]+@[^\s,;@]+"
_ADDRESSES: Final = re.compile(rf"(?:[\s,;]*{_ADDRESS}(?![^\s,;]))+[\s,;]*")


def text_reader(column: Column, facts: ColumnFacts) -> CellReader:
    """Make the reader of a column of words of any kind."""
    is_prose = column.kind is CellKind.LONG_TEXT

    def read(raw: RawValue) -> CellReading:
        if isinstance(raw, str):
            text = words(raw, keep_lines=is_prose)
            remarks = signs(raw, is_prose=is_prose)
            if any(remark.severity is Severity.ERROR for remark in remarks):
                return CellReading(remarks=remarks)
            if column.differs and _NO_CODE.fullmatch(text):
                message = f"{quoted(text)} is no reference, so kawe makes one."
                advice = "Leave it empty, or type a number that no other project has."
                none = warning("reference-none", message=message, advice=advice)
                return CellReading(remarks=(none,))
            is_phone = column.kind is CellKind.PHONE
            is_said = column.field in _SAID and text.lower() != "new"
            is_said |= re.fullmatch(_DITTO, text, re.IGNORECASE) is not None
            if (is_phone or is_said) and _NO_CODE.fullmatch(text):
                rule = "phone-none" if is_phone else "text-none"
                message = f"{quoted(text)} is no {column.title.lower()}."
                return refused(rule, message=message, advice=column.hint)
            if facts.surnames_first:
                text, said = as_called(text, share=facts.surnames_first)
                remarks += said
            return CellReading(value=text, remarks=remarks) if text else EMPTY
        return CellReading(value=plain(raw), remarks=tuple(_typed(raw, column, facts)))

    return read


def words(raw: str, *, keep_lines: bool = False) -> str:
    """Clean a text as it is sent; without `keep_lines`, on one line."""
    text = clean(raw)
    return text if keep_lines or "\n" not in text else " ".join(text.split())


def plain(raw: RawValue) -> str:
    return raw.isoformat() if isinstance(raw, date) else show(raw)


def signs(raw: str, *, is_prose: bool = False) -> tuple[Remark, ...]:
    """Find letters, length and digits that a text may have lost."""
    letters = _lost_letters(raw, is_prose=is_prose)
    return (*letters, *_lost_length(raw), *_lost_digits(raw.strip()))


def _typed(raw: RawValue, column: Column, facts: ColumnFacts) -> Iterator[Remark]:
    match raw:
        case bool() | None | str():
            pass
        case date() | time():
            yield warning(
                "date-in-text",
                message=f"Excel holds a date or time here, {quoted(show(raw))}; it may "
                "have been typed as something else, such as 12-3.",
                advice="Format the column as Text and type it again.",
            )
        case int() | float():
            yield from _number(raw, column, facts)


def _number(number: float, column: Column, facts: ColumnFacts) -> Iterator[Remark]:
    text = number_text(number)
    digits, lost = text.lstrip("-"), ""
    is_postcode = "postcode" in column.field
    if not digits.isdigit() or len(digits) > _KEPT_DIGITS:
        yield from _lost_digits(text)
    elif column.kind is CellKind.PHONE:
        if not digits.startswith("64"):
            lost = "is held as a number, so a zero at its start is lost."
    elif len(digits) < (_POSTCODE_DIGITS if is_postcode else facts.padded_digits):
        lost = "may have lost a zero at its start."
    if lost:
        yield warning("zero-lost", message=f"{quoted(text)} {lost}", advice=_AS_TEXT)


def read_list(raw: RawValue) -> CellReading:
    """Read several texts with `;` between them."""
    if not isinstance(raw, str):
        return CellReading(value=[plain(raw)])
    remarks = signs(raw)
    if any(remark.severity is Severity.ERROR for remark in remarks):
        return CellReading(remarks=remarks)
    # A line break also separates texts.
    text = clean(raw).replace("\n", ";")
    # The name of a file may have a comma and a space; an address has none.
    parts = re.split(r"[\s,;]+" if _ADDRESSES.fullmatch(text) else ";", text)
    texts = [part for each in parts if (part := words(each).lstrip(_BULLETS))]
    once = list(dict.fromkeys(texts))
    if len(once) < len(texts):
        twice = next(text for text in once if texts.count(text) > 1)
        said = note("listed-twice", message=f"{quoted(twice)} is listed twice.")
        remarks = (*remarks, said)
    return CellReading(value=once or None, remarks=remarks)


def _lost_letters(raw: str, *, is_prose: bool) -> Iterator[Remark]:
    """Find letters that were lost when the text was saved.

    A question mark inside a word is an error, in prose only a warning; at the start
    of a word it is always a warning.
    """
    found = _DOUBLE_READ.search(raw)
    may_question = not found and "?" in raw
    inner = _questioned(raw, _INNER_MARK) if may_question else None
    is_inner = inner is not None or not may_question
    first = None if is_inner else _questioned(raw, _FIRST_MARK)
    sample = inner or first
    if found:
        sample = raw[max(0, found.start() - _EDGE) : found.end() + _EDGE]
    if sample:
        is_doubt = first or (inner and is_prose)
        yield Remark(
            severity=Severity.WARNING if is_doubt else Severity.ERROR,
            rule="letters-lost",
            message=f"{quoted(sample)} has lost letters such as ā or ō.",
            advice="Type it again, or save the sheet it came from as an Excel Workbook "
            "(.xlsx) or as CSV UTF-8.",
        )


def _lost_length(raw: str) -> Iterator[Remark]:
    if raw.rstrip().endswith(CUT_MARK.strip()):
        yield error(
            "text-cut",
            message="This text was cut when the result workbook was written.",
            advice="Copy the whole text from your own workbook.",
        )
    elif len(raw) == EXCEL_TEXT_LIMIT:
        yield warning(
            "text-full",
            message=f"This text is {EXCEL_TEXT_LIMIT:,} characters long, as much as "
            "an Excel cell holds; its end may be missing.",
            advice="Look at its end, and put what is long into an attached file.",
        )


def _lost_digits(text: str) -> Iterator[Remark]:
    """Find a number that Excel shortened to something like 1E+05."""
    if _SCIENTIFIC.fullmatch(text):
        yield warning(
            "digits-lost",
            message=f"{quoted(text)} looks like a long number that Excel shortened.",
            advice="Format the column as Text and type the number again.",
        )


def _questioned(raw: str, mark: re.Pattern[str]) -> str | None:
    """Find a word with such a mark; one at its start stands where words begin."""
    found = (
        word[0]
        for word in _QUESTIONED.finditer(raw)
        if mark is not _FIRST_MARK
        or not word.start()
        or raw[word.start() - 1] in _BEFORE_WORDS
    )
    return next(filter(mark.search, found), None)


_PLAIN: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_GROUPED: Final = re.compile(
    r"[-+]?\d{1,3}(?:([, ’'])\d{3})(?:\1\d{3})*(?:\.\d+)?", re.ASCII
)
_NAMED: Final = re.compile(r"[^<>]*<\s*([^<>\s]+)\s*>")
_SEVERAL: Final = re.compile(r"@[^@]*[;,\s/]+[^@]*@")
_AROUND: Final = " ;,.\"'‘’“”<>()"
_PADDED: Final = re.compile(r"0[0-9]+")
_SHORTENED: Final = re.compile(r"[0-9][Ee]\+")
_MISREAD: Final = re.compile(r"[ÂÃÄÅâ\ufffd]")
_CUT_WORDS: Final = "cut by kawe"
_LONG_TEXT: Final = 32_000
"""A text of so many characters is never plain."""
_NOT_PLAIN: Final = ("| ", " |", "||")
_REMEMBERED: Final = 5_000
_WORDS: Final = frozenset(
    {CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER, CellKind.PHONE}
)
# Cells of which a person may not know the right value.
_LEFT_OUT: Final = frozenset(
    {CellKind.CHOICE, CellKind.DATE, CellKind.EMAIL, CellKind.NUMBER, CellKind.YES_NO}
    | {CellKind.PHONE}
)


def facts_of(
    column: Column, cells: Iterable[RawValue], *, known: ColumnFacts
) -> ColumnFacts:
    """Find the facts of a column in some cells; `known` are those of its sheet."""
    if column.kind is CellKind.DATE:
        return date_facts({*cells}, known=known)
    if column.kind in _WORDS:
        cells = [*cells]
        zeros = (e for e in cells if isinstance(e, str) and e.startswith("0"))
        padded = (len(each) for each in zeros if _PADDED.fullmatch(each))
        return replace(
            known,
            padded_digits=max(known.padded_digits, *padded, 0),
            surnames_first=surnames_first(cells) if column.is_person else 0.0,
        )
    return known


class ColumnReader:
    """Reads the cells of one column; equal cells are read once."""

    def __init__(self, column: Column, facts: ColumnFacts) -> None:
        self.column = column
        self._read = _MAKERS[column.kind](column, facts)
        self._known: dict[tuple[type, RawValue], CellReading] = {}
        self.takes_plain = column.kind in _WORDS and not facts.surnames_first

    def is_plain(self, raw: RawValue) -> TypeGuard[str]:
        return self.takes_plain and isinstance(raw, str) and are_plain([raw])

    def read(self, raw: RawValue) -> CellReading:
        """Read one cell; a blank one is an empty one."""
        if self.column.kind is CellKind.LIST:
            # A list is never shared.
            return EMPTY if is_blank(raw) else self._read(raw)
        key = (raw.__class__, raw)
        reading = self._known.get(key)
        if reading is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            reading = EMPTY if is_blank(raw) else self._read(raw)
            if self.column.kind in _LEFT_OUT:
                remarks = (
                    replace(remark, advice=self.column.or_empty(remark.advice))
                    if remark.severity is Severity.ERROR
                    else remark
                    for remark in reading.remarks
                )
                reading = replace(reading, remarks=tuple(remarks))
            self._known[key] = reading
        return reading


def are_plain(cells: Sequence[RawValue]) -> bool:
    """Check that words and empty cells are read as they are, with no remark."""
    texts = [each for each in cells if isinstance(each, str)]
    # One look at all of them is many times quicker than one at each.
    whole = f"|{'|'.join(texts)}|"
    return (
        len(texts) + cells.count(None) == len(cells)
        and whole.isprintable()
        and not any(each in whole for each in _NOT_PLAIN)
        and len(whole) < _LONG_TEXT
        and (whole.isascii() or is_normalized("NFC", whole))
        and not _is_notable(whole)
    )


def _is_notable(text: str) -> bool:
    """Check that a reader of words may remark on a text, or on a line of it."""
    # Plain searches are many times quicker than patterns.
    return (
        "?" in text
        or "  " in text
        or _CUT_WORDS in text
        or _MAY_BE_NONE.search(text) is not None
        or ("+" in text and _SHORTENED.search(text) is not None)
        or (not text.isascii() and _MISREAD.search(text) is not None)
    )


def is_blank(raw: RawValue) -> bool:
    """Check that a cell shows nothing."""
    if not isinstance(raw, str):
        return raw is None
    return not raw or raw.isspace() if raw.isprintable() else not clean(raw)


_MAKERS: Final[Mapping[CellKind, Callable[[Column, ColumnFacts], CellReader]]] = {
    CellKind.TEXT: text_reader,
    CellKind.LONG_TEXT: text_reader,
    CellKind.IDENTIFIER: text_reader,
    CellKind.PHONE: text_reader,
    CellKind.DATE: lambda _, facts: date_reader(facts),
    CellKind.CHOICE: lambda column, _: choice_reader(column),
    CellKind.YES_NO: lambda *_: read_yes_no,
    CellKind.NUMBER: lambda *_: read_number,
    CellKind.EMAIL: lambda *_: read_email,
    CellKind.LIST: lambda *_: read_list,
    CellKind.PLACE: lambda *_: read_place,
}


def read_email(raw: RawValue) -> CellReading:
    """Read an email address: also `Name <a@b>` and `mailto:`; no network is used."""
    # 15 ms, and most commands read no cell.
    from email_validator import (  # noqa: PLC0415 - start-up
        EmailNotValidError,
        validate_email,
    )

    shown = words(show(raw))
    named = _NAMED.fullmatch(shown)
    address = (named[1] if named else shown).strip(_AROUND)
    if address[:7].lower() == "mailto:":
        address = address[7:].partition("?")[0]
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


def read_number(raw: RawValue) -> CellReading:
    """Read a number."""
    if not isinstance(raw, str | bool | date | time | None) and math.isfinite(raw):
        return CellReading(value=float(raw))
    return _text(words(raw)) if isinstance(raw, str) else _no_number(show(raw))


def read_place(raw: RawValue) -> CellReading:
    """Read one part of a place.

    The number or text is kept as typed: `kawe_places` reads both parts together.
    """
    match raw:
        case str():
            return CellReading(value=words(raw) or None)
        case bool() | date() | time() | None:
            return refused(
                "place-unreadable",
                message=f"Excel holds {quoted(show(raw))} here, no coordinate.",
                advice="Format the cell as Text and type the coordinate again.",
            )
        case _:
            return CellReading(value=raw)


def _text(text: str) -> CellReading:
    plain = text.translate(DASHES)
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"[, ’']", "", plain)
    if _PLAIN.fullmatch(plain) and math.isfinite(number := float(plain)):
        return CellReading(value=number)
    return _no_number(text)


def _no_number(shown: str) -> CellReading:
    return refused(
        "number-unreadable",
        message=f"{quoted(shown)} is not a number.",
        advice="Write digits only, with a point for decimals: 12 or 2.5.",
    )


# Names of people that stand as surname and first name: “Ngata, Hana”.
_WORD: Final = r"[^\W\d_](?:[’'‘.-]?[^\W\d_])*\.?"
_BEFORE: Final = r"te|van|der|den|de|du|da|di|von|la|le|st\.?|al|el|bin|ter"
_TURNED: Final = re.compile(
    rf"(?i)((?:(?:{_BEFORE}) )*{_WORD}),\s*({_WORD}(?: {_WORD}){{0,3}})"
)
# What follows the name of a person, or stands in that of an organisation.
_NO_NAME: Final = re.compile(
    r"(?i)\b(?:jr|sr|jnr|snr|i{2,3}|iv|esq|ph\.?d|qs[mo]|[mocd]nzm|jp|[bm]\.?(?:sc|a)"
    r"|ll[bm]|mba|and|ltd|limited|inc|llc|co|company|trust|councils?|group|teams?"
    r"|services?|partners|consult\w*|engineer\w*|plann\w*|advis[eo]r|manager|officer"
    r"|director|department|rūnanga|iwi|marae)\b"
)
_MOST: Final = 0.5


def surnames_first(names: Iterable[RawValue]) -> float:
    """Give the share of names, each counted once, that stand so."""
    texts = [clean(each) for each in {*names} if isinstance(each, str)]
    return sum(map(bool, map(_turned, texts))) / (len(texts) or 1)


def as_called(name: str, *, share: float) -> tuple[str, tuple[Remark, ...]]:
    """Give a name with the first name first, and what a person must know of it.

    `share` of the names in its column stand with the surname first. Where these are
    not most, it is not clear what is meant, and none is turned.
    """
    turned = _turned(name)
    if turned and share > _MOST:
        message = "The surname stands first: kawe puts the first name before it."
        return turned, (note(NAME_TURNED, message=message),)
    return name, () if (not turned and share <= _MOST) or "," not in name else (_COMMA,)


_COMMA: Final = warning(
    "name-comma",
    message="The name has a comma and is taken as it stands.",
    advice="If the surname stands first, type the first name first.",
)


def _turned(name: str) -> str:
    is_one = "," in name and not _NO_NAME.search(name)
    found = _TURNED.fullmatch(name) if is_one else None
    return f"{found[2]} {found[1]}" if found else ""
