"""Exporting a list: read while it may shift, counted, then written once.

The pages go to a spool on the disk, so that memory holds ids alone. What else is asked
for of each project, such as its thread, is read only where the project has changed
since an earlier export into the same folder.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from kawe.domain.service.list_tables import PARTS
from kawe.domain.service.lists import (
    ListAsked,
    ListCounts,
    ListExport,
    ListRecord,
    ProjectPart,
)
from kawe.domain.service.service_words import Page
from kawe.domain.text.texts import counted
from kawe.errors import ContractBroken, PathUnknown
from kawe.flows.scanning import Scan, scan
from kawe.flows.tools import Tools, each
from kawe.ports import EarlierList, Spool
from kawe_contract.enums import ActiveStatus
from kawe_contract.operations import OPERATIONS

_AT_ONCE: Final = 64
"""Projects whose parts are in memory together."""
_Put: TypeAlias = Callable[[ListRecord], object]
"""Writes one record into every file of the export."""
_NESTED: Final = frozenset(part.table.nested for part in PARTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lister:
    """What an export of a list works with."""

    tools: Tools
    spool: Spool
    team_id: str
    link: str
    """Address of a project's page in the portal, with `{id}`; empty: unknown."""
    about: Callable[[Mapping[str, object]], Mapping[str, str]] = lambda _: {}
    """What else kawe says about a record."""
    shown: Callable[[Mapping[str, object]], Mapping[str, object]] = lambda item: item
    """Gives a record as it is written."""
    earlier: EarlierList | None = None
    prepare: Callable[[Sequence[Mapping[str, object]]], Awaitable[None]] | None = None
    """Is given all that will be written, where its list is short, before `about`."""
    complete: (
        Callable[
            [Sequence[Mapping[str, object]]], Awaitable[Sequence[Mapping[str, object]]]
        ]
        | None
    ) = None
    """Is given some projects with their parts before they are written; adds to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """Where an object lies in the spool."""

    id: str
    place: int


@dataclass(slots=True, kw_only=True)
class _Read:
    """What a scan saw beside the objects."""

    total: int = 0
    tabs: Mapping[str, int] = field(default_factory=dict)
    tabs_agree: bool = True


class _StoppedError(Exception):
    """The person asked to stop; the files that are open are given up."""


async def export_list(
    lister: Lister,
    asked: ListAsked,
    *,
    opened: Callable[[ListCounts], AbstractContextManager[_Put]],
) -> ListExport:
    """Read a list and write it; `opened` opens the files once it is counted.

    Raises:
        ServiceError: The list could not be read; nothing was written.
        ResultNotWritable: The files could not be written.
    """
    seen, read = await _scanned(lister, asked)
    chosen, counts = _counted(lister, asked, seen=seen, read=read)
    export = ListExport(asked=asked, counts=counts)
    if lister.tools.stop.is_set():
        return replace(export, is_stopped=True)
    if lister.prepare is not None:
        await lister.prepare([lister.spool.get(kept.place) for kept in chosen])
    parts = _Parts(lister=lister, asked=asked)
    try:
        with opened(counts) as put:
            await _write(lister, chosen, parts=parts, put=put)
    except _StoppedError:
        return replace(export, is_stopped=True)
    return replace(export, reused=parts.reused, troubles=tuple(parts.troubles()))


async def _scanned(lister: Lister, asked: ListAsked) -> tuple[Scan[_Kept], _Read]:
    records, read = asked.records, _Read()
    path = {"id": lister.team_id} if records.of_team else asked.path
    tab = str(asked.query.get("active_status", ActiveStatus.ALL))

    async def page(number: int) -> Page[_Kept]:
        answer = await lister.tools.lookups.listed(
            records.operation, path=path, page=number, query=asked.query
        )
        if number == 1:
            read.tabs_agree = True
        read.total, read.tabs = answer.total, answer.tab_counts
        read.tabs_agree &= read.tabs.get(tab, answer.total) == answer.total
        kept = [
            _Kept(id=_id_of(item), place=lister.spool.put(item))
            for item in answer.items
        ]
        return Page(items=tuple(kept), total=answer.total, page=number)

    seen = await scan(page, identify=lambda kept: kept.id, stop=lister.tools.stop)
    return seen, read


def _id_of(item: Mapping[str, object]) -> str:
    found = item.get("id")
    if not isinstance(found, str) or not found:
        raise ContractBroken(
            message="The service listed something without an id.",
            hint="Is the base address right?",
        )
    return found


def _counted(
    lister: Lister, asked: ListAsked, *, seen: Scan[_Kept], read: _Read
) -> tuple[list[_Kept], ListCounts]:
    """Choose what is wanted, add up, and compare with the earlier export."""
    chosen: list[_Kept] = []
    cents: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for kept in seen.items:
        item = lister.spool.get(kept.place)
        if not asked.takes(item):
            continue
        chosen.append(kept)
        for column in asked.records.sums:
            value = column.cell(item)
            if isinstance(value, int | float) and not isinstance(value, bool):
                currency = str(item.get("currency") or "").upper()
                cents[column.heading or currency] += round(value * 100)
        if asked.records.is_single:
            record = ListRecord(item=item, about={})
            rows.update({t.title: sum(1 for _ in t.rows(record)) for t in asked.tables})
        compared[compared_with(item, lister.earlier)] += 1
    narrowed = asked.is_narrowed or bool(asked.query)
    gone = 0
    if lister.earlier is not None and seen.is_stable and not narrowed:
        gone = len(set(lister.earlier.ids()) - {kept.id for kept in seen.items})
    return chosen, ListCounts(
        listed=len(seen.items),
        total=read.total,
        tabs=read.tabs,
        is_proven=seen.is_stable and read.tabs_agree,
        taken=len(chosen),
        rows=rows,
        sums={name: amount / 100 for name, amount in cents.items()},
        new=compared["new"],
        changed=compared["changed"],
        unchanged=compared["unchanged"],
        gone=gone,
        earlier_at=None if lister.earlier is None else lister.earlier.written_at,
    )


def compared_with(item: Mapping[str, object], earlier: EarlierList | None) -> str:
    """Say whether an object is new, changed or unchanged since an earlier export."""
    before = None if earlier is None else earlier.get(_id_of(item))
    if before is None:
        return "new"
    was, now = (
        {name: value for name, value in each.items() if name not in _NESTED}
        for each in (before, item)
    )
    return "unchanged" if was == now else "changed"


async def _write(
    lister: Lister, chosen: Sequence[_Kept], *, parts: "_Parts", put: _Put
) -> None:
    if parts.asked.parts:
        lister.tools.progress.begin(
            "Reading what belongs to projects", total=len(chosen)
        )
    for start in range(0, len(chosen), _AT_ONCE):
        some = chosen[start : start + _AT_ONCE]
        done: dict[str, Mapping[str, object]] = {}

        async def work(
            kept: _Kept, done: dict[str, Mapping[str, object]] = done
        ) -> None:
            done[kept.id] = await parts.added_to(lister.spool.get(kept.place))

        await each(some, work, workers=lister.tools.workers, stop=lister.tools.stop)
        if lister.tools.stop.is_set():
            raise _StoppedError
        items = [done[kept.id] for kept in some]
        if lister.complete is not None:
            items = [*await lister.complete(items)]
        for kept, item in zip(some, map(lister.shown, items), strict=True):
            about = {"link": lister.link.replace("{id}", kept.id), **lister.about(item)}
            put(ListRecord(item=item, about=about))


@dataclass(slots=True, kw_only=True)
class _Parts:
    """Reads what else is asked for of each project."""

    lister: Lister
    asked: ListAsked
    reused: int = 0
    _unknown: dict[str, str] = field(default_factory=dict)
    """Parts that the service does not know, with its words."""
    _answered: set[str] = field(default_factory=set)
    _vanished: int = 0
    _unsteady: int = 0

    async def added_to(self, item: Mapping[str, object]) -> Mapping[str, object]:
        """Give a project with its parts."""
        if not self.asked.parts:
            return item
        before = self._before(item)
        whole, is_reused = dict(item), True
        for part in self.asked.parts:
            name = part.table.nested
            if before is not None and name in before:
                whole[name] = before[name]
                continue
            is_reused = False
            if (found := await self._read(part, project=_id_of(item))) is not None:
                whole[name] = found
        self.reused += is_reused
        self.lister.tools.progress.advance()
        return whole

    def troubles(self) -> list[str]:
        """Say what is missing, and why."""
        said = [
            f"The export has no {name} of projects. {words}"
            for name, words in self._unknown.items()
        ]
        if self._vanished:
            gone = counted(self._vanished, "request", "requests")
            said.append(
                f"The service no longer showed a project that it had listed ({gone})."
            )
        if self._unsteady:
            lists = counted(self._unsteady, "list", "lists")
            said.append(
                f"{lists} of what belongs to a project kept changing while kawe read "
                "it, and is left out."
            )
        return said

    def _before(self, item: Mapping[str, object]) -> Mapping[str, object] | None:
        """Give the project of the earlier export, if nothing has happened since."""
        if (earlier := self.lister.earlier) is None or self.asked.is_fresh:
            return None
        before = earlier.get(_id_of(item))
        if before is None or before.get("updated_on") != item.get("updated_on"):
            return None
        return before

    async def _read(
        self, part: ProjectPart, *, project: str
    ) -> list[Mapping[str, object]] | None:
        if part.name in self._unknown:
            return None
        try:
            seen = await scan(
                lambda page: self.lister.tools.lookups.listed(
                    part.operation, path={"id": project}, page=page
                ),
                identify=_id_of,
                stop=self.lister.tools.stop,
            )
        except PathUnknown as trouble:
            is_assumed = not OPERATIONS[part.operation].shown
            if is_assumed and part.name not in self._answered:
                self._unknown[part.name] = str(trouble)
            else:
                self._vanished += 1
            return None
        self._answered.add(part.name)
        self._unsteady += not seen.is_stable
        return list(seen.items) if seen.is_stable else None
