"""A list of works as an office keeps it, and what a check says of it."""

from __future__ import annotations

from collections.abc import Sequence
from subprocess import CompletedProcess
from typing import Any, Final

from doubles.typed_commands import AtTerminal
from unit.workbook.books import book

HEAD: Final = [
    *("Ref", "Name", "Description", "Type"),
    *("Start date", "End date", "Respond by"),
]
PLACE: Final = ["Latitude", "Longitude"]
COLUMNS: Final = [*HEAD, *PLACE]


def row(
    n: int,
    *,
    start: object = "2027-03-01",
    end: object = "2027-09-30",
    respond: object = "2027-02-01",
) -> list[Any]:
    """Make one right row of the columns."""
    what = [f"R-{n}", f"Culvert {n}", "A culvert is replaced.", "Earthworks"]
    return [*what, start, end, respond, -36.85, f"174.76{n:02}"]


ROWS: Final = [row(1), row(2), row(3)]
Rows = Sequence[Sequence[Any]]


def lay(person: AtTerminal, rows: Rows, **sheets: Rows) -> None:
    """Write works.xlsx: the lines of the sheet Works, and of others by title."""
    titles = {title.replace("_", " ").strip(): more for title, more in sheets.items()}
    made = book({"Works": rows, **titles})
    (person.folder / "works.xlsx").write_bytes(made)


def save(person: AtTerminal, rows: Rows, **sheets: Rows) -> None:
    """Write works.xlsx: the headings and the rows of each sheet."""
    below = {title: [COLUMNS, *more] for title, more in sheets.items()}
    lay(person, [COLUMNS, *rows], **below)


def check(
    person: AtTerminal, *words: str, name: str = "works.xlsx"
) -> CompletedProcess[str]:
    return person.run("check", name, "--offline", *words)


def checked(
    person: AtTerminal, *words: str, name: str = "works.xlsx"
) -> dict[str, Any]:
    return person.document("check", name, "--offline", *words)


def stopped(person: AtTerminal, *words: str, name: str = "works.xlsx") -> str:
    """Check where nobody can be asked; give what is said when it stops for that."""
    return person.stderr_of("check", name, "--offline", "--no-input", *words, code=5)


def ended(person: AtTerminal, *words: str) -> tuple[int, dict[str, int]]:
    """Check; give the code and the counts of rows."""
    document = checked(person, *words)
    return document["exit_code"], document["counts"]


def rules(person: AtTerminal, *words: str) -> dict[str, str]:
    """Give what a check finds, one message for each rule."""
    found = checked(person, *words)["findings"]
    return {each["rule"]: each["message"] for each in found}


def messages(person: AtTerminal, rule: str, name: str = "works.xlsx") -> list[str]:
    found = checked(person, name=name)["findings"]
    return [each["message"] for each in found if each["rule"] == rule]


def reading(
    person: AtTerminal, head: Sequence[str], rows: Rows
) -> tuple[int, dict[str, tuple[str, str | None, list[str]]]]:
    """Check rows; give the code, and how each column is read that has not its name."""
    lay(person, [head, *rows])
    document = checked(person, "--no-input")
    return document["exit_code"], {
        each["heading"]: (each["how"], each["field"], each["may_be"])
        for each in document["reading"]["columns"]
        if each["how"] != "name"
    }
