"""Results in LibreOffice: opened, saved again, and as they are printed.

    make books

Several workbooks are checked, each in a process as people do it. LibreOffice opens each
result and saves it again: all sheets, rows, links, drop-downs, charts and pictures must
be there, and the parts that kawe does not write must be the bytes that they were. Every
page that would be printed lies as a picture in the folder, to be looked at.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image as Picture

SAMPLES: Final = Path(__file__).resolve().parents[2] / "samples"
_OF_SAMPLES: Final = {
    "monthly": "good/monthly/monthly.xlsx",
    "people": "good/invitations/invitations.xlsx",
    "csv": "good/csv/first-five.csv",
    "mistakes": "bad/200-rows-20-mistakes/projects.xlsx",
    "macros": "odd/macros/projects.xlsm",
    "further-down": "odd/headings-further-down/projects.xlsx",
}
_CHECKED: Final = frozenset({0, 3})
"""How a check ends: all is right, or rows are to be corrected."""
_WRITTEN: Final = ("xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml", ".rels")
"""Endings of the parts that a result has anew; so has the sheet, and its table."""


def main(folder: Path) -> int:
    """Try every workbook; say what is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    warnings.simplefilter("ignore")
    troubles: list[str] = []
    for name, source in _OF_SAMPLES.items():
        begun = folder / name
        shutil.copytree((SAMPLES / source).parent, begun)
        troubles += _try(begun / Path(source).name)
    troubles += _try(_with_everything(folder / "everything"))
    print("\n".join(troubles) or f"All is well. Look at the pictures in {folder}")
    return bool(troubles)


def _try(workbook: Path) -> Iterator[str]:
    """Check a workbook and open its result; give a line for each trouble."""
    kawe = Path(sys.executable).with_name("kawe")
    home = {"XDG_STATE_HOME": str(workbook.parent / "state"), "NO_COLOR": "1"}
    checked = subprocess.run(
        [kawe, "check", "--offline", workbook.name],
        cwd=workbook.parent,
        env={**os.environ, **home},
        check=False,
        capture_output=True,
        timeout=120,
    )
    results = sorted(workbook.parent.glob("*.result.xls?"))
    if len(results) != 1 or checked.returncode not in _CHECKED:
        yield f"{workbook}: kawe ended with {checked.returncode}"
        return
    result, saved = results[0], workbook.parent / "saved"
    _office(result, "xlsx", saved)
    before, after = _seen(result), _seen(saved / f"{result.stem}.xlsx")
    yield from (
        f"{workbook}: {what} is {after[what]!r} in LibreOffice, not {there!r}"
        for what, there in before.items()
        if after[what] != there
    )
    if workbook.suffix != ".csv":
        yield from (
            f"{workbook}: {name} differs" for name in _changed(workbook, result)
        )
    _office(result, "pdf", saved)
    printed, page = saved / f"{result.stem}.pdf", saved / "page"
    pages = ["pdftoppm", "-r", "80", "-png", str(printed), str(page)]
    subprocess.run(pages, check=True, timeout=120)
    print(f"{workbook.parent.name}: {before}", flush=True)


def _office(workbook: Path, form: str, target: Path) -> None:
    profile = f"-env:UserInstallation={(target.parents[1] / 'office').as_uri()}"
    words = ("--headless", "--convert-to", form, "--outdir", str(target), str(workbook))
    subprocess.run(
        ["soffice", profile, *words], check=True, capture_output=True, timeout=180
    )


def _seen(workbook: Path) -> dict[str, object]:
    """Count what people see in a workbook."""
    book = openpyxl.load_workbook(workbook)
    sheets: list[Worksheet] = list(book.worksheets)
    cells = [cell for sheet in sheets for row in sheet.iter_rows() for cell in row]
    with zipfile.ZipFile(workbook) as parts:
        names = parts.namelist()
    return {
        "sheets": book.sheetnames,
        "cells": sum(cell.value is not None for cell in cells),
        "links": sum(cell.hyperlink is not None for cell in cells),
        "comments": sum(cell.comment is not None for cell in cells),
        # LibreOffice writes several of one kind as one.
        "drop-downs": any(sheet.data_validations.dataValidation for sheet in sheets),
        "charts": sum(name.startswith("xl/charts/chart") for name in names),
        "pictures": sum(name.startswith("xl/media/") for name in names),
    }


def _changed(workbook: Path, result: Path) -> Iterator[str]:
    """Name the parts of the person's that are not as they were."""
    with zipfile.ZipFile(workbook) as before, zipfile.ZipFile(result) as after:
        new = {each.filename: each.CRC for each in after.infolist()}
        for part in before.infolist():
            is_kawes = part.filename.endswith(_WRITTEN) or "sheet1" in part.filename
            if not is_kawes and new.get(part.filename) != part.CRC:
                yield part.filename


def _with_everything(folder: Path) -> Path:
    """Make a workbook with a chart, a picture, drop-downs and a comment of its own."""
    folder.mkdir()
    book = openpyxl.load_workbook(SAMPLES / _OF_SAMPLES["mistakes"])
    sheet, notes = book["Projects"], book.create_sheet("Costs")
    for row in (("Road", 3), ("Weir", 5), ("Bridge", 8)):
        notes.append(row)
    chart = BarChart()
    chart.add_data(Reference(notes, min_col=2, min_row=1, max_row=3))
    notes.add_chart(chart, "D2")
    logo = io.BytesIO()
    Picture.new("RGB", (40, 20), "teal").save(logo, "png")
    notes.add_image(Image(logo), "D20")
    notes["A1"].comment = Comment("Ask Hemi.", "Aroha")
    choices = DataValidation(type="list", formula1='"Planned,Hearing"')
    choices.add("E2:E50")
    sheet.add_data_validation(choices)
    path = folder / "everything.xlsx"
    book.save(path)
    return path


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
