"""A list of the service as files, and what changed since the export before it.

Beside the files lies a list of hashes, which `sha256sum -c` reads. A file that it names
with another hash, or does not name, is a person's: it stays, and the new one gets
another name. The list has the old hashes as comments, so that kawe knows its own files
again after a kill.
"""

import json
import math
import re
import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    closing,
    contextmanager,
    suppress,
)
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from kawe.domain.service.lists import ListCounts, ListRecord, instant_of, objects_in
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import one_line, visible_json
from kawe.durable import (
    Temporary,
    make_folder,
    put,
    replacing,
    sha256_at,
    sweep,
    temporary_in,
)
from kawe.files.saving import read_list, safe_name, unwritable
from kawe_contract.enums import InvitationStatus

_NO_DEADLINE: Final = ("DRAFT", "CLOSED", "COMPLETE")
_STAMP: Final = "%Y%m%dT%H%M%SZ"
_DECIMALS: Final = 7
"""Of a degree: a centimetre."""


class DiskSpool:
    """Implements the port `Spool` in a file that nobody else can open by name."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the spool
        self._end = 0

    def put(self, item: Mapping[str, object]) -> int:
        """Keep an object."""
        place = self._end
        self._file.seek(place)
        self._end += self._file.write(line_of(item))
        return place

    def get(self, place: int) -> Mapping[str, object]:
        """Give the object that lies there."""
        return _line_at(self._file, place)

    def close(self) -> None:
        self._file.close()


class EarlierLines:
    """Implements the port `EarlierList` over a file of JSON lines."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._places: dict[str, int] = {}
        self.written_at = datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)
        place = 0
        for line in self._file:
            said = json.loads(line)
            if "masked" in said:
                raise ValueError("a whole list takes nothing from a masked one")
            self._places[said["id"]] = place
            place += len(line)

    def ids(self) -> Collection[str]:
        return self._places.keys()

    def get(self, record_id: str) -> Mapping[str, object] | None:
        """Give one of its objects."""
        place = self._places.get(record_id)
        return None if place is None else _line_at(self._file, place)

    def close(self) -> None:
        self._file.close()


def _line_at(file: IO[bytes], place: int) -> Mapping[str, object]:
    file.seek(place)
    found: Mapping[str, object] = json.loads(file.readline())
    return found


@contextmanager
def json_lines(file: IO[bytes], _: object) -> Iterator[Callable[[ListRecord], object]]:
    """Write each object as given on a line; `file` too where a document was saved."""
    yield lambda record: file.write(line_of(record.item))


@contextmanager
def calendar(file: IO[bytes], _: object) -> Iterator[Callable[[ListRecord], object]]:
    """Write deadlines as days of a calendar (RFC 5545).

    They are the respond by of each open project, and when each invitation expires.
    """
    _ics(file, "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//kawe//EN")
    yield lambda record: _ics(file, *_events(record))
    _ics(file, "END:VCALENDAR")


def _events(record: ListRecord) -> Iterator[str]:
    item, link = record.item, record.about.get("link")
    if item.get("status") not in _NO_DEADLINE:
        yield from _event(item, "Respond by", link=link)
    for each in objects_in(item, "invitations"):
        if each.get("status") == InvitationStatus.PENDING:
            yield from _event(each, "Invitation expires", link="")


def _event(item: Mapping[str, Any], words: str, *, link: object) -> Iterator[str]:
    """Write one day, of what has another name in a project and in an invitation."""
    at = instant_of(item.get("respond_by_date") or item.get("expired_on"))
    made = instant_of(item.get("updated_on") or item.get("created_on"))
    if at is None or made is None:
        return
    named = [str(item[e]) for e in ("name", "reference", "email") if item.get(e)]
    words = one_line(f"{words}: {' · '.join(named)}", limit=300)
    yield "BEGIN:VEVENT"
    yield f"UID:{item.get('id')}@kawe"
    yield f"DTSTAMP:{made.astimezone(UTC):{_STAMP}}"
    yield f"DTSTART;VALUE=DATE:{day_in_new_zealand(at):%Y%m%d}"
    yield "SUMMARY:" + re.sub(r"([\\;,])", r"\\\1", words)
    yield from [f"URL:{link}"] if link else []
    yield "END:VEVENT"


def _ics(file: IO[bytes], *lines: str) -> None:
    """Write lines of a calendar, folded: none may have more than 75 bytes."""
    for line in lines:
        # No letter is cut.
        parts = re.findall(rb"[^\r\n]{1,74}(?![\x80-\xbf])", line.encode())
        file.write(b"\r\n ".join(parts) + b"\r\n")


@contextmanager
def geo_json(file: IO[bytes], _: object) -> Iterator[Callable[[ListRecord], object]]:
    """Write a feature for each project; one without a place has no geometry."""
    before = b'{"type":"FeatureCollection","features":[\n'

    def put(record: ListRecord) -> None:
        nonlocal before
        file.write(before + line_of(_feature(record)).rstrip(b"\n"))
        before = b",\n"

    yield put
    file.write((b"" if before == b",\n" else before) + b"\n]}\n")


def _feature(record: ListRecord) -> Mapping[str, object]:
    properties = {
        name: value
        for name, value in record.item.items()
        if name not in {"latitude", "longitude"}
        and (value is None or isinstance(value, str | int | float))
    }
    return {
        "type": "Feature",
        "id": record.item["id"],
        "geometry": _point(record.item),
        "properties": properties | {"link": record.about.get("link") or None},
    }


def _point(item: Mapping[str, object]) -> dict[str, object] | None:
    pair = item.get("longitude"), item.get("latitude")
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in pair):
        return None
    # The service requires numbers: a project without a place has 0 and 0.
    if pair == (0, 0):
        return None
    where = [round(float(str(each)), _DECIMALS) for each in pair]
    return {"type": "Point", "coordinates": where}


def line_of(value: Mapping[str, object]) -> bytes:
    """Write an object as one line of JSON, with all that is invisible in it shown."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{visible_json(text)}\n".encode()


Put: TypeAlias = Callable[[ListRecord], object]
"""Writes one record."""
Open: TypeAlias = Callable[[IO[bytes], ListCounts], AbstractContextManager[Put]]
_SHOWN: Final = ("reference", "name", "status", "respond_by_date", "updated_on")
"""What of an object has a column of its own."""
_COLUMNS: Final = ("id", "change", *_SHOWN, "object", "since")
_TABLE: Final = f"CREATE TABLE changes ({', '.join(_COLUMNS)})"
_ROW: Final = f"INSERT INTO changes VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - question marks alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is new, changed or gone since the export before."""

    earlier: EarlierLines | None
    compared: Callable[[Mapping[str, object]], str]
    """Says whether an object is new, changed or unchanged."""

    @property
    def since(self) -> str | None:
        """Name the export before: what a killed run told is told since the same."""
        return None if self.earlier is None else self.earlier.written_at.isoformat()

    def lines(self, file: IO[bytes], counts: ListCounts) -> AbstractContextManager[Put]:
        """Write what is new or has changed, then what is gone, each on a line."""

        def write(change: str, item: Mapping[str, object]) -> None:
            file.write(line_of({"change": change, "since": self.since, **item}))

        return self._written(write, counts)

    @contextmanager
    def table(self, file: IO[bytes], counts: ListCounts) -> Iterator[Put]:
        """Write the same as one table of SQLite; its `object` is the line of JSON."""
        with closing(sqlite3.connect(":memory:")) as base:
            base.execute(_TABLE)

            def write(change: str, item: Mapping[str, object]) -> None:
                shown = (item.get(each) for each in _SHOWN)
                plain = (each if isinstance(each, str) else None for each in shown)
                text = line_of(item).decode().rstrip("\n")
                base.execute(_ROW, (item["id"], change, *plain, text, self.since))

            with self._written(write, counts) as put:
                yield put
            base.commit()
            file.write(base.serialize())

    @contextmanager
    def _written(
        self, write: Callable[[str, Mapping[str, object]], object], counts: ListCounts
    ) -> Iterator[Put]:
        """Give each change to `write`, those that are gone last.

        That is known only where the whole list was asked for.
        """
        left = set() if self.earlier is None else set(self.earlier.ids())

        def put(record: ListRecord) -> None:
            change = self.compared(record.item)
            left.discard(str(record.item["id"]))
            if change != "unchanged":
                write(change, record.item)

        yield put
        for gone in sorted(left) if counts.gone else ():
            write("gone", {"id": gone})


_MOST_NAMES: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFile:
    """One file of an export."""

    name: str
    """As asked for; a person's file of this name stays."""
    open: Open = field(repr=False)


@dataclass(slots=True, kw_only=True)
class WrittenList:
    """The files of an export, and what was found in their place."""

    folder: Path
    stem: str
    files: dict[str, str] = field(default_factory=dict)
    """Those that were written, with their sha256."""
    kept: dict[str, str] = field(default_factory=dict)
    """Files that kawe did not write as they are, each with the name used instead."""
    _earlier: EarlierLines | None = field(init=False, default=None)
    _known: dict[str, set[str]] = field(init=False, default_factory=dict)
    """The sha256 of kawe's own files by name; two where a run was killed."""

    def __post_init__(self) -> None:
        with suppress(OSError):
            listed = read_list(self._hashes)
            for name, sha256 in (*listed.hashes.items(), *listed.before):
                # An edited list must not name a file outside the folder.
                if safe_name(name, "") == name:
                    self._known.setdefault(name, set()).add(sha256)

    @property
    def _hashes(self) -> Path:
        return self.folder / f"{self.stem}.sha256"

    def earlier(self) -> EarlierLines | None:
        """Open the earlier export, if it is there and unaltered."""
        path = self.folder / self.place(f"{self.stem}.jsonl")
        try:
            self._earlier = EarlierLines(path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return self._earlier

    def place(self, name: str) -> str:
        """Give the name under which a file may be written."""
        path = Path(name)
        for number in range(1, _MOST_NAMES):
            free = name if number == 1 else f"{path.stem} ({number}){path.suffix}"
            if self._is_free(free):
                return free
        raise unwritable(self.folder)

    def _is_free(self, name: str) -> bool:
        path = self.folder / name
        return not (path.exists() or path.is_symlink()) or bool(self._own(name))

    def _own(self, name: str) -> str:
        """Give the sha256 of a file of kawe's own, as it lies; else nothing."""
        now = sha256_at(self.folder / name)
        return now if now in self._known.get(name, ()) else ""

    @contextmanager
    def writing(self, wanted: Sequence[ListFile], counts: ListCounts) -> Iterator[Put]:
        """Open the files; they get their names together when the block ends well."""
        try:
            make_folder(self.folder)
            sweep(self.folder)
            with ExitStack() as lying, ExitStack() as outs:
                places = {
                    each.name: lying.enter_context(temporary_in(self.folder))
                    for each in wanted
                }
                puts = [
                    outs.enter_context(each.open(places[each.name][0], counts))
                    for each in wanted
                ]

                def put_into_all(record: ListRecord) -> None:
                    for put in puts:
                        put(record)

                yield put_into_all
                outs.close()
                if self._earlier is not None:
                    # Windows does not replace a file that is open.
                    self._earlier.close()
                self._move(places)
        except OSError as trouble:
            raise unwritable(self.folder) from trouble

    def _move(self, lying: Mapping[str, Temporary]) -> None:
        """Give the files their names, and list their hashes."""
        names = {wanted: self.place(wanted) for wanted in lying}
        self.kept = {wanted: name for wanted, name in names.items() if wanted != name}
        for wanted, name in names.items():
            file, path = lying[wanted]
            file.flush()
            self.files[name] = sha256_at(path)
        before = {name: self._known.get(name, set()) for name in self.files}
        known = self._known.keys() - self.files.keys()
        others = {name: own for name in known if (own := self._own(name))}
        self._list(others | self.files, before=before)
        *rest, (wanted, last) = names.items()
        for each, name in rest:
            put(lying[each], self.folder / name)
        # Changes are told from the last: with it, the export is done and listed.
        self._list(others | self.files, before={last: {self._own(last)} - {""}})
        put(lying[wanted], self.folder / last)

    def _list(
        self, files: Mapping[str, str], *, before: Mapping[str, set[str]]
    ) -> None:
        was = [f"# {each}  {name}\n" for name, s in before.items() for each in s]
        now = [f"{each}  {name}\n" for name, each in sorted(files.items())]
        with replacing(self._hashes) as file:
            file.write("".join((*now, *was)).encode())
