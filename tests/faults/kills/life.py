"""The life of one batch: killed at named points, run again, taken to its end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from faults.kills import points
from faults.kills.checks import Files, Seen
from faults.kills.nursery import End, Kill
from faults.kills.stand import EXPORT, PLENTY, VERIFY, Stand, submit, unsafe_calls
from faults.kills.workload import PEOPLE, PROJECTS, Workload, workload, write_workload

_FEW: Final = 3
_MANY_VISITS: Final = (1, 1, 1, 2, 3)
_MET_ONCE: Final = ("batch", "invite", "organisation", "settle")
_MILLISECONDS: Final = (20, 400)
_LONG_AGO: Final = 1_000_000_000
_TRIED: Final = "times without a clear answer"


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What came of all batches of one process."""

    kills: Counter[str] = field(default_factory=Counter)
    """By point."""
    in_recovery: Counter[str] = field(default_factory=Counter)
    batches: int = 0
    rows: int = 0
    runs: int = 0
    held: int = 0
    """Rows that a person had to let go on."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Everything else that is not as it should be."""

    def add(self, other: Ledger) -> None:
        """Take another process's batches in."""
        self.kills += other.kills
        self.in_recovery += other.in_recovery
        self.batches += other.batches
        self.rows += other.rows
        self.runs += other.runs
        self.held += other.held
        self.lost += other.lost
        self.doubled += other.doubled
        self.wrong += other.wrong


class Life:
    """One batch before one twin."""

    def __init__(
        self, number: int, *, stand: Stand, chance: Random, ledger: Ledger
    ) -> None:
        self._stand: Final = stand
        self.chance: Final = chance
        self._ledger: Final = ledger
        self.wanted: Final[Workload] = workload(number)
        self.folder: Final = stand.folder / f"batch-{number}"
        self._files: Final = Files(
            folder=self.folder,
            papers=stand.papers,
            rows={
                "projects": len(self.wanted.projects),
                "people": len(self.wanted.emails),
            },
        )
        self._seen = Seen.of(stand.state(), wanted=self.wanted)
        self._story: list[str] = []
        ledger.batches += 1
        ledger.rows += self.wanted.rows
        write_workload(self.wanted, self.folder)

    def kill_at_one_of(
        self, pool: Sequence[str], words: tuple[str, ...], *, recovers: bool = False
    ) -> str:
        """Kill one run at the open point of `pool` that was met least so far.

        Gives the point; nothing where none is open or the run ended before.
        """
        met = self._ledger.in_recovery if recovers else self._ledger.kills
        ways = [point for point in pool if self._is_open(point)]
        if not ways:
            return ""
        least = min(met[point] for point in ways)
        point = self.chance.choice([each for each in ways if met[each] == least])
        end = self._run(words, kill=Kill(point=point, visit=self._visit(point)))
        if end.killed_at:
            met[end.killed_at] += 1
        return end.killed_at

    def finish(self, words: tuple[str, ...], *, allowed: Sequence[int]) -> None:
        """Run once to the end: that is enough, however often it was killed."""
        end = self._run(words)
        if self._let_held_rows_go():
            end = self._run(words)
        if end.exit_code not in allowed:
            self._complain("wrong", f"{words[0]} ended with {end}")

    def end(self) -> None:
        """Compare everything there is, and show that nothing is left to do."""
        for path in self._files.left_behind():
            os.utime(path, (_LONG_AGO, _LONG_AGO))
        before = unsafe_calls(self._stand.state())
        sent = Counter(s.is_sent for s in self.wanted.projects)
        self._expect(submit(PEOPLE), {"invited": len(self.wanted.emails)})
        self._expect(submit(PROJECTS), {"sent": sent[True], "drafted": sent[False]})
        self._run(EXPORT)
        made = unsafe_calls(self._stand.state()) - before
        if made:
            self._complain("wrong", f"a run after success made {made} unsafe calls")
        if self._run(VERIFY).exit_code != 0:
            self._complain("wrong", "the journal is not whole")
        for words in self._seen.lost(self.wanted):
            self._complain("lost", words)
        for words in self._files.unlisted():
            self._complain("wrong", words)
        for path in self._files.left_behind():
            self._complain("wrong", f"{path.name} stays for ever")

    def leave_few_tokens(self) -> None:
        """Let the balance say that there are too few, or have a 402 say so."""
        if self.chance.random() < 0.5:
            self._stand.set_balance(_FEW)
        else:
            self._stand.colleague_comes(after_sends=_FEW)

    def buy_tokens(self) -> None:
        """Have a person buy more than enough."""
        self._stand.colleague_goes()
        self._stand.set_balance(PLENTY)

    def _visit(self, point: str) -> int:
        if point == points.ANY_MOMENT:
            return self.chance.randint(*_MILLISECONDS)
        is_met_once = point.startswith(_MET_ONCE)
        return 1 if is_met_once else self.chance.choice(_MANY_VISITS)

    def _is_open(self, point: str) -> bool:
        """Say whether a run can come by a point, as far as the twin tells."""
        name, seen, wanted = point.split(".", maxsplit=1)[0], self._seen, self.wanted
        if point in points.UPLOADS:
            return any(each.files for each in seen.uncreated(wanted))
        if name == "organisation":
            return not seen.organisations
        if name == "invite":
            return not seen.invitations
        if name in {"create", "move", "page"}:
            return bool(seen.uncreated(wanted))
        if name in {"send", "read"}:
            return bool(seen.unsent(wanted))
        return True

    def _run(self, words: tuple[str, ...], *, kill: Kill | None = None) -> End:
        end = self._stand.run(self.folder, *words, kill=kill)
        self._ledger.runs += 1
        self._story.append(f"{words[0]} {kill or ''} {end.killed_at or end.exit_code}")
        if end.exit_code is None and not end.killed_at:
            self._complain("wrong", f"{words[0]} died of {end}")
        elif end.exit_code in {1, 2, 5, 6, 7}:
            self._complain("wrong", f"{words[0]} ended with {end.exit_code}")
        self._seen = Seen.of(self._stand.state(), wanted=self.wanted)
        for complaint in self._seen.doubled():
            self._complain("doubled", complaint)
        for complaint in self._files.broken():
            self._complain("wrong", complaint)
        return end

    def _expect(self, words: tuple[str, ...], counts: dict[str, int]) -> None:
        self._run(words)
        said = self._printed()
        if (said["counts"], said["rows_read"]) != (counts, sum(counts.values())):
            self._complain("lost", f"{words[0]} {words[1]} ends with {said['counts']}")

    def _let_held_rows_go(self) -> bool:
        """Do what a person would: say that these rows may be tried again."""
        held = [
            row for row in self._printed().get("rows", []) if row["outcome"] == "held"
        ]
        for row in held:
            self._ledger.held += 1
            if _TRIED not in row["what_to_do"]:
                self._complain("wrong", f"held: {row['what_to_do']}")
            self._run(("resolve", row["reference"], "--retry"))
        return bool(held)

    def _printed(self) -> dict[str, Any]:
        return self._stand.printed(self.folder)

    def _complain(self, kind: str, words: str) -> None:
        story = "; ".join(self._story)
        complaints: list[str] = getattr(self._ledger, kind)
        complaints.append(f"batch {self.wanted.number}: {words} [{story}]")
