"""The rows of one batch: every kind of step, a few times over.

Sends alone, files, a new organisation that two rows share, drafts that stay
drafts, and people to invite. Names, references and addresses carry the
batch's number, so that many batches can share one twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from doubles.command import HEADINGS, csv_row, write_csv

PROJECTS: Final = "projects.csv"
PEOPLE: Final = "people.csv"
_OFFICE: Final = (
    "Organisation",
    "Organisation address",
    "Organisation latitude",
    "Organisation longitude",
)
_HEADINGS: Final = (*HEADINGS, *_OFFICE, "Files")
_PLAN: Final = "site plan.pdf"
_PHOTO: Final = "photo.jpg"
_FILES: Final = {2: (_PLAN,), 3: (_PLAN, _PHOTO), 6: (_PHOTO,)}
_WITH_ORGANISATION: Final = frozenset({4, 5})
_DRAFTS: Final = frozenset({6, 7})
_ROWS: Final = 10
_PEOPLE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedProject:
    """What must be true of one row's project in the end."""

    reference: str
    name: str
    is_sent: bool
    files: tuple[str, ...]
    organisation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What must be true of a batch in the end."""

    number: int
    projects: tuple[WantedProject, ...]
    emails: tuple[str, ...]
    organisation: str

    @property
    def sends(self) -> int:
        """Count the projects that are to be sent."""
        return sum(each.is_sent for each in self.projects)

    @property
    def rows(self) -> int:
        return len(self.projects) + len(self.emails)


def workload(number: int) -> Workload:
    """Make the rows of batch `number`."""
    organisation = f"Catchment Trust {number}"
    return Workload(
        number=number,
        projects=tuple(
            WantedProject(
                reference=f"B{number}-{row}",
                name=f"Culvert {row} of batch {number}",
                is_sent=row not in _DRAFTS,
                files=_FILES.get(row, ()),
                organisation=organisation if row in _WITH_ORGANISATION else "",
            )
            for row in range(_ROWS)
        ),
        emails=tuple(f"p{row}.b{number}@example.org.nz" for row in range(_PEOPLE)),
        organisation=organisation,
    )


def write_workload(wanted: Workload, folder: Path) -> None:
    """Write the two sheets and the files of a batch into its folder."""
    folder.mkdir(parents=True)
    (folder / _PLAN).write_bytes(b"%%PDF-1.4\nplan %d\n%%%%EOF\n" % wanted.number)
    photo = b"\xff\xd8\xff\xe0" + b"photo of batch %d" % wanted.number
    (folder / _PHOTO).write_bytes(photo)
    rows = [*map(_project_row, wanted.projects)]
    write_csv(folder / PROJECTS, rows, headings=_HEADINGS)
    people = [(f"Person {n}", each, "Member") for n, each in enumerate(wanted.emails)]
    write_csv(folder / PEOPLE, people, headings=("Name", "Email", "Role"))


def _project_row(wanted: WantedProject) -> tuple[str, ...]:
    office = ("12 School Road", "-41.2619", "174.7906")
    sends = "yes" if wanted.is_sent else "no"
    return (
        *csv_row(0, Reference=wanted.reference, Name=wanted.name, Send=sends),
        wanted.organisation,
        *(office if wanted.organisation else ("", "", "")),
        "; ".join(wanted.files),
    )
