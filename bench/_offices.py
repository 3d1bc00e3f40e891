"""Twelve workbooks as councils, network companies and consultants keep them.

They are made up, and each has the habits of one kind of office: its own words, title
rows, merged cells, totals, headings on two lines, people in two columns of names. What
every row means is kept beside what the office wrote, so that a program can correct a
cell as the office would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pyproj

Meaning = dict[str, str]
"""What a row means: by field of kawe, in kawe's own form."""
Written = Callable[[Meaning], Any]
Column = tuple[str | tuple[str, str], str, Written]
"""A heading, or the two lines of one; the field that it means, if any; how the office
writes it."""
PEOPLE, PROJECTS = "invitations", "projects"
PLACES = (
    (-36.8509, 174.7645),
    (-37.7870, 175.2793),
    (-38.1368, 176.2497),
    (-39.0556, 174.0752),
    (-39.4928, 176.9120),
    (-40.3523, 175.6082),
    (-41.2889, 174.7772),
    (-41.2706, 173.2840),
    (-43.5321, 172.6362),
    (-45.8788, 170.5028),
)
TYPES = ("Earthworks", "Land use consent", "Water take consent", "Tree consent")
TO_NZTM = pyproj.Transformer.from_crs(4326, 2193, always_xy=True)
IWI = ("Ngāti Tauira ki te Raki", "Ngāti Tauira ki te Uru")


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One sheet as an office keeps it."""

    name: str
    kind: str
    """Empty: no list."""
    columns: Sequence[Column] = ()
    rows: Sequence[Meaning] = ()
    above: Sequence[Sequence[Any]] = ()
    """Title rows."""
    below: Sequence[Sequence[Any]] = ()
    """Lines that are no rows, such as totals."""
    repeats_headings_after: int = 0
    struck: Sequence[int] = ()
    """Rows, from 0, that are struck through: they are not meant."""
    merged: str = ""
    """A heading whose equal neighbours are merged into one cell."""
    faults: Mapping[tuple[int, str], Any] = field(default_factory=dict)
    """What somebody has typed wrongly, by row from 0 and heading."""


@dataclass(slots=True, kw_only=True)
class Office:
    """One workbook, and whose it is."""

    who: str
    file: str
    sheets: Sequence[Sheet] = field(default_factory=list)
    source: str = ""
    """Where the headings were found; empty: they are made up."""
    delimiter: str = ";"
    encoding: str = "cp1252"
    """How a text file is written."""


def works(count: int, *, first: int, about: str) -> list[Meaning]:
    """Make what some rows of projects mean."""
    rows = []
    for number in range(first, first + count):
        latitude, longitude = PLACES[number % len(PLACES)]
        latitude, longitude = latitude - number * 0.0007, longitude + number * 0.0003
        begins = date(2030, 3, 4) + timedelta(weeks=number)
        rows.append(
            {
                "reference": f"{about[:2].upper()}-2030-{number:03}",
                "name": f"{about} {number}",
                "description": f"{about} number {number}, with its approaches.",
                "type": TYPES[number % len(TYPES)],
                "start_date": f"{begins}",
                "end_date": f"{begins + timedelta(weeks=12)}",
                "respond_by_date": f"{begins - timedelta(weeks=5)}",
                "address": f"{number} Example Road",
                "latitude": f"{latitude:.5f}",
                "longitude": f"{longitude:.5f}",
                "iwi": "",
                "organisation": "",
                "contact_name": "Mere Pene",
                "contact_role": "Planner",
                "contact_phone": "09 301 0101",
                "contact_email": "mere.pene@example.org",
                "message": "Please tell us what matters to you at this place.",
                "files": "",
                "send": "Yes" if number % 3 else "No",
            }
        )
    return rows


def staff(count: int) -> list[Meaning]:
    """Make what some rows of people mean."""
    given = ("Hēmi", "Mere", "Aroha", "Wiremu", "Anne-Marie", "Tāne", "Sue", "Rangi")
    family = ("Tūhoro", "Pene", "O'Neill", "van der Berg", "Smith", "Ruru")
    return [
        {
            "name": f"{given[n % len(given)]} {family[n % len(family)]}",
            "email": f"person{n}@example.org",
            "role": "Member",
            "org_department": ("Planning", "Roading", "Three Waters")[n % 3],
            "org_role": ("Planner", "Engineer")[n % 2],
        }
        for n in range(count)
    ]


def of(name: str) -> Written:
    """Write a field as it is meant."""
    return lambda row: row[name]


def const(text: str) -> Written:
    """Write the same in every row."""
    return lambda _: text


def day(name: str) -> Written:
    """Write a real date of Excel."""
    return lambda row: date.fromisoformat(row[name])


def text_day(name: str, form: str) -> Written:
    """Write a date as text."""
    return lambda row: date.fromisoformat(row[name]).strftime(form)


def nztm(axis: int) -> Written:
    """Write metres: 0 for the easting, 1 for the northing."""
    return lambda row: round(
        TO_NZTM.transform(float(row["longitude"]), float(row["latitude"]))[axis]
    )


def degrees(name: str) -> Written:
    """Write degrees, minutes and seconds, with the letter behind."""

    def write(row: Meaning) -> str:
        value = float(row[name])
        letter = {True: "S", False: "E"}[value < 0]
        whole, rest = divmod(round(abs(value) * 3600), 3600)
        return f"{whole}°{rest // 60:02}'{rest % 60:02}\"{letter}"

    return write


def number(name: str) -> Written:
    """Write a number."""
    return lambda row: float(row[name])


def first_name(row: Meaning) -> str:
    """Write the given name."""
    return row["name"].partition(" ")[0]


def surname(row: Meaning) -> str:
    """Write the family name."""
    return row["name"].partition(" ")[2]


def offices() -> Iterator[Office]:
    """Make the twelve workbooks."""
    yield from _councils()
    yield from _companies()
    yield from _consultants()


def _councils() -> Iterator[Office]:
    yield Office(
        who="district council, consents register",
        file="Consents Nov 2026.xlsx",
        sheets=[
            Sheet(
                name="Register",
                kind=PROJECTS,
                above=[["Waitoru District Council"], ["Consents, November 2026"], []],
                rows=works(9, first=1, about="Culvert"),
                faults={
                    (3, "RC No"): "CU-2030-003",
                    (3, "Works end"): "31/02/2030",
                    (6, "Proposal"): "",
                },
                columns=[
                    ("RC No", "reference", of("reference")),
                    ("Application", "name", of("name")),
                    ("Proposal", "description", of("description")),
                    ("Consent type", "type", of("type")),
                    ("Applicant", "organisation", const("J & K Brown")),
                    ("Lodged", "", const("12/10/2026")),
                    ("Due", "respond_by_date", day("respond_by_date")),
                    ("Site address", "address", of("address")),
                    ("NZTM E", "easting", nztm(0)),
                    ("NZTM N", "northing", nztm(1)),
                    ("Works start", "start_date", day("start_date")),
                    ("Works end", "end_date", day("end_date")),
                    ("Officer", "", const("MP")),
                    ("Notify iwi?", "send", of("send")),
                ],
            )
        ],
    )
    yield Office(
        who="regional council, flood works with subtotals",
        file="Flood works programme.xlsx",
        sheets=[
            Sheet(
                name="2030",
                kind=PROJECTS,
                above=[["Flood protection works 2030/31"]],
                rows=works(6, first=20, about="Stopbank"),
                merged="Activity",
                faults={(4, "To"): "Q3 2030"},
                columns=[
                    ("River", "", const("Waiora")),
                    ("Scheme ref", "reference", of("reference")),
                    ("Works", "name", of("name")),
                    ("Detail", "description", of("description")),
                    ("Activity", "type", of("type")),
                    ("From", "start_date", day("start_date")),
                    ("To", "end_date", day("end_date")),
                    ("Comments by", "respond_by_date", day("respond_by_date")),
                    ("Latitude", "latitude", number("latitude")),
                    ("Longitude", "longitude", number("longitude")),
                    ("Budget $", "", const("125000")),
                ],
                below=[["Subtotal", "", "", "", "", "", "", "", "", "", 750000]],
            )
        ],
    )
    yield Office(
        who="city council, staff from the HR system",
        file="HR extract.xlsx",
        sheets=[
            Sheet(
                name="Report1",
                kind=PEOPLE,
                above=[["Current staff"], []],
                rows=staff(12),
                faults={
                    (2, "E-mail addr."): "person2 at example.org",
                    (7, "E-mail addr."): "person1@example.org",
                },
                columns=[
                    ("First name", "name", first_name),
                    ("Surname", "name", surname),
                    ("E-mail addr.", "email", of("email")),
                    ("Dept", "org_department", of("org_department")),
                    ("Position", "org_role", of("org_role")),
                    ("Start date", "", const("1/07/2019")),
                    ("Ext.", "", const("4411")),
                ],
                below=[["12 people"]],
            )
        ],
    )
    yield Office(
        who="unitary council, CSV with semicolons in Windows-1252",
        file="export.csv",
        sheets=[
            Sheet(
                name="export",
                kind=PROJECTS,
                rows=works(5, first=30, about="Façade"),
                columns=[
                    ("Reference", "reference", of("reference")),
                    ("Project name", "name", of("name")),
                    ("Details", "description", of("description")),
                    ("Type of work", "type", of("type")),
                    ("Start", "start_date", text_day("start_date", "%d/%m/%Y")),
                    ("End", "end_date", text_day("end_date", "%d/%m/%Y")),
                    (
                        "Response due",
                        "respond_by_date",
                        text_day("respond_by_date", "%d/%m/%Y"),
                    ),
                    ("Lat", "latitude", lambda row: row["latitude"].replace(".", ",")),
                    (
                        "Long",
                        "longitude",
                        lambda row: row["longitude"].replace(".", ","),
                    ),
                    ("Send to iwi", "send", lambda row: row["send"][0]),
                ],
            )
        ],
    )


def _companies() -> Iterator[Office]:
    yield Office(
        who="lines company, headings on two lines and a total",
        file="Lines programme.xlsx",
        sheets=[
            Sheet(
                name="Programme",
                kind=PROJECTS,
                above=[["Network projects 2030"]],
                rows=works(7, first=40, about="Substation"),
                columns=[
                    (("Project", "No."), "reference", of("reference")),
                    (("", "Name"), "name", of("name")),
                    (("", "Scope"), "description", of("description")),
                    (("", "Type"), "type", of("type")),
                    (("Programme", "Start"), "start_date", day("start_date")),
                    (("", "Finish"), "end_date", day("end_date")),
                    (
                        ("Consultation", "Closes"),
                        "respond_by_date",
                        day("respond_by_date"),
                    ),
                    (("Location (NZTM)", "E"), "easting", nztm(0)),
                    (("", "N"), "northing", nztm(1)),
                    (("Cost", "$000"), "", const("310")),
                ],
                below=[["Total", "", "", "", "", "", "", "", "", 2170]],
            )
        ],
    )
    yield Office(
        who="water company, withdrawn works struck through",
        file="Capital works.xlsx",
        sheets=[
            Sheet(
                name="Capital works",
                kind=PROJECTS,
                rows=works(8, first=50, about="Watermain"),
                struck=(2, 5),
                faults={
                    (1, "Construction end"): "TBC",
                    (3, "GPS lat"): 175.6082,
                    (3, "GPS long"): -40.3523,
                },
                columns=[
                    ("WO number", "reference", of("reference")),
                    ("Title", "name", of("name")),
                    ("Description of works", "description", of("description")),
                    ("Category", "type", of("type")),
                    ("Status", "", const("Approved")),
                    (
                        "Construction start",
                        "start_date",
                        text_day("start_date", "%-d %B %Y"),
                    ),
                    (
                        "Construction end",
                        "end_date",
                        text_day("end_date", "%-d %B %Y"),
                    ),
                    (
                        "Feedback needed by",
                        "respond_by_date",
                        text_day("respond_by_date", "%-d %B %Y"),
                    ),
                    ("GPS lat", "latitude", number("latitude")),
                    ("GPS long", "longitude", number("longitude")),
                    ("Project manager", "contact_name", of("contact_name")),
                    ("PM phone", "contact_phone", of("contact_phone")),
                    ("PM email", "contact_email", of("contact_email")),
                ],
            )
        ],
    )
    yield Office(
        who="forestry company, headings again on each page",
        file="Harvest plan.xlsx",
        sheets=[
            Sheet(
                name="Sheet1",
                kind=PROJECTS,
                rows=works(10, first=60, about="Harvest block"),
                repeats_headings_after=5,
                columns=[
                    ("Block", "name", of("name")),
                    ("Operation", "description", of("description")),
                    ("Project type", "type", of("type")),
                    ("Planned start", "start_date", text_day("start_date", "%d-%b-%y")),
                    ("Planned finish", "end_date", text_day("end_date", "%d-%b-%y")),
                    (
                        "Reply needed",
                        "respond_by_date",
                        text_day("respond_by_date", "%d-%b-%y"),
                    ),
                    (
                        "GPS location",
                        "latitude",
                        lambda row: f"{row['latitude']}, {row['longitude']}",
                    ),
                    ("Forest", "", const("Kaingaroa South")),
                    ("Hectares", "", const("41.5")),
                ],
            )
        ],
    )
    yield Office(
        who="transport agency, roads, water and staff in one workbook",
        file="Works and people.xlsx",
        sheets=[
            _maintenance("Roads", works(4, first=70, about="Rockfall")),
            _maintenance("Water", works(3, first=80, about="Pump")),
            Sheet(
                name="Staff",
                kind=PEOPLE,
                rows=staff(4),
                columns=[
                    ("Staff member", "name", of("name")),
                    ("Work email", "email", of("email")),
                    ("Access level", "role", of("role")),
                    ("Business unit", "org_department", of("org_department")),
                ],
            ),
            Sheet(
                name="Lookups",
                kind="",
                above=[["Type", "Stage"], ["Earthworks", "Design"], ["Other", "Build"]],
            ),
        ],
    )


def _maintenance(name: str, rows: list[Meaning]) -> Sheet:
    return Sheet(
        name=name,
        kind=PROJECTS,
        rows=rows,
        columns=[
            ("Job no", "reference", of("reference")),
            ("Job name", "name", of("name")),
            ("Scope of work", "description", of("description")),
            ("Work type", "type", of("type")),
            ("Start date", "start_date", day("start_date")),
            ("Completion date", "end_date", day("end_date")),
            ("Response required by", "respond_by_date", day("respond_by_date")),
            ("Latitude", "latitude", number("latitude")),
            ("Longitude", "longitude", number("longitude")),
            ("Send?", "send", of("send")),
        ],
    )


def _consultants() -> Iterator[Office]:
    yield Office(
        who="planning consultant, tracking list with misspelt headings",
        file="Tracking (JB) v3.xlsx",
        sheets=[
            Sheet(
                name="Tracking",
                kind=PROJECTS,
                rows=works(6, first=90, about="Subdivision"),
                faults={
                    (0, "Aplication type"): "Subdiv. consent",
                    (2, "Commences"): "1.13.2030",
                    (4, "Job"): "",
                },
                columns=[
                    ("Job no.", "reference", of("reference")),
                    ("Job", "name", of("name")),
                    ("Client", "organisation", const("")),
                    ("What is proposed", "description", of("description")),
                    ("Aplication type", "type", of("type")),
                    ("Commences", "start_date", text_day("start_date", "%d.%m.%Y")),
                    ("Completes", "end_date", text_day("end_date", "%d.%m.%Y")),
                    (
                        "Feedback required by",
                        "respond_by_date",
                        text_day("respond_by_date", "%d.%m.%Y"),
                    ),
                    ("Lat", "latitude", of("latitude")),
                    ("Long", "longitude", of("longitude")),
                    ("Mesage to iwi", "message", of("message")),
                    ("Ready to go", "send", of("send")),
                    ("Hours", "", const("12.5")),
                ],
            )
        ],
    )
    yield Office(
        who="archaeologist, authorities with degrees and yes/no",
        file="Authorities.xlsx",
        sheets=[
            Sheet(
                name="Authorities",
                kind=PROJECTS,
                above=[["Authority applications in hand"]],
                rows=works(5, first=100, about="Pit site"),
                columns=[
                    ("Authority no", "reference", of("reference")),
                    ("Site name", "name", of("name")),
                    ("Activity\nproposed", "description", of("description")),
                    ("Authority type", "type", const("Archaeological authority")),
                    ("Work\nfrom", "start_date", day("start_date")),
                    ("Work\nto", "end_date", day("end_date")),
                    ("Comments\nclose", "respond_by_date", day("respond_by_date")),
                    ("Latitude (S)", "latitude", degrees("latitude")),
                    ("Longitude (E)", "longitude", degrees("longitude")),
                    ("Iwi to be told", "send", of("send")),
                    ("Public?", "", const("N")),
                ],
            )
        ],
    )
    yield Office(
        who="engineering consultant, people on a sheet called Projects",
        file="Project team.xlsx",
        sheets=[
            Sheet(
                name="Projects",
                kind=PEOPLE,
                above=[["Who works on which project"]],
                rows=staff(6),
                columns=[
                    ("Name", "name", of("name")),
                    ("Email", "email", of("email")),
                    ("Mobile", "", const("021 555 0142")),
                    ("Role", "role", of("role")),
                    ("Department", "org_department", of("org_department")),
                    ("Job title", "org_role", of("org_role")),
                ],
            )
        ],
    )
    yield Office(
        who="iwi liaison officer, headings in two languages, iwi lists",
        file="Liaison register.xlsx",
        sheets=[
            Sheet(
                name="Rārangi",
                kind=PROJECTS,
                rows=[
                    {**row, "iwi": "; ".join(IWI[: 1 + n % 2])}
                    for n, row in enumerate(works(5, first=110, about="Pā harakeke"))
                ],
                faults={
                    (1, "Iwi / hapū"): "Ngāti Tauira ki te Rake",
                    (3, "Latitude"): 36.92,
                },
                columns=[
                    ("Ingoa / Name", "name", of("name")),
                    ("Whakaahuatanga / Description", "description", of("description")),
                    ("Momo / Type", "type", of("type")),
                    ("Rā tīmata / Start date", "start_date", day("start_date")),
                    ("Rā mutunga / End date", "end_date", day("end_date")),
                    (
                        "Whakautu / Respond by",
                        "respond_by_date",
                        day("respond_by_date"),
                    ),
                    ("Wāhi / Address", "address", of("address")),
                    ("Latitude", "latitude", number("latitude")),
                    ("Longitude", "longitude", number("longitude")),
                    (
                        "Iwi / hapū",
                        "iwi",
                        lambda row: row["iwi"].replace("; ", " / "),
                    ),
                ],
            )
        ],
    )
