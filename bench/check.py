"""What `kawe check --offline` costs beside the two libraries it stands on.

    python bench/check.py            5,000 and 100,000 rows, and 5,000 whole
    python bench/check.py 20000      another number of rows alone
    python bench/check.py --tiny     20 rows, once

Every row is right, so that nothing is counted but reading and checking. Each
measurement is a process of its own, and the kinds take turns: the libraries
alone (calamine `iter_rows`, jsonschema-rs `is_valid`) and kawe's reading and
checking. The whole command, which writes the result workbook too, takes
minutes with so many rows and runs once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

REPEATS = 3
SIZES = (5_000, 100_000)
WHOLE_PROCESS_ROWS = 5_000
WHOLE = "kawe check --offline, with its result"
FIRST_DAY = 47604  # 1 May 2030, a Wednesday, as Excel counts days

HEADINGS = (
    "Reference", "Name", "Description", "Type", "Phase", "Start date", "End date",
    "Respond by", "Address", "Latitude", "Longitude", "Organisation",
    "Organisation city", "Contact name", "Contact role", "Contact phone",
    "Contact email", "Send", "Message", "Priority order",
)  # fmt: skip

ALONE = """
import sys
import jsonschema_rs
from python_calamine import CalamineWorkbook
from kawe_contract.document import CONTRACT_URI, document
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import row_schema
schema = row_schema(PROJECTS)
cited = jsonschema_rs.Registry([(CONTRACT_URI, document())])
is_valid = jsonschema_rs.Draft202012Validator(
    schema, registry=cited, offline=True
).is_valid
with open(sys.argv[1], "rb") as file:
    rows = CalamineWorkbook.from_filelike(file).get_sheet_by_index(0).iter_rows()
    next(rows)
    fields = sys.argv[2].split(",")
    days = [at for at, name in enumerate(fields) if name.endswith("_date")]
    type_at, phase_at = fields.index("type"), fields.index("phase")
    send_at = fields.index("send")
    # What the cells mean, at the least: a schema knows no dates and no words.
    for row in rows:
        for at in days:
            row[at] = row[at].isoformat()
        row[type_at] = row[type_at].upper()
        row[phase_at] = row[phase_at].upper()
        row[send_at] = row[send_at] == "Yes"
        if not is_valid(dict(zip(fields, row))):
            sys.exit("a row is not valid")
"""
READING = """
import asyncio, gc, sys
from pathlib import Path
from kawe.settings.values import Settings
from kawe.cases.kit import Toolkit
from kawe.domain.batch.readings import Reading
class Silent:
    asked = False
    def follow(self, pace): pass
    def begin(self, what, *, total): pass
    def advance(self, things=1): pass
    def say(self, sentence): pass
gc.set_threshold(1_000_000, 50, 1_000)  # as the command does
settings = Settings(base_url=None, key=None)
kit = Toolkit(settings=settings, progress=Silent(), halt=Silent())
reading = Reading(workbook=Path(sys.argv[1]))
checked = asyncio.run(kit.check(reading))
if checked.findings or len(checked.rows) != int(sys.argv[2]):
    sys.exit("a row is not valid")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one process took."""

    seconds: float
    peak_mb: float


def main() -> None:
    """Measure each size."""
    words = sys.argv[1:]
    sizes, whole, turns = SIZES, WHOLE_PROCESS_ROWS, REPEATS
    if words == ["--tiny"]:
        sizes, whole, turns = (20,), 20, 1
    elif words:
        sizes, whole = tuple(map(int, words)), None
    with tempfile.TemporaryDirectory(prefix="kawe-bench-") as folder:
        for rows in sizes:
            compare(Path(folder), rows, turns=turns)
        if whole is not None:
            whole_process(Path(folder), whole, turns=turns)


def compare(folder: Path, rows: int, *, turns: int) -> None:
    """Let the three take turns, and print the fastest of each."""
    workbook = folder / f"{rows}.xlsx"
    write_workbook(workbook, rows)
    fields = ",".join(FIELDS)
    commands = {
        "calamine + jsonschema-rs alone": ("-c", ALONE, str(workbook), fields),
        "kawe, reading and checking": ("-c", READING, str(workbook), str(rows)),
        WHOLE: command(workbook),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(turns):
        for name, arguments in commands.items():
            if turn == 0 or name != WHOLE:
                costs[name].append(run(*arguments, folder=folder))
    print(
        f"{rows:,} rows × {len(HEADINGS)} columns, "
        f"{workbook.stat().st_size / 2**20:.0f} MiB, fastest of {turns}"
    )
    least = {name: min(each.seconds for each in all_) for name, all_ in costs.items()}
    peak = {name: max(each.peak_mb for each in all_) for name, all_ in costs.items()}
    alone = next(iter(commands))
    for name in commands:
        print(
            f"  {name:38} {least[name]:6.2f} s × {least[name] / least[alone]:5.2f}   "
            f"peak {peak[name]:5.0f} MB × {peak[name] / peak[alone]:4.2f}"
        )
    print("  (gate 3, aim 1.5; peak 1.6; with 100,000 rows told and no gate)")


def whole_process(folder: Path, rows: int, *, turns: int) -> None:
    """Print what a person waits for with an ordinary large workbook."""
    workbook = folder / f"{rows}.xlsx"
    write_workbook(workbook, rows)
    costs = [run(*command(workbook), folder=folder) for _ in range(turns)]
    least = min(each.seconds for each in costs)
    peak = max(each.peak_mb for each in costs)
    print(f"{rows:,} rows, the whole command: {least:.2f} s, {peak:.0f} MB (1.5; 120)")


def command(workbook: Path) -> tuple[str, ...]:
    """Give the arguments of Python for the whole command."""
    return ("-m", "kawe", "check", "--offline", "--quiet", str(workbook))


def run(*arguments: str, folder: Path) -> Cost:
    """Run one process to its end."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{arguments[:2]} ended with {process.returncode}")
    # Linux counts kilobytes, macOS bytes.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(seconds=seconds, peak_mb=used.ru_maxrss / unit)


FIELDS = tuple(
    {"respond by": "respond_by_date"}.get(each.lower(), each.lower().replace(" ", "_"))
    for each in HEADINGS
)


def values_of(number: int) -> tuple[str | float, ...]:
    """Make one right row, unlike all others; its place lies on land."""
    week = 7 * (number % 8)
    return (
        f"RC-{number:06}",
        f"Papa tākaro {number:06}",
        f"Earthworks for a new playground, stage {number}, with planting after it.",
        "Earthworks",
        "Hearing",
        FIRST_DAY + week,
        FIRST_DAY + week + 200,
        FIRST_DAY + week + 35,
        f"{number} Te Ara Street, Taupō",
        round(-39.000013 + (number % 1_000) * 0.0005, 6),
        round(175.400017 + (number // 1_000) * 0.001, 6),
        f"Trust {number % 50}",
        "Taupō",
        "Aroha Smith",
        "Consents planner",
        "021 555 0142",
        "aroha.smith@example.org.nz",
        "Yes",
        f"Kia ora, please tell us what matters to you at site {number}.",
        float(number % 9 + 1),
    )


def write_workbook(path: Path, rows: int) -> None:
    """Write a workbook as Excel does, texts shared, in a few seconds."""
    texts: dict[str, int] = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in PARTS.items():
            archive.writestr(name, PROLOG + text)
        with archive.open("xl/worksheets/sheet1.xml", "w") as out:
            for piece in _sheet(rows, texts):
                out.write(piece.encode())
        with archive.open("xl/sharedStrings.xml", "w") as out:
            out.write(f"{PROLOG}<sst {MAIN}>".encode())
            for text in texts:
                out.write(f"<si><t>{escape(text)}</t></si>".encode())
            out.write(b"</sst>")


def _sheet(rows: int, texts: dict[str, int]) -> Iterator[str]:
    yield f"{PROLOG}<worksheet {MAIN}><sheetData>"
    yield _row(1, HEADINGS, texts)
    for number in range(rows):
        yield _row(number + 2, values_of(number), texts)
    yield "</sheetData></worksheet>"


def _row(number: int, values: tuple[str | float, ...], texts: dict[str, int]) -> str:
    cells = []
    for index, value in enumerate(values):
        place = f"{chr(ord('A') + index)}{number}"
        if isinstance(value, str):
            at = texts.setdefault(value, len(texts))
            cells.append(f'<c r="{place}" t="s"><v>{at}</v></c>')
        else:
            style = ' s="1"' if 5 <= index <= 7 else ""
            cells.append(f'<c r="{place}"{style}><v>{value}</v></c>')
    return f'<row r="{number}">{"".join(cells)}</row>'


PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_TYPE}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        '<Override PartName="/xl/sharedStrings.xml" '
        f'ContentType="{_TYPE}.sharedStrings+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
        f'Type="{_KIND}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook {MAIN} xmlns:r="{_KIND}"><sheets>'
        '<sheet name="Projects" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
        f'Type="{_KIND}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_KIND}/styles" Target="styles.xml"/>'
        f'<Relationship Id="rId3" Type="{_KIND}/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f"<styleSheet {MAIN}><fonts><font/></fonts><fills><fill/></fills>"
        "<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>"
        '<cellXfs><xf/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
        "</styleSheet>"
    ),
}


if __name__ == "__main__":
    main()
