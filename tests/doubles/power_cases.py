"""A power loss at any moment of a run, and what must be there afterwards."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be
from doubles.command import Person
from doubles.failing_disk import Commands, Ended, Fault, submitting
from doubles.power import Disk, Kind, Record, State, put, read_log
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import Attempt, Step
from kawe.domain.service.states import State as RowState
from kawe.errors import JournalError
from kawe.files.saving import LIST_NAME
from kawe.journal.history import verify_journal
from kawe.journal.journal import StoreJournal

_CREATE: Final = re.compile(rb"POST \S*/projects HTTP")
_SEND: Final = re.compile(rb"\S+ \S*/projects/(?!0{8}-)([0-9a-f-]{36})/send HTTP")
_OVER: Final = frozenset({RowState.SENT, RowState.CONFIRMED, RowState.RECEIPTED})
_PASSING: Final = re.compile(r"\.kawe-|kawe\.log|\.lock$|\.holder$|-journal$|/aside/")

Act = tuple[Step, str, str]
"""A step, the marker or the project that it was about, the hash of its body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A run, and the disk as it was before."""

    folder: Path
    before: Disk
    records: Sequence[Record]
    old: State
    new: State
    ended: Ended


def recorded(born: Commands, person: Person, words: Sequence[str]) -> Recording:
    """Run a command and keep all that it asked of the disk."""
    log = person.folder.parent / "asked.log"
    log.unlink(missing_ok=True)
    before, model = Disk(person.folder), Disk(person.folder)
    ended = born.run(person, words, log=log)
    records = read_log(log)
    for record in records:
        model.take(record)
    return Recording(
        folder=person.folder,
        before=before,
        records=records,
        old=before.whole(),
        new=model.whole(),
        ended=ended,
    )


@dataclass(slots=True, kw_only=True)
class Promised:
    """What left the machine before the power went, and what was said."""

    acts: Counter[Act] = field(default_factory=Counter)
    said: bytes = b""
    _heads: dict[int, tuple[Step, str]] = field(default_factory=dict)

    def hear(self, record: Record) -> None:
        """Take in what left through a socket or onto the screen."""
        if record.asked is Kind.SAY:
            self.said += record.data
        if record.asked is not Kind.SEND:
            return
        sent, is_create = _SEND.match(record.data), _CREATE.match(record.data)
        is_head = sent is not None or is_create is not None
        if sent is not None:
            self._heads[record.flags] = (Step.SEND, sent[1].decode())
        elif is_create:
            self._heads[record.flags] = (Step.CREATE, "")
        # The body may leave with the head, or after it.
        body = record.data.partition(b"\r\n\r\n")[2] if is_head else record.data
        if body and record.flags in self._heads:
            step, what = self._heads.pop(record.flags)
            what = what or str(json.loads(body)["reference"])
            self.acts[step, what, hashlib.sha256(body).hexdigest()] += 1


@dataclass(slots=True, kw_only=True)
class Losses:
    """What was found in all the states that were looked at."""

    moments: int = 0
    states: int = 0
    refused: int = 0
    """States in which there was no journal, or one that kawe said no to."""
    complaints: list[str] = field(default_factory=list)


def look_at_losses(
    recording: Recording, *, scratch: Path, seed: int, most: int, every: int = 1
) -> Losses:
    """Cut the power after every record, and look at what may be left."""
    found, chance = Losses(), random.Random(seed)
    seen: set[tuple[str, int, bool]] = set()
    disk, promised = recording.before, Promised()
    for number, record in enumerate(recording.records):
        disk.take(record)
        promised.hear(record)
        if number % every:
            continue
        found.moments += 1
        for state in disk.states(chance, most=most):
            mark = (_digest(state), promised.acts.total(), bool(promised.said))
            if mark in seen:
                continue
            seen.add(mark)
            found.states += 1
            put(state, into=scratch, of=recording.folder)
            whats = [*_torn(state, recording), *_broken(scratch, promised, found)]
            for what in whats:
                found.complaints.append(f"record {number}, {record.asked.name}: {what}")
    return found


def _digest(state: State) -> str:
    digest = hashlib.sha256()
    for name, data in state.items():
        if "kawe.log" not in name:
            digest.update(f"{name}\0{len(data or b'')}\0".encode() + (data or b""))
    return digest.hexdigest()


def _broken(scratch: Path, promised: Promised, found: Losses) -> Iterator[str]:
    """Open what is left as the next run does, and name what is not as promised."""
    journals = list(scratch.rglob("*.journal"))
    must = promised.acts
    if not journals:
        found.refused += 1
        if must:
            yield "the journal is gone"
        return
    try:
        rows = asyncio.run(_rows(journals[0]))
        fault = verify_journal(journals[0]).fault
    except JournalError as refused:
        found.refused += 1
        if must:
            yield f"the journal is refused: {refused}"
        return
    if fault is not None:
        yield f"the journal is not whole: {fault.what}"
    if missing := must - _noted(rows):
        yield f"left without an intent: {dict(missing)}"
    states = {entry.state for entry, _ in rows}
    if b'"counts"' in promised.said and not states <= _OVER:
        yield f"was shown as sent: {states}"


def _torn(state: State, recording: Recording) -> Iterator[str]:
    """Name the files that are neither as they were nor as they became."""
    for name in {*state, *recording.old, *recording.new}:
        if _PASSING.search(name) or name.endswith(".journal"):
            continue
        before = (name in recording.old, recording.old.get(name))
        after = (name in recording.new, recording.new.get(name))
        here = (name in state, state.get(name))
        if here not in (before, after) and not _is_true_list(name, state):
            yield f"{Path(name).name} is neither old nor new"


def _is_true_list(name: str, state: State) -> bool:
    """Say whether it is a list of hashes that grows, and all that it names is whole.

    Its last line may be a part of one.
    """
    if Path(name).name != LIST_NAME or (text := state.get(name)) is None:
        return False
    lines = filter(None, text.decode().rpartition("\n")[0].split("\n"))
    listed = [line.partition("  ") for line in lines]
    saved = [state.get(str(Path(name).with_name(file))) for *_, file in listed]
    hashes = [hashlib.sha256(data or b"").hexdigest() for data in saved]
    return hashes == [sha256 for sha256, *_ in listed]


async def _rows(path: Path) -> list[tuple[Entry, tuple[Attempt, ...]]]:
    async with aclosing(StoreJournal.open(path)) as journal:
        return [
            (entry, await journal.attempts(entry.key))
            for batch in await journal.batches()
            for entry in await journal.entries(batch.name)
        ]


def _noted(rows: Sequence[tuple[Entry, tuple[Attempt, ...]]]) -> Counter[Act]:
    noted: Counter[Act] = Counter()
    for entry, attempts in rows:
        for attempt in attempts:
            step = attempt.intent.step
            about = entry.marker if step is Step.CREATE else str(entry.project_id)
            noted[step, about, attempt.intent.body_sha256] += 1
    return noted


def cut_and_go_on(
    born: Commands, person: Person, fault: Fault, *, seed: int
) -> tuple[Ended, Ended, tuple[int, ...]]:
    """Cut the power where `fault` says, and run again on what the disk kept.

    Gives how both runs ended and how often each project was sent.
    """
    log = person.folder.parent / "asked.log"
    disk = Disk(person.folder)
    died = born.run(person, submitting(), fault=fault, log=log)
    for record in read_log(log):
        disk.take(record)
    left = [*disk.states(random.Random(seed), most=6)]
    put(random.Random(seed).choice(left), into=person.folder, of=person.folder)
    went_on = born.run(person, submitting())
    sends = tuple(each["sends"] for each in person.state()["projects"])
    return died, went_on, sends
