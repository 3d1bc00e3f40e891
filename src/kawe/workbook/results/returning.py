"""Whether a result that a person corrected may be replaced by the next one.

The next result has all that stands in the person's own cells. What they typed into
cells of kawe's would be lost, so it must be what kawe wrote there: the document beside
the workbook says that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from kawe.domain.batch.iwi_load import iwi_words
from kawe.domain.sheet.tables import RawValue
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import show
from kawe.workbook.patching.original import Original
from kawe.workbook.replacing import sealed
from kawe.workbook.results.cells import OPEN
from kawe.workbook.results.rows import local_time
from kawe.workbook.xlsx.page import SheetWriter, shown_row
from kawe.workbook.xlsx.text import plain_text

_ROW: Final = b'{"sheet"'
_FIELDS: Final = ("project_id", "link", "receipt_number")


def has_only_what_kawe_wrote(original: Original, path: Path) -> bool:
    """Say whether all cells of kawe's at `path` are as kawe wrote them.

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
            known = {"", OPEN}
            for line in lines:
                if line.startswith(_ROW):
                    known.update(_texts(json.loads(line.rstrip(b",\n"))))
        return known.issuperset(map(_text, original.own_cells()))
    return False


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
    at = row["at"]
    yield row["outcome"].capitalize()
    yield plain_text(row["what_to_do"])
    yield plain_text(iwi_words(row["iwi"]))
    yield from (plain_text(row[name] or "") for name in _FIELDS)
    if at is not None:
        yield _text(local_time(datetime.fromisoformat(at)))


def _text(value: RawValue) -> str:
    return value.isoformat() if isinstance(value, date) else show(value)
