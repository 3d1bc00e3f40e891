"""What the cells of a column, and of a whole list, tell of it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.text.texts import fold
from kawe.workbook.cells.choices import read_yes_no
from kawe.workbook.cells.readers import ColumnReader, facts_of, is_blank, read_number
from kawe.workbook.cells.reading import ColumnFacts, show
from kawe.workbook.reading.headings import HeadingRow
from kawe.workbook.reading.lines import Body
from kawe_places.readings import read_any
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue

HARDLY: Final = 0.2
"""Cells that suit less say something else."""
PERHAPS: Final = 0.3
"""Cells that may be names of a list, though none of them is known."""
PROSE: Final = frozenset({CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER})
_EXAMPLES: Final = 20
_LOOKED_AT: Final = 5_000
_LONG: Final = 30
_OF_A_FILE: Final = re.compile(r"\.[A-Za-z]{2,4}\s*(;|,|\n|$)")
_OF_MAIL: Final = re.compile(r".*<\S+@\S+>")
_CODE: Final = re.compile(r"(?=.*\d)\S{1,15}")
_NUMBER: Final = re.compile(
    r"(?i)[-+−–]?\d[\d\s,.]*(?:(?:days?|weeks?|wks?|months?|years?|k?m|ha)\W*)?"
)
_STATE: Final = re.compile(
    r"(?i)yes|no|āe|kāo|n/?a|none|nil|tb[acd]|to do|(?:to be|not|no|in|kua) .+|agreed|"
    r"(?:done|pending|awaiting|waiting|consulted|notified|completed?|emailed|drafted)"
    r"\b.*|(?:e-?mail|letter|draft) .+|(?:.+ )?sent(?: .+)?|(?:m(?:r|r?s|iss|x)|dr)\.?"
)
"""What names nothing: how far something is, or how somebody is addressed."""
_Test: TypeAlias = Callable[[str], object]
_MOSTLY: Final = 0.6
_NEARLY: Final = 0.9
_SHARED: Final = 0.8
_DAY: Final = Column(field="day", title="Day", kind=CellKind.DATE, hint="", example="")


class Cells:
    """What stands in one column."""

    def __init__(self, heading: str, values: Iterable[RawValue]) -> None:
        self.heading = heading
        self.first: list[RawValue] = []
        """The cells of the first rows, blank ones too."""
        seen: dict[tuple[type, RawValue], RawValue] = {}
        for number, raw in enumerate(values):
            if len(seen) == _EXAMPLES or (number > _LOOKED_AT and seen):
                break
            if number < _EXAMPLES:
                self.first.append(raw)
            key = (raw.__class__, raw)
            if raw is not None and key not in seen and not is_blank(raw):
                seen[key] = raw
        self.examples = [*seen.values()]
        self.texts = [show(each) for each in self.examples]
        self.length = fmean(map(len, self.texts)) if self.texts else 0.0
        says = all(
            fold(show(each)) == "x" or read_yes_no(each).value is not None
            for each in self.examples
        )
        # A column of 1 alone may as well count something.
        counts = len(set(self.texts)) == 1 and self.texts[0].isdigit()
        self.is_yes_no = says and (not counts or any(map(is_blank, self.first)))
        rows = {show(each) for each in self.first if not is_blank(each)}
        self.share = len(rows) / (len(self.first) or 1)
        """How many values it has for each row, equal ones counted once."""
        self.differs = self.share >= _NEARLY
        """Nearly every row has a value, and another one than the others."""
        states = [_STATE.fullmatch(text) is not None for text in self.texts]
        self.is_state = len(states) > 1 and sum(states) >= _NEARLY * len(states)
        self._fits: dict[str, float] = {}

    def fit(self, column: Column) -> float:
        """Say how far the cells suit a field, from 0 to 1; 0: they cannot be it."""
        if column.field not in self._fits:
            fit = self._fit(column) if self.examples else 0.0
            self._fits[column.field] = fit if fit >= HARDLY else 0.0
        return self._fits[column.field]

    def days(self) -> list[str]:
        """Read the first cells as days, YYYY-MM-DD; empty where a cell is none."""
        return [str(each or "") for each in _read(_DAY, self.first)]

    def _fit(self, column: Column) -> float:
        if column.kind is CellKind.YES_NO:
            return float(self.is_yes_no)
        if column.differs and not self.differs:
            return 0.0
        if column.like:
            return self._looks_like(column)
        if column.ranges:
            return self._in_ranges(column.ranges)
        if column.kind in PROSE or column.kind is CellKind.LIST:
            return self._prose(column)
        read = fmean(each is not None for each in _read(column, self.examples))
        return read if read >= 0.5 else 0.0

    def _looks_like(self, column: Column) -> float:
        like = self._share(re.compile(column.like).search)
        if column.kind is CellKind.EMAIL and not self.differs:
            # Of two such columns, people have an address each.
            like *= _SHARED
        if column.kind is CellKind.LIST and like < 0.5:
            if self.is_yes_no:
                return 0.0
            if self._share(_STATE.fullmatch) >= 0.5 or self.fit(_DAY):
                return HARDLY
            return 0.4 if like > HARDLY and self._prose(column) else PERHAPS
        # The digits of a day may look like a phone number.
        if column.kind is CellKind.PHONE and self.fit(_DAY):
            return 0.0
        is_any = column.kind is CellKind.TEXT and not column.reaches
        return 0.4 if is_any and like < 0.5 else like

    def _in_ranges(self, ranges: Sequence[tuple[float, float]]) -> float:
        read = (read_number(text).value for text in self.texts)
        numbers = [[each] for each in read if isinstance(each, float)]
        is_plain = len(numbers) == len(self.texts)
        if not is_plain:
            # Degrees are written in many ways, and a cell may hold both numbers.
            found = [[e.value for e in read_any(text)] for text in self.texts]
            numbers = [[*each, *(-value for value in each)] for each in found]

        def is_inside(number: float) -> bool:
            return any(first <= number <= last for first, last in ranges)

        if fmean(any(map(is_inside, each)) for each in numbers) <= 0.5:
            return 0.0
        return 1.0 if is_plain else 0.5

    def _prose(self, column: Column) -> float:
        length = self.length
        tests: list[_Test] = [_NUMBER.fullmatch, read_any, _OF_MAIL.fullmatch]
        tests += [_OF_A_FILE.search, re.compile("@").search] if length < _LONG else []
        is_other = self.is_yes_no or self.is_state or self.fit(_DAY)
        if is_other or any(self._share(test) >= 0.5 for test in tests):
            return 0.0
        if column.kind is CellKind.LONG_TEXT:
            return min(1.0, 0.2 + length / _LONG)
        # A name differs from row to row; it is no long text, and rather no code.
        if not column.required or length > 2 * _LONG or len(self.texts) < 2:
            return 0.5
        # Of two such columns that which differs more is the name, then the shorter one.
        fit = 0.51 if self._share(_CODE.fullmatch) >= 0.5 else 0.56
        return fit + self.share / 20 - length / 5_000

    def _share(self, test: _Test) -> float:
        return fmean(bool(test(text)) for text in self.texts)


def _read(column: Column, cells: Sequence[RawValue]) -> list[CellValue]:
    reader = ColumnReader(column, facts_of(column, cells, known=ColumnFacts()))
    return [reader.read(each).value for each in cells]


def looked_at(body: Body) -> Mapping[int, Cells]:
    """Give what stands in each column, but for kawe's own."""
    texts = {each.column: each.text for each in body.headings.headings}
    ours, rows = {*body.headings.own.values()}, body.rows
    wide = max([0, *ours, *texts, *(len(values) for _, values in rows)])
    return {
        at: Cells(
            texts.get(at, ""),
            (row[at - 1] if at <= len(row) else None for _, row in rows),
        )
        for at in range(1, wide + 1)
        if at not in ours
    }


def is_of_people(body: Body, rows: Sequence[HeadingRow]) -> bool:
    """Say whether the addresses have the names, and what else there is may be theirs.

    Staff have days, and a place that they share with others.
    """
    cells = looked_at(body)
    ours = {means.field: heading.column for heading, means in body.headings.known()}
    known = [
        (heading.column, heading.means)
        for each in rows
        for heading in (*each.headings, *(second for _, second in each.twice))
        if heading.means is not None
    ]
    is_contact = any(at == ours.get("name") and not e.required for at, e in known)
    if not {"name", "email"} <= ours.keys() or any(
        each.reaches
        and at not in ours.values()
        and each.kind is not CellKind.DATE
        and (is_contact or each.required or cells[at].differs or each.kind not in PROSE)
        for at, each in known
    ):
        return False
    names, addresses = cells[ours["name"]].first, cells[ours["email"]].first
    named = list(map(_has_name, addresses, names))
    return sum(named) >= _MOSTLY * len(named) > 0


def _has_name(address: RawValue, name: RawValue) -> bool:
    words = (word for word in fold(show(name)).split() if len(word) > 2)
    return any(word in fold(show(address)) for word in words)
