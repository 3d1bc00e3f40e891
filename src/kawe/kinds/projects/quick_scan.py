"""A quick scan of a whole sheet: which rows may have a finding.

It decides nothing: a row that any rule may concern, alone or with other rows, is named
here and then read cell by cell. The other rows were checked by column and have no
finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, compress, repeat
from operator import is_not
from typing import Any, Final, TypeAlias

from kawe.domain.service.places import (
    PLACE_DECIMALS,
    GivenPlace,
    Located,
    Location,
    Place,
)
from kawe.domain.sheet.content import PartOfProject, ProjectSaid
from kawe.domain.sheet.tables import Block, CellValue
from kawe.domain.text.texts import (
    fold_name,
    fold_names,
    near_reference,
    near_references,
)
from kawe.flows.check.grouping import Groups
from kawe.flows.check.naming import MOST_NEW_NAMES, near_names
from kawe.flows.check.placing import MANY_ROWS, ORGANISATION, is_at_home_at_sea
from kawe.flows.checked_rows import CheckContext
from kawe.kinds.projects.rules import (
    TOGETHER,
    content_breaches,
    respond_by_breach,
    value_breaches,
)
from kawe.ports import Sheet, Suggester

_Key: TypeAlias = tuple[Any, ...]
_DATES: Final = ("start_date", "end_date", "respond_by_date")
_PARTS: Final = ("latitude", "longitude", "easting", "northing", "coordinate_system")
_GIVEN: Final = ("latitude", "longitude", "easting", "northing", "system")
_NOWHERE: Final = (None, None, None, None)
_SOMEWHERE: Final = Place(latitude=-41.2889, longitude=174.7772)
_LEAST: Final = {"reference": 2, "name": 2, "files": 2, "place": MANY_ROWS}
"""How many rows agree in a part where a rule may concern them."""


class RowGroups:
    """Rows that agree in something that a rule may concern.

    They are found by column, and may be more than a rule concerns. For each row only a
    number is kept for each part.
    """

    def __init__(self, *, suggester: Suggester) -> None:
        self._suggester = suggester
        self._groups = {part: Groups() for part in _LEAST}
        self._spelt: dict[str, str] = {}
        self._spellings: dict[CellValue, CellValue] = {}
        self._organisations: list[tuple[Sequence[int], Sequence[CellValue]]] = []

    @property
    def has_many_organisations(self) -> bool:
        """Say whether there are too many names to compare each with each."""
        return len(self._spelt) > MOST_NEW_NAMES

    def add(self, block: Block) -> None:
        """Add the rows of a block."""
        for part, fold in _FOLDED.items():
            self._add(part, *_texts(block, part, fold))
        organisations = block.values.get("organisation")
        if organisations is None:
            return
        for name in set(organisations) - self._spellings.keys():
            self._spell(name)
        if not self.has_many_organisations:
            # One text object for all that are equal: a sheet has one for each cell.
            names = list(map(self._spellings.get, organisations))
            self._organisations.append((block.numbers, names))

    def add_places(
        self, numbers: Iterable[int], places: Iterable[tuple[float, float]]
    ) -> None:
        """Add the places of rows: latitude and longitude, rounded alike."""
        self._add("place", numbers, places)

    def add_row(self, number: int, said: ProjectSaid) -> None:
        """Add a row that was read cell by cell."""
        if said.name is not None:
            self._add("name", [number], [fold_name(said.name)])
        for sha256 in {each.sha256 for each in said.files}:
            self._add("files", [number], [sha256])
        if said.reference is not None:
            self._add("reference", [number], [near_reference(said.reference)])
        if said.place is not None:
            self._add("place", [number], [said.place.key()])
        if said.organisation is not None:
            name = said.organisation.name
            self._spell(name)
            self._organisations.append(([number], [name]))

    def rows(self) -> set[int]:
        """Give the rows that a rule may concern."""
        groups = (self._groups[part].of(least=least) for part, least in _LEAST.items())
        rows = set(chain.from_iterable(chain.from_iterable(groups)))
        return rows.union(self._nearly_the_same())

    def _add(self, part: str, numbers: Iterable[int], values: Iterable[object]) -> None:
        self._groups[part].add(numbers, map(hash, values))

    def _spell(self, name: CellValue) -> None:
        self._spellings[name] = name
        if isinstance(name, str):
            self._spelt.setdefault(fold_name(name), name)

    def _nearly_the_same(self) -> Iterator[int]:
        near = near_names(self._spelt.values(), suggester=self._suggester)
        alike = {fold_name(each) for name in near for each in (name, *near[name])}
        if not alike:
            return
        wanted = {
            name
            for name in self._spellings
            if isinstance(name, str) and fold_name(name) in alike
        }
        for numbers, said in self._organisations:
            for number, each in zip(numbers, said, strict=True):
                if each in wanted:
                    yield number


@dataclass(slots=True, kw_only=True)
class QuickScan:
    """What the quick scan of a sheet found."""

    groups: RowGroups
    rows_read: int = 0
    odd: set[int] = field(default_factory=set)
    """Rows of which something might be said by themselves, by their number."""
    send: dict[bool, set[int]] = field(
        default_factory=lambda: {True: set(), False: set()}
    )
    """The rows whose cell says that they are to be sent, and that they are not."""

    def add_sends(
        self, numbers: Sequence[int], values: Sequence[CellValue] | None
    ) -> None:
        """Note what the cells of rows in the column Send say."""
        for said, rows in self.send.items():
            rows.update(compress(numbers, (value is said for value in values or ())))


def quick_scan(sheet: Sheet, *, context: CheckContext) -> QuickScan:
    """Scan the rows of a projects sheet."""
    found = QuickScan(groups=RowGroups(suggester=context.suggester))
    looker = _BlockScan(sheet, context=context, groups=found.groups)
    for block in sheet.blocks():
        found.rows_read += len(block.numbers)
        found.odd.update(block.odd)
        if block.values:
            found.odd.update(block.numbers[at] for at in looker.odd_rows(block))
            found.groups.add(block)
            found.add_sends(block.numbers, block.values.get("send"))
    return found


class _BlockScan:
    """Scans blocks; what many rows share is judged once."""

    def __init__(
        self, sheet: Sheet, *, context: CheckContext, groups: RowGroups
    ) -> None:
        self._kind = sheet.head.kind
        self._ground = context
        self._groups = groups
        self._send = context.send_by_default
        self._together: dict[tuple[bool, ...], bool] = {}
        self._days: dict[tuple[CellValue, ...], bool] = {}

    def odd_rows(self, block: Block) -> Iterator[int]:
        """Name the rows that a rule for single rows may concern."""
        values = block.values
        files = values.get("files", ())
        return chain(
            self._ground.checker.suspects(self._kind, values),
            self._torn_apart(block),
            self._by_days(block),
            self._misplaced(block, prefix=""),
            self._misplaced(block, prefix=ORGANISATION),
            (at for at, value in enumerate(files) if value is not None),
        )

    def _torn_apart(self, block: Block) -> Iterator[int]:
        """Name rows that lack one of two values that belong together."""
        fields = [name for name in TOGETHER if name in block.values]
        shapes = list(zip(*(_there(block, name) for name in fields), strict=True))
        for shape in set(shapes) - self._together.keys():
            given = zip(fields, shape, strict=True)
            values: dict[str, CellValue] = {name: "" for name, has in given if has}
            self._together[shape] = any(True for _ in value_breaches(values))
        return _where(shapes, self._together)

    def _by_days(self, block: Block) -> Iterator[int]:
        """Name rows by their dates, and rows to be sent that say no place."""
        count = len(block.numbers)
        sends = block.values.get("send") or repeat(None, count)
        parts = zip(*(_there(block, name) for name in _PARTS[:4]), strict=True)
        placed = map(any, parts)
        dates = [block.values.get(name) or repeat(None, count) for name in _DATES]
        keys = list(zip(*dates, sends, placed, strict=True))
        for key in set(keys) - self._days.keys():
            self._days[key] = self._is_odd_day(*key)
        return _where(keys, self._days)

    def _is_odd_day(self, *key: CellValue) -> bool:
        *days, send, has_place = key
        if not all(isinstance(day, str) for day in days):
            return True
        start, end, respond = (date.fromisoformat(str(day)) for day in days)
        said = PartOfProject(
            start_on=start,
            end_on=end,
            respond_by_on=respond,
            send=self._send if send is None else send is True,
            place=_SOMEWHERE if has_place else None,
        )
        today, days_ = self._ground.today, self._ground.working_days
        return (
            any(True for _ in content_breaches(said, today=today))
            or respond_by_breach(said, today=today, days=days_) is not None
        )

    def _misplaced(self, block: Block, *, prefix: str) -> Iterator[int]:
        """Name rows whose place has a remark; note the places of the others."""
        columns = _place_columns(block, prefix=prefix)
        if columns is None:
            return
        plain = self._plain(columns)
        if not prefix:
            self._remember(block, columns, plain=plain)
        types = block.values.get("type") or repeat(None)
        given = {
            at: (_given(parts, prefix=prefix), type_)
            for at, (parts, type_, is_plain) in enumerate(
                zip(zip(*columns, strict=True), types, plain, strict=False)
            )
            if not is_plain and parts[:4] != _NOWHERE
        }
        located = self._ground.places.locate([each for each, _ in given.values()])
        for (at, (_, type_)), location in zip(given.items(), located, strict=True):
            if not prefix and isinstance(location, Located):
                key = location.place.key()
                self._groups.add_places([block.numbers[at]], [key])
            if _is_remarked(location, type_, prefix=prefix):
                yield at

    def _plain(self, columns: Sequence[Sequence[CellValue]]) -> Sequence[bool]:
        """Say which rows have plain degrees and no other place."""
        latitudes, longitudes, *others = columns
        plain = self._ground.places.plain(latitudes, longitudes)
        for column in others:
            if any(map(is_not, column, repeat(None))):
                plain = [
                    is_plain and part is None
                    for is_plain, part in zip(plain, column, strict=True)
                ]
        return plain

    def _remember(
        self,
        block: Block,
        columns: Sequence[Sequence[Any]],
        *,
        plain: Sequence[bool],
    ) -> None:
        """Note where the plain rows are; the others are noted once located."""
        latitudes = map(round, compress(columns[0], plain), repeat(PLACE_DECIMALS))
        longitudes = map(round, compress(columns[1], plain), repeat(PLACE_DECIMALS))
        self._groups.add_places(
            compress(block.numbers, plain), zip(latitudes, longitudes, strict=True)
        )


def _there(block: Block, name: str) -> Iterator[bool]:
    values = block.values.get(name)
    if values is None:
        return repeat(False, len(block.numbers))  # noqa: FBT003 - repeated, not a flag
    return map(is_not, values, repeat(None))


def _where(keys: Sequence[_Key], odd: Mapping[_Key, bool]) -> Iterator[int]:
    if any(odd[key] for key in set(keys)):
        yield from (at for at, key in enumerate(keys) if odd[key])


def _place_columns(
    block: Block, *, prefix: str
) -> Sequence[Sequence[CellValue]] | None:
    """Give the columns of a place, blank where there are none; None without any."""
    names = [prefix + name for name in _PARTS]
    if prefix:
        # An organisation is placed by degrees alone.
        names[2:] = ["", "", ""]
    if not any(name in block.values for name in names[:4]):
        return None
    blank = [None] * len(block.numbers)
    return [block.values.get(name, blank) for name in names]


def _given(parts: tuple[CellValue, ...], *, prefix: str) -> GivenPlace:
    return GivenPlace(**dict(zip(_GIVEN, parts, strict=True)), takes_metres=not prefix)


def _is_remarked(location: Location, type_: CellValue, *, prefix: str) -> bool:
    if not isinstance(location, Located) or location.remarks:
        return True
    return location.is_at_sea and not is_at_home_at_sea(type_, prefix=prefix)


_FOLDED: Final[Mapping[str, Callable[[Sequence[str]], Sequence[str]]]] = {
    "reference": near_references,
    "name": fold_names,
}


def _texts(
    block: Block, field: str, fold: Callable[[Sequence[str]], Sequence[str]]
) -> tuple[Sequence[int], Sequence[str]]:
    values = block.values.get(field)
    if values is None or not any(values):
        return (), ()
    said = compress(zip(block.numbers, values, strict=True), values)
    numbers, texts = zip(*said, strict=True)
    return numbers, fold(texts)
