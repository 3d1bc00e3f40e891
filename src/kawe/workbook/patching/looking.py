"""What a workbook is before it is written again, and which ones kawe leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kawe.workbook.own_words import is_own_sheet
from kawe.workbook.patching.original import Original
from kawe.workbook.patching.xml_edits import Unpatchable
from kawe.workbook.scan.manifest import Manifest, SheetEntry
from kawe.workbook.scan.package import Package
from kawe.workbook.scan.xml_scan import plainly

_SIGNED: Final = "_xmlsignatures/"


def refuse(
    package: Package, manifest: Manifest, *, original: Original, gone: list[SheetEntry]
) -> None:
    """Refuse a workbook that must not be changed.

    Raises:
        Unpatchable: It is one.
    """
    if any(name.startswith(_SIGNED) for name in package.names):
        raise Unpatchable("it is signed, and any change would break the signature")
    if manifest.counts_from_1904:
        raise Unpatchable("it counts days from 1904")
    if original.sheet in {each.name for each in gone}:
        raise Unpatchable("its rows stand on a sheet of kawe's")


def own_sheets(manifest: Manifest) -> list[SheetEntry]:
    """Give kawe's sheets of an earlier result, if it is one."""
    if not manifest.own:
        return []
    names = [each.name for each in manifest.sheets]
    return [
        each
        for each in manifest.sheets
        if each.name in manifest.own or is_own_sheet(each.name, among=names)
    ]


def plain_pieces(package: Package, part: str) -> Iterator[bytes]:
    """Give the XML of a sheet without what hides tags from a search."""
    opened = closed = 0
    before = b""
    for piece in package.stream_xml(part):
        if b"<!" in before[-1:] + piece:
            return plainly(package, part)
        # Quicker than to count what is there so often.
        opened += len(piece) - len(piece.translate(None, b"<"))
        closed += len(piece) - len(piece.translate(None, b">"))
        before = piece
    return package.stream_xml(part) if opened == closed else plainly(package, part)
