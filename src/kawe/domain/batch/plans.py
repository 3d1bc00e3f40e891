"""What a run is about to do, before anything is done."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from kawe.domain.batch.approvals import Approval
from kawe.domain.rows.edits import There, ThereAlready
from kawe.domain.rows.entries import Batch, Entry, Line, SheetReading
from kawe.domain.service.service_words import Account, ProjectId
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.columns import SheetKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The rows of one workbook and what will be done with them."""

    batch: Batch
    account: Account
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    """Every row that can be submitted, as the workbook says it now."""
    written: frozenset[RowKey] = frozenset()
    """Such rows of which the journal has all that a run needs."""
    edited: tuple[Entry, ...]
    """Rows that say something else than the service has, as the workbook says them now;
    not those whose edit a person passed over."""
    updates_drafts: bool = False
    """A person asked to bring edits to the drafts that are there."""
    updated: frozenset[RowKey] = frozenset()
    """Rows of `edited` whose draft is to be changed."""
    left_out: frozenset[RowKey] = frozenset()
    """Rows of the workbook that the run leaves as they are."""
    in_place_of: tuple[SheetReading, ...] = ()
    """Earlier readings of this workbook, from where it does not lie any more."""
    missing: tuple[Entry, ...] = ()
    """Unfinished rows that were cut out of this workbook, and no other one has."""
    takes_out: bool = False
    """A person agreed that the rows of `missing` leave."""
    staying: tuple[Entry, ...] = ()
    """Unfinished rows that this workbook does not have, and another one has."""
    may_send: Mapping[RowKey, int] | None = None
    """The rows that may reach people, where a saved plan says which; their places."""
    held_back: Mapping[RowKey, str] = field(default_factory=dict)
    """Rows left out that only a person can decide about, and why."""
    done_with_mistakes: frozenset[RowKey] = frozenset()
    """Rows with mistakes that are done: they are left alone, mistakes and all."""
    there: Mapping[RowKey, ThereAlready] = field(default_factory=dict)
    """What the service was seen to have of rows that the journal does not know so."""
    repeats: Mapping[RowKey, frozenset[ProjectId]] = field(default_factory=dict)
    """Which listed projects a person said that a row does not repeat."""
    approvals: tuple[Approval, ...] = ()
    """Who agreed to the run, where somebody did."""
    to_create: int = 0
    to_update: int = 0
    """Drafts that are to be changed, because their rows were edited."""
    to_send: int = 0
    own_steps: int = 0
    """Rows without drafts that take the one step of their kind."""
    finished: int
    """Rows that cost no call because they are done."""
    repeated: int = 0
    """Rows that say what another row to be done says: they count with that one."""
    invalid: int
    held: int
    upload_files: int = 0
    upload_bytes: int = 0

    @property
    def kind(self) -> SheetKind:
        return self.batch.kind

    @property
    def keys(self) -> frozenset[RowKey]:
        return self.written | {entry.key for entry in self.entries}

    def as_written(self) -> Self:
        """Give it without what the journal has: many rows take much memory."""
        name, known = self.batch.name, self.repeats
        entries = tuple(
            each
            for each in self.entries
            if each.batch != name or each.key in known or not each.wants_send
        )
        lines = tuple(replace(each, raw=()) for each in self.lines if each.findings)
        return replace(self, lines=lines, entries=entries, written=self.keys)

    @property
    def changed(self) -> frozenset[RowKey]:
        return frozenset(entry.key for entry in self.edited)

    @property
    def settled_there(self) -> frozenset[RowKey]:
        """Name the rows for which nothing is sent: sent already, or to be held."""
        return frozenset(k for k, v in self.there.items() if v.what is not There.DRAFT)

    @property
    def sent_there(self) -> frozenset[RowKey]:
        return frozenset(k for k, v in self.there.items() if v.what is There.SENT)

    @property
    def own_rows(self) -> list[Entry]:
        """Give the rows that take their own step: not those that are so already."""
        left = self.found(self.kind.known_rules) | self.left_out
        own = (entry for entry in self.entries if entry.takes_own_step)
        return [entry for entry in own if entry.key not in left]

    @property
    def again(self) -> list[Entry]:
        """Give the rows that take their own step once more."""
        found = self.found(self.kind.again_rules)
        return [entry for entry in self.own_rows if entry.key in found]

    def found(self, rules: Collection[str]) -> set[RowKey | None]:
        """Name the rows of which a check found one of these."""
        return {e.row for e in self.lines if any(f.rule in rules for f in e.findings)}

    @property
    def rows_read(self) -> int:
        return len(self.lines)

    @property
    def has_work(self) -> bool:
        return bool(self.to_create or self.to_update or self.to_send or self.own_steps)
