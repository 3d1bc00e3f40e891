"""The result as one JSON document: every row whole, for other programs.

Whatever a cell of the workbook cannot hold stands here in full. The document
ends with the sha256 of what comes before it and that of the CSV file beside
it, by which kawe, and anybody else, can tell that both are as it wrote them.
It also knows the CSV file that lay there before, in case the power goes when
one of the two has been replaced and the other has not.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, time
from pathlib import Path
from typing import IO, Any, Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import visible_json
from kawe.workbook.result_overview import Overview

SCHEMA: Final = "kawe.result/1"
_ENDING: Final = '"csv_before":"{old}","csv_sha256":"{csv}","sha256":"{own}"}}\n'
_NO_HASH: Final = "0" * 64
_ENDING_BYTES: Final = len(_ENDING.format(old=_NO_HASH, csv=_NO_HASH, own=_NO_HASH))
_BUFFERED_ROWS: Final = 256
_CHUNK_BYTES: Final = 2**20
_READABLE: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
)


class JsonRows:
    """Writes the document, one row on each line, as they come.

    `headings` names each of the person's columns differently.
    """

    def __init__(
        self, file: IO[bytes], report: BatchReport, *, headings: Sequence[str]
    ) -> None:
        self._file = file
        self._report = report
        self._headings = headings
        self._digest = hashlib.sha256()
        self._pieces = [f'{_line(_head(report, headings))[:-1]},\n"rows":[']
        self._comma = ""

    def write(self, row: RowReport) -> None:
        """Write one row."""
        self._pieces.append(f"{self._comma}\n{_line(_row(row, self._headings))}")
        self._comma = ","
        if len(self._pieces) == _BUFFERED_ROWS:
            self._flush()

    def finish(
        self, overview: Overview, *, csv_sha256: str, csv_before: str | None
    ) -> None:
        """Write what comes after the rows."""
        foot = _line(_foot(self._report, overview))
        self._pieces.append(f"\n],\n{foot[1:-1]},\n")
        self._flush()
        own = self._digest.hexdigest()
        old = csv_before or _NO_HASH
        self._file.write(_ENDING.format(old=old, csv=csv_sha256, own=own).encode())

    def _flush(self) -> None:
        data = "".join(self._pieces).encode()
        self._pieces.clear()
        self._digest.update(data)
        self._file.write(data)


def untouched_csv(path: Path) -> frozenset[str]:
    """Give what the CSV file beside the document at `path` may hash to.

    Nothing when the document is not as kawe wrote it.
    """
    with suppress(OSError, ValueError, KeyError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END) - _ENDING_BYTES
        file.seek(max(size, 0))
        # What kawe wrote ends with a part of its own length, and says its sha256.
        ending = json.loads(b"{" + file.read())
        file.seek(0)
        if size > 0 and ending["sha256"] == sha256_of(file, size):
            return frozenset({str(ending["csv_sha256"]), str(ending["csv_before"])})
    return frozenset()


def sha256_of(file: IO[bytes], size_bytes: int | None = None) -> str:
    """Hash a file from where it stands to `size_bytes` further, or to its end."""
    digest = hashlib.sha256()
    left = math.inf if size_bytes is None else size_bytes
    while left > 0 and (piece := file.read(int(min(left, _CHUNK_BYTES)))):
        digest.update(piece)
        left -= len(piece)
    return digest.hexdigest()


def _line(value: Mapping[str, Any]) -> str:
    return visible_json(_READABLE.encode(value))


def _head(report: BatchReport, headings: Sequence[str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "batch": report.batch,
        "kind": report.kind,
        "workbook": report.workbook,
        "sheet": report.sheet,
        "team": report.team,
        "mode": report.mode,
        "owner": report.owner,
        "written_at": report.written_at.isoformat(),
        "headings": list(headings),
    }


def _foot(report: BatchReport, overview: Overview) -> dict[str, Any]:
    return {
        "rows_read": overview.counts.total(),
        "counts": {outcome.value: n for outcome, n in overview.counts.items()},
        "changed_too_late": report.changed_too_late,
        "tokens_left": report.tokens_left,
        "remarks": list(report.remarks),
        "iwi_load": report.iwi_load.as_json(),
        "orphans": [each.as_json() for each in report.orphans],
    }


def _row(row: RowReport, headings: Sequence[str]) -> dict[str, Any]:
    values = {
        heading: value if isinstance(value, str) else plain_value(value)
        for heading, value in zip(headings, row.raw, strict=False)
        if value is not None
    }
    return {**row.as_json(), "values": values}


def plain_value(value: RawValue) -> str | float | bool | None:
    """Give a value of a cell as JSON has it: days and times as ISO text."""
    match value:
        case date() | time():
            return value.isoformat()
        case float() if not math.isfinite(value):
            return str(value)
        case float() if value.is_integer() and abs(value) < 1e15:
            return int(value)
        case _:
            return value
