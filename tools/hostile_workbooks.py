"""Measure what hostile workbooks cost: python tools/hostile_workbooks.py [--write].

Each is checked by `kawe check --offline` as a process of its own. `--write`
puts the table into docs/reference/hostile-workbooks.md, with the day.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.machine import SystemClock
from process_cost import cost_of
from samples_files import workbook_bytes, zip_bytes
from samples_rows import book_of, projects
from samples_whole import FILES

PUBLISHED: Final = (
    Path(__file__).resolve().parents[1] / "docs" / "reference" / "hostile-workbooks.md"
)
_MARKED: Final = re.compile(r"(<!-- measured -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_SHEET: Final = "xl/worksheets/sheet1.xml"
_SHARED: Final = "xl/sharedStrings.xml"
_ROWS: Final = 1_048_576
_TIMES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A file that lies, breaks off or means harm."""

    what: str
    make: Callable[[], bytes]
    says: str
    """Words of the one sentence that a person gets."""
    code: int = 5
    name: str = "projects.xlsx"


def _changed(change: Callable[[bytes], bytes], part: str = _SHEET) -> bytes:
    book, _ = book_of(projects(), title="Projects")
    return workbook_bytes(book, edit={part: change})


def _stray() -> bytes:
    book, sheet = book_of(projects(), title="Projects")
    sheet["XFD1048576"].value = "x"
    return workbook_bytes(book)


def _million_rows() -> bytes:
    def formatted(part: bytes) -> bytes:
        rows = b"".join(
            b'<row r="%d" s="1" customFormat="1"><c r="A%d" s="1"/></row>' % (at, at)
            for at in range(5, _ROWS + 1)
        )
        return part.replace(b"</sheetData>", rows + b"</sheetData>")

    return _changed(formatted)


def _large_dimension() -> bytes:
    said = b'<dimension ref="A1:XFD1048576"'
    return _changed(lambda part: re.sub(rb'<dimension ref="[^"]*"', said, part))


def _declared(entities: bytes, use: bytes) -> bytes:
    """Declare entities in the sheet and use one in its first cell."""

    def declaring(part: bytes) -> bytes:
        part = part.replace(
            b"<sheetData>",
            b"<sheetData><row r='9'><c r='A9' t='str'><v>" + use + b"</v></c></row>",
            1,
        )
        return b"<!DOCTYPE worksheet [" + entities + b"]>" + part

    return _changed(declaring)


def _laughs() -> bytes:
    lines = [b'<!ENTITY a0 "lol">']
    lines += [
        b'<!ENTITY a%d "%s">' % (level, b"&a%d;" % (level - 1) * 10)
        for level in range(1, 11)
    ]
    return _declared(b"".join(lines), b"&a10;")


def _long_entity() -> bytes:
    return _declared(b'<!ENTITY a "' + b"x" * 100_000 + b'">', b"&a;" * 100_000)


def _outside() -> bytes:
    return _declared(b'<!ENTITY a SYSTEM "file:///etc/passwd">', b"&a;")


def _deep() -> bytes:
    deep = b"<c>" * 100_000 + b"</c>" * 100_000
    return _changed(lambda part: part.replace(b"<sheetData>", b"<sheetData>" + deep))


def _merges() -> bytes:
    areas = b"".join(
        b'<mergeCell ref="A%d:XFD%d"/>' % (at, at) for at in range(2, 100_000)
    )
    merged = b"<mergeCells>" + areas + b"</mergeCells>"
    return _changed(
        lambda part: part.replace(b"</sheetData>", b"</sheetData>" + merged)
    )


def _one_text_everywhere() -> bytes:
    """Let 180,000 cells show one text of 32,767 characters."""
    long = b"<si><t>" + b"x" * 32_767 + b"</t></si></sst>"
    rows = b"".join(
        b'<row r="%d"><c r="C%d" t="s"><v>#</v></c></row>' % (at, at)
        for at in range(5, 180_000)
    )
    with zipfile.ZipFile(io.BytesIO(FILES["saved_by_excel"]())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    count = b"%d" % parts[_SHARED].count(b"<si>")
    parts[_SHARED] = parts[_SHARED].replace(b"</sst>", long)
    rows = rows.replace(b"#", count)
    parts[_SHEET] = parts[_SHEET].replace(b"</sheetData>", rows + b"</sheetData>")
    return zip_bytes(parts)


HOSTILE: Final = (
    Hostile(
        what="one stray cell in XFD1048576",
        make=_stray,
        says="far from all other cells: XFD1048576.",
        code=0,
    ),
    Hostile(
        what="a dimension that says one row of four",
        make=FILES["wrong_dimension"],
        says="3 ready",
        code=0,
    ),
    Hostile(
        what="a dimension that says the whole sheet",
        make=_large_dimension,
        says="3 ready",
        code=0,
    ),
    Hostile(
        what="a million formatted rows",
        make=_million_rows,
        says="3 ready",
        code=0,
    ),
    Hostile(
        what="a zip bomb", make=FILES["bomb"], says="unpacks to far more than its size"
    ),
    Hostile(
        what="an entity bomb of ten levels",
        make=_laughs,
        says="document type definition",
    ),
    Hostile(
        what="an entity bomb of one long text",
        make=_long_entity,
        says="document type definition",
    ),
    Hostile(
        what="an entity outside the workbook",
        make=_outside,
        says="document type definition",
    ),
    Hostile(what="100,000 elements inside each other", make=_deep, says="is damaged"),
    Hostile(
        what="100,000 merged areas",
        make=_merges,
        says="The cells A2:XFD2 are merged",
        code=3,
    ),
    Hostile(
        what="one long text in 180,000 cells",
        make=_one_text_everywhere,
        says="holds more than 256 MB of text",
    ),
    Hostile(what="cut off", make=FILES["cut_off"], says="not copied to its end"),
    Hostile(what="a password", make=FILES["password"], says="with a password"),
    Hostile(what="a web page", make=FILES["web_page"], says="is a web page"),
    Hostile(what="0 bytes", make=bytes, says="is empty"),
    Hostile(
        what="a lock file",
        make=FILES["lock_note"],
        says="leaves beside an open workbook",
        name="~$projects.xlsx",
    ),
)


def measured() -> Iterator[str]:
    """Measure each, and give the lines of the table."""
    yield "| what | bytes | exit code | CPU seconds | peak MiB |"
    yield "|---|--:|--:|--:|--:|"
    with tempfile.TemporaryDirectory(prefix="kawe-hostile-") as name:
        folder = Path(name)
        for each in HOSTILE:
            path = folder / each.name
            path.write_bytes(each.make())
            costs = [cost_of(path, folder=folder) for _ in range(_TIMES)]
            seconds = min(cost.seconds for cost in costs)
            peak = max(cost.peak_bytes for cost in costs) / 2**20
            yield (
                f"| {each.what} | {path.stat().st_size:,} | {costs[0].code} "
                f"| {seconds:.1f} | {peak:.0f} |"
            )


def _write(lines: list[str], *, on: date) -> None:
    page = PUBLISHED.read_text("utf-8")
    told = (
        f"Measured on {on.day} {on:%B %Y}, the fastest of {_TIMES} runs and the "
        f"highest of {_TIMES} peaks:"
    )
    fresh = "\n".join([told, "", *lines, "", ""])
    PUBLISHED.write_text(_MARKED.sub(lambda m: m[1] + fresh + m[3], page), "utf-8")


if __name__ == "__main__":
    table = []
    for line in measured():
        print(line, flush=True)
        table.append(line)
    if "--write" in sys.argv:
        today = day_in_new_zealand(SystemClock().now())
        _write(table, on=today)
