"""What a person agreed to: the acts that may leave, each by its digest, in order.

Balance, clock and other rows are no part of it: they may lessen what leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from kawe.domain.rows.bodies import project_fingerprint
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import BEFORE_CREATE, State
from kawe.domain.service.verdicts import RowKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act: for which row, of which draft, and what is told."""

    key: RowKey
    project: ProjectId | None
    """None: there is no draft yet."""
    says: str
    """A hash of all that leaves: content, iwi, message, files by their bytes; and of
    why a row is held about which is decided."""

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """Name what leaves for a row: what the journal has of a draft, as it goes."""
        said, why = entry.content.project, ""
        told: list[str] = [entry.fingerprint, entry.content.target_id]
        if said is not None:
            told = [project_fingerprint(said), said.message]
        if entry.state is State.HELD:
            why = entry.reason
        # A draft that is gone is made anew, and gets another id.
        project = None if entry.state in BEFORE_CREATE else entry.project_id
        return cls(key=entry.key, project=project, says=sha256_of([told, why]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The acts that a person agreed to, the first to go first: these and no others."""

    acts: Mapping[RowKey, Act]
    tokens: int
    """What they cost at most."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """Name what leaves for these rows, in their order."""
        rows = list(entries)
        tokens = sum(entry.kind.has_drafts for entry in rows)
        return cls(acts={row.key: Act.of(row) for row in rows}, tokens=tokens)

    @property
    def sha256(self) -> str:
        """Name the whole list; a form hands that back."""
        acts = [[each.key, each.project, each.says] for each in self.acts.values()]
        return sha256_of([len(acts), self.tokens, acts])

    def covers(self, entry: Entry) -> bool:
        """Say whether just this act was agreed to; a draft may be made meanwhile."""
        agreed, now = self.acts.get(entry.key), Act.of(entry)
        return agreed is not None and agreed in {now, replace(now, project=None)}

    def in_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """Give the rows that it covers, in its order."""
        covered = {row.key: row for row in entries if self.covers(row)}
        return [covered[key] for key in self.acts if key in covered]
