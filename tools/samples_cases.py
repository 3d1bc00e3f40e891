"""One folder for each kind of mistake, and one for each oddity that is none.

What each of them is stands in samples_cases.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kawe.domain.sheet.findings import COLUMNS_OPEN
from samples_attachments import pdf
from samples_files import finding, workbook_bytes, write, write_json
from samples_oddities import CHANGES, ROWS
from samples_rows import Cells, book_of, people, projects
from samples_whole import FILES

_SOURCE: Final = Path(__file__).with_name("samples_cases.toml")
_REFUSED: Final = 5
_TO_CORRECT: Final = 3


def write_cases(root: Path) -> None:
    """Write every case below `root`, in its group's folder."""
    for group, cases in tomllib.loads(_SOURCE.read_text(encoding="utf-8")).items():
        for name, case in cases.items():
            _write_case(root / group / name, case)


def _write_case(folder: Path, case: dict[str, Any]) -> None:
    workbook = case.get("workbook", "projects.xlsx")
    if case.get("people"):
        workbook = "invitations.xlsx"
    write(folder / workbook, _data(case))
    for name, kind in case.get("files", {}).items():
        write(folder / name, _attachment(kind))
    write_json(folder / "expected.json", dict(_expected(case, workbook)))


def _data(case: dict[str, Any]) -> bytes:
    maker = case.get("made_by", "")
    if maker in FILES:
        return FILES[maker]()
    cells = people() if case.get("people") else projects()
    cells = _changed(cells, case.get("cells", {}))
    if maker in ROWS:
        cells = ROWS[maker](cells)
    book, sheet = book_of(cells, title=_sheet(case))
    if maker in CHANGES:
        CHANGES[maker](sheet)
    elif maker not in {*ROWS, ""}:
        raise KeyError(maker)
    return workbook_bytes(book)


def _changed(cells: Cells, changes: Cells) -> Cells:
    changed = {**cells, **changes}
    return {address: value for address, value in changed.items() if value != ""}


def _sheet(case: dict[str, Any]) -> str:
    return "Invitations" if case.get("people") else "Projects"


def _expected(case: dict[str, Any], workbook: str) -> Iterator[tuple[str, Any]]:
    sheet = "projects" if workbook.endswith(".csv") else _sheet(case)
    findings = [finding(sheet, told) for told in case.get("findings", ())]
    yield "story", case["story"]
    yield "workbook", workbook
    yield "service", case.get("service", False)
    if "refusal" in case:
        yield "exit_code", _REFUSED
        yield "refusal", case["refusal"]
        return
    wrong = any(each["severity"] == "error" for each in findings)
    is_open = any(each["rule"] == COLUMNS_OPEN for each in findings)
    yield "exit_code", _REFUSED if is_open else _TO_CORRECT if wrong else 0
    yield "rows", case.get("rows", 3)
    for count in ("sends", "drafts"):
        if count in case:
            yield count, case[count]
    yield "findings", findings
    for further in ("advice", "accepted"):
        if further in case:
            yield further, case[further]


def _attachment(kind: str) -> bytes:
    match kind:
        case "pdf":
            return pdf("Site plan", "Scale 1:500.", sketch=[(0, 0), (80, 0), (80, 40)])
        case "html":
            return b"<!DOCTYPE html><html><body>Please sign in.</body></html>"
        case "empty":
            return b""
        case _:
            raise ValueError(kind)
