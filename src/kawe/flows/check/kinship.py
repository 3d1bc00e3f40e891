"""Which rows of a sheet have something in common.

Rules that compare rows need only those rows that could be kin. They are found
here from what many rows say, column by column; for each row no more is kept
than a number for each thing it might share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress

from kawe.domain.rows.content import ProjectContent
from kawe.domain.sheet.tables import Block, CellValue
from kawe.domain.text.texts import (
    fold_name,
    fold_names,
    near_reference,
    near_references,
)
from kawe.flows.check.naming import MOST_NEW_NAMES
from kawe.flows.check.same_place import MANY_ROWS
from kawe.ports import Suggester


class Kinship:
    """Grows block by block; gives more rows than any rule will speak of."""

    def __init__(self, *, suggester: Suggester) -> None:
        self._suggester = suggester
        self._references = _Shared()
        self._names = _Shared()
        self._files = _Shared()
        self._places = _Shared()
        self._spelt: dict[str, str] = {}
        self._spellings: dict[CellValue, CellValue] = {}
        self._organisations: list[tuple[Sequence[int], Sequence[CellValue]]] = []

    @property
    def has_many_organisations(self) -> bool:
        """Say whether there are too many names to hold each against each."""
        return len(self._spelt) > MOST_NEW_NAMES

    def add(self, block: Block) -> None:
        """Take in what the rows of a block say."""
        numbers, values = block.numbers, block.values
        self._references.add(*_texts(values.get("reference"), numbers, near_references))
        self._names.add(*_texts(values.get("name"), numbers, fold_names))
        organisations = values.get("organisation")
        if organisations is None:
            return
        for name in set(organisations) - self._spellings.keys():
            self._spell(name)
        if not self.has_many_organisations:
            # One text for all that are equal: a sheet gives each cell its own.
            names = list(map(self._spellings.get, organisations))
            self._organisations.append((numbers, names))

    def add_places(
        self, numbers: Iterable[int], places: Iterable[tuple[float, float]]
    ) -> None:
        """Take in where rows are: latitude and longitude, rounded alike."""
        self._places.add(numbers, places)

    def add_row(self, number: int, content: ProjectContent) -> None:
        """Take in a row that was read cell by cell."""
        if content.reference is not None:
            self._references.add([number], [near_reference(content.reference)])
        self._names.add([number], [fold_name(content.name)])
        for sha256 in {each.sha256 for each in content.files}:
            self._files.add([number], [sha256])
        if content.place is not None:
            self._places.add([number], [content.place.key()])
        if content.organisation is not None:
            name = content.organisation.name
            self._spell(name)
            self._organisations.append(([number], [name]))

    def rows(self) -> set[int]:
        """Give the rows that a rule may have a word for, with all their kin."""
        kin: set[int] = set()
        for shared in (self._references, self._names, self._files):
            kin.update(chain.from_iterable(shared.groups(least=2)))
        kin.update(chain.from_iterable(self._places.groups(least=MANY_ROWS)))
        kin.update(self._nearly_the_same())
        return kin

    def _spell(self, name: CellValue) -> None:
        self._spellings[name] = name
        if isinstance(name, str):
            self._spelt.setdefault(fold_name(name), name)

    def _nearly_the_same(self) -> Iterator[int]:
        if self.has_many_organisations:
            return
        names = list(self._spelt.values())
        alike = {
            fold_name(each) for name in names for each in self._alike(name, among=names)
        }
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

    def _alike(self, name: str, *, among: Sequence[str]) -> Iterator[str]:
        others = [other for other in among if other != name]
        found = self._suggester.nearest(name, among=others)
        if found:
            yield name
            yield from found


class _Shared:
    """Rows by a number made of what they might share."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._more: dict[int, set[int]] = {}

    def add(self, numbers: Iterable[int], things: Iterable[object]) -> None:
        first, more = self._first, self._more
        keys = list(map(hash, things))
        if len(set(keys)) == len(keys) and first.keys().isdisjoint(keys):
            first.update(zip(keys, numbers, strict=True))
            return
        for number, key in zip(numbers, keys, strict=True):
            earliest = first.setdefault(key, number)
            if earliest != number:
                more.setdefault(key, {earliest}).add(number)

    def groups(self, *, least: int) -> Iterator[set[int]]:
        """Give the groups of at least so many rows."""
        return (rows for rows in self._more.values() if len(rows) >= least)


def _texts(
    values: Sequence[CellValue] | None,
    numbers: Sequence[int],
    fold: Callable[[Sequence[str]], Sequence[str]],
) -> tuple[Sequence[int], Sequence[str]]:
    """Give the rows that have a text there, and their texts folded."""
    if values is None:
        return (), ()
    pairs = list(compress(zip(numbers, values, strict=True), values))
    if not pairs:
        return (), ()
    there, texts = zip(*pairs, strict=True)
    return there, fold(texts)
