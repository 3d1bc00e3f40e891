"""Which sheets of a workbook a command takes, and the names of their files."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kawe.domain.batch.readings import Reading
from kawe.domain.rows.entries import Batch, SheetReading
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import RESULT_MARK, fold, one_line
from kawe.errors import WorkbookError
from kawe.files.saving import safe_name
from kawe.workbook.identify import check_is_file
from kawe.workbook.replacing import is_result_of

_RESULT: Final = ".result"
_WITH_MACROS: Final = ".xlsm"
RESULT_ENDINGS: Final = (".xlsx", ".xlsm", ".csv", ".html", ".json")
_SAY_WHOSE: Final = frozenset({".xlsx", ".csv", ".html", ".json", ".geojson"})
_ANY_RESULT: Final = rf"(\.[^/]+)?{RESULT_MARK}"
_LABEL_CHARACTERS: Final = 31


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetToRead:
    """One list of a workbook, and how to read it."""

    reading: Reading
    sheet: str
    label: str
    """What the names of its files and of its batch carry; empty where the workbook has
    no other list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetsToRead:
    """The lists of one workbook that a command takes."""

    lists: tuple[SheetToRead, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    """By name the other sheets, where every list was asked for, and why they are no
    lists."""


def label_of(sheet: str, *, among: Sequence[str]) -> str:
    """Make of a sheet's name a part of a file name; empty where no other list is.

    Two sheets of `among` never have the same.
    """
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for name in among:
        plain = label = plain_label(name)
        number = 1
        while label.casefold() in taken:
            number += 1
            label = f"{plain} {number}"
        taken.add(label.casefold())
        labels[name] = label
    return labels.get(sheet, "") if len(among) > 1 else ""


def plain_label(sheet: str) -> str:
    return safe_name(sheet[:_LABEL_CHARACTERS], "sheet")


def result_name(workbook: Path, label: str) -> Path:
    """Give the usual place of a result: NAME.result.xlsx, or NAME.SHEET.result.xlsx.

    That of a workbook with macros ends in .xlsm.
    """
    # The result of one list is of the same list when it is submitted.
    end = label and f".{label}"
    stem = workbook.stem.removesuffix(_RESULT).removesuffix(end)
    ending = _WITH_MACROS if workbook.suffix.casefold() == _WITH_MACROS else ".xlsx"
    return workbook.with_name(f"{stem}{end}{_RESULT}{ending}")


def results_beside(workbook: Path) -> list[Path]:
    """List the results beside `workbook`, also those of earlier runs.

    Those that have another name say of themselves whose they are.
    """
    name = re.sub(rf"{_ANY_RESULT}$", "", workbook.stem)
    wanted = re.compile(
        rf"{re.escape(name)}{_ANY_RESULT}({'|'.join(map(re.escape, RESULT_ENDINGS))})"
    )
    try:
        beside = list(workbook.parent.iterdir())
    except OSError:
        # The folder cannot be listed.
        return [workbook.with_name(f"{name}{_RESULT}{end}") for end in RESULT_ENDINGS]
    return [
        each
        for each in beside
        if wanted.fullmatch(each.name)
        or (each.suffix.casefold() in _SAY_WHOSE and is_result_of(each, workbook.name))
    ]


def result_place(workbook: Path, *, wanted: Path | None, label: str = "") -> Path:
    """Say where the result of a workbook goes: NAME.result.xlsx beside it.

    Of one list among several it is NAME.SHEET.result.xlsx, by its `label`.

    Raises:
        WorkbookError: That would be the workbook itself, or it is no file.
    """
    # A report can be written without the workbook.
    is_there = workbook.exists()
    if is_there:
        check_is_file(workbook)
    path = wanted or result_name(workbook, label)
    if is_there and path.exists() and path.samefile(workbook):
        if wanted is None:
            # It was corrected, and comes back under its name.
            return path
        raise WorkbookError(
            message="The result would be written over your workbook.",
            hint=f"Choose another name with {Given.RESULT}.",
        )
    return path


def result_place_of(
    batch: Batch, *, among: Sequence[Batch], wanted: Path | None = None
) -> Path:
    """Say where the result of a batch goes; `among`: all. Its workbook may be gone."""
    workbook, label = Path(batch.workbook), _label_of(batch, among)
    named = result_name(workbook, label)
    has_other = any(
        Path(each.workbook) == workbook and _label_of(each, among) != label
        for each in among
    )
    if not has_other and not named.exists():
        named = result_name(workbook, "")
    is_there = workbook.exists() and named.exists()
    if wanted is None and not (is_there and named.samefile(workbook)):
        wanted = named
    return result_place(workbook, wanted=wanted)


def _label_of(batch: Batch, among: Sequence[Batch]) -> str:
    """Give the label of a batch: its sheet, and which of several tables it was."""
    label = plain_label(batch.sheet)
    alike = [e for e in among if (e.workbook, e.sheet) == (batch.workbook, batch.sheet)]
    table = re.search(rf"{'-'.join(fold(label).split())}-([a-z]+\d+)$", batch.name)
    return label if not alike[1:] or table is None else f"{label} {table[1].upper()}"


def why_new(result: Path) -> str:
    """Say why a result is a new workbook and not the person's own; or nothing."""
    from kawe.workbook.replacing import head_of  # noqa: PLC0415 (start-up)

    return one_line(head_of(result).get("new_workbook") or "")


def was_saved_since(reading: SheetReading) -> bool | None:
    """Check if its workbook was saved after it was read; None: it is not there."""
    try:
        saved = Path(reading.workbook).stat().st_mtime
    except OSError:
        return None
    return saved > reading.read_at.timestamp()
