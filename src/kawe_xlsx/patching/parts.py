"""The parts of the person's workbook: those written anew, and all others as packed."""

import copy
import posixpath
import zipfile
from collections.abc import Collection
from typing import Final

from kawe_xlsx.patching.xml_edits import Part
from kawe_xlsx.scan.package import Package, relations
from kawe_xlsx.writing.book import relations_part

_HAS_DESCRIPTOR: Final = 0x8


class Parts:
    """The parts by name, whatever their letters' case; the newest text of each."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._new: dict[str, tuple[str, bytes | None]] = {}

    def text(self, name: str) -> bytes:
        """Give a part as it is to be."""
        new = self._new.get(name.casefold())
        if new is not None and new[1] is not None:
            return new[1]
        return b"".join(self.package.stream_xml(name))

    def put(self, name: str, text: bytes | None) -> None:
        """Write a part anew; None: leave it out."""
        if self.package.has(name):
            name = self.package.name_of(name)
        self._new[name.casefold()] = name, text

    def relate(
        self, part: str, *, more: Collection[str] = (), gone: Collection[str] = ()
    ) -> None:
        """Add relations of a part, as XML, and drop those with the ids `gone`."""
        folder, file = posixpath.split(part)
        name = f"{folder}/_rels/{file}.rels"
        if not self.package.has(name) and name.casefold() not in self._new:
            if more:
                self.put(name, "".join(relations_part(more)).encode())
            return
        listed = Part(self.text(name))
        for each in listed.children:
            if each.get("Id") in gone:
                listed.drop(each)
        listed.fill(listed.root, "".join(more).encode())
        self.put(name, listed.done())

    def of_kind(self, part: str, kind: str) -> dict[str, str]:
        """Give the relations of one kind: their ids, and the parts that they name."""
        there = relations(self.package, part).items()
        return {name: target for name, (its, target) in there if its == kind}

    def drop_with(self, part: str) -> None:
        """Leave a sheet of kawe's out, and what only it has."""
        folder, file = posixpath.split(part)
        self.put(part, None)
        if self.package.has(f"{folder}/_rels/{file}.rels"):
            self.put(f"{folder}/_rels/{file}.rels", None)
            for _, target in relations(self.package, part).values():
                if self.package.has(target) and target.casefold() not in self._new:
                    self.drop_with(target)

    def dropped(self) -> frozenset[str]:
        """Name the parts that are left out, in lower case."""
        return frozenset(name for name, (_, text) in self._new.items() if text is None)

    def write(self, archive: zipfile.ZipFile) -> None:
        """Write every part that the archive has not yet."""
        written = {name.casefold() for name in archive.namelist()}
        for info, packed in self.package.packed_parts():
            name = info.filename.replace("\\", "/").casefold()
            if name not in self._new and name not in written:
                _copy(archive, info, packed)
        for name, text in self._new.values():
            if text is not None:
                archive.writestr(name, text)


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, packed: memoryview) -> None:
    """Copy a part without unpacking it; the library has no call for that."""
    new = copy.copy(info)
    # Sizes stand in the header, not behind the data.
    new.flag_bits &= ~_HAS_DESCRIPTOR
    new.extra = b""
    if (file := archive.fp) is None:
        raise ValueError("the zip is closed")
    file.seek(archive.start_dir)
    new.header_offset = file.tell()
    file.write(new.FileHeader(zip64=False))
    file.write(packed)
    archive.filelist.append(new)
    archive.NameToInfo[new.filename] = new
    archive.start_dir = file.tell()
