"""What writing results costs beside openpyxl writing the same cells.

The second pair is a person's own workbook: given back by kawe, or loaded and saved.

    python bench/result.py           20,000 rows
    python bench/result.py 200000    another number of rows
    python bench/result.py --tiny    5 rows, once

kawe writes the workbook with colours, CSV and JSON; openpyxl (`write_only`)
the plain values of the one sheet. Rows are made while they are written, so
the growth of memory is the writer's own. Each measurement is a process of its
own and they take turns; times are of the processor.
"""

from __future__ import annotations

import json
import subprocess
import sys

REPEATS = 3
ROWS = 20_000

COMMON = """
import io, json, resource, sys, tempfile, time
from datetime import UTC, date, datetime
import kawe.cases.kinds
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import RowRef
rows = int(sys.argv[1])
def values(number):
    return (
        f"RC-{number:06}", f"Papa tākaro {number:06}",
        f"Earthworks for a new playground, stage {number}, with planting after it.",
        "Earthworks", "Hearing", date(2030, 5, 1), date(2030, 11, 17),
        date(2030, 6, 5), f"{number} Te Ara Street, Taupō",
        -39.000013 + number * 1e-6, 175.400017, f"Trust {number % 50}", "Taupō",
        "Aroha Smith", "Consents planner", "021 555 0142",
        "aroha.smith@example.org.nz", "Yes",
        f"Kia ora, please tell us what matters to you at site {number}.", 3.0,
    )
headings = tuple(f"Heading {number}" for number in range(20))
def peak():
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
def tell(begun, before):
    print(json.dumps([time.process_time() - begun, peak() - before]))
"""
OURS = """
from kawe.workbook.results.result import write_result
made = tuple(
    RowReport(
        where=RowRef(sheet="Projects", row=number + 2), raw=values(number),
        outcome=Outcome.READY, what_to_do="",
    )
    for number in range(rows)
)
report = BatchReport(
    batch="", kind="projects", workbook="a.xlsx", team="", mode="",
    written_at=datetime.now(UTC), sheet="Projects", headings=headings, rows=made,
)
with (tempfile.TemporaryFile() as one, tempfile.TemporaryFile() as two,
      tempfile.TemporaryFile() as three):
    before, begun = peak(), time.process_time()
    write_result(report, [one, two, three])
    tell(begun, before)
"""
THEIRS = """
from openpyxl import Workbook
with tempfile.TemporaryFile() as one:
    before, begun = peak(), time.process_time()
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Projects")
    sheet.append([*headings, *"abcdef"])
    for number in range(rows):
        sheet.append([*values(number), "Ready", "", "", "", "", None])
    book.save(one)
    tell(begun, before)
"""


OWN = (
    COMMON
    + """
import os
from pathlib import Path
from openpyxl import Workbook, load_workbook
from kawe.domain.sheet.columns import SheetKind
from kawe.schemas.catalog import load_columns
from kawe.cases.kinds import KINDS
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.results.result import StreamedResultWriter
folder = tempfile.TemporaryDirectory()
own = Path(folder.name) / "own.xlsx"
book = Workbook(write_only=True)
sheet = book.create_sheet("Projects")
sheet.append(["Reference", "Name", "Description", "Type", *headings[4:]])
for number in range(rows):
    sheet.append(list(values(number)))
book.save(own)
"""
)
GIVEN_BACK = """
reader = CalamineReader({kind: load_columns(kind) for kind in KINDS})
kind = SheetKind.named("projects")
table = reader.read(own, kind=kind, sheet="Projects")
made = tuple(
    RowReport(where=row.ref, raw=row.raw, outcome=Outcome.READY, what_to_do="")
    for row in table.rows
)
report = BatchReport(
    batch="", kind="projects", workbook="own.xlsx", team="", mode="",
    written_at=datetime.now(UTC), sheet="Projects", rows=made,
    headings=tuple(heading.text for heading in table.headings),
)
original = reader.original(own, kind=kind, sheet="Projects")
before, begun = peak(), time.process_time()
writer = StreamedResultWriter(protect=[own], original=lambda _: original)
writer.write(report, own.with_name("own.result.xlsx"))
tell(begun, before)
"""
ALONE = """
from kawe.workbook.results import result
result.plain_values = lambda raw: ()
result.CsvRows.write = result.JsonRows.write = lambda *row: None
"""
LOADED_AND_SAVED = """
before, begun = peak(), time.process_time()
book = load_workbook(own)
sheet = book["Projects"]
for number in range(rows):
    for column, text in enumerate(("Ready", "", "", "", "", "", ""), start=21):
        sheet.cell(number + 2, column, text)
book.save(own)
tell(begun, before)
"""


def main() -> None:
    """Let the two take turns, and print the least of each."""
    words = sys.argv[1:]
    rows, repeats = (5, 1) if words == ["--tiny"] else (int(*words or (ROWS,)), REPEATS)
    ours, theirs, given_back, alone, loaded = [], [], [], [], []
    for _ in range(repeats):
        ours.append(measured(COMMON + OURS, rows))
        theirs.append(measured(COMMON + THEIRS, rows))
        given_back.append(measured(OWN + GIVEN_BACK, rows))
        alone.append(measured(OWN + ALONE + GIVEN_BACK, rows))
        loaded.append(measured(OWN + LOADED_AND_SAVED, rows))
    (least, growth), (plain, plain_growth) = map(best, (ours, theirs))
    print(f"{rows:,} rows × 26 columns, least of {repeats}")
    print(f"  openpyxl write_only, the cells alone   {plain:6.2f} s  ", end="")
    print(f"growth {plain_growth:4.0f} MB")
    print(f"  kawe: workbook, CSV and JSON           {least:6.2f} s  ", end="")
    print(f"growth {growth:4.0f} MB   × {least / plain:.2f}")
    (least, growth), (plain, plain_growth) = map(best, (given_back, loaded))
    lonely, lonely_growth = best(alone)
    print(f"  openpyxl, own workbook loaded, saved   {plain:6.2f} s  ", end="")
    print(f"growth {plain_growth:4.0f} MB")
    print(f"  kawe: own workbook, CSV and JSON       {least:6.2f} s  ", end="")
    print(f"growth {growth:4.0f} MB   × {least / plain:.2f}")
    print(f"  kawe: own workbook alone               {lonely:6.2f} s  ", end="")
    print(f"growth {lonely_growth:4.0f} MB   × {lonely / plain:.2f}")


def best(costs: list[tuple[float, float]]) -> tuple[float, float]:
    """Give the least time, and the most memory."""
    return min(seconds for seconds, _ in costs), max(grown for _, grown in costs)


def measured(program: str, rows: int) -> tuple[float, float]:
    """Run a program in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(rows)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, grown = json.loads(done.stdout)
    return seconds, grown


if __name__ == "__main__":
    main()
