"""Compares a folder of papers, or a bag of BagIt, with its lists of hashes.

Somebody else may have made the folder: kawe opens plain files below it, follows no
link, and reads no file that is larger than any document.

An export makes receipts a bag for an archive (BagIt 1.0, RFC 8493) by the file
`bagit.txt`: it removes that first and writes it last, when everything else is on the
disk. A bag counts as made only when nothing is found wrong with it.
"""

import hashlib
import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from kawe.domain.service.papers import (
    PAYLOAD,
    FileFinding,
    FileTrouble,
    FolderCheck,
    ListedFile,
    ReceiptExport,
    in_order,
)
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line
from kawe.durable import is_temporary, make_folder, replacing, sweep, sync_folder
from kawe.errors import ResultNotWritable, SettingsError
from kawe.files.papers import PaperPlace
from kawe.files.receipts import OWN, ReceiptFolder, WriteTable
from kawe.files.saving import (
    ASIDE,
    LIST_NAME,
    HashList,
    NoPlainFile,
    hash_plainly,
    open_plainly,
    read_list,
)
from kawe.system import is_windows

DECLARATION: Final = "bagit.txt"
TAG_LIST: Final = "tagmanifest-sha256.txt"
_MOST_FILES: Final = 1_000_000
_TAGS_MAX_BYTES: Final = 64 * 1024
INFO: Final = "bag-info.txt"
_SAYS: Final = {"BagIt-Version": "1.0", "Tag-File-Character-Encoding": "utf-8"}
_TAG_LISTS: Final = re.compile(r"tagmanifest-[a-z0-9]+\.txt")
_ASIDE: Final = re.compile(rf"((?:[^/]+/)?){ASIDE}/(.+) ([0-9a-f]{{8}})((?:\.[^./]+)?)")
_ODD: Final = "without one hash of one file: run an export that was cut short again"
_OXUM: Final = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})", re.ASCII)
# As RFC 8493 writes these signs in a list.
_WRITTEN: Final = re.compile(r"%(0A|0D|25)", re.IGNORECASE)


def check_folder(folder: Path) -> FolderCheck:
    """Compare every file below `folder` with its hash, and look for others.

    Raises:
        SettingsError: It has no list of hashes.
    """
    (hashes, odd, before), there = _listed(folder), list(_below(folder))
    own, found = {*odd}, list[FileFinding]()
    is_bag = os.path.lexists(folder / DECLARATION) or (
        bool(hashes) and all(name.startswith(PAYLOAD) for name in hashes)
    )
    if is_bag:
        tags = _tags(folder)
        found += _declared(folder)
        if found and found[0].trouble is FileTrouble.MISSING:
            # It is named already.
            tags.hashes.pop(DECLARATION, None)
        odd[TAG_LIST] = tags.odd_lines
        hashes = {
            _WRITTEN.sub(lambda match: chr(int(match[1], 16)), name): said
            for name, said in hashes.items()
        } | tags.hashes
        found += _payload_counted(folder, there)
        if TAG_LIST in tags.hashes:
            # It is named as missing, and what it would list is not named again.
            own.add(DECLARATION)
        else:
            # RFC 8493: it lists every manifest, but for itself and its like.
            own = {each for each in there if _TAG_LISTS.fullmatch(each)}
    else:
        own |= OWN
    found += [
        _finding(name, FileTrouble.UNREADABLE, f"has {counted(lines, 'line')} {_ODD}")
        for name, lines in odd.items()
        if lines
    ]
    as_it_lies = {_composed(e): e for e in there} | {e: e for e in there}
    compared = [
        _compared(folder, as_it_lies.get(_composed(n), n), sha256=said, before=before)
        for n, said in hashes.items()
    ]
    found += [each for each in compared if isinstance(each, FileFinding)]
    names = {_composed(name) for name in (*hashes, *own)}
    mine = (name for name in there if LIST_NAME in odd or "/" not in name)
    others = [name for name in mine if _composed(name) not in names]
    aside = tuple(each for each in others if _is_aside(folder, each, among=names))
    found += [
        _finding(name, FileTrouble.EXTRA, "is in no list")
        for name in others
        if name not in aside
    ]
    return FolderCheck(
        is_bag=is_bag,
        files=len(hashes),
        size_bytes=sum(each for each in compared if isinstance(each, int)),
        findings=in_order(found),
        names=frozenset(hashes),
        aside=aside,
    )


def _is_aside(folder: Path, name: str, *, among: Collection[str]) -> bool:
    """Say whether an export put a file aside: what it was, and its hash, name it."""
    put = _ASIDE.fullmatch(_composed(name))
    was = "" if put is None else f"{put[1]}{put[2]}{put[4]}"
    if put is None or not {was, f"{PAYLOAD}{was}"} & set(among):
        return False
    try:
        return _hashed_below(folder, name)[1].startswith(put[3])
    except OSError:
        return False


def _listed(folder: Path) -> tuple[dict[str, str], dict[str, int], frozenset[str]]:
    """Give hashes by file, odd lines by list: of all papers, else of this folder."""
    names = [LIST_NAME]
    if not (folder / LIST_NAME).exists() and any(folder.glob("*.sha256")):
        # Where somebody removed the list of all, folders below have theirs.
        below = [(each, Path(each)) for each in _below(folder)]
        names = [e for e, p in below if p.suffix == ".sha256" or p.name == LIST_NAME]
    try:
        lists = {name: read_list(folder / name) for name in names}
    except OSError as trouble:
        name = one_line(str(folder))
        said = f"The folder {name} has no list of hashes that can be read: {LIST_NAME}."
        raise SettingsError(
            message=said if folder.is_dir() else f"There is no folder {name}.",
            hint=f"Name a folder that {Next.EXPORT} has written, or a bag of BagIt 1.0 "
            "with hashes of the kind sha256.",
        ) from trouble
    hashes = {
        name[: name.rfind("/") + 1] + listed: said
        for name, each in lists.items()
        for listed, said in each.hashes.items()
    }
    before = frozenset(said for each in lists.values() for _, said in each.before)
    return hashes, {name: each.odd_lines for name, each in lists.items()}, before


def _declared(folder: Path) -> Iterator[FileFinding]:
    """Find out what a bag says that it is."""
    if (said := _labels(folder / DECLARATION)) is None:
        yield _finding(
            DECLARATION,
            FileTrouble.MISSING,
            "is not there: the bag was not finished, or somebody removed it",
        )
        return
    for label, right in _SAYS.items():
        values = said.get(label.casefold(), [])
        if [each.casefold() for each in values] != [right]:
            says = f"says {label}: {'; '.join(values)}" if values else f"has no {label}"
            what = f"{says}; kawe checks bags of {label} {right.upper()}"
            yield _finding(DECLARATION, FileTrouble.UNREADABLE, what)


def _payload_counted(folder: Path, there: Iterable[str]) -> Iterator[FileFinding]:
    """Compare bytes and files of the payload with what the bag says of them.

    RFC 8493, Payload-Oxum: bytes, a full stop, and the number of files.
    """
    said = (_labels(folder / INFO) or {}).get("payload-oxum", [])
    names = [each for each in there if each.startswith(PAYLOAD)] if said else []
    size_bytes = sum((folder / each).lstat().st_size for each in names)
    has = f"{PAYLOAD} has {_payload_words(size_bytes, len(names))}"
    for each in said:
        if (counts := _OXUM.fullmatch(each)) is None:
            what = f"has a Payload-Oxum that is no count: {each}; {has}"
            yield _finding(INFO, FileTrouble.UNREADABLE, what)
        elif (int(counts[1]), int(counts[2])) != (size_bytes, len(names)):
            told = _payload_words(int(counts[1]), int(counts[2]))
            what = f"says by its Payload-Oxum that {PAYLOAD} has {told}; {has}"
            yield _finding(INFO, FileTrouble.ALTERED, what)


def _payload_words(size_bytes: int, files: int) -> str:
    return f"{counted(size_bytes, 'byte')} in {counted(files, 'file')}"


def _labels(path: Path) -> dict[str, list[str]] | None:
    """Read a tag file of labels, case-folded, and values; None: it cannot be read."""
    try:
        with open_plainly(path, most_bytes=_TAGS_MAX_BYTES) as file:
            text = file.read().decode("utf-8", errors="replace")
    except OSError:
        return None
    said: dict[str, list[str]] = {}
    for line in text.splitlines():
        label, colon, value = line.partition(":")
        if colon:
            value = one_line(value.strip(), limit=80)
            said.setdefault(label.strip().casefold(), []).append(value)
    return said


def _tags(folder: Path) -> HashList:
    try:
        return read_list(folder / TAG_LIST)
    except OSError:
        # What is not there is missing: no file has this hash.
        return HashList(hashes={TAG_LIST: ""}, odd_lines=0)


def _compared(
    folder: Path, name: str, *, sha256: str, before: frozenset[str]
) -> FileFinding | int:
    """Give what is wrong with a file, or its size in bytes."""
    if not _is_below(name):
        what = "may lie outside the folder by its name; kawe does not look there"
        return _finding(name, FileTrouble.UNREADABLE, what)
    try:
        size_bytes, now = _hashed_below(folder, name)
    except FileNotFoundError:
        return _finding(name, FileTrouble.MISSING, "is not there")
    except NoPlainFile:
        what = "is a link or something else that is no file, or is larger than 256 MiB"
        return _finding(name, FileTrouble.ALTERED, what)
    except (OSError, ValueError):
        return _finding(name, FileTrouble.UNREADABLE, "cannot be read")
    if now == sha256:
        return size_bytes
    trouble, what = FileTrouble.ALTERED, "has other bytes than were saved"
    if now in before:
        trouble = FileTrouble.UNREADABLE
        what = "is of the export before: run the one that was cut short again"
    return _finding(name, trouble, what)


def _hashed_below(folder: Path, name: str) -> tuple[int, str]:
    *above, _ = Path(name).parents
    if any((folder / each).is_symlink() for each in above):
        raise NoPlainFile
    return hash_plainly(folder / name)


def _is_below(name: str) -> bool:
    """Say whether a name can only mean a file below its folder, on every system."""
    parts = name.split("/")
    is_windows_path = "\\" in name or (is_windows() and ":" in name)
    return not is_windows_path and not {"", ".", ".."} & set(parts)


def _below(folder: Path) -> Iterator[str]:
    """Give what lies below a folder, but for folders; no link is followed."""
    waiting, count = [folder], 0
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                if count > _MOST_FILES:
                    return
                path = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                    continue
                name = path.relative_to(folder).as_posix()
                if name.startswith(PAYLOAD) or not is_temporary(entry.name):
                    # What a killed export left is removed by a later one.
                    yield name


def _composed(name: str) -> str:
    # Some systems keep a name in another form than they were given.
    return unicodedata.normalize("NFC", name)


def _finding(name: str, trouble: FileTrouble, what: str) -> FileFinding:
    return FileFinding(file=name, trouble=trouble, what=what)


_DECLARED: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_AGENT: Final = "Bag-Software-Agent: kawe "


class BagFolder(ReceiptFolder):
    """A folder of receipts that is a bag when it is finished."""

    def __init__(self, bag: Path, *, write_table: WriteTable, version: str) -> None:
        super().__init__(
            PaperPlace(
                files=bag / PAYLOAD,
                listed=bag / LIST_NAME,
                aside=bag / ASIDE,
                prefix=PAYLOAD,
            ),
            write_table=write_table,
        )
        self._bag = bag
        self._version = version

    def take_stock(self) -> Mapping[str, ListedFile]:
        """Compare as ever; until `finish`, the folder is no bag."""
        info = self._bag / INFO
        with self.written():
            make_folder(self._bag)
            is_others = info.exists() and _AGENT.encode() not in info.read_bytes()
            if not is_others:
                (self._bag / DECLARATION).unlink(missing_ok=True)
                sync_folder(self._bag)
        if is_others:
            raise ResultNotWritable(
                message=f"The bag {one_line(str(self._bag))} was not made by kawe.",
                hint=f"Choose another folder with {Given.BAG}.",
            )
        found = super().take_stock()
        sweep(self.place.files, after_seconds=0.0)
        return found

    def finish(self, export: ReceiptExport) -> None:
        """Write lists, workbook and tag files; declare the bag if all is there."""
        super().finish(export)
        with self.written():
            if not export.is_complete or export.missing:
                return
            sizes = sum((self.place.files / e).stat().st_size for e in self.hashes)
            self._write(INFO, "".join(self._info(export, size_bytes=sizes)).encode())
            tags = {
                DECLARATION: hashlib.sha256(_DECLARED).hexdigest(),
                INFO: hash_plainly(self._bag / INFO)[1],
                LIST_NAME: hash_plainly(self._bag / LIST_NAME)[1],
            }
            lines = "".join(f"{sha256}  {name}\n" for name, sha256 in tags.items())
            self._write(TAG_LIST, lines.encode())
            self._write(DECLARATION, _DECLARED)
            self._make_sure()

    def _info(self, export: ReceiptExport, *, size_bytes: int) -> Iterable[str]:
        days = [day_in_new_zealand(each.created_at) for each in export.receipts]
        told = {
            "Source-Organization": export.team,
            "External-Description": "Receipts of what was sent to iwi",
            "Bagging-Date": day_in_new_zealand(export.written_at).isoformat(),
            "Payload-Oxum": f"{size_bytes}.{len(self.hashes)}",
            "Receipt-Count": str(len(export.receipts)),
        }
        if days:
            told["Period"] = f"{min(days)} to {max(days)}"
        yield f"{_AGENT}{self._version}\n"
        yield from (f"{name}: {one_line(value)}\n" for name, value in told.items())

    def _write(self, name: str, content: bytes) -> None:
        with replacing(self._bag / name) as file:
            file.write(content)

    def _make_sure(self) -> None:
        if any(
            each.trouble is not FileTrouble.EXTRA or each.file.startswith(PAYLOAD)
            for each in check_folder(self._bag).findings
        ):
            (self._bag / DECLARATION).unlink(missing_ok=True)
            raise ResultNotWritable(
                message=f"The bag {one_line(str(self._bag))} is not whole: its folder "
                "data has files that the export did not save there.",
                hint=f"{Next.VERIFY} names them. Move them elsewhere, and "
                f"{Next.AGAIN}.",
            )
