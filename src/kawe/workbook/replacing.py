"""Writes files whole or not at all, and never replaces a person's file.

A result is written to a temporary file, forced to the disk, and renamed. A file of
somebody else, a result that a person has edited, or one of another sheet, stays: the
new result goes beside it. A workbook and its CSV and JSON files always have one name.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from kawe.domain.text.texts import RESULT_MARK, one_line
from kawe.durable import NO_HASH, sha256_at, sweep, sync, sync_folder, temporary_in
from kawe.errors import ResultNotWritable
from kawe_xlsx.cells import BookError
from kawe_xlsx.limits import MAX_FILE_BYTES
from kawe_xlsx.scan.package import Package
from kawe_xlsx.writing.comments import AUTHOR

Source: TypeAlias = tuple[str, str] | None
"""Names of the workbook and the sheet that a result is of; None: of no matter."""

_CORE: Final = "docProps/core.xml"
_FIRST: Final = b'"csv_before"'
"""Begins the end of a document."""
_END_BYTES: Final = 1_024
_CHUNK_BYTES: Final = 2**20
_MOST_NAMES: Final = 99
_ENDINGS: Final = (".xlsx", ".xlsm")
_MAP: Final = ".geojson"
PAGE: Final = ".html"
_SCHEMA: Final = "kawe.result/"
_MOST_HEAD_BYTES: Final = 2**20
_RESULT: Final = re.compile(rf"{RESULT_MARK}(?=\.\w+$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """The end of a JSON document, which identifies it and the files beside it.

    All are sha256; `…_before` are those of the files that were replaced.
    """

    csv_before: str = NO_HASH
    csv_sha256: str = NO_HASH
    own_sheets: str = NO_HASH
    """Of what kawe's sheets in the workbook show."""
    workbook_before: str = NO_HASH
    workbook_sha256: str = NO_HASH

    def text(self, own: str) -> bytes:
        """Write it; `own` is the sha256 of the text before."""
        end = {**asdict(self), "sha256": own}
        return json.dumps(end, separators=(",", ":")).encode()[1:] + b"\n"


NOTHING_BEFORE: Final = Seal()
Write: TypeAlias = Callable[[Sequence[IO[bytes]], Seal], object]
"""Writes the content of files; the seal says which ones are replaced."""


def check_place(
    path: Path, *, protect: frozenset[Path], endings: Sequence[str] = _ENDINGS
) -> None:
    """Check that a result can be written at `path`, or beside it."""
    if path.suffix.casefold() not in endings:
        raise ResultNotWritable(
            message=f"“{_shown(path)}” does not end in {' or '.join(endings)}.",
            hint="Give it a name that does.",
        )
    if _same(path) in {_same(other) for other in protect} and not is_result(path):
        raise ResultNotWritable(
            message=f"“{_shown(path)}” is your own workbook; kawe never overwrites it.",
            hint="Name another file for the result.",
        )
    with _temporary(path):
        pass


def is_result(path: Path) -> bool:
    """Say whether a file has the name of a result, which may be corrected."""
    return _RESULT.search(path.name) is not None


def write_whole(
    path: Path, write: Callable[[IO[bytes]], object], *, protect: frozenset[Path]
) -> Path:
    """Write a workbook at `path` or beside it, and say where it is."""
    check_place(path, protect=protect)
    return write_together(path, lambda files, _: write(*files), protect=protect)


def write_together(
    path: Path,
    write: Write,
    *,
    protect: frozenset[Path],
    beside: Sequence[str] = (),
    source: Source = None,
    is_back: bool = False,
) -> Path:
    """Write a workbook and files of its name with the endings `beside`; say where.

    `write` gets the workbook's file first. A result of another `source` stays. With
    `is_back` the new workbook has all that stands in the one at `path`.
    """
    check_place(path, protect=protect, endings=(path.suffix.casefold(),))
    sweep(path.parent)

    def places() -> Iterator[Sequence[Path]]:
        whole = [path, *(path.with_suffix(ending) for ending in beside)]
        if is_back and all(map(may_replace, whole[1:])):
            yield whole
        yield from _free_places(path, beside=beside, protect=protect, source=source)

    with ExitStack() as stack:
        opened = [stack.enter_context(_temporary(path)) for _ in range(1 + len(beside))]
        files = [file for file, _ in opened]
        write(files, _before(next(places(), ()), is_back=is_back))
        for file in files:
            sync(file)
            file.close()
        lying = [temporary for _, temporary in opened]
        # Looked at again: writing took a while.
        for wanted in places():
            if _moved(lying, wanted):
                sync_folder(path.parent)
                return wanted[0]
    raise ResultNotWritable(
        message=f"“{_shown(path)}” cannot be written: every name for it is taken.",
        hint="Close it in Excel, or name another file or folder for the result.",
    )


def _before(wanted: Sequence[Path], *, is_back: bool) -> Seal:
    """Say which files will be replaced, where the second of them is a table.

    A workbook that comes back is not named: after a kill it is still the person's.
    """
    if [each.suffix for each in wanted[1:2]] != [".csv"]:
        return NOTHING_BEFORE
    workbook, table = map(sha256_at, wanted[:2])
    return Seal(csv_before=table, workbook_before=NO_HASH if is_back else workbook)


def _free_places(
    path: Path, *, beside: Sequence[str], protect: frozenset[Path], source: Source
) -> Iterator[Sequence[Path]]:
    """Give the paths of the workbook and the files beside it, if all are free."""
    kept = {_same(other) for other in protect}
    for place in _places(path):
        wanted = [place, *(place.with_suffix(ending) for ending in beside)]
        is_free = all(_same(each) not in kept for each in wanted)
        if is_free and all(map(may_replace, wanted)) and _is_of(place, source):
            yield wanted


def _moved(lying: list[Path], wanted: Sequence[Path]) -> bool:
    """Move all files to their paths; False when another program has one open.

    Windows does not replace an open workbook; this is checked before the first move.

    The last file, the JSON, moves first: it has the hashes of the new and the old CSV
    file, so that after a kill no file counts as edited.
    """
    try:
        for place in filter(Path.exists, wanted):
            place.open("r+b").close()
        for index in reversed(range(len(wanted))):
            lying[index] = lying[index].replace(wanted[index])
    except PermissionError:
        return False
    return True


@contextmanager
def _temporary(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    try:
        with temporary_in(path.parent) as opened:
            yield opened
    except OSError as why:
        raise ResultNotWritable(
            message=f"“{_shown(path)}” cannot be written: "
            f"{one_line(why.strerror or 'unknown reason')}.",
            hint="Check that the folder exists, has room, and may be written to.",
        ) from why


def _places(path: Path) -> Iterator[Path]:
    yield path
    for number in range(2, _MOST_NAMES + 1):
        yield path.with_name(f"{path.stem} ({number}){path.suffix}")


def may_replace(place: Path) -> bool:
    """Check that `place` is free, or a result that nobody has edited."""
    try:
        return not place.exists() or (place.is_file() and _is_untouched(place))
    except (OSError, BookError):
        return False


def head_of(place: Path) -> dict[str, Any]:
    """Read what a result says of itself before its rows; empty where it says nothing.

    All files of a result have the head of its JSON document; a map has its own.
    """
    says = place if place.suffix.casefold() == _MAP else place.with_suffix(".json")
    # A pipe would block.
    if not says.is_file():
        return {}
    with suppress(OSError, ValueError, RecursionError):
        with says.open("rb") as file:
            # The first line ends within the object.
            said = json.loads(file.readline(_MOST_HEAD_BYTES).rstrip(b",\n") + b"}")
        return said if isinstance(said, dict) else {}
    return {}


def batch_beside(workbook: Path) -> str:
    """Name the batch of which kawe wrote `workbook`; empty where nothing says so."""
    said = head_of(workbook)
    return str(said.get("batch")) if str(said.get("schema")).startswith(_SCHEMA) else ""


def is_result_of(place: Path, workbook: str) -> bool:
    """Say whether a file says that it is a result of `workbook`, or a map of one."""
    said = head_of(place)
    is_kawes = str(said.get("schema")).startswith("kawe.")
    return is_kawes and _known_as(said.get("workbook")) == _known_as(workbook)


def _is_of(place: Path, source: Source) -> bool:
    """Check that the result at `place`, if any, is of this workbook and sheet."""
    said = {} if source is None else head_of(place)
    if source is None or not said.keys() >= {"workbook", "sheet"}:
        return True
    was = _known_as(said["workbook"]), said["sheet"]
    return was == (_known_as(source[0]), source[1])


def _known_as(workbook: object) -> str:
    # A result that was submitted again is of the workbook that it was made from.
    return _RESULT.sub("", str(workbook))


def _is_untouched(place: Path) -> bool:
    said = sealed(place.with_suffix(".json"))
    match place.suffix.casefold():
        case ".json":
            return bool(said)
        case ending if ending in _ENDS:
            data = place.read_bytes()
            return data == proven(data.rpartition(_ENDS[ending][0])[0], ending)
        case ".csv":
            return sha256_at(place) in {said.get("csv_sha256"), said.get("csv_before")}
        case _:
            known = {said.get("workbook_sha256"), said.get("workbook_before")}
            return sha256_at(place) in known or _is_untouched_workbook(place)


def _is_untouched_workbook(place: Path) -> bool:
    """Check the properties of a new workbook, which no document may lie beside."""
    if place.stat().st_size > MAX_FILE_BYTES:
        return False
    if (root := Package(place.read_bytes(), name=place.name).parse(_CORE)) is None:
        return False
    said = {element.tag.rpartition("}")[2]: element.text for element in root}
    return (
        said.get("creator") == said.get("lastModifiedBy") == AUTHOR
        # Not every program writes who saved a file; all write when.
        and said.get("created") == said.get("modified")
    )


def sealed(path: Path) -> dict[str, str]:
    """Give the hashes at the end of a JSON document; none if it was edited."""
    with (
        suppress(OSError, ValueError, KeyError, AttributeError),
        path.open("rb") as file,
    ):
        start = max(file.seek(0, os.SEEK_END) - _END_BYTES, 0)
        file.seek(start)
        end = file.read()
        size = start + end.rindex(_FIRST)
        said = json.loads(b"{" + end[size - start :])
        file.seek(0)
        if said["sha256"] == sha256_of(file, size):
            return {name: str(value) for name, value in said.items()}
    return {}


_ENDS: Final = {PAGE: (b"\n<!-- sha256 ", b" -->\n"), _MAP: (b',\n"sha256":"', b'"}\n')}
"""What stands around the sha256 of all before it, in a page and in a map."""


def proven(content: str | bytes, ending: str) -> bytes:
    """Give a page, or a map without its last brace, with its sha256 behind it."""
    data = content.encode() if isinstance(content, str) else content
    begin, end = _ENDS[ending]
    return data + begin + hashlib.sha256(data).hexdigest().encode() + end


def sha256_of(file: IO[bytes], size_bytes: float = math.inf) -> str:
    """Hash `size_bytes` from the current position, or all to the end."""
    digest, left = hashlib.sha256(), size_bytes
    while left > 0 and (piece := file.read(int(min(left, _CHUNK_BYTES)))):
        digest.update(piece)
        left -= len(piece)
    return digest.hexdigest()


def _same(path: Path) -> tuple[int, int] | Path:
    """Give what two paths of one file have alike, also where case does not matter."""
    found = path.absolute()
    with suppress(OSError):
        found = path.resolve()
        stat = found.stat()
        return stat.st_dev, stat.st_ino
    return found


def _shown(path: Path) -> str:
    return one_line(path.name)
