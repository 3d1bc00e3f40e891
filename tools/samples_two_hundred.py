"""200 projects of which 20 have one mistake each, no two of a kind.

The mistakes stand in a table: row, heading of the cell that is wrong, what
is typed there, and how the finding is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from openpyxl.utils import get_column_letter

from samples_files import finding, workbook_bytes, write, write_json
from samples_rows import HEADINGS, ON_EACH, book_of, placed

_TOWNS: Final = (
    ("Kaitāia", -35.11283, 173.26274),
    ("Whangārei", -35.72512, 174.32371),
    ("Māngere", -36.96893, 174.79052),
    ("Hamilton", -37.78721, 175.27934),
    ("Tauranga", -37.68714, 176.16528),
    ("Taupō", -38.68573, 176.07018),
    ("Ōpōtiki", -38.00517, 177.28693),
    ("Gisborne", -38.66242, 178.01765),
    ("Napier", -39.49281, 176.91204),
    ("New Plymouth", -39.05793, 174.07516),
    ("Whanganui", -39.93012, 175.05031),
    ("Ōtaki", -40.75841, 175.15012),
    ("Masterton", -40.95127, 175.65963),
    ("Nelson", -41.27061, 173.28404),
    ("Blenheim", -41.51384, 173.95921),
    ("Kaikōura", -42.40042, 173.68137),
    ("Christchurch", -43.53204, 172.63628),
    ("Ōamaru", -45.09753, 170.97042),
    ("Dunedin", -45.87413, 170.50361),
    ("Invercargill", -46.41324, 168.35376),
)
_WORKS: Final = (
    ("Culvert renewal", "Works in a stream bed", "A culvert is replaced."),
    ("Road widening", "Roading", "800 m of road are widened by 1.5 m."),
    ("Water main", "Three waters", "A main is renewed in the berm."),
    ("Tree works", "Tree removal", "Two storm-damaged trees are taken down."),
    ("Stormwater outfall", "Stormwater discharge", "A new outfall with treatment."),
    ("Subdivision", "Subdivision", "Six residential lots."),
    ("Footbridge", "Land use consent", "A footbridge on piles."),
    ("Planting", "Riparian planting", "Both banks are fenced and planted."),
    ("Trench", "Trenching", "1.2 km of cable in the shoulder."),
    ("Reseal", "Programmed maintenance", "The seal is renewed."),
)
_ROWS: Final = len(_TOWNS) * len(_WORKS)
_TIMARU: Final = {"Latitude": -44.39672, "Longitude": 171.25361}
"""Two of the twin's iwi can be asked here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mistake:
    row: int
    heading: str
    """Of the cell that must be named."""
    rule: str
    typed: Mapping[str, Any] = field(default_factory=dict)
    """By heading; None clears the cell."""


_MISTAKES: Final = (
    _Mistake(row=4, heading="Name", rule="missing", typed={"Name": None}),
    _Mistake(
        row=17,
        heading="Start date",
        rule="date-unreadable",
        typed={"Start date": "after Easter"},
    ),
    _Mistake(
        row=23,
        heading="End date",
        rule="date-month-first",
        typed={"End date": "7/31/2030"},
    ),
    _Mistake(
        row=31,
        heading="Type",
        rule="not-a-choice",
        typed={"Type": "Water use consent"},
    ),
    _Mistake(row=42, heading="Send", rule="not-yes-or-no", typed={"Send": "later"}),
    _Mistake(
        row=58,
        heading="Respond by",
        rule="respond-by-after-end",
        typed={"Respond by": date(2031, 5, 1)},
    ),
    _Mistake(
        row=66,
        heading="Longitude",
        rule="coordinate-missing",
        typed={"Longitude": None},
    ),
    _Mistake(
        row=71,
        heading="Latitude",
        rule="coordinate-swapped",
        typed={"Latitude": 176.91204, "Longitude": -39.49281},
    ),
    _Mistake(
        row=85,
        heading="Latitude",
        rule="coordinate-outside",
        typed={"Latitude": -33.86882, "Longitude": 151.20929},
    ),
    _Mistake(
        row=93,
        heading="Contact email",
        rule="email-unreadable",
        typed={"Contact email": "hemi at example.org"},
    ),
    _Mistake(
        row=104, heading="Files", rule="file-missing", typed={"Files": "site plan.pdf"}
    ),
    _Mistake(
        row=112, heading="Files", rule="file-outside", typed={"Files": "../plan.pdf"}
    ),
    _Mistake(
        row=127, heading="Description", rule="cell-error", typed={"Description": "#N/A"}
    ),
    _Mistake(
        row=135,
        heading="End date",
        rule="formula-uncalculated",
        typed={"End date": "=F135+90"},
    ),
    _Mistake(
        row=141,
        heading="Iwi",
        rule="iwi-unknown",
        typed={**_TIMARU, "Iwi": "Ngāti Tauira ki te Raki"},
    ),
    _Mistake(row=150, heading="Iwi", rule="iwi-needed", typed=_TIMARU),
    _Mistake(
        row=163,
        heading="Contact phone",
        rule="contact-incomplete",
        typed={"Contact phone": None},
    ),
    _Mistake(
        row=178,
        heading="Organisation",
        rule="organisation-unnamed",
        typed={"Organisation address": "31 Sample Road"},
    ),
    _Mistake(
        row=186,
        heading="Organisation",
        rule="organisation-new",
        typed={"Organisation": "Hiko Tauira Lines Company"},
    ),
    _Mistake(
        row=201,
        heading="Address",
        rule="letters-lost",
        typed={"Address": "M?ori Hill, Dunedin"},
    ),
)


def write_two_hundred(folder: Path) -> None:
    """Write the workbook and the 20 cells that must be named."""
    rows = [_project(number) for number in range(2, _ROWS + 2)]
    for mistake in _MISTAKES:
        rows[mistake.row - 2] |= mistake.typed
    cells = placed(HEADINGS, [[row.get(each) for each in HEADINGS] for row in rows])
    book, _ = book_of(cells, title="Projects")
    write(folder / "projects.xlsx", workbook_bytes(book))
    write_json(
        folder / "expected.json",
        {
            "story": "200 projects; 20 of them have one mistake each, no two of a "
            "kind. All are named in one run and nothing is sent for them.",
            "workbook": "projects.xlsx",
            "service": True,
            "exit_code": 3,
            "rows": _ROWS,
            "sends": _ROWS - len(_MISTAKES),
            "drafts": 0,
            "findings": [
                finding("Projects", f"{_address(each)} error {each.rule}")
                for each in _MISTAKES
            ],
        },
    )


def _address(mistake: _Mistake) -> str:
    column = HEADINGS.index(mistake.heading) + 1
    return f"{get_column_letter(column)}{mistake.row}"


def _project(number: int) -> dict[str, Any]:
    """Give a good project for row `number`."""
    town, latitude, longitude = _TOWNS[number % len(_TOWNS)]
    turn = number // len(_TOWNS)
    work, kind, words = _WORKS[turn % len(_WORKS)]
    shift = timedelta(days=number % 28)
    return {
        **ON_EACH,
        "Reference": f"Y30-{number:04}",
        "Name": f"{work}, {town}",
        "Description": words,
        "Type": kind,
        "Start date": date(2030, 3, 1) + shift,
        "End date": date(2030, 10, 1) + shift,
        "Respond by": _working_day(date(2030, 5, 1) + shift),
        "Address": town,
        # Ten sites in each town, 80 m apart.
        "Latitude": round(latitude + 0.00071 * turn, 5),
        "Longitude": longitude,
        "Send": "Yes",
    }


def _working_day(day: date) -> date:
    """Give `day`, or the Monday after a weekend; no holiday lies in that May."""
    return day + timedelta(days=7 - day.weekday() if day.weekday() > 4 else 0)
