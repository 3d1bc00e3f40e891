"""How many rounds of correction twelve offices need until kawe reads their sheets.

    python bench/rounds.py            the twelve workbooks of _offices.py
    python bench/rounds.py --show     what was corrected in each round as well
    python bench/rounds.py --rename   headings are renamed, none is taught
    python bench/rounds.py --tiny     three of them

A program answers and corrects as the office would. Of each column that means something,
and that kawe did not read or read as something else, it says once what it means, with
`kawe columns`; it gives the flag that a message names. Then it puts what the row means
into each cell that an error names, saves, and checks again. For each workbook one line
says

- understood: how many headings kawe read as what they mean at the first look, of those
  that mean something to it; what an office keeps for itself does not count;
- asked: how many headings, roles or sheets were asked about, or named as not read;
- rounds: how often the workbook itself was changed and checked again until all rows
  were right; where a heading cannot be taught, it is renamed, which is a round;
- lost: how many columns that mean something were not read at the end, and no message
  named them;
- taken: how many lines that are no rows were taken for rows at the end.

At most two rounds, none lost and none taken is the aim. Set PYTHONPATH to the src of
another checkout to measure that one.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
from _offices import PEOPLE, PROJECTS, Meaning, Office, Sheet, offices
from openpyxl.styles import Font

from kawe.cases.kinds import KINDS
from kawe.schemas.catalog import load_columns
from kawe_twin.serving import TwinOptions, start_twin

MOST_ROUNDS = 8
TITLES = {
    (kind.value, column.field): column.title
    for kind in KINDS
    for column in load_columns(kind)
}
MISSING = re.compile(r"The sheet has no column “([^”]*)”")
PLACE = {"latitude", "longitude", "easting", "northing"}
NEEDED = re.compile(r"“([^”]*)”")


@dataclass(slots=True)
class Page:
    """A sheet in the hands of its office: cells, and what they mean."""

    sheet: Sheet
    cells: dict[tuple[int, int], Any] = field(default_factory=dict)
    fields: dict[int, str] = field(default_factory=dict)
    meanings: dict[int, Meaning] = field(default_factory=dict)
    heading_row: int = 0
    others: set[int] = field(default_factory=set)
    """Lines below the headings that are no rows."""
    struck: set[int] = field(default_factory=set)
    merges: list[tuple[int, int, int]] = field(default_factory=list)
    """Column, first row and last row of merged cells."""

    def __post_init__(self) -> None:
        for row, line in enumerate(self.sheet.above, start=1):
            self._put(row, line)
        if self.sheet.columns:
            self._write_rows(self._write_headings(len(self.sheet.above)))

    def _write_rows(self, row: int) -> None:
        names = [heading for heading, _, _ in self.sheet.columns]
        first = row + 1
        for index, meaning in enumerate(self.sheet.rows):
            if index and index == self.sheet.repeats_headings_after:
                row += 1
                self.others.add(row)
                for column in self.fields:
                    self.cells[row, column] = self.cells[self.heading_row, column]
            row += 1
            faults = [self.sheet.faults.get((index, name)) for name in names]
            values = [write(meaning) for _, _, write in self.sheet.columns]
            self._put(
                row,
                [
                    value if fault is None else fault
                    for value, fault in zip(values, faults, strict=True)
                ],
            )
            if index in self.sheet.struck:
                self.struck.add(row)
                self.others.add(row)
            else:
                self.meanings[row] = meaning
        if self.sheet.merged:
            self.merges.append((names.index(self.sheet.merged) + 1, first, row))
        for line in self.sheet.below:
            row += 1
            self._put(row, line)
            self.others.add(row)

    def _put(self, row: int, line: Sequence[Any]) -> None:
        for column, value in enumerate(line, start=1):
            if value != "":
                self.cells[row, column] = value

    def _write_headings(self, row: int) -> int:
        headings = [heading for heading, _, _ in self.sheet.columns]
        lines = [h if isinstance(h, tuple) else (h,) for h in headings]
        depth = max(map(len, lines))
        for level in range(depth):
            row += 1
            self._put(row, [line[level] if level < len(line) else "" for line in lines])
        self.heading_row = row
        for column, (_, meant, _) in enumerate(self.sheet.columns, start=1):
            self.fields[column] = meant
        return row

    def heading(self, column: int) -> str:
        """Give what stands above a column."""
        return str(self.cells.get((self.heading_row, column), ""))

    @property
    def meant(self) -> dict[int, str]:
        """Give the field of each column that means something."""
        return {column: field for column, field in self.fields.items() if field}

    def title(self, column: int) -> str:
        """Give kawe's own heading for a column."""
        return TITLES[self.sheet.kind, self.fields[column]]

    def rename_for(self, title: str) -> None:
        """Call the column by kawe's title, or add one."""
        kind = self.sheet.kind
        meant = next((f for (k, f), t in TITLES.items() if (k, t) == (kind, title)), "")
        own = [column for column, each in self.fields.items() if each == meant]
        if len(own) == 1:
            self.cells[self.heading_row, own[0]] = title
            return
        column = self._add(meant)
        for row, meaning in self.meanings.items():
            self.cells[row, column] = meaning.get(meant, "")

    def fill(self, meant: str, row: int, value: str) -> None:
        """Write a cell of a field, in a new column if there is none."""
        own = [column for column, each in self.fields.items() if each == meant]
        self.cells[row, own[0] if own else self._add(meant)] = value

    def _add(self, meant: str) -> int:
        column = max(self.fields) + 1
        self.fields[column] = meant
        self.cells[self.heading_row, column] = self.title(column)
        return column

    def clear(self, row: int) -> None:
        """Delete what stands in a line that is no row."""
        for position in [each for each in self.cells if each[0] == row]:
            del self.cells[position]
        self.others.discard(row)
        self.struck.discard(row)

    def correct(self, row: int, column: int | None) -> None:
        """Put what is meant into a cell, or into a whole row."""
        if row in self.others:
            self.clear(row)
            return
        if row not in self.meanings:
            return
        for at, meant in self.fields.items():
            if column not in {None, at}:
                continue
            self.merges = [m for m in self.merges if m[0] != at]
            if not meant:
                # A column of the office's own was taken for one of kawe's.
                if column is not None:
                    self.cells[self.heading_row, at] = f"Office {at}"
            elif meant in self.meanings[row]:
                self.cells[row, at] = self.meanings[row][meant]


@dataclass(slots=True)
class Measured:
    """What an office went through."""

    headings: int = 0
    understood: int = 0
    questions: int = 0
    rounds: int = 0
    taken: int = 0
    """Lines that are no rows, and were taken for rows."""
    lost: list[str] = field(default_factory=list)
    """Columns that mean something, were never read, and no message named."""
    done: bool = True
    log: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Desk:
    """An office at its computer."""

    office: Office
    folder: Path
    environment: dict[str, str]
    pages: list[Page] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    teaches: bool = False
    """This kawe can be taught headings."""

    def __post_init__(self) -> None:
        self.pages = [Page(sheet) for sheet in self.office.sheets]

    @property
    def lists(self) -> list[Page]:
        """Give the sheets that are lists."""
        return [page for page in self.pages if page.sheet.kind]

    def page_of(self, document: dict[str, Any]) -> Page:
        """Give the sheet that a document is about."""
        rows = iter(document["rows"])
        name = document.get("sheet") or next((each["sheet"] for each in rows), "")
        pages = (page for page in self.lists if page.sheet.name == name)
        return next(pages, self.lists[0])

    def save(self) -> None:
        """Write the workbook."""
        path = self.folder / self.office.file
        if path.suffix == ".csv":
            (page,) = self.pages
            size = [max(each[axis] for each in page.cells) for axis in (0, 1)]
            with path.open("w", encoding=self.office.encoding, newline="") as file:
                writer = csv.writer(file, delimiter=self.office.delimiter)
                for row in range(1, size[0] + 1):
                    writer.writerow(
                        page.cells.get((row, column), "")
                        for column in range(1, size[1] + 1)
                    )
            return
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
        for page in self.pages:
            made = book.create_sheet(page.sheet.name)
            for (row, column), value in page.cells.items():
                made.cell(row=row, column=column, value=value)
            for row in page.struck:
                for cell in made[row]:
                    cell.font = Font(strike=True)
            for column, first, last in page.merges:
                made.merge_cells(None, first, column, last, column)
        book.save(path)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run kawe."""
        return subprocess.run(
            [sys.executable, "-m", "kawe", *words],
            cwd=self.folder,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
        )

    def knows(self, command: str, words: str) -> bool:
        """Say whether the help of a command has these words."""
        return words in self.run(command, "--help").stdout

    def ask(self, *words: str) -> tuple[dict[str, Any] | None, str]:
        """Run a check; give its document, or what it said instead."""
        check = ["check", self.office.file, "--json", "--quiet", *self.flags, *words]
        ran = self.run(*check)
        try:
            return json.loads(ran.stdout), ran.stderr
        except json.JSONDecodeError:
            return None, ran.stderr or ran.stdout


def main() -> None:
    tiny, show = "--tiny" in sys.argv[1:], "--show" in sys.argv[1:]
    chosen = list(offices())
    if tiny:
        chosen = [
            each
            for each in chosen
            if each.file.startswith(("export", "Lines", "Project"))
        ]
    print(f"{'understood':>10} {'asked':>6} {'rounds':>7} {'lost':>5} {'taken':>6}")
    every = []
    with tempfile.TemporaryDirectory() as place:
        options = TwinOptions(folder=Path(place) / "twin", rate_limit=1_000_000)
        with start_twin(options) as twin:
            for number, office in enumerate(chosen):
                folder = Path(place) / str(number)
                folder.mkdir()
                home = str(folder / "home")
                desk = Desk(
                    office=office,
                    folder=folder,
                    environment={
                        **os.environ,
                        "HOME": home,
                        "XDG_STATE_HOME": f"{home}/state",
                        "XDG_CONFIG_HOME": f"{home}/config",
                        "KAWE_BASE_URL": twin.address.api_url,
                        "KAWE_API_KEY": twin.address.live_key,
                    },
                )
                found = measure(desk)
                every.append(found)
                print(line(found, office.who), flush=True)
                if show and found.lost:
                    print(f"      lost: {', '.join(found.lost)}")
                for said in found.log if show else ():
                    print(f"      {said}")
    rounds = [each.rounds for each in every]
    print(
        f"{sum(rounds) / len(rounds):.1f} rounds for each workbook, at most "
        f"{max(rounds)}; 2 is the aim"
    )
    known = sum(each.understood for each in every)
    headings = sum(each.headings for each in every)
    print(f"{known / headings:.2f} of the headings that matter understood at once")
    print(f"{sum(len(each.lost) for each in every)} columns lost in silence")


def line(found: Measured, who: str) -> str:
    rounds = f"{found.rounds}" if found.done else f"{found.rounds}+"
    return (
        f"{found.understood:>4} of {found.headings:>2} {found.questions:>6} "
        f"{rounds:>7} {len(found.lost):>5} {found.taken:>6}  {who}"
    )


def measure(desk: Desk) -> Measured:  # noqa: C901 - one round, step by step
    """Answer and correct until all rows of a workbook are right."""
    found = Measured()
    if len(desk.lists) > 1 and desk.knows("check", "--all-sheets"):
        desk.flags.append("--all-sheets")
    desk.teaches = "--rename" not in sys.argv and desk.knows("columns", "WORKBOOK")
    while found.rounds <= MOST_ROUNDS:
        desk.save()
        documents, refusals = check(desk, found)
        if documents and found.headings == 0:
            first_look(desk, documents, found)
        answers = [said for text in refusals for said in give_flag(desk, text, found)]
        for document in documents:
            answers += give_role(desk, document, found)
            answers += teach(desk, document, found)
        if answers:
            found.log.append(f"told: {'; '.join(answers)}")
            continue
        if not refusals and all(is_right(desk, each) for each in documents):
            read = sum(document["rows_read"] for document in documents)
            found.taken = read - sum(len(page.meanings) for page in desk.lists)
            found.lost = lost(desk, documents)
            return found
        found.rounds += 1
        changed = [change for said in refusals for change in answer(desk, said, found)]
        for document in documents:
            changed += list(correct(desk, document, found))
        found.log.append(f"round {found.rounds}: {'; '.join(changed)}")
        if not changed:
            break
    found.done = False
    return found


def check(desk: Desk, found: Measured) -> tuple[list[dict[str, Any]], list[str]]:
    """Check every list; give the documents, and what was refused as a whole."""
    document, said = desk.ask()
    if document is not None:
        return list(document.get("sheets", [document])), []
    if "several sheets" not in said:
        return [], [said]
    found.questions += 1
    found.rounds += not found.log
    found.log.append("each sheet is named with --sheet")
    documents, refusals = [], []
    for page in desk.lists:
        document, said = desk.ask("--sheet", page.sheet.name)
        if document is None:
            refusals.append(said)
        else:
            documents.append(document)
    return documents, refusals


def first_look(
    desk: Desk, documents: Sequence[dict[str, Any]], found: Measured
) -> None:
    """Count the headings that were understood; what is the office's own does not."""
    found.headings = sum(len(page.meant) for page in desk.lists)
    found.understood = sum(
        meant == read_as(desk, document).get(column)
        for document in documents
        for column, meant in desk.page_of(document).meant.items()
    )


def read_as(desk: Desk, document: dict[str, Any]) -> dict[int, str]:
    """Give the field that each column was read as."""
    if "reading" in document:
        return {
            number(each): each["field"]
            for each in document["reading"]["columns"]
            if each["field"] and each["how"] not in {"guess", "unread"}
        }
    if "read_as" in document:
        return {number(each): each["field"] for each in document["read_as"]}
    from kawe.workbook.reading.reader import CalamineReader  # noqa: PLC0415

    columns = {kind: load_columns(kind) for kind in KINDS}
    sheet = document["rows"][0]["sheet"] if document["rows"] else None
    table = CalamineReader(columns).read(
        desk.folder / desk.office.file, kind=None, sheet=sheet
    )
    return {h.column: h.means.field for h in table.headings if h.means is not None}


def not_read(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the columns that a document names as not read."""
    columns = document.get("reading", {}).get("columns", ())
    unread = [each for each in columns if each["how"] in {"guess", "unread"}]
    return unread or [*document.get("not_read", ())]


def number(each: dict[str, Any]) -> int:
    """Give the number of the column that a document names by letters."""
    return openpyxl.utils.column_index_from_string(each["column"])


def lost(desk: Desk, documents: Sequence[dict[str, Any]]) -> list[str]:
    """Name the columns that mean something, and were neither read nor named."""
    return [
        page.heading(column)
        for document in documents
        for page in [desk.page_of(document)]
        for column in page.meant.keys()
        - read_as(desk, document).keys()
        - {number(each) for each in not_read(document)}
    ]


def is_right(desk: Desk, document: dict[str, Any]) -> bool:
    """Say whether all rows are right, and no column is named that should be read."""
    return document["exit_code"] == 0 and not any(unread(desk, document))


def unread(desk: Desk, document: dict[str, Any]) -> Iterator[str]:
    """Give kawe's own heading for each column that it names and should read."""
    page = desk.page_of(document)
    for column in map(number, not_read(document)):
        if page.fields.get(column):
            yield page.title(column)


def teach(desk: Desk, document: dict[str, Any], found: Measured) -> Iterator[str]:
    """Say what each column means that was not read, or read as something else."""
    if not desk.teaches:
        return
    page, read = desk.page_of(document), read_as(desk, document)
    columns = document.get("reading", {}).get("columns", ())
    headings = {number(each): each["heading"] for each in columns}
    said = []
    for column, heading in headings.items():
        meant = page.fields.get(column, "")
        if read.get(column, "") == meant:
            continue
        said += ["--set", f"{heading}={page.title(column) if meant else ''}"]
    if said:
        kind = ["--sheet", page.sheet.name, "--kind", page.sheet.kind]
        desk.run("columns", desk.office.file, "--accept", *said, *kind)
        found.questions += len(said) // 2
        yield "; ".join(said[1::2])


def give_flag(desk: Desk, said: str, found: Measured) -> Iterator[str]:
    """Give the flag that a refusal of the whole sheet names."""
    flat = " ".join(said.split())
    if "could be a list of" in flat:
        desk.flags += ["--kind", desk.lists[0].sheet.kind]
        found.questions += 1
        yield "--kind"
    elif "--skip-struck" in flat:
        desk.flags.append("--skip-struck")
        found.questions += 1
        yield "--skip-struck"


def give_role(desk: Desk, document: dict[str, Any], found: Measured) -> Iterator[str]:
    """Give the role of everybody where a message names the flag."""
    named = any("--role" in each["message"] + each["advice"] for each in told(document))
    is_people = desk.page_of(document).sheet.kind == PEOPLE
    if named and is_people and "--role" not in desk.flags:
        desk.flags += ["--role", "member"]
        found.questions += 1
        yield "--role member"


def told(document: dict[str, Any]) -> list[dict[str, Any]]:
    """List the findings of a document, those of rows and those of the sheet."""
    rows = [finding for row in document["rows"] for finding in row["findings"]]
    return [*rows, *document.get("findings", ())]


def answer(desk: Desk, said: str, found: Measured) -> Iterator[str]:
    """Do what a refusal of the whole sheet asks for."""
    flat = " ".join(said.split())
    if "struck" in flat:
        for page in desk.lists:
            for row in sorted(page.struck):
                page.clear(row)
        yield "struck rows deleted"
    elif "no headings that it knows" in flat:
        wanted = flat.partition("should hold the headings for")[2]
        yield from write_headings(desk, wanted, found)


def write_headings(desk: Desk, wanted: str, found: Measured) -> Iterator[str]:
    for page in desk.lists:
        part = wanted.partition(f"{page.sheet.kind}: ")[2].partition("; or")[0]
        for title in NEEDED.findall(part):
            found.questions += 1
            page.rename_for(title)
            yield f"heading {title}"


def correct(desk: Desk, document: dict[str, Any], found: Measured) -> Iterator[str]:
    """Correct every heading and cell that a document names."""
    page, findings = desk.page_of(document), told(document)
    sheet_wide = [*document["remarks"], *(each["message"] for each in findings)]
    missing = dict.fromkeys(t for said in sheet_wide for t in MISSING.findall(said))
    for title in dict.fromkeys([*missing, *unread(desk, document)]):
        found.questions += 1
        page.rename_for(title)
        yield f"heading {title}"
    if any("mean the same" in said for said in sheet_wide):
        yield from tell_apart(page, sheet_wide)
    for finding in findings:
        if finding["severity"] != "error":
            continue
        if finding["heading"] in missing or column_is_new(page, finding, missing):
            continue
        put_right(page, finding)
        yield f"{finding['where']} {finding['rule']}"


def put_right(page: Page, finding: dict[str, Any]) -> None:
    """Do to the cells of a row what the advice of a finding says."""
    row, column = place(finding["where"])
    # A list of people that was taken for projects lacks nothing of theirs.
    is_meant = page.sheet.kind == PROJECTS
    if finding["rule"] in LACKED and column is None and is_meant:
        page.fill(*LACKED[finding["rule"]](page, row, finding))
        return
    columns = [column]
    if finding["rule"] == "coordinate-swapped":
        # The advice names both numbers, and what to type as each.
        columns = [at for at, meant in page.fields.items() if meant in PLACE]
    for each in columns:
        page.correct(row, each)


def lacked_iwi(_page: Page, row: int, _finding: dict[str, Any]) -> tuple[str, int, str]:
    """Choose from the iwi that a place can go to: all of them."""
    return "iwi", row, "all"


def lacked_contact(
    page: Page, row: int, finding: dict[str, Any]
) -> tuple[str, int, str]:
    """Fill in the first part of a contact that a message names."""
    words = finding["message"].partition("without ")[2].strip(".")
    meant = f"contact_{words.partition(' and ')[0]}"
    return meant, row, page.meanings[row][meant]


LACKED = {"iwi-needed": lacked_iwi, "contact-incomplete": lacked_contact}
"""What to write where a row needs a cell of a column that the sheet has not."""


def column_is_new(page: Page, finding: dict[str, Any], missing: Sequence[str]) -> bool:
    """Say whether a row is only wrong because its column was not there."""
    _, column = place(finding["where"])
    row = place(finding["where"])[0]
    is_lacking = finding["rule"] == "missing" and column is None
    return bool(missing) and is_lacking and row in page.meanings


def tell_apart(page: Page, said: Sequence[str]) -> Iterator[str]:
    """Rename the columns that are not what kawe takes them for."""
    for text in said:
        for one, other in re.findall(r"“([^”]*)” and “([^”]*)”, mean the same", text):
            for column, meant in page.fields.items():
                heading = page.cells[page.heading_row, column]
                if heading in {one, other} and not meant:
                    page.cells[page.heading_row, column] = f"Office {column}"
                    yield f"heading {heading}"


def place(where: str) -> tuple[int, int | None]:
    """Give the row, and the column where a cell is named."""
    letters, digits = re.fullmatch(r"([A-Z]*)(\d+)", where.rpartition("!")[2]).groups()
    if not letters:
        return int(digits), None
    return int(digits), openpyxl.utils.column_index_from_string(letters)


if __name__ == "__main__":
    main()
