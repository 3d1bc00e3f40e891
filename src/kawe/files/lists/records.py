"""Records of a list on the disk: the spool, JSON lines, GeoJSON (RFC 7946)."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from kawe.domain.service.lists import ListRecord
from kawe.domain.text.texts import visible_json

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
        self._end += self._file.write(_line(item))
        return place

    def get(self, place: int) -> Mapping[str, object]:
        """Give the object that lies there."""
        self._file.seek(place)
        found: Mapping[str, object] = json.loads(self._file.readline())
        return found

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
            self._places[json.loads(line)["id"]] = place
            place += len(line)

    def ids(self) -> Collection[str]:
        return self._places.keys()

    def get(self, record_id: str) -> Mapping[str, object] | None:
        """Give one of its objects."""
        place = self._places.get(record_id)
        if place is None:
            return None
        self._file.seek(place)
        found: Mapping[str, object] = json.loads(self._file.readline())
        return found

    def close(self) -> None:
        self._file.close()


@contextmanager
def json_lines(file: IO[bytes]) -> Iterator[Callable[[ListRecord], object]]:
    """Write one object on each line, as the service gave it.

    A document that was saved has its `file` too.
    """
    yield lambda record: file.write(_line(record.item))


@contextmanager
def geo_json(file: IO[bytes]) -> Iterator[Callable[[ListRecord], object]]:
    """Write a feature for each project; one without a place has no geometry."""
    before = b'{"type":"FeatureCollection","features":[\n'

    def put(record: ListRecord) -> None:
        nonlocal before
        file.write(before + _line(_feature(record)).rstrip(b"\n"))
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


def _line(value: Mapping[str, object]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{visible_json(text)}\n".encode()
