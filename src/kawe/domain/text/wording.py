"""The message of rows that have none: one text with fields, of a sheet or a file."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from kawe.domain.text.new_zealand import day_words
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe_xlsx.cells import RawValue

MESSAGE_SHEET: Final = "message"
"""What the sheet is called, folded."""
_FIELD: Final = re.compile(r"\{([^{}\n]*)\}")
_BRACES: Final = re.compile(r"\{[^{}\n]*\}?|\}")
"""Fields, and braces that are none."""
_DAYS: Final = {each: f"{each}_date" for each in ("start", "end", "respond_by")}
_FIELDS: Final = {
    **{each: each for each in ("name", "reference", "description", "address")},
    **{each: each for each in ("organisation", "contact_name", "contact_phone")},
    **_DAYS,
}
"""What a text may name, and the field of the row that it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A text for iwi, with fields of the row between braces."""

    text: str
    of: str
    """What has it, for a sentence."""

    @property
    def fields(self) -> set[str]:
        return {_FIELDS[_word(each)] for each in _FIELD.findall(self.text)}

    def filled(self, values: Mapping[str, object]) -> str:
        """Give it for a row that has all of its fields."""
        return _FIELD.sub(lambda found: _said(found[1], values), self.text)


def wording_of(
    rows: Iterable[tuple[int, tuple[RawValue, ...]]],
    *,
    of: str,
    place: Callable[[int, int], str],
) -> Wording:
    """Read the text of a sheet or a file; an empty row is an empty line.

    `place` names the cell, or the line, of a row and a column.

    Raises:
        WorkbookError: It names a field that there is not, or is in several columns.
    """
    text, last = "", 0
    for number, cells in rows:
        said = [(at, str(each)) for at, each in enumerate(cells, 1) if each is not None]
        if len(said) > 1:
            raise WorkbookError(
                message=f"{place(number, said[1][0])}: the text stands in one column.",
                hint="What one row alone says stands under Message, in that row.",
            )
        for at, each in said:
            known = [f"{{{word}}}" for word in fields_in(each)]
            for mark in (e for e in _BRACES.findall(each) if e not in known):
                raise WorkbookError(
                    message=f"{place(number, at)}: {one_line(mark, limit=40)} is no "
                    "field.",
                    hint="These are: " + ", ".join(f"{{{each}}}" for each in _FIELDS),
                )
        text += "\n" * (number - last if text else 0) + "".join(e for _, e in said)
        last = number
    return Wording(text=text.strip(), of=of)


def fields_in(text: object) -> list[str]:
    """Give the fields that a text names, as they were typed."""
    return [each for each in _FIELD.findall(str(text)) if _word(each) in _FIELDS]


def _word(typed: str) -> str:
    return "_".join(typed.casefold().split())


def _said(typed: str, values: Mapping[str, object]) -> str:
    word = _word(typed)
    value = str(values[_FIELDS[word]])
    return day_words(date.fromisoformat(value)) if word in _DAYS else value


def message_lines(
    messages: Iterable[tuple[str, str]], *, shown: int | None
) -> Iterator[str]:
    """Show messages as they will leave, each under the reference of its row."""
    every = list(messages)
    for reference, message in every[:shown]:
        yield f"The message of {one_line(reference, limit=60)}, as it will leave:"
        for line in message.splitlines():
            # No space is lost, and nothing is cut.
            words = (one_line(each, limit=len(each) + 1) for each in line.split(" "))
            yield f"    {' '.join(words)}"
    if shown is not None and len(every) > shown:
        yield f"    and {len(every) - shown:,} more like it"
