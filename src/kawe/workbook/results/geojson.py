"""The result for maps: GeoJSON (RFC 7946), WGS 84, longitude first.

One feature stands for each row; a row without a place has no geometry. The file says
the sha256 of itself, so that a later result replaces it only if nobody edited it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any, Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.text.texts import visible_json
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import check_place, hashed, write_together
from kawe.workbook.results.rows import naming_columns
from kawe_places.values import Place
from kawe_xlsx.cells import inert

SCHEMA: Final = "kawe.geojson/1"
ENDINGS: Final = (".geojson",)
_PROPERTIES: Final = (
    *("row", "sheet", "reference", "name", "outcome", "what_to_do", "project_id"),
    *("link", "receipt_number", "at", "respond_by"),
)


def check_map(path: Path, *, protect: Iterable[Path]) -> None:
    """Check, before any request, that a map can be written at `path`, or beside it.

    Raises:
        ResultNotWritable: It cannot.
    """
    check_place(path, protect=frozenset(protect), endings=ENDINGS)


def write_map(report: BatchReport, path: Path, *, protect: Iterable[Path]) -> Path:
    """Write the rows of `report` as features; say where.

    Raises:
        ResultNotWritable: It cannot be written under any name.
    """
    return write_together(
        path,
        lambda files: _write(files[0], map_of(report)),
        protect=frozenset(protect),
    )


def map_of(report: BatchReport) -> bytes:
    """Give the whole document, a line for each feature."""
    head = {
        "type": "FeatureCollection",
        "schema": SCHEMA,
        "batch": report.batch,
        "kind": report.kind,
        "workbook": report.workbook,
        "sheet": inert(report.sheet),
        "team": inert(report.team),
        "mode": report.mode,
        "written_at": report.written_at.isoformat(),
    }
    named = naming_columns(report)
    features = ",\n".join(_line(_feature(row, named)) for row in report.rows)
    return hashed(f'{_line(head)[:-1]},\n"features":[\n{features}\n]')


def _write(file: IO[bytes], data: bytes) -> None:
    file.write(data)


def _feature(row: RowReport, named: Mapping[str, int]) -> dict[str, Any]:
    """Give one row; its properties are flat, since shapes and tables hold no lists."""
    said = row.as_json()
    for field, at in named.items():
        # Of a row to correct, what was typed; nothing else names it.
        said[field] = said[field] or (show(row.raw[at]) if at < len(row.raw) else "")
    return {
        "type": "Feature",
        "geometry": None if row.place is None else _point(row.place),
        "properties": {
            **{
                each: inert(value) if isinstance(value := said[each], str) else value
                for each in _PROPERTIES
            },
            "iwi": inert("; ".join(row.iwi)),
        },
    }


def _point(place: Place) -> dict[str, Any]:
    latitude, longitude = place.key()
    return {"type": "Point", "coordinates": [longitude, latitude]}


def _line(value: dict[str, Any]) -> str:
    return visible_json(
        json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    )
