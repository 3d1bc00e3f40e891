"""The invitations sample: 230 made-up people of a council.

Names and addresses are drawn by a fixed rule, so that the list is the same
each time. Three of them are members of the twin's team from its start.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

from samples_files import workbook_bytes, write, write_json

PEOPLE: Final = 230
_HEADINGS: Final = (
    ("Full name", 28),
    ("Email address", 40),
    ("Role", 14),
    ("Department", 24),
    ("Job title", 26),
    ("Start day", 12),
)
_FIRST: Final = (
    *("Aroha", "Hēmi", "Mārama", "Tāne", "Ngaio", "Wiremu", "Kōtare", "Rāwiri"),
    *("Whetū", "Tūī", "Anahera", "Pāora", "Hine", "Mikaere", "Rēweti", "Tīmoti"),
    *("Emma", "James", "Sofia", "Liam", "Grace", "Mei", "Arjun", "Sina"),
    *("Losa", "Tevita", "Chloë", "Zoë", "Niamh", "José", "Ingrid", "Farid"),
)
_LAST: Final = (
    *("Tūhoro", "Māhaki", "Ngārimu", "Hōhepa", "Pēwhairangi", "Kereama", "Tīpene"),
    *("Smith", "O’Connor", "Williams-Tāmati", "Chen", "Patel", "Faleolo", "Taufa"),
    *("van Dijk", "MacKenzie", "Brown", "Müller", "Nguyen", "Okafor", "Robinson"),
    *("Rangihuna", "Poutama", "Keen", "Harris", "Walker", "Sione"),
)
_DEPARTMENTS: Final = (
    *("Resource consents", "Parks and reserves", "Three waters", "Roading"),
    *("Policy", "Iwi partnerships", "Building control", "Environmental monitoring"),
)
_TITLES: Final = (
    *("Planner", "Senior planner", "Engineer", "Project manager"),
    *("Adviser, Māori outcomes", "Asset manager", "Administrator", ""),
)
_ROLES: Final = ("Member", "Member", "member", "Team member", "MEMBER", "Member")
_DOMAINS: Final = (
    *("kaunihera.example.org", "waters.example.org", "roading.example.com"),
    *("kaunihera.example.org",),
)
_KNOWN: Final = {
    17: ("Wiremu Tauira", "wiremu@tauira.example"),
    88: ("Mārama Tauira", "Marama@Tauira.example"),
    203: ("Aroha Tauira", "aroha@tauira.example"),
}
"""By place in the list: who is in the twin's team from the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One row of the sheet."""

    name: str
    email: str
    role: str
    department: str
    title: str


def write_invitations(folder: Path) -> None:
    """Write the workbook and what checking it should find."""
    write(folder / "invitations.xlsx", workbook_bytes(_book()))
    write_json(
        folder / "expected.json",
        {
            "story": "230 people of a council; three of them are in the team already.",
            "workbook": "invitations.xlsx",
            "service": False,
            "exit_code": 0,
            "rows": PEOPLE,
            "already_there": sorted(email.lower() for _, email in _KNOWN.values()),
            "findings": [],
        },
    )


def _people() -> Iterator[Person]:
    for number in range(PEOPLE):
        # 32 first and 27 last names: 864 pairs before one comes again.
        first = _FIRST[number % len(_FIRST)]
        last = _LAST[number % len(_LAST)]
        name, email = f"{first} {last}", _email(first, last, number)
        name, email = _KNOWN.get(number, (name, email))
        yield Person(
            name=name,
            email=email,
            role=_ROLES[number % len(_ROLES)],
            department=_DEPARTMENTS[number * 5 // 7 % len(_DEPARTMENTS)],
            title=_TITLES[number * 3 // 4 % len(_TITLES)],
        )


def _email(first: str, last: str, number: int) -> str:
    domain = _DOMAINS[number % len(_DOMAINS)]
    return f"{_plain(first)}.{_plain(last)}@{domain}"


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name)
    return "".join(c for c in letters if c.isascii() and c.isalpha()).lower()


def _book() -> Workbook:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Invitations"
    for column, (heading, width) in enumerate(_HEADINGS, start=1):
        cell = sheet.cell(1, column, heading)
        cell.font = Font(name="Calibri", bold=True)
        cell.fill = PatternFill("solid", fgColor="DDE8EC")
        sheet.column_dimensions[get_column_letter(column)].width = width
    for number, person in enumerate(_people(), start=2):
        cells = (
            *(person.name, person.email, person.role),
            *(person.department, person.title or None, "4 March"),
        )
        for column, value in enumerate(cells, start=1):
            sheet.cell(number, column, value)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:F{PEOPLE + 1}"
    return book
