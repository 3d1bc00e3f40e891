"""Identifies a file by its bytes, not by its ending.

People rename files, and programs save web pages as .xls. A sentence names each kind
that kawe cannot read, and what to do.

What lies beside a workbook, others with a similar name and lock files, is found too.
"""

import codecs
import stat
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Final

from kawe.domain.text.texts import fold_name, one_line, some_of
from kawe.errors import WorkbookError
from kawe_xlsx.limits import MAX_FILE_BYTES, MIB
from kawe_xlsx.scan.package import Package

ENDINGS: Final = frozenset(
    {".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".csv", ".tsv", ".txt"}
)
_SHOWN: Final = 3
_NEAR: Final = 0.6
_MOSTLY: Final = 0.8


def near_names(path: Path) -> str:
    """Say where a file that is not there was looked for, and what lies there."""
    folder = path.parent.resolve()
    where = one_line(str(folder), limit=300)
    try:
        names = sorted(each.name for each in folder.iterdir() if _is_workbook(each))
    except OSError:
        return f"There is no folder {where} that kawe can read. Check its name."
    if program := locked_by(path):
        return (
            f"In {where} {program} has it open, and it was perhaps never saved: save "
            "it there first."
        )
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(fold_name(Path(name).stem), name)
    wanted = path.stem if path.suffix.casefold() in ENDINGS else path.name
    if near := get_close_matches(fold_name(wanted), folded, n=_SHOWN, cutoff=_NEAR):
        meant = " or ".join(f"“{one_line(folded[each])}”" for each in near)
        return f"kawe looked in {where}. Did you mean {meant}?"
    if not names:
        return f"kawe looked in {where}, where no workbook lies."
    there = some_of([f"“{one_line(each)}”" for each in names], shown=_SHOWN)
    return f"kawe looked in {where}. The workbooks there: {there}."


def locked_by(path: Path) -> str:
    """Name the program whose lock file lies beside a workbook, or nothing."""
    locks = {"Excel": f"~${path.name}", "LibreOffice": f".~lock.{path.name}#"}
    for program, name in locks.items():
        try:
            if path.with_name(name).exists():
                return program
        except (OSError, ValueError):
            # With its mark it is too long for this disk, or it is “.”.
            continue
    return ""


def unsaved_words(path: Path) -> str:
    """Remind of saving where a workbook is open elsewhere; empty where it is not."""
    if not (program := locked_by(path)) or not path.exists():
        return ""
    return (
        f"A lock file of {program} lies beside “{one_line(path.name)}”. kawe reads "
        f"what was saved last: remember to save in {program}."
    )


def _is_workbook(path: Path) -> bool:
    name, is_meant = path.name, path.suffix.casefold() in ENDINGS
    is_other = name.startswith(("~$", ".")) or ".result" in name
    return is_meant and not is_other and path.is_file()


_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = b"PK"
_TEXT_ENDINGS: Final = frozenset({".csv", ".txt", ".tsv", ".tab"})
_SAVE_AS_XLSX: Final = "Open it in Excel or LibreOffice, and save it as .xlsx."
_LOOK_BYTES: Final = 4096


class WorkbookFormat(StrEnum):
    """The forms of workbook that kawe reads."""

    XLSX = "xlsx"
    CSV = "csv"


def check_is_file(path: Path) -> None:
    """Check that `path` is an ordinary file: a pipe would block."""
    name = one_line(path.name or str(path))
    try:
        mode = path.stat().st_mode
    except OSError as why:
        raise _unreadable(path, why) from why
    if stat.S_ISDIR(mode):
        raise _refusal(name, "a folder", "Name the workbook inside it.")
    if not stat.S_ISREG(mode):
        advice = "Save the rows in a workbook or a CSV file, and name that."
        raise _refusal(name, "a pipe or a device, and no workbook", advice)


def load(path: Path) -> bytes:
    """Read the whole file into memory, so that Excel may keep it open."""
    name = one_line(path.name)
    if path.name.startswith("~$"):
        advice = f"Use the workbook itself, “{one_line(path.name[2:])}”."
        raise _refusal(name, "the note Excel leaves beside an open workbook", advice)
    check_is_file(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as why:
        raise _unreadable(path, why) from why
    if not data:
        advice = "If it lies in OneDrive or SharePoint, wait until it is downloaded."
        raise _refusal(name, "empty: it holds 0 bytes", advice)
    if len(data) > MAX_FILE_BYTES:
        advice = "Copy the rows into a new workbook without pictures, or split it."
        raise _refusal(name, f"larger than {MAX_FILE_BYTES // MIB} MB", advice)
    return data


def form_of(data: bytes, *, path: Path) -> WorkbookFormat:
    """Give the format of `data`, read from `path`."""
    name = one_line(path.name)
    if (what := _foreign(data)) is not None:
        raise _refusal(name, *what)
    if data.startswith(_ZIP):
        return WorkbookFormat.XLSX
    if path.suffix.casefold() not in _TEXT_ENDINGS:
        raise _refusal(
            name,
            "a text file (CSV) with the name of a workbook",
            "Rename it to end in .csv, or open it in Excel and save it as .xlsx.",
        )
    return WorkbookFormat.CSV


def check_package(package: Package) -> None:
    """Check that a zip is an .xlsx or .xlsm and no other Office file."""
    names = package.names
    if "xl/workbook.xml" in names:
        return
    for part, what, advice in _ZIP_COUSINS:
        if any(name.startswith(part) for name in names):
            raise _refusal(package.name, what, advice)
    advice = "Unpack it and name the workbook inside."
    raise _refusal(package.name, "a zip archive and not an Excel workbook", advice)


_ZIP_COUSINS: Final = (
    ("xl/workbook.bin", "a binary Excel workbook (.xlsb)", _SAVE_AS_XLSX),
    ("word/", "a Word document", "Copy its table into an Excel workbook."),
    ("ppt/", "a PowerPoint presentation", "Name the Excel workbook instead."),
    ("index/", "an Apple Numbers document", "In Numbers, export it to Excel (.xlsx)."),
    ("content.xml", "an OpenDocument file (.ods)", _SAVE_AS_XLSX),
)


_HTML: Final = (b"<!doctype html", b"<html", b"<head", b"<meta", b"<table")
_TEXT_STARTS: Final = (
    (_HTML, "a web page, whatever its name says"),
    ((b"<?xml",), "an XML file"),
    ((b"{\\rtf",), "a Rich Text document"),
)


def _foreign(data: bytes) -> tuple[str, str] | None:
    """Name a kind that kawe does not read, and what to do."""
    if data.startswith(_OLE):
        return _ole(data)
    if data.startswith(b"%PDF"):
        return "a PDF", "Ask for the Excel workbook that it was made from."
    start = data[:_LOOK_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"urn:schemas-microsoft-com:office:spreadsheet" in start:
        return "an XML Spreadsheet 2003", _SAVE_AS_XLSX
    for beginnings, what in _TEXT_STARTS:
        if start.startswith(beginnings):
            return what, _SAVE_AS_XLSX
    is_text = data.startswith((_ZIP, codecs.BOM_UTF8)) or wide_encoding(data)
    if not is_text and b"\x00" in data[:_LOOK_BYTES]:
        return "no workbook that kawe knows", _SAVE_AS_XLSX
    return None


def wide_encoding(data: bytes) -> str:
    """Name the UTF-16 of a text, which may lack its mark; empty: it is no such text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = (data[at:_LOOK_BYTES:2] for at in (0, 1))
    for name, low, high in (("utf-16-le", even, odd), ("utf-16-be", odd, even)):
        # Of most letters the other half is 0; of a macron it is 1.
        if b"\x00" not in low and high.count(0) > _MOSTLY * len(low) > 2:
            return name
    return ""


def _ole(data: bytes) -> tuple[str, str]:
    if "EncryptedPackage".encode("utf-16-le") in data:
        advice = (
            "Open it in Excel, choose File > Info > Protect Workbook > Encrypt "
            "with Password, clear the password, and save."
        )
        return "protected with a password", advice
    for stream in ("Workbook", "Book"):
        if stream.encode("utf-16-le") in data:
            return "a workbook in the old format of Excel 97–2003 (.xls)", _SAVE_AS_XLSX
    return "a document in an old Office format", _SAVE_AS_XLSX


def _refusal(name: str, what: str, advice: str) -> WorkbookError:
    return WorkbookError(message=f"“{name}” is {what}.", hint=advice)


def _unreadable(path: Path, why: OSError) -> WorkbookError:
    name = one_line(str(path))
    match why:
        case FileNotFoundError():
            return WorkbookError(
                message=f"There is no file “{name}”.", hint=near_names(path)
            )
        case PermissionError():
            return WorkbookError(
                message=f"“{name}” may not be read.",
                hint="Close other programs that use it, or ask for access to it.",
            )
        case _:
            return WorkbookError(
                message=f"“{name}” cannot be read: {one_line(why.strerror or '')}.",
                hint="Copy it to a folder on this computer and try again.",
            )
