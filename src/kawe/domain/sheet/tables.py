"""A sheet as it was read: its columns, its typed cells, and the person's own values.

How each column is read is said before anything else, and asked about: a column that
nobody read may hold the send, the files or the message of every row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import CellRef, Finding, RowRef
from kawe.domain.text.texts import counted, fold, one_line
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue, column_letters

_SHOWN: Final = 60
_VALUE: Final = 24
OWN_NAMES: Final = "column under its own name", "columns under their own names"


class How(StrEnum):
    """Why a column is read as what it is."""

    NAME = "name"
    """Its heading is a name that kawe knows."""
    KEPT = "kept"
    """A person said so of sheets with these headings."""
    RULE = "rule"
    """The settings say so of every sheet."""
    GUESS = "guess"
    """Its heading and its cells speak for it. It is not read before a person agrees."""
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """One column of the person's sheet: its heading, and what it is read as."""

    column: int
    text: str
    """Empty: the column has no heading."""
    means: Column | None = None
    """None: it is not read, kept in the result, and there is no guess."""
    part: int = 0
    """Which of the column's parts it holds, from 1; 0: all of it."""
    key: str = ""
    """By what a person's word of it is kept; no other column of the sheet has it."""
    how: How = How.UNREAD
    why: str = ""
    """What speaks for a guess, whose word it is, or why it is not read."""
    others: tuple[Column, ...] = ()
    """What else it may be, the likeliest first."""
    values: tuple[str, ...] = ()
    """Its first values, each once, cleaned."""

    def as_known(
        self, means: Column | None, *, part: int = 0, why: str = ""
    ) -> "Heading":
        """Give it as what its name means; None: it is not read."""
        how = How.UNREAD if means is None else How.NAME
        if self.is_said:
            how, why = self.how, why or self.why
        return replace(self, means=means, part=part, how=how, why=why)

    @property
    def is_said(self) -> bool:
        """Say whether a person or a rule says what it is."""
        return self.how in {How.KEPT, How.RULE}

    @property
    def is_read(self) -> bool:
        return self.means is not None and self.how is not How.GUESS

    @property
    def is_plain(self) -> bool:
        return (
            self.how is How.NAME
            and self.means is not None
            and fold(self.text) == fold(self.means.title)
        )

    @property
    def may_be(self) -> tuple[Column, ...]:
        """Give what it may be where nobody said it, the likeliest first."""
        guess = (self.means,) if self.how is How.GUESS and self.means else ()
        return (*guess, *self.others)

    @property
    def needs_answer(self) -> bool:
        """Nothing goes on before a person said what it is.

        It may decide what reaches whom, and nobody said a word of it.
        """
        return any(column.reaches for column in self.may_be)

    @property
    def has_no_guess(self) -> bool:
        """A person has to choose: nothing speaks enough for what it may be."""
        return self.needs_answer and self.means is None

    @property
    def shown(self) -> str:
        """Give its heading, or its letters, for a sentence."""
        if self.text:
            return f"“{one_line(self.text, limit=_SHOWN)}”"
        return f"column {column_letters(self.column)}, which has no heading"

    @property
    def holds(self) -> str:
        return ", ".join(one_line(text, limit=_VALUE) for text in self.values)

    @property
    def read_words(self) -> str:
        """Say as what it is read."""
        if self.means is None:
            return "not read"
        return f"{self.means.title}?" if self.how is How.GUESS else self.means.title

    @property
    def sure_words(self) -> str:
        """Say how sure that is."""
        if self.how is How.UNREAD and self.others:
            return f"may be {' or '.join(column.title for column in self.others)}"
        if self.how is How.GUESS:
            return f"guess by {self.why}"
        if self.how is How.KEPT:
            return "as you said"
        return "known name" if self.how is How.NAME else self.why

    def __str__(self) -> str:
        words, sure = self.read_words, self.sure_words
        # A question mark alone could pass for a column that is read.
        words = f"not read; is it {words}" if self.how is How.GUESS else words
        return f"{self.shown} → {words}{f' ({sure})' if sure else ''}"

    def as_json(self) -> dict[str, Any]:
        return {
            "column": column_letters(self.column),
            "heading": self.text,
            "how": self.how,
            "field": None if self.means is None else self.means.field,
            "may_be": [column.field for column in self.others],
            "values": [*self.values],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAs:
    """How every column of a sheet is read."""

    every: tuple[Heading, ...] = ()
    """In the order of the sheet."""
    shape: str = ""
    """What sheets with the same headings have in common."""
    template: int | None = None
    """Its version; None: `kawe template` did not make it for this kind."""
    heading_rows: tuple[int, ...] = ()
    """The row of the headings, or both where they are split over two."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Which others of a table of places a person said addresses to be; all folded."""

    @property
    def read(self) -> tuple[Heading, ...]:
        return tuple(each for each in self.every if each.is_read)

    @property
    def unread(self) -> tuple[Heading, ...]:
        return tuple(each for each in self.every if not each.is_read)

    @property
    def open(self) -> tuple[Heading, ...]:
        return tuple(each for each in self.every if each.may_be)

    @property
    def needs_answer(self) -> bool:
        return any(each.needs_answer for each in self.every)

    def with_word(self, column: int, means: Column | None) -> "ReadAs":
        """Take a person's word of a column; another that was read so is not read."""
        field = None if means is None else means.field

        def said(each: Heading) -> Heading:
            if each.column == column:
                return replace(each, how=How.KEPT, means=means, others=())
            if each.means is None or each.means.field != field:
                return each
            return replace(each, how=How.KEPT, means=None, others=())

        return replace(self, every=tuple(map(said, self.every)))

    def kept_fields(self, *, takes_guesses: bool) -> dict[str, str | None]:
        """Give what is kept once a person agreed: all that no name says by itself."""
        return {
            each.key: None if each.means is None else each.means.field
            for each in self.every
            if each.how is How.KEPT or (takes_guesses and each.how is not How.NAME)
        }

    def lines(self) -> Iterator[str]:
        """Say what each column is read as; those under their own names are counted."""
        yield from (str(each) for each in self.every if not each.is_plain)
        if plain := sum(each.is_plain for each in self.every):
            yield counted(plain, *OWN_NAMES)

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON documents; nothing where no sheet was read."""
        if not self.every:
            return {}
        return {
            "reading": {
                "columns": [each.as_json() for each in self.every],
                "needs_answer": self.needs_answer,
                "heading_rows": [*self.heading_rows],
                "template": self.template,
            }
        }


NO_COLUMNS: Final = ReadAs()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReading:
    """What a person said of the columns of sheets with the same headings."""

    kind: SheetKind
    fields: Mapping[str, str | None]
    """By the key of each column: its field, or None where it is not to be read."""
    workbook: str
    """The name of the workbook of which it was said."""
    kept_on: date
    addresses: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "kept_on": self.kept_on.isoformat()}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingRule:
    """What is said of a heading, in whatever sheet of a kind it stands."""

    kind: SheetKind
    heading: str
    field: str | None
    """None: it is not to be read."""
    by: str
    """Whose word it is, in few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMemory:
    """All that was said of columns before."""

    kept: Mapping[str, KeptReading] = field(default_factory=dict)
    """By the shape of the sheet."""
    rules: Mapping[tuple[SheetKind, str], HeadingRule] = field(default_factory=dict)
    """By kind and folded heading; a name that kawe knows itself comes before them."""


NO_MEMORY: Final = ColumnMemory()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a known column."""

    ref: CellRef
    heading: str
    shown: str
    """What the person sees there, cleaned, for messages."""
    value: CellValue
    """None when the cell is empty or could not be read; a finding says so."""
    may_be_empty: bool = False
    """A row without it can be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row that is not blank."""

    ref: RowRef
    cells: Mapping[str, Cell]
    """By field; only columns that the sheet has."""
    raw: tuple[RawValue, ...]
    """The person's values in the order of `Table.headings`."""
    findings: tuple[Finding, ...] = ()

    def value(self, field: str) -> CellValue:
        """Give what the cell of `field` means, None where there is none."""
        cell = self.cells.get(field)
        return None if cell is None else cell.value

    def where(self, field: str) -> CellRef | RowRef:
        """Give the cell of `field`, or the row where it has none."""
        cell = self.cells.get(field)
        return self.ref if cell is None else cell.ref

    def values(self) -> dict[str, CellValue]:
        return {
            field: cell.value
            for field, cell in self.cells.items()
            if cell.value is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows of one sheet."""

    kind: SheetKind
    sheet: str
    heading_row: int
    headings: tuple[Heading, ...]
    rows: tuple[TableRow, ...]
    findings: tuple[Finding, ...] = ()
    """What concerns the sheet and no single row."""
    read_as: ReadAs = NO_COLUMNS
    projects: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """What stands in the column Project id of kawe, by the number of the row."""
    markers: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    """What stands in its column Reference at the service."""

    def has(self, field: str) -> bool:
        return self.heading_of(field) is not None

    def heading_of(self, field: str) -> Heading | None:
        """Give the heading of the column for `field`; None where there is none."""
        found = (h for h in self.headings if h.means and h.means.field == field)
        return next(found, None)
