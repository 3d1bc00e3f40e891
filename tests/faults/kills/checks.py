"""What must be true after a kill, and in the end: the twin is the oracle."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from openpyxl import load_workbook

from faults.kills.workload import WantedProject, Workload

_LEFT_BEHIND: Final = ".kawe-"
MANIFEST: Final = "manifest-sha256.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the twin holds of one batch."""

    projects: dict[str, list[dict[str, Any]]]
    """By reference."""
    documents: dict[str, list[str]]
    """The names of complete documents, by project."""
    invitations: Counter[str]
    organisations: int

    @classmethod
    def of(cls, state: dict[str, Any], *, wanted: Workload) -> Seen:
        """Pick a batch's own out of the whole state."""
        references = {each.reference for each in wanted.projects}
        projects: dict[str, list[dict[str, Any]]] = {name: [] for name in references}
        for project in state["projects"]:
            if project["reference"] in references:
                projects[project["reference"]].append(project)
        documents: dict[str, list[str]] = {}
        for document in state["documents"]:
            if document["project_id"] is not None and document["state"] == "READY":
                documents.setdefault(document["project_id"], []).append(
                    document["name"]
                )
        return cls(
            projects=projects,
            documents=documents,
            invitations=Counter(
                each["email"]
                for each in state["invitations"]
                if each["email"] in wanted.emails
            ),
            organisations=sum(
                each["name"] == wanted.organisation for each in state["organisations"]
            ),
        )

    def uncreated(self, wanted: Workload) -> list[WantedProject]:
        """List the rows that have no project yet."""
        return [each for each in wanted.projects if not self.projects[each.reference]]

    def unsent(self, wanted: Workload) -> list[WantedProject]:
        return [
            each
            for each in wanted.projects
            if each.is_sent
            and not any(one["sends"] for one in self.projects[each.reference])
        ]

    def doubled(self) -> Iterator[str]:
        """Name everything that is there twice."""
        for reference, projects in self.projects.items():
            if len(projects) > 1:
                yield f"{reference} has {len(projects)} projects"
            for each in projects:
                if each["sends"] > 1 or each["tokens_spent"] > 1:
                    yield f"{reference} was sent {each['sends']} times"
        for email, count in self.invitations.items():
            if count > 1:
                yield f"{email} was invited {count} times"
        if self.organisations > 1:
            yield f"the organisation is there {self.organisations} times"

    def lost(self, wanted: Workload) -> Iterator[str]:
        """Name everything that is not as its row says, when all is over."""
        for each in wanted.projects:
            found = self.projects[each.reference]
            if not found:
                yield f"{each.reference} has no project"
                continue
            sends, receipts = found[0]["sends"], found[0]["receipts"]
            if (sends, receipts) != (each.is_sent, each.is_sent):
                yield f"{each.reference} was sent {sends} times, receipts {receipts}"
            names = sorted(self.documents.get(found[0]["id"], []))
            if names != sorted(each.files):
                yield f"{each.reference} has the files {names}"
        for email in wanted.emails:
            if not self.invitations[email]:
                yield f"{email} was not invited"
        if not self.organisations:
            yield "the organisation is not there"


@dataclass(slots=True, kw_only=True)
class Files:
    """The files of one batch, looked at after every run."""

    folder: Path
    papers: Path
    rows: dict[str, int]
    """How many rows each workbook has, by its stem."""
    _known: dict[Path, tuple[int, int]] = field(default_factory=dict)
    _hashes: dict[str, str] = field(default_factory=dict)

    def broken(self) -> Iterator[str]:
        """Name every result and every paper that is not whole, or not in its place."""
        for stem, rows in self.rows.items():
            for ending, broken in _RESULTS.items():
                path = self.folder / f"{stem}.result.{ending}"
                if self._has_changed(path):
                    yield from broken(path, rows=rows)
        for path in self.folder.glob("*.result (*"):
            yield f"{path.name} stands beside a result that nobody has edited"
        for path in self.papers.glob("*.pdf"):
            if self._has_changed(path):
                yield from self._broken_paper(path)

    def left_behind(self) -> list[Path]:
        """List the temporary files that kills have left."""
        return [
            path
            for folder in (self.folder, self.papers)
            for path in folder.glob(f"{_LEFT_BEHIND}*")
        ]

    def unlisted(self) -> Iterator[str]:
        """Name every paper and table that the list of hashes does not vouch for."""
        lines = (self.papers / MANIFEST).read_text(encoding="utf-8").splitlines()
        listed = {line[66:]: line[:64] for line in lines}
        left = self.left_behind()
        there = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.papers.iterdir()
            if path.name != MANIFEST and path not in left
        }
        for name in sorted(listed.keys() | there.keys()):
            if listed.get(name) != there.get(name):
                yield f"{name} is not as the list of the export says"

    def _has_changed(self, path: Path) -> bool:
        if not path.exists():
            return False
        is_now = (path.stat().st_mtime_ns, path.stat().st_ino)
        before, self._known[path] = self._known.get(path), is_now
        return is_now != before

    def _broken_paper(self, path: Path) -> Iterator[str]:
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        is_whole = data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
        if not is_whole or self._hashes.setdefault(path.name, digest) != digest:
            yield f"{path.name} is not whole"


def _broken_json(path: Path, *, rows: int) -> Iterator[str]:
    document = json.loads(path.read_bytes())
    counted = Counter(row["outcome"] for row in document["rows"])
    if document["counts"] != dict(counted) or counted.total() != rows:
        yield f"{path.name} says {document['counts']}, of {rows} rows"


def _broken_csv(path: Path, *, rows: int) -> Iterator[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        outcomes = [row["Outcome"] for row in csv.DictReader(file)]
    if len(outcomes) != rows or not all(outcomes):
        yield f"{path.name} has {len(outcomes)} of {rows} rows"


def _broken_workbook(path: Path, *, rows: int) -> Iterator[str]:
    """Hold a result against itself: its sums, and one outcome for each row."""
    book = load_workbook(path, read_only=True)
    summary, sheet = book["Summary"], book["Results"]
    below = [tuple(row) for row in summary.iter_rows(values_only=True)]
    begin = next(i for i, row in enumerate(below) if row and row[0] == "Outcome")
    end = next(i for i, row in enumerate(below) if row and row[0] == "Rows read")
    said = {str(row[0]): row[1] for row in below[begin + 1 : end]}
    table = list(sheet.iter_rows(values_only=True))
    # The first row has the headings for people, the second the names for programs.
    column = table[0].index("Outcome")
    counted = Counter(str(row[column]) for row in table[2:])
    if said != dict(counted) or below[end][1] != rows or counted.total() != rows:
        yield f"{path.name} says {said} and has {dict(counted)}, of {rows} rows"
    book.close()


def _broken_page(path: Path, *, rows: int) -> Iterator[str]:
    page = path.read_text("utf-8")
    has = page.count('<tr id="r')
    if has != rows or not page.endswith(" -->\n"):
        yield f"{path.name} has {has} of {rows} rows, or is not whole"


_RESULTS: Final = {
    "xlsx": _broken_workbook,
    "csv": _broken_csv,
    "html": _broken_page,
    "json": _broken_json,
}
