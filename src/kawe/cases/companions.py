"""What stands beside a sheet: places, organisations, a message, and files of rows."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe.domain.batch.readings import Reading, ReadingChoices
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.domain.text.wording import Wording, wording_of
from kawe.errors import ReadingUnclear, WorkbookError
from kawe.flows.check.placing import PlacesTable, places_table
from kawe.machine.installation import load_extra
from kawe.schemas.catalog import load_columns
from kawe.settings.values import Settings
from kawe.workbook.identify import check_is_file
from kawe.workbook.reading.alike import RapidfuzzSuggester
from kawe.workbook.reading.books import Books
from kawe.workbook.reading.reader import CalamineReader

if TYPE_CHECKING:
    from kawe.files.bucket import Bucket

_PLACE: Final = frozenset(
    {"address", "latitude", "longitude", "easting", "northing", "coordinate_system"}
)
_ADDRESS: Final = ("Full address", "Address full")
"""Beside what a sheet may call it; `full_address` is LINZ's (NZ Addresses)."""
_OF_ADDRESS: Final = (
    ("full_address_number", "address_number", "House number", "Street number"),
    ("full_road_name", "road_name", "Street name"),
)
"""The parts of an address that lists have in columns of their own."""
_WHOSE: Final = frozenset(
    {"organisation", "organization", "org", "applicant", "client", "company"}
)
_HOW: Final = (
    "It is an .xlsx or .csv file with a column of addresses, such as Full address, and "
    "two of coordinates, such as Latitude and Longitude, or Easting and Northing."
)
_LONGEST_MESSAGE: Final = 100_000
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_places(path: Path, *, kind: SheetKind) -> PlacesTable:
    """Read a table of addresses with coordinates."""
    columns = [
        replace(each, synonyms=(*each.synonyms, *_ADDRESS), parts=_OF_ADDRESS)
        if each.field == "address"
        else each
        for each in load_columns(kind)
        if each.field in _PLACE
    ]
    name = one_line(path.name, limit=60)
    try:
        table = _read(path, kind, columns)
    except WorkbookError as trouble:
        raise WorkbookError(
            message=f"{Given.PLACES}: {trouble.message}", hint=_HOW
        ) from trouble
    if not table.has("address") or not (table.has("latitude") or table.has("northing")):
        raise WorkbookError(
            message=f"{Given.PLACES}: {name} has no columns of addresses and "
            "coordinates.",
            hint=_HOW,
        )
    return places_table(table, name=name, suggester=RapidfuzzSuggester())


def read_message(path: Path) -> Wording:
    """Read the message for rows that have none."""
    name, text = one_line(path.name, limit=60), ""
    with suppress(WorkbookError, OSError, UnicodeError):
        check_is_file(path)
        with path.open("rb") as file:
            data = file.read(_LONGEST_MESSAGE + 1)
        if len(data) <= _LONGEST_MESSAGE:
            text = data.decode("utf-16" if data[:2] in _WIDE else "utf-8-sig")
    if "\0" in text or not text.strip():
        raise WorkbookError(
            message=f"{Given.MESSAGE}: kawe cannot read “{name}” as a text.",
            hint="It is a file of plain text in UTF-8, of 100 kB at most.",
        )
    return wording_of(
        ((at, (line or None,)) for at, line in enumerate(text.splitlines(), 1)),
        of=name,
        place=lambda line, _: f"{name}, line {line}",
    )


def read_organisations(
    path: Path, *, sheet: str | None, kind: SheetKind, books: Books
) -> Sequence[TableRow]:
    """Read the sheet that lists organisations; nothing where it has no headings."""
    columns = [*_of_organisations(kind)]
    try:
        return _read(path, kind, columns, sheet=sheet, books=books).rows
    except ReadingUnclear as several:
        hint = "Keep one table of organisations there, and move the others."
        raise WorkbookError(message=several.message, hint=hint) from several
    except WorkbookError:
        return ()


def _of_organisations(kind: SheetKind) -> Iterator[Column]:
    """Give the columns of a kind that are about organisations, by shorter names too."""
    columns = {each.field: each for each in load_columns(kind)}
    for each in columns.values():
        whose, _, what = each.field.partition("_")
        parts = [name.partition(" ") for name in (each.title, *each.synonyms)]
        short = tuple(rest for first, _, rest in parts if first.lower() in _WHOSE)
        if whose == "organisation":
            short += {"": ("Name",), "address": ("Street",)}.get(what, ())
            # A place there is that of the organisation, by whatever name.
            if like := columns.get(what):
                short += (like.title, *like.synonyms)
            yield replace(each, synonyms=(*each.synonyms, *filter(None, short)))
        elif whose == "contact":
            yield each


def _read(
    path: Path,
    kind: SheetKind,
    columns: list[Column],
    *,
    sheet: str | None = None,
    books: Books | None = None,
) -> Table:
    everything = ReadingChoices(include_hidden=True, takes_struck=True)
    reader = CalamineReader({kind: columns}, choices=everything, books=books)
    return reader.read(path, kind=kind, sheet=sheet)


def at_files(settings: Settings, reading: Reading) -> Reading:
    """Say where the files are: where a person said, or in the bucket, if any.

    Raises:
        ServiceUnreachable: The bucket cannot be listed.
    """
    if reading.files_root is not None or not settings.bucket:
        return reading
    bucket = _bucket(settings.bucket, settings.bucket_folder)
    bucket.refresh()
    return replace(reading, files_root=bucket.folder)


def bring_to(settings: Settings, root: Path) -> Callable[[Path], None] | None:
    """Give what fetches a file below `root`, if that is the folder of the bucket."""
    if not settings.bucket or root != settings.bucket_folder:
        return None
    return _bucket(settings.bucket, settings.bucket_folder).bring


@cache
def _bucket(address: str, folder: Path) -> Bucket:
    part = load_extra("kawe.files.bucket", extra="s3", called="What reads a bucket")
    return part.Bucket(address, folder)  # type: ignore[no-any-return]
