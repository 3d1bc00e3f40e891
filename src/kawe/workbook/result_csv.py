"""The result as CSV: the columns of the person's sheet and kawe's own.

UTF-8 with a byte order mark, so that Excel shows macrons; lines end with CRLF,
days are ISO.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import IO, Final

from kawe.domain.batch.outcomes import RowReport
from kawe.domain.sheet.sheet_guard import guarded
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.workbook.result_json import plain_value
from kawe.workbook.sheet_text import plain_text

_MARK: Final = "\ufeff"
_BUFFERED_ROWS: Final = 256


class CsvRows:
    """Writes rows as they come; `headings` end with kawe's own."""

    def __init__(self, file: IO[bytes], *, headings: Sequence[str]) -> None:
        self._file = file
        self._columns = len(headings)
        self._digest = hashlib.sha256()
        self._waiting = 0
        self._text = io.StringIO(newline="")
        self._text.write(_MARK)
        self._writer = csv.writer(self._text)
        self._writer.writerow([_text(heading) for heading in headings])

    def write(self, row: RowReport) -> None:
        """Write one row."""
        self._writer.writerow(_cells(row, columns=self._columns))
        self._waiting += 1
        if self._waiting == _BUFFERED_ROWS:
            self._flush()

    def finish(self) -> str:
        """Write what is left, and give the sha256 of the file."""
        self._flush()
        return self._digest.hexdigest()

    def _flush(self) -> None:
        data = self._text.getvalue().encode()
        self._digest.update(data)
        self._file.write(data)
        self._text.seek(0)
        self._text.truncate()
        self._waiting = 0


def _cells(row: RowReport, *, columns: int) -> Iterator[str]:
    own = _own(row)
    theirs = columns - len(own)
    for value in row.raw[:theirs]:
        yield _text(value) if isinstance(value, str) else _shown(value)
    for _ in range(theirs - len(row.raw)):
        yield ""
    yield from own


def _own(row: RowReport) -> tuple[str, ...]:
    return (
        row.outcome.value.capitalize(),
        _text(row.what_to_do),
        _text(row.project_id or ""),
        _text(row.link or ""),
        _text(row.receipt_number or ""),
        "" if row.at is None else _instant(row.at),
    )


def _shown(value: RawValue) -> str:
    match plain_value(value):
        case None:
            return ""
        case bool() as truth:
            return str(truth).upper()
        case str() as text:
            return _text(text)
        case number:
            return repr(number)


def _text(text: str) -> str:
    return guarded(plain_text(text))


def _instant(at: datetime) -> str:
    return at.astimezone(NEW_ZEALAND).isoformat(timespec="seconds")
