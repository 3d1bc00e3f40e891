"""What is wrong with rows before anything is sent, said once with all its places.

Warnings are counted and named where somebody agrees to a run.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final, TypeAlias

from kawe.domain.text.new_zealand import A_YEAR, short_day_words
from kawe.domain.text.next_steps import Given, Says
from kawe.domain.text.texts import counted, one_line, rows_words, some_of
from kawe_xlsx.cells import address


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RowRef:
    """One row of one sheet; rows count from 1 and the heading row counts."""

    sheet: str
    row: int

    def __str__(self) -> str:
        return f"{self.sheet}!{self.row}"

    def cell(self, column: int) -> "CellRef":
        """Point at one cell of this row; columns count from 1."""
        return CellRef(sheet=self.sheet, row=self.row, column=column)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class CellRef:
    """One cell of one sheet."""

    sheet: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.sheet}!{self.address}"

    @property
    def address(self) -> str:
        return address(self.row, self.column)

    @property
    def row_ref(self) -> RowRef:
        return RowRef(sheet=self.sheet, row=self.row)


HEADING_MISSING: Final = "heading-missing"
"""The rule of a column that the sheet does not have, in none of its rows."""
FILE_MISSING: Final = "file-missing"
FILE_OUTSIDE: Final = "file-outside"
MISSING: Final = "missing"
"""The rule of a cell that must not be empty, and of a column in one row."""
COLUMNS_OPEN: Final = "columns-open"
"""The rule of columns that may decide what reaches people, and nobody said if so."""
ROW_OFF: Final = "row-off"
"""The rule of a row that says, or stands below what says, that it is off."""
ROW_AGAIN: Final = "row-again"
"""The rule of a row that says what an earlier one says: it counts once."""
PERSON_KNOWN: Final = "person-known"
PERSON_GONE: Final = "person-gone"
"""The rule of a row whose person was invited once and is not there any more."""
PERSON_AGAIN: Final = "person-again"
"""The rule of a row whose person is to get a new invitation: the last one expired."""
PERSON_ROLE: Final = "person-role"
"""The rule of a row whose person is there, or invited, in another role."""
EDITED: Final = "edited-too-late"
"""The rule of a row that was edited after the service had something of it."""
AS_IT_STANDS: Final = "as-it-stands"
"""The rule of a row whose draft goes, or went, though it says something else."""
REPLACED: Final = "replaced-after-draft"
"""The rule of a row that, once its draft is sent, is about another project."""
LATE_MISTAKES: Final = "mistake-too-late"
"""The rule of a row that has mistakes after the service has something of it."""
TABLE_NOT_READ: Final = "table-not-read"
LINES_LEFT_OUT: Final = "lines-left-out"
"""The rule of lines among the rows that are no rows."""
SENT_ELSEWHERE: Final = "sent-elsewhere"
"""The rule of a row that has a project which the journal does not know."""
MESSAGE_FILLED: Final = "message-filled"
"""The rule of a row whose message is that of the workbook, with its own values."""
DATE_PAST: Final = "date-past"
ACT_AGAIN: Final = "act-again"
ACT_CHANGES: Final = "act-changes"
ACT_IS_SO: Final = "act-is-so"
"""The rule of a row that asks for what is so already."""
NAME_TURNED: Final = "name-turned"
"""The rule of a person's name of which the surname stands first."""
SHOWN_FIRST: Final = frozenset(
    {COLUMNS_OPEN, LINES_LEFT_OUT, ROW_AGAIN, PERSON_KNOWN, PERSON_GONE, PERSON_ROLE}
    | {SENT_ELSEWHERE, AS_IT_STANDS, ACT_CHANGES, PERSON_AGAIN, "dates-either"}
    | {MESSAGE_FILLED, NAME_TURNED, TABLE_NOT_READ, ROW_OFF, "date-turned"}
    | {ACT_AGAIN, "rows-commented"}
)
"""Rules that are shown before anything is sent, however little they weigh."""


class Severity(StrEnum):
    """How much a finding matters, the gravest first."""

    ERROR = "error"
    """The row cannot be sent."""
    WARNING = "warning"
    """The row can be sent; a person should check it."""
    NOTE = "note"
    """Something was read in a way that the person should know of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with, or worth knowing of, one cell or row."""

    where: CellRef | RowRef
    severity: Severity
    rule: str
    """A short stable name, such as `date-unreadable`; words for machines."""
    heading: str
    """The heading above the cell, empty for a whole row."""
    value: str
    """What stood there, as the person sees it."""
    message: str
    advice: str = ""
    """What to do, a sentence."""

    @property
    def row(self) -> RowRef:
        """Give the row that the finding is about."""
        where = self.where
        return where.row_ref if isinstance(where, CellRef) else where

    @property
    def told(self) -> str:
        """Say it where its cell is not seen: the column, what is wrong, what to do."""
        where = f"{one_line(self.heading, limit=60)}: " if self.heading else ""
        return f"{where}{self.message} {self.advice}".strip()

    def said(self, says: Says) -> "Finding":
        """Give it in the words of a face."""
        words = says(self.message), says(self.advice)
        if words == (self.message, self.advice):
            return self
        return replace(self, message=words[0], advice=words[1])

    def as_json(self) -> dict[str, str]:
        return {each.name: str(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A finding without its address."""

    severity: Severity = Severity.ERROR
    rule: str
    message: str
    advice: str = ""

    def at(
        self, where: CellRef | RowRef, *, heading: str = "", value: str = ""
    ) -> Finding:
        return Finding(
            where=where,
            severity=self.severity,
            rule=self.rule,
            heading=heading,
            value=value,
            message=self.message,
            advice=self.advice,
        )


def blocks(findings: Iterable[Finding]) -> bool:
    return Severity.ERROR in [finding.severity for finding in findings]


_ORDER: Final = {severity: at for at, severity in enumerate(Severity)}
_SHOWN_VALUES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingGroup:
    """One thing that is wrong, or worth knowing of, and every row that has it."""

    first: Finding
    rows: tuple[int, ...]
    """Numbers as Excel shows them, sorted, each once; never empty."""
    values: tuple[str, ...]
    """What stood in the cells, each different text once, in the order of the rows."""
    likewise: tuple[str, ...] = ()
    """Where others of its rule and heading are, of which only this one is said."""

    @property
    def severity(self) -> Severity:
        return self.first.severity

    @property
    def rows_words(self) -> str:
        return rows_words(self.rows)

    def values_words(self, *, limit: int) -> str:
        """Quote what stood in the cells; each text is cleaned and cut to `limit`."""
        shown = [one_line(value, limit=limit) for value in self.values if value]
        return some_of([f"“{value}”" for value in shown], shown=_SHOWN_VALUES)

    def as_json(self) -> dict[str, Any]:
        return {**self.first.as_json(), "rows": list(self.rows)}


Problems: TypeAlias = tuple[FindingGroup, ...]
"""Errors first, then warnings, then notes; each in the order of the cells."""


def grouped(
    findings: Iterable[Finding], *, all_rows: Callable[[], Iterable[int]] = tuple
) -> Problems:
    """Group findings that say the same.

    `all_rows` gives the numbers of the sheet's rows: a missing column is missing in
    each. It is called only where a column is missing.
    """
    same: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        what = each.severity, each.rule, each.heading, each.message, each.advice
        same.setdefault((each.row.sheet, *what), []).append(each)
    groups = [_group(members, all_rows) for members in same.values()]
    return tuple(sorted(groups, key=_place))


def _group(
    members: Sequence[Finding], all_rows: Callable[[], Iterable[int]]
) -> FindingGroup:
    first = min(members, key=lambda each: (each.row.row, _column(each)))
    rows = {each.row.row for each in members}
    if first.rule == HEADING_MISSING:
        rows = set(all_rows()) or rows
    return FindingGroup(
        first=first,
        rows=tuple(sorted(rows)),
        values=tuple(dict.fromkeys(each.value for each in members)),
    )


def without_likes(problems: Iterable[FindingGroup]) -> Iterator[FindingGroup]:
    """Give the first of three findings or more of one rule and heading for all."""
    same: dict[tuple[str, ...], list[FindingGroup]] = {}
    for each in problems:
        what = each.first.row.sheet, each.severity, each.first.rule, each.first.heading
        same.setdefault(what, []).append(each)
    for alike in same.values():
        cells = tuple(str(each.first.where).rpartition("!")[2] for each in alike[1:])
        yield from [replace(alike[0], likewise=cells)] if cells[1:] else alike


def _place(group: FindingGroup) -> tuple[int, int, int]:
    first = group.first
    return _ORDER[first.severity], first.row.row, _column(first)


def _column(finding: Finding) -> int:
    return finding.where.column if isinstance(finding.where, CellRef) else 0


_WORDS: Final = {
    "as-it-stands": "whose draft goes as it stands in the service",
    "coordinate-accuracy": "with coordinates of a coarse system",
    "coordinate-decimals": "with few decimals in the place",
    "csv-encoding": "with letters that were guessed",
    "date-far": "with a date many years away",
    "date-in-text": "with a date where a text belongs",
    "date-past": "with a date in the past",
    "date-turned": "with a date that Excel may have turned round",
    "date-with-time": "with a time beside a date",
    "edited-too-late": "edited too late",
    "file-not-as-named": "with a file that is not what its name says",
    "file-on-several-rows": "with a file of another row",
    "file-pattern": "with a pattern for files",
    "iwi-ignored": "with iwi that the service ignores",
    "iwi-needed": "without a choice of iwi",
    "likely-repeat": "like a project of before",
    "name-comma": "with a comma in the name",
    "name-repeated": "with the name of another row",
    "organisation-near": "with nearly the name of an organisation",
    "organisation-spelt-twice": "with an organisation that is spelt in two ways",
    "own-fields": "with a field in braces in the message",
    "person-gone": "of people who are not in the team any more",
    "person-role": "of people who have another role",
    "place-at-sea": "at sea",
    "place-on-many-rows": "with a place that many rows have",
    "place-without-iwi": "without iwi",
    "reference-near": "with nearly the reference of another row",
    "reference-none": "with a word in place of a reference",
    "respond-by-far-away": "with more than a year to respond",
    "respond-by-day-off": "respond-by on a weekend or holiday",
    ROW_OFF: "called off",
    "start-after-end": "with a start after the end",
    "text-full": "with a text as long as Excel allows",
    "zero-lost": "with a zero lost",
}
"""What a rule says of rows, to follow a number; others are said by their name."""


def warnings_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Name the rules that warn of one row, each once, by name."""
    warned = {each.rule for each in findings if each.severity is Severity.WARNING}
    return tuple(sorted(warned))


def warned_words(rows: Iterable[tuple[str, ...]]) -> str:
    """Say how many rows have warnings, and which; empty where none has."""
    if not (warned := [rules for rules in rows if rules]):
        return ""
    counts = Counter(rule for rules in warned for rule in rules)
    named = ", ".join(
        f"{number:,} {_WORDS.get(rule) or 'with ' + rule.replace('-', ' ')}"
        for rule, number in counts.most_common()
    )
    have = counted(len(warned), "row has a warning", "rows have warnings")
    return f"{have}: {named}."


def warned_json(rows: Iterable[tuple[str, ...]]) -> dict[str, object]:
    """Give the rows that have warnings, and the rows by warning, for JSON documents."""
    warned = [rules for rules in rows if rules]
    return {
        "rows_with_warnings": len(warned),
        "warnings": dict(Counter(rule for rules in warned for rule in rules)),
    }


def strictly(findings: Iterable[Finding], *, rule: str = "") -> tuple[Finding, ...]:
    """Let warnings stop their row; those of one `rule`, or where one chose so, all."""
    said = "" if rule else f" With {Given.STRICT}, a warning stops its row."
    return tuple(
        replace(each, severity=Severity.ERROR, advice=f"{each.advice}{said}".strip())
        if each.severity is Severity.WARNING and rule in {"", each.rule}
        else each
        for each in findings
    )


def far_words(days: Iterable[date | None], *, today: date) -> str:
    """Say of how many rows iwi have more than a year to answer; empty: of none."""
    far = [each for each in days if each is not None and each > today + A_YEAR]
    if not far:
        return ""
    have = counted(len(far), "row gives", "rows give")
    latest = short_day_words(max(far))
    return f"{have} iwi more than a year to respond, up to {latest}. Check the year."
