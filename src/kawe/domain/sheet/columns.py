"""What a sheet can be about, and the columns that it can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from kawe.domain.text.texts import fold

if TYPE_CHECKING:  # help needs neither
    from kawe.domain.service.states import Step
    from kawe.domain.sheet.content import Content

GIVEN: Final = frozenset({"iwi", "reference", "project_id", "link", "receipt_number"})
"""What the service gives for a project, as `RowReport.as_json` has it."""


class SheetKind(str):
    """What the rows of a sheet are about: what every room may know of it.

    Its text is the word for it in journals, plans and settings. Each kind has one
    object, declared in `kawe.kinds`; `kawe.flows.kinds.Kind` adds what the verbs do. A
    kind is found by its word in the whole process: an unpickled row, a plan and an
    approval come without a table of kinds.
    """

    __slots__ = ()
    word: ClassVar[str]
    package: ClassVar[str]
    """Where its `columns.json` lies."""
    content: ClassVar[type[Content]]
    sheet_names: ClassVar[frozenset[str]]
    """What people call such a sheet, folded."""
    guide: ClassVar[tuple[str, ...]]
    """What its template says of how to fill it in, step by step."""
    planned: ClassVar[str] = "act"
    """What a plan does with a row without drafts, as `Action` has it."""
    done: ClassVar[str]
    """How a row stands that is done, as `Outcome` has it."""
    known_rules: ClassVar[frozenset[str]] = frozenset()
    """The rules of findings by which a row takes no step: whom it is about is known."""
    again_rules: ClassVar[frozenset[str]] = frozenset()
    """The rules of findings by which a row that is done begins anew."""
    there: ClassVar[tuple[str, str]] = ("there already", "The service has it already.")
    """Said of rows that were so before kawe asked, in few words and in a sentence."""
    marker: ClassVar[str] = "Reference"
    """What people call that by which its rows are told apart."""
    one: ClassVar[str]
    """What a row of it is: "a project"."""
    listed: ClassVar[str] = "rows"
    """What a list of it holds, said first of a sheet: "people to invite"."""
    act: ClassVar[str]
    """What reaches people for one row: "send"."""
    will: ClassVar[str] = "be done"
    """What will become of a row without drafts: "be invited"."""
    steps: ClassVar[Mapping[Step, tuple[str, str]]]
    """For each step, what a key must be allowed to do, and what kawe asked for:
    "send projects", "send it"."""
    acts: ClassVar[tuple[str, str]]
    """What is to be done, for one row and for many: "person to invite"."""
    does: ClassVar[tuple[str, str, str]]
    """What a run would do, for one row and for many, and what comes behind both."""
    undone: ClassVar[str]
    """Said where a run did nothing: "Nothing was sent."."""
    gives: ClassVar[frozenset[str]] = frozenset()
    """What the service gives for a row, as `RowReport.as_json` has it: a column of a
    result for each."""
    has_drafts: ClassVar[bool] = False
    """Its rows become drafts first, which are sent for a token each."""
    is_real_in_sandbox: ClassVar[bool] = False
    """What a sandbox key does of it reaches people all the same."""
    shows_marker: ClassVar[bool] = True
    """A row's marker may be read by whoever reads a plan."""
    needs_its_name: ClassVar[bool] = False
    """Others have its headings: a sheet is one where its name, or a person, says so."""
    is_told_by_cells: ClassVar[bool] = False
    """Its needed columns tell it from all others too, where their cells suit."""
    is_counted: ClassVar[bool] = True
    """A person types how many of it are to be done."""
    costs: ClassVar[str] = ""
    """What its acts may take of a team's tokens; empty: nothing, or one for a send."""
    is_for_iwi: ClassVar[bool] = False
    """The key of an iwi can do what it asks for."""
    tells_side: ClassVar[bool] = False
    """A check says at each cell what the side of the key may not do."""
    own_schema: ClassVar[Mapping[str, Any]] = {}
    """Its row schema, where that is no file of the package."""
    kept_fields: ClassVar[frozenset[str]] = frozenset()
    """What of a row is kept when the journal forgets what it said."""

    def __new__(cls) -> Self:
        """Make the one object of a kind, and register it by its word."""
        kind = super().__new__(cls, cls.word)
        _DECLARED[cls.word] = kind
        return kind

    def __reduce__(self) -> tuple[Callable[[str], SheetKind], tuple[str]]:
        return SheetKind.named, (self.word,)

    @property
    def value(self) -> str:
        return self.word

    def may_be_called(self, sheet: str) -> bool:
        return not self.needs_its_name or fold(sheet) in self.sheet_names

    @staticmethod
    def named(word: str) -> SheetKind:
        """Give the kind that was declared with this word.

        Raises:
            ValueError: None was.
        """
        if (kind := _DECLARED.get(word)) is None:
            raise ValueError(f"no kind of sheet is called {word!r}")
        return kind

    @staticmethod
    def declared() -> tuple[SheetKind, ...]:
        return tuple(_DECLARED.values())

    @staticmethod
    def words_of(step: Step) -> tuple[str, str]:
        """Give what the kind that takes a step says of it."""
        kinds = (kind for kind in _DECLARED.values() if step in kind.steps)
        return next((kind.steps[step] for kind in kinds), (step, step))

    def costs_of(self, _: Content) -> str:
        """Say what one row may take of a team's tokens."""
        return self.costs

    def content_of(self, values: dict[str, Any]) -> Content:
        return self.content(**values)


_DECLARED: Final[dict[str, SheetKind]] = {}


class CellKind(StrEnum):
    """How the text of a cell is read."""

    TEXT = "text"
    LONG_TEXT = "long-text"
    """Line breaks are kept."""
    DATE = "date"
    CHOICE = "choice"
    YES_NO = "yes-no"
    NUMBER = "number"
    EMAIL = "email"
    PHONE = "phone"
    LIST = "list"
    """Several texts with `;` between them."""
    PLACE = "place"
    """One part of a place; kept as typed, read together with its partner."""
    IDENTIFIER = "identifier"
    """An id of the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value that a choice column can take."""

    value: str
    """What the service calls it."""
    label: str
    """What people call it, and what the template offers."""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a template and what its cells may say."""

    field: str
    title: str
    kind: CellKind
    hint: str
    example: str
    required: bool = False
    is_needed: bool = False
    """Most rows need it: none is told that its cell may be empty."""
    synonyms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Words, each of which in a heading speaks for this column."""
    against: tuple[str, ...] = ()
    """Words, each of which says that a heading means something else."""
    like: str = ""
    """What a cell looks like, as a regular expression; empty: like any other text."""
    before: tuple[str, ...] = ()
    """The fields of days that are never before this one."""
    beside: tuple[str, ...] = ()
    """A guess of it stands beside one of these fields, or is none."""
    differs: bool = False
    """A guess of it has another value in nearly every row."""
    ranges: tuple[tuple[float, float], ...] = ()
    """Where its numbers lie."""
    reaches: bool = False
    """It decides what reaches whom, and when: a guess of it needs a person's word."""
    parts: tuple[tuple[str, ...], ...] = ()
    """Headings of its parts, in their order, where people have a column for each."""
    option: str = ""
    """The flag that gives the value of rows without one, with an example."""
    choices: tuple[Choice, ...] = ()
    max_length: int | None = None
    is_fetched: bool = False
    """Only a sheet that kawe fetched has it; an empty template does not."""
    width: int = 18
    """Width in the template, in characters."""

    def or_empty(self, advice: str) -> str:
        """Add to an advice that the cell may be left empty, where that is so."""
        if self.required or self.is_needed or "empty" in advice:
            return advice
        return f"{advice} Or leave the cell empty.".strip()

    @property
    def is_person(self) -> bool:
        """Say whether each row is of a person, and this is the name."""
        return self.required and any("Surname" in each for each in self.parts)

    def by_name(self) -> dict[str, str]:
        """Give the value of each choice by all its names, folded."""
        values: dict[str, str] = {}
        for choice in self.choices:
            for name in (choice.value, choice.label, *choice.aliases):
                values.setdefault(fold(name), choice.value)
        return values


_MOST_DAYS: Final = 1_000
_SIGNS: Final = {"#": r"\d", "@": r"[^\W\d_]", "?": ".", "*": ".*"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCheck:
    """What an organisation wants of the cells of one column, in its own words.

    Nothing that it writes is run, and a cell is compared in one pass.
    """

    kind: str
    field: str
    says: str
    """What whoever must correct a cell reads there."""
    warns: bool = False
    """The row may go all the same."""
    required: bool = False
    like: str = ""
    """`#` is a digit, `@` a letter, `?` any character; one `*` is any text."""
    one_of: tuple[str, ...] = ()
    working_days: int = 0
    """A day is at least so many away."""

    @property
    def is_usable(self) -> bool:
        """Say whether it is made of what it may be, and wants something."""
        wanted = {"required": bool, "like": str, "one_of": tuple, "working_days": int}
        types = {"says": str, "warns": bool, **wanted}
        return (
            all(type(getattr(self, name)) is kind for name, kind in types.items())
            and all(isinstance(each, str) for each in self.one_of)
            and any(getattr(self, name) for name in wanted)
            and bool(self.says)
            and self.like.count("*") <= 1
            and 0 <= self.working_days <= _MOST_DAYS
        )

    def is_broken(self, value: object, shown: str) -> bool:
        """Say whether a cell is not so; an empty one need not be, unless required."""
        if value is None:
            return self.required and not shown
        texts = {fold(shown), fold(str(value))}
        if self.one_of and texts.isdisjoint(map(fold, self.one_of)):
            return True
        pattern = "".join(_SIGNS.get(each, re.escape(each)) for each in self.like)
        flags = re.IGNORECASE | re.DOTALL
        return bool(pattern) and not re.fullmatch(pattern, shown, flags)


def column_named(words: str, among: Iterable[Column]) -> Column | None:
    """Find a column by its title or its field."""
    wanted = fold(words)
    return next((e for e in among if wanted in {fold(e.title), fold(e.field)}), None)
