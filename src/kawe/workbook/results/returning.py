"""Whether a result that a person corrected may be replaced by the next one.

The next result has all that stands in the person's own cells. What they typed into
cells and comments of kawe's would be lost, so it must be what kawe wrote there: the
document beside the workbook says that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kawe.domain.batch.iwi_load import iwi_words
from kawe.domain.sheet.tables import RawValue
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import show
from kawe.workbook.patching.notes import kawes_texts
from kawe.workbook.patching.original import Original
from kawe.workbook.replacing import sealed
from kawe.workbook.results.cells import FIND, OPEN
from kawe.workbook.results.rows import local_time, said_at, said_of
from kawe.workbook.xlsx.page import SheetWriter, shown_row, shown_time
from kawe.workbook.xlsx.text import plain_text

_ROW: Final = b'{"sheet"'
_TEXTS: Final = ("reference", "project_id", "link", "receipt_number", "invitation_id")
_TIMES: Final = ("at", "invitation_made_at", "invitation_expires_at")


def has_only_what_kawe_wrote(original: Original, path: Path) -> bool:
    """Say whether all cells and comments of kawe's at `path` are as kawe wrote them.

    False as well: the file is another one by now, or no document tells.
    """
    document = path.with_suffix(".json")
    with suppress(OSError, ValueError, KeyError, TypeError, WorkbookError):
        said = sealed(document)
        if not said or path.read_bytes() != original.data:
            return False
        if said["own_sheets"] != _digest(original.own_sheets()):
            return False
        with document.open("rb") as lines:
            known, notes = {"", OPEN, FIND}, _Notes(lines.readline())
            for line in lines:
                if line.startswith(_ROW):
                    row = json.loads(line.rstrip(b",\n"))
                    known.update(_texts(row))
                    notes.add(row)
        cells = map(_text, original.own_cells())
        return known.issuperset(cells) and notes.has_all(kawes_texts(original))
    return False


class _Notes:
    """The lines of kawe's comments, from the first line of the document and its rows.

    Rows may have moved since, so it does not count where they stand.
    """

    def __init__(self, head: bytes) -> None:
        written_at = json.loads(head.rstrip(b",\n") + b"}")["written_at"]
        self._lines: set[str] = set()
        self._know(said_at(datetime.fromisoformat(written_at)))

    def add(self, row: Mapping[str, Any]) -> None:
        self._know(said_of(row["outcome"], row["what_to_do"]))
        for each in row["findings"]:
            self._know(f"{each['message']} {each['advice']}")

    def has_all(self, texts: Iterable[str]) -> bool:
        return self._lines.issuperset(chain.from_iterable(map(_lines_of, texts)))

    def _know(self, text: str) -> None:
        self._lines.update(_lines_of(plain_text(text)))


def _lines_of(text: str) -> list[str]:
    # Programs break lines and write spaces in several ways.
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def digest_of(pages: Iterable[SheetWriter]) -> str:
    """Hash what kawe's sheets show."""
    own = (page.digest for page in pages if page.shape.is_own)
    return hashlib.sha256(b"".join(own)).hexdigest()


def _digest(sheets: Iterable[Iterable[Sequence[RawValue]]]) -> str:
    """Hash as `digest_of` what kawe's sheets show, whatever program saved them."""
    whole = hashlib.sha256()
    for rows in sheets:
        shown = hashlib.sha256()
        for row in rows:
            shown.update(shown_row(row))
        whole.update(shown.digest())
    return whole.hexdigest()


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    """Give every text that kawe writes beside a row, from the document."""
    yield row["outcome"].capitalize()
    yield plain_text(row["what_to_do"])
    yield plain_text(iwi_words(row["iwi"]))
    yield plain_text((row.get("invitation_status") or "").capitalize())
    yield from (plain_text(row.get(name) or "") for name in _TEXTS)
    times = filter(None, map(row.get, _TIMES))
    yield from (_text(local_time(datetime.fromisoformat(at))) for at in times)


def _text(value: RawValue) -> str:
    return shown_time(value) if isinstance(value, date) else show(value)
