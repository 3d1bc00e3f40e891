"""How the columns of a sheet were read, and which were not: said before anything else.

A column that nobody read may hold the send, the files or the message of every row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.refs import column_letters
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import fold, one_line

_SHOWN: Final = 60
_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadColumn:
    """One column of the sheet and the column that it was read as."""

    column: int
    heading: str
    means: Column
    is_taught: bool = False
    """The settings say so."""

    @property
    def is_plain(self) -> bool:
        """Say whether the heading is the column's own title."""
        return not self.is_taught and fold(self.heading) == fold(self.means.title)

    def __str__(self) -> str:
        taught = " (taught)" if self.is_taught else ""
        return f"{_quoted(self.heading, self.column)} → {self.means.title}{taught}"

    def as_json(self) -> dict[str, Any]:
        return {
            "column": column_letters(self.column),
            "heading": self.heading,
            "field": self.means.field,
            "title": self.means.title,
            "taught": self.is_taught,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadColumn:
    """One column with values that was not read."""

    column: int
    heading: str
    """Empty: the column has no heading."""
    nearest: tuple[Column, ...] = ()
    """What it may be, the likeliest first."""
    taken_by: str = ""
    """The heading that was read as the nearest; empty: the sheet has no such column."""
    examples: tuple[str, ...] = ()
    """Some of its values, cleaned."""
    is_yes_no: bool = False
    """Each of its values says yes or no."""
    is_declined: bool = False
    """A person said that it is not to be read."""
    same_as: str = ""
    """The heading of another column that means the same and was read."""
    fits: tuple[Column, ...] = ()
    """Columns that the sheet needs and has not, and that its values would suit."""

    @property
    def is_doubtful(self) -> bool:
        """Say whether a person should be asked what it is."""
        return bool(self.nearest) and not self.taken_by

    @property
    def may_send(self) -> bool:
        """Say whether it may be what sends the rows, which cannot be undone."""
        return self.is_yes_no and any(
            column.kind is CellKind.YES_NO for column in self.nearest
        )

    @property
    def shown(self) -> str:
        """Give its heading, or its letters, for a sentence."""
        return _quoted(self.heading, self.column)

    @property
    def holds(self) -> str:
        """Give some of its values, for a sentence."""
        return ", ".join(one_line(text, limit=24) for text in self.examples[:_EXAMPLES])

    def __str__(self) -> str:
        if self.same_as:
            return (
                f"{self.shown} (the same as “{one_line(self.same_as, limit=_SHOWN)}”)"
            )
        if self.is_declined:
            return f"{self.shown} (as you said)"
        titles = " or ".join(column.title for column in self.nearest)
        if self.taken_by:
            other = one_line(self.taken_by, limit=_SHOWN)
            return f"{self.shown} (like {titles}, which is “{other}”)"
        if self.may_send:
            return f"{self.shown} (only yes and no: is it {titles}?)"
        return f"{self.shown} (is it {titles}?)" if titles else self.shown

    def as_json(self) -> dict[str, Any]:
        return {
            "column": column_letters(self.column),
            "heading": self.heading,
            "nearest": [column.field for column in self.nearest],
            "taken_by": self.taken_by or None,
            "yes_no": self.is_yes_no,
            "declined": self.is_declined,
            "same_as": self.same_as or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateStamp:
    """What a workbook says that `kawe template` made."""

    kind: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAs:
    """How every column of a sheet was read."""

    columns: tuple[ReadColumn, ...] = ()
    unread: tuple[UnreadColumn, ...] = ()
    """With values, in the order of the sheet."""
    template: TemplateStamp | None = None
    """None: `kawe template` did not make it."""
    heading_rows: tuple[int, ...] = ()
    """The row of the headings, or both where they are split over two."""

    @property
    def doubtful(self) -> tuple[UnreadColumn, ...]:
        return tuple(each for each in self.unread if each.is_doubtful)

    @property
    def needed(self) -> tuple[Column, ...]:
        """Give the columns that the sheet needs and has not, and another may be."""
        fits = (column for each in self.unread for column in each.fits)
        return tuple(dict.fromkeys(fits))

    def fitting(self, column: Column) -> list[UnreadColumn]:
        """Give what may be a column that the sheet needs, each heading once."""
        left = {each.heading: each for each in self.unread if column in each.fits}
        return list(left.values())

    def read_words(self) -> Iterator[str]:
        """Say what was read; headings that are titles are only counted."""
        if self.template is not None:
            yield f"kawe's own template, version {self.template.version}"
        if len(self.heading_rows) > 1:
            yield "the headings of rows {} and {} together".format(*self.heading_rows)
        plain = sum(each.is_plain for each in self.columns)
        if plain:
            names = "column under its own name", "columns under their own names"
            yield counted(plain, *names)
        yield from (str(each) for each in self.columns if not each.is_plain)

    def unread_words(self) -> Iterator[str]:
        """Say what was not read, first that which may matter."""
        yield from map(str, sorted(self.unread, key=lambda each: not each.nearest))

    def sentences(self) -> Iterator[str]:
        """Say all of it, each part as one sentence."""
        for label, words in (
            ("Read as", list(self.read_words())),
            ("Not read", list(self.unread_words())),
        ):
            if words:
                yield f"{label}: {'; '.join(words)}."

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON documents; nothing where no sheet was read."""
        made = self.template
        if not self.columns:
            return {}
        return {
            "read_as": [each.as_json() for each in self.columns],
            "not_read": [each.as_json() for each in self.unread],
            "heading_rows": [*self.heading_rows],
            "template": None
            if made is None
            else {"kind": made.kind, "version": made.version},
        }


NO_COLUMNS: Final = ReadAs()


def _quoted(heading: str, column: int) -> str:
    if heading:
        return f"“{one_line(heading, limit=_SHOWN)}”"
    return f"column {column_letters(column)}, which has no heading"
