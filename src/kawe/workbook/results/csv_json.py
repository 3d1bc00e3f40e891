"""The result for other programs: a CSV file, a JSON document, a map.

The CSV file has the person's columns and kawe's, in UTF-8 with a byte order mark for
Excel; lines end with CRLF, days are ISO. The document has every text in full. It ends
with the sha256 of itself and of the CSV file, which prove that nobody edited them, and
of the CSV file before, in case the power fails between the two moves.

The map is GeoJSON (RFC 7946): WGS 84, longitude first. One feature stands for each row;
a row without a place has no geometry. It too says the sha256 of itself.
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from itertools import repeat
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.table_doc import are_harmless, guarded
from kawe.domain.text.texts import json_value, visible_json
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import Seal, proven, sha256_of, write_together
from kawe.workbook.results.rows import OwnValues, RowsLayout, naming_columns
from kawe.workbook.results.summary import Overview
from kawe_xlsx.cells import RawValue, inert
from kawe_xlsx.limits import EXCEL_TEXT_LIMIT
from kawe_xlsx.writing.text import plain_text

PlainValue: TypeAlias = str | float | bool | None
SCHEMA: Final = "kawe.result/2"
_MARK: Final = "\ufeff"
_READABLE: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=json_value
)


def _text_in(file: IO[bytes]) -> io.TextIOWrapper:
    """Open a file for text, which is whole after a `detach`."""
    return io.TextIOWrapper(file, encoding="utf-8", newline="")


class CsvRows:
    """Writes rows of CSV, with the byte order mark that Excel needs."""

    def __init__(self, file: IO[bytes], *, headings: Sequence[str]) -> None:
        self._out = _text_in(file)
        self._out.write(_MARK)
        self.has_long_text = False
        """A text was cut."""
        self._writer = csv.writer(self._out)
        self._writer.writerow(map(_text, headings))

    def write(self, values: Sequence[PlainValue]) -> None:
        """Write one row."""
        texts = [each for each in values if isinstance(each, str)]
        is_short = sum(map(len, texts)) <= EXCEL_TEXT_LIMIT
        if not is_short and max(map(len, texts)) > EXCEL_TEXT_LIMIT:
            self.has_long_text = True
        if not (is_short and are_harmless(texts)):
            values = [_text(e) if isinstance(e, str) else e for e in values]
        # The library writes numbers whole, and nothing as an empty text.
        if bool in map(type, values):
            values = [f"{e}".upper() if isinstance(e, bool) else e for e in values]
        self._writer.writerow(values)

    def finish(self) -> None:
        self._out.detach()


def csv_values(
    theirs: Sequence[PlainValue], own: OwnValues, layout: RowsLayout
) -> list[PlainValue]:
    """Give a row below the headings of `layout`: the person's values, then kawe's."""
    missing = repeat(None, layout.theirs - len(theirs))
    ours = (own[heading] for heading in layout.own)
    return [
        *theirs[: layout.theirs],
        *missing,
        *(iso_time(e) if isinstance(e, datetime) else e or "" for e in ours),
    ]


class JsonRows:
    """Writes the document, a line for each row; `headings` are unique.

    `new_workbook` says why the workbook beside it is not the person's own.
    """

    def __init__(
        self,
        file: IO[bytes],
        report: BatchReport,
        *,
        headings: Sequence[str],
        new_workbook: str,
    ) -> None:
        self._file = file
        self._out = _text_in(file)
        head = {
            "schema": SCHEMA,
            **report.head_json(),
            "sheet": report.sheet,
            "run": report.run,
            "written_at": report.written_at,
            "headings": list(headings),
            "new_workbook": new_workbook or None,
        }
        self._out.write(f'{_line(head)[:-1]},\n"rows":[')
        self._report = report
        self._headings = headings
        self._comma = ""

    def write(self, said: Mapping[str, Any], values: Sequence[PlainValue]) -> None:
        """Write one row, as its report says it; `values` are the person's."""
        pairs = zip(self._headings, values, strict=False)
        theirs = {heading: each for heading, each in pairs if each is not None}
        line = _line({**said, "values": theirs})
        self._out.write(f"{self._comma}\n{line}")
        self._comma = ","

    def finish(self, overview: Overview) -> None:
        """Write all but the seal."""
        foot = _line(self._report.sums_json(overview.counts, overview.problems))
        self._out.write(f"\n],\n{foot[1:-1]},\n")

    def seal(self, seal: Seal) -> None:
        """Write the end, with the sha256 of all before it."""
        self._out.detach()
        self._file.seek(0)
        self._file.write(seal.text(sha256_of(self._file)))


def iso_time(at: datetime) -> str:
    return at.astimezone(NEW_ZEALAND).isoformat(timespec="seconds")


def _text(text: str) -> str:
    return guarded(plain_text(text))


def _line(value: Mapping[str, Any]) -> str:
    return visible_json(_READABLE.encode(value))


def plain_values(raw: Iterable[RawValue]) -> list[PlainValue]:
    """Give the values of cells for CSV and JSON: days and times as ISO text."""
    return [
        each if isinstance(each, str) or each is None else _plain(each) for each in raw
    ]


def _plain(value: bool | float | date | time) -> PlainValue:  # noqa: FBT001 - a cell
    if type(value) is float:
        if value.is_integer() and abs(value) < 1e15:
            return int(value)
        return value if math.isfinite(value) else str(value)
    return value.isoformat() if isinstance(value, date | time) else value


MAP_SCHEMA: Final = "kawe.geojson/1"
ENDINGS: Final = (".geojson",)
_PROPERTIES: Final = (
    *("row", "sheet", "reference", "name", "outcome", "what_to_do", "project_id"),
    *("link", "receipt_number", "at", "respond_by"),
)


def write_map(report: BatchReport, path: Path, *, protect: Iterable[Path]) -> Path:
    """Write the rows of `report` as features; say where."""
    return write_together(
        path,
        lambda files, _: files[0].write(map_of(report)),
        protect=frozenset(protect),
    )


def map_of(report: BatchReport) -> bytes:
    """Give the whole document, a line for each feature."""
    head = {
        "type": "FeatureCollection",
        "schema": MAP_SCHEMA,
        "batch": report.batch,
        "kind": report.kind,
        "workbook": report.workbook,
        "sheet": inert(report.sheet),
        "team": inert(report.team),
        "mode": report.mode,
        "written_at": report.written_at,
    }
    named = naming_columns(report)
    features = ",\n".join(_line(_feature(row, named)) for row in report.rows)
    return proven(f'{_line(head)[:-1]},\n"features":[\n{features}\n]', ENDINGS[0])


def _feature(row: RowReport, named: Mapping[str, int]) -> dict[str, Any]:
    """Give one row; its properties are flat, since shapes and tables hold no lists."""
    said = row.as_json()
    for field, at in named.items():
        # Of a row to correct, what was typed; nothing else names it.
        said[field] = said[field] or (show(row.raw[at]) if at < len(row.raw) else "")
    return {
        "type": "Feature",
        "geometry": row.place
        and {"type": "Point", "coordinates": [*reversed(row.place.key())]},
        "properties": {
            **{
                each: inert(value) if isinstance(value := said[each], str) else value
                for each in _PROPERTIES
            },
            "iwi": inert("; ".join(row.iwi)),
        },
    }
