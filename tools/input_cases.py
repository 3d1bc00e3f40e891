"""What people put into workbooks, and which sample or test shows each of it.

The rows stand in input_cases.toml.
"""

from __future__ import annotations

import json
import tomllib
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from openpyxl import load_workbook

_ROOT: Final = Path(__file__).resolve().parents[1]
_SOURCE: Final = Path(__file__).with_name("input_cases.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A sample, or one cell of it, that shows what kawe does."""

    sample: str
    """Its group and name, such as bad/missing-name."""
    address: str
    """The cell that matters; empty for the whole workbook."""

    @property
    def name(self) -> str:
        """Give the name of the sample without its group."""
        return self.sample.partition("/")[2]

    @property
    def folder(self) -> Path:
        """Say where the sample lies."""
        return _ROOT / "samples" / self.sample

    @property
    def expected(self) -> dict[str, Any]:
        """Give what checking the sample must find."""
        said: dict[str, Any] = json.loads(
            (self.folder / "expected.json").read_text(encoding="utf-8")
        )
        return said

    def findings(self) -> list[dict[str, str]]:
        """Give the findings that concern the cell: its own, else its row's alone."""
        found: list[dict[str, str]] = self.expected.get("findings", [])
        if not self.address:
            return found
        row = self.address.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        column = self.address.removesuffix(row)
        places = ((self.address,), (row, f"{column}1"))
        for place in places:
            here = [e for e in found if e["where"].rpartition("!")[2] in place]
            if here:
                return here
        return []

    def value(self) -> str:
        """Give what stands in the cell, as a person sees it; empty if nothing."""
        path = self.folder / self.expected["workbook"]
        with closing(load_workbook(path, data_only=False)) as book:
            value = book.worksheets[0][self.address].value
        if isinstance(value, datetime) and value.time() != datetime.min.time():
            return f"{value:%d/%m/%Y %H:%M:%S.%f}".rstrip("0").rstrip(".")
        if isinstance(value, date):
            return f"{value:%d/%m/%Y}"
        return "" if value is None else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that people put in."""

    what: str
    samples: tuple[Shown, ...]
    tests: tuple[str, ...]


def rows_by_table() -> dict[str, list[Row]]:
    """Give every row, by the title of its table."""
    tables = tomllib.loads(_SOURCE.read_text(encoding="utf-8"))["table"]
    return {table["title"]: [_row(row) for row in table["rows"]] for table in tables}


def _row(said: dict[str, Any]) -> Row:
    return Row(
        what=said["what"],
        samples=tuple(_shown(each) for each in said.get("samples", ())),
        tests=tuple(said.get("tests", ())),
    )


def _shown(words: str) -> Shown:
    sample, _, address = words.partition(" ")
    return Shown(sample=sample, address=address)
