"""Domain values as rows of tables, and back; a person's cells and findings as JSON.

What is read may have been written by anybody: any mistake is a `JournalError`. Dates,
times, and numbers that JSON cannot write keep their type: the result workbook gives
back what the person wrote.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from datetime import UTC, date, datetime, time
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from sys import intern
from typing import Any, Final
from weakref import WeakValueDictionary

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.periods import RowsOfHour
from kawe.domain.batch.runs import EndOfRun, RunName, RunRecord
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows import entries
from kawe.domain.service.service_words import Invitation, IwiAnswer
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import Content, values_of
from kawe.domain.sheet.findings import CellRef, Finding, RowRef, Severity
from kawe.domain.text.texts import checked_text
from kawe.journal.store import Record
from kawe.journal.words import instant_to_text, storable
from kawe_xlsx.cells import RawValue, shared


def content_to_json(content: Content) -> str:
    return json.dumps(content, default=_plain, sort_keys=True)


def content_from_json(text: str, *, kind: SheetKind) -> Content:
    """Read back what `content_to_json` wrote for `kind`; `ValueError`: it did not."""
    try:
        return kind.content_of(_SHARING.decode(text))
    except (KeyError, TypeError, AttributeError) as trouble:
        raise ValueError("not the content of a row") from trouble


def _plain(value: object) -> str | dict[str, object]:
    if is_dataclass(value):
        return values_of(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of a row's content")


_SAID: Final = WeakValueDictionary[bytes, Content]()
"""What rows say, by kind and hash; each in memory once, while anything holds it."""
_KNOWN: Final = (
    *("key", "batch", "position", "kind", "marker", "fingerprint", "state"),
    *("moved_at", "project_id", "reason", "receipt_number"),
)
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 9000


def binding_from_record(record: Record) -> entries.Binding:
    """Read whom the journal belongs to."""
    base_url, team_id, team_name, mode = record
    return entries.Binding(
        base_url=base_url, team_id=team_id, team_name=team_name, mode=mode
    )


def binding_to_record(binding: entries.Binding) -> Record:
    return binding.base_url, binding.team_id, storable(binding.team_name), binding.mode


def batch_from_record(record: Record) -> entries.Batch:
    """Read a batch."""
    name, kind, *sheet, opened_at, read_at = record
    return entries.Batch(
        **_read_sheet((name, *sheet, read_at)),
        kind=SheetKind.named(kind),
        opened_at=instant(opened_at),
    )


def batch_to_record(batch: entries.Batch) -> Record:
    """Write a batch."""
    name, *place, read_at = reading_to_record(batch)
    return name, batch.kind.value, *place, instant_to_text(batch.opened_at), read_at


@lru_cache(maxsize=64)
def reading_from_record(record: Record) -> entries.SheetReading:
    """Read which sheet a batch was read from."""
    return entries.SheetReading(**_read_sheet(record))


def _read_sheet(record: Record) -> dict[str, Any]:
    batch, workbook, sheet, headings, read_at = record
    return {
        "batch": entries.BatchName(batch),
        "workbook": _text(workbook),
        "sheet": _text(sheet),
        "headings": tuple(map(str, json.loads(headings))),
        "read_at": instant(read_at),
    }


def reading_to_record(reading: entries.SheetReading) -> Record:
    return (
        reading.batch,
        json.dumps(reading.workbook),
        json.dumps(reading.sheet),
        json.dumps(reading.headings),
        instant_to_text(reading.read_at),
    )


def placed_line_from_record(record: Record) -> tuple[RowKey, entries.PlacedLine]:
    """Read what a row is called, and a line that names it with its sheet."""
    name, *rest = record
    line = line_from_record((*rest[5:], name))
    reading = reading_from_record(tuple(rest[:5]))
    return RowKey(name), entries.PlacedLine(reading=reading, line=line)


def line_from_record(record: Record) -> entries.Line:
    """Read a line of a workbook."""
    place, raw, findings, entry = record
    sheet, row = json.loads(place)
    return entries.Line(
        where=RowRef(sheet=sheet, row=row),
        raw=raw_from_json(raw),
        findings=tuple(map(_finding_from_list, _listed(findings))),
        row=None if entry is None else RowKey(entry),
    )


def quiet_from_record(record: Record) -> entries.QuietRow:
    """Read the place, name and state of a row."""
    place, key, state, *_ = record
    sheet, row = json.loads(place)
    return RowRef(sheet=sheet, row=row), RowKey(key), State(state)


def words_from_record(record: Record) -> tuple[RowRef, str]:
    """Read the place of a quiet row, its names, and its cells that hold words."""
    raw, *names = record[3:]
    cells = (each for each in json.loads(raw) if isinstance(each, str))
    return quiet_from_record(record)[0], "|".join((*filter(None, names), *cells))


def line_to_record(line: entries.Line) -> Record:
    return (
        json.dumps([line.where.sheet, line.where.row]),
        raw_to_json(line.raw),
        json.dumps([*map(_finding_to_list, line.findings)]),
        line.row,
    )


def entry_from_record(record: Record) -> entries.Entry:
    """Read a row of the journal."""
    *known, content = record
    read = _known(known)
    return entries.Entry(**read, content=_content(content, read["kind"]))


def known_from_record(record: Record) -> entries.KnownRow:
    return entries.KnownRow(**_known(record))


def _known(record: Sequence[Any]) -> dict[str, Any]:
    read: dict[str, Any] = dict(zip(_KNOWN, record, strict=True))
    # As keys of mappings of a run, each stands in memory once.
    read["key"], read["kind"] = intern(read["key"]), SheetKind.named(read["kind"])
    read["batch"] = intern(read["batch"])
    read["state"], read["moved_at"] = State(read["state"]), instant(read["moved_at"])
    return read


def entry_to_record(entry: entries.Entry) -> Record:
    """Write a row of the journal; whoever reads it gets the content that it has."""
    said = content_to_json(entry.content)
    _content(said, entry.kind, entry.content)
    return (
        entry.batch,
        entry.position,
        entry.marker,
        entry.fingerprint,
        entry.state.value,
        instant_to_text(entry.moved_at),
        storable(entry.reason),
        said,
        entry.kind.value,
        entry.key,
    )


def change_to_record(entry: entries.Entry) -> Record:
    return (
        entry.state.value,
        instant_to_text(entry.moved_at),
        entry.project_id,
        entry.reason,
        entry.receipt_number,
        entry.key,
    )


def file_from_record(record: Record) -> entries.StoredFile:
    """Read which document a file became."""
    row, sha256, name, document_id = record
    return entries.StoredFile(
        row=RowKey(row), sha256=sha256, name=name, document_id=document_id
    )


def file_to_record(stored: entries.StoredFile) -> Record:
    return stored.row, stored.sha256, stored.name, stored.document_id


def iwi_answer_from_record(record: Record) -> tuple[tuple[float, float], IwiAnswer]:
    """Read which iwi a place belongs to."""
    latitude, longitude, can_select, choices = record
    pairs = map(_list, _listed(choices))
    return (latitude, longitude), IwiAnswer.of_pairs(pairs, can_select=bool(can_select))


def iwi_answer_to_record(
    place: tuple[float, float], answer: IwiAnswer, *, at: datetime
) -> Record:
    """Write which iwi a place belongs to."""
    pairs = json.dumps(answer.pairs())
    return (*place, instant_to_text(at), int(answer.can_select), pairs)


def sent_to_to_record(said: tuple[RowKey, Sequence[str]]) -> Record:
    """Write whom the service told of a row."""
    key, iwi = said
    return key, json.dumps([*iwi])


def sent_to_from_record(record: Record) -> tuple[RowKey, tuple[str, ...]]:
    """Read whom the service told of a row."""
    key, iwi = record
    return RowKey(key), tuple(map(checked_text, _listed(iwi)))


def rows_of_hour_from_record(record: Record) -> RowsOfHour:
    """Read how many rows stand alike since one hour."""
    batch, state, hour, iwi, rows = record
    return RowsOfHour(
        batch=batch,
        state=State(state),
        at=instant(f"{hour}:00+00:00"),
        iwi=None if iwi is None else tuple(map(checked_text, _listed(iwi))),
        rows=rows,
    )


def invitation_to_record(said: tuple[RowKey, Invitation]) -> Record:
    """Write how an invitation stands."""
    key, each = said
    times = map(_storable_instant, (each.made_at, each.expires_at))
    return key, storable(each.id), storable(each.status), *times


def invitation_from_record(record: Record) -> tuple[RowKey, Invitation]:
    """Read how an invitation stands."""
    key, name, status, *times = record
    made_at, expires_at = (None if at is None else instant(at) for at in times)
    return RowKey(key), Invitation(
        id=name, status=status, made_at=made_at, expires_at=expires_at
    )


def _storable_instant(at: datetime | None) -> str | None:
    """Write an instant of the service; one that `instant` would not read is none."""
    if at is None or not _FIRST_YEAR <= at.astimezone(UTC).year <= _LAST_YEAR:
        return None
    return instant_to_text(at)


def wait_from_record(record: Record) -> tuple[RowKey, Wait]:
    """Read how long a row has waited for a token."""
    key, since_at, refused_at = record
    refused = None if refused_at is None else instant(refused_at)
    return RowKey(key), Wait(since_at=instant(since_at), refused_at=refused)


def time_of_row(record: Record) -> tuple[RowKey, datetime]:
    """Read a row's key and a time."""
    key, at = record
    return RowKey(key), instant(at)


def _content(text: str, kind: SheetKind, said: Content | None = None) -> Content:
    name = sha256(f"{kind} {text}".encode()).digest()
    known = _SAID.get(name) or said or content_from_json(text, kind=kind)
    return _SAID.setdefault(name, known)


@lru_cache(maxsize=64)
def instant(text: str) -> datetime:
    """Read an instant; `ValueError`: it is none of kawe's."""
    at = datetime.fromisoformat(text)
    # Of another year, it could not be shown as New Zealand's.
    if at.tzinfo is None or not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        raise ValueError("no instant of kawe's")
    return at


def _text(stored: str) -> str:
    return checked_text(json.loads(stored))


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return value


def run_from_record(record: Record) -> RunRecord:
    """Read what ran, and how it ended."""
    batch, command, workbook, began_at, ended_at, who, counts, tokens, *named = record
    name, exit_code = named
    read = {Outcome[word]: int(number) for word, number in json.loads(counts).items()}
    return RunRecord(
        batch=entries.BatchName(batch),
        command=command,
        workbook=_text(workbook),
        began_at=instant(began_at),
        end=None
        if ended_at is None
        else EndOfRun(
            at=instant(ended_at), counts=read, tokens=tokens, exit_code=exit_code
        ),
        by=RunName(id=name, who=who),
        begun=tokens if ended_at is None else 0,
    )


def run_to_record(run: RunRecord) -> Record:
    """Write what ran, and how it ended."""
    end = run.end
    # By the names in the code, which are no words for people.
    counts = (
        {outcome.name: number for outcome, number in end.counts.items()} if end else {}
    )
    return (
        run.batch,
        run.command,
        json.dumps(run.workbook),
        instant_to_text(run.began_at),
        instant_to_text(end.at) if end else None,
        storable(run.by.who),
        json.dumps(counts),
        end.tokens if end else 0,
        run.by.id,
        end.exit_code if end else None,
    )


_READERS: Final[dict[str, Callable[[str], RawValue]]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "number": float,
}


def raw_to_json(raw: Sequence[RawValue]) -> str:
    """Write the values of one line; ASCII, so that any text survives."""
    try:
        return _FAST.encode(raw)
    except ValueError:
        # A number that JSON has no word for is rare: only then look at each.
        return _FAST.encode([_worded(value) for value in raw])


def raw_from_json(text: str) -> tuple[RawValue, ...]:
    """Read the values of one line back, as `raw_to_json` wrote them."""
    values = _list(_UNTAGGING.decode(text))
    if any(isinstance(value, list) for value in values):
        raise TypeError("a list is no value of a cell")
    return shared(values)


def _tagged(value: object) -> dict[str, str]:
    # A datetime is a date too, so it has to be asked for first.
    for kind in (datetime, date, time):
        if isinstance(value, kind):
            return {kind.__name__: value.isoformat()}
    raise TypeError(f"{type(value).__name__} is no value of a cell")


def _worded(value: RawValue) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value)}
    return value


def _untagged(tagged: dict[str, Any]) -> RawValue:
    ((kind, text),) = tagged.items()
    return _READERS[kind](text)


_WORDS: Final = ("rule", "heading", "value", "message", "advice")


def _finding_to_list(finding: Finding) -> list[object]:
    where = finding.where
    return [
        where.sheet,
        where.row,
        where.column if isinstance(where, CellRef) else None,
        finding.severity.value,
        *(getattr(finding, each) for each in _WORDS),
    ]


def _finding_from_list(parts: Sequence[Any]) -> Finding:
    sheet, row, column, severity, *words = parts
    place = RowRef(sheet=sheet, row=row)
    return Finding(
        where=place if column is None else place.cell(column),
        severity=Severity(severity),
        **dict(zip(_WORDS, words, strict=True)),
    )


def _listed(text: str) -> list[Any]:
    return _list(json.loads(text))


_SHARING: Final = json.JSONDecoder(
    object_hook=lambda values: dict(zip(values, shared(values.values()), strict=True))
)
_UNTAGGING: Final = json.JSONDecoder(object_hook=_untagged)
_FAST: Final = json.JSONEncoder(default=_tagged, allow_nan=False)
