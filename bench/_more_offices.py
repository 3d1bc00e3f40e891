"""Sheets of offices for the reading of headings: what each column means beside them.

Each is small and in order, so that only its headings, its kind and its lines that are
no rows are hard. A field with a `~` before it may be read as that, or not at all: it
does not count. The lists of headings in `_public_headings.py` are found ones; those
here are made up, twelve of them after pairs of headings that were once read reversed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from _offices import (
    PEOPLE,
    PROJECTS,
    Column,
    Meaning,
    Office,
    Sheet,
    Written,
    const,
    day,
    first_name,
    number,
    nztm,
    of,
    staff,
    surname,
    text_day,
    works,
)

Means = str | tuple[str, Written]
"""A field, written as it usually is; or a field, empty for a column of the office's
own, and how it is written."""
DATES = ("start_date", "end_date", "respond_by_date")


def own(text: str) -> Means:
    """Write a column of the office's own, which means nothing to kawe."""
    return "", const(text)


def client(name: str) -> Means:
    """Write whose work it is: it may be read as the organisation, or not at all."""
    return "~organisation", const(name)


def days_from(name: str, days: int) -> Means:
    """Write a date of the office's own, some days from one that means something."""

    def write(row: Meaning) -> date:
        return date.fromisoformat(row[name]) + timedelta(days=days)

    return "", write


def epoch(name: str) -> Means:
    """Write a date as a map server does: milliseconds since 1970, UTC."""

    def write(row: Meaning) -> int:
        at = datetime.combine(
            date.fromisoformat(row[name]), datetime.min.time(), tzinfo=UTC
        )
        return round(at.timestamp() * 1000)

    return name, write


def usual(meant: str) -> Written:
    """Give how a field is usually written."""
    if meant in DATES:
        return day(meant)
    if meant in {"latitude", "longitude"}:
        return number(meant)
    if meant in {"easting", "northing"}:
        return nztm(meant == "northing")
    return of(meant)


def columns(headings: Mapping[str, Means]) -> list[Column]:
    """Give the columns of a sheet."""
    made: list[Column] = []
    for heading, means in headings.items():
        if isinstance(means, str):
            made.append((heading, means, usual(means.removeprefix("~"))))
        else:
            made.append((heading, *means))
    return made


def book(  # noqa: PLR0913 - each but the first three has its usual value
    who: str,
    file: str,
    headings: Mapping[str, Means],
    *,
    rows: Sequence[Meaning] = (),
    kind: str = PROJECTS,
    name: str = "Sheet1",
    above: Sequence[Sequence[Any]] = (),
    below: Sequence[Sequence[Any]] = (),
    source: str = "",
) -> Office:
    """Make a workbook with one sheet."""
    made = rows or (
        works(5, first=1, about="Culvert") if kind == PROJECTS else staff(5)
    )
    sheet = Sheet(
        name=name,
        kind=kind,
        columns=columns(headings),
        rows=made,
        above=above,
        below=below,
    )
    return Office(
        who=who,
        file=file,
        sheets=[sheet],
        source=source,
        delimiter=",",
        encoding="utf-8",
    )


FIRST: Mapping[str, Means] = {
    "Job no": "reference",
    "Job name": "name",
    "Scope of work": "description",
    "Work type": "type",
}
PLACE: Mapping[str, Means] = {"Latitude": "latitude", "Longitude": "longitude"}
PAIRS = (
    ("Period from", "Period to"),
    ("First day", "Last day"),
    ("Works begin", "Works complete"),
    ("Begin works", "End works"),
    ("Timing from", "Timing to"),
    ("On site", "Off site"),
    ("Commence on", "Complete by"),
    ("Start of works", "End of works"),
    ("From", "To"),
    ("Opening", "Closing"),
    ("Outage from", "Outage until"),
    ("Date from", "Date to"),
)


def more_offices() -> Iterator[Office]:
    """Make the workbooks."""
    for begins, ends in PAIRS:
        headings = {begins: "start_date", ends: "end_date"}
        yield book(
            f"pair: {begins} / {ends}",
            f"{begins}.xlsx",
            {**FIRST, **headings, "Respond by": "respond_by_date", **PLACE},
        )
    yield book(
        "pair, the end before the start: To / From",
        "To and from.xlsx",
        {
            **FIRST,
            "Respond by": "respond_by_date",
            "To": "end_date",
            "From": "start_date",
            **PLACE,
        },
    )
    yield from _in_two_languages()
    yield from _in_te_reo()
    yield from _from_maps()
    yield from _from_personnel()
    yield from _programmes()
    yield from _with_notes()
    yield from _two_tables()


TWO_LANGUAGES = (
    ("Tohutoro", "Reference", "reference"),
    ("Ingoa kaupapa", "Project name", "name"),
    ("Whakaahuatanga", "Description", "description"),
    ("Momo", "Type", "type"),
    ("Rā tīmata", "Start date", "start_date"),
    ("Rā mutunga", "End date", "end_date"),
    ("Whakautu hei mua i", "Respond by", "respond_by_date"),
    ("Wāhi", "Address", "address"),
    ("Ahopae", "Latitude", "latitude"),
    ("Ahopou", "Longitude", "longitude"),
    ("Ingoa whakapā", "Contact name", "contact_name"),
    ("Tūranga whakapā", "Contact role", "contact_role"),
    ("Waea whakapā", "Contact phone", "contact_phone"),
    ("Īmēra whakapā", "Contact email", "contact_email"),
    ("Tuku", "Send", "send"),
)


def _in_two_languages() -> Iterator[Office]:
    for how, form in (
        ("slash", "{reo} / {english}"),
        ("line break", "{reo}\n{english}"),
        ("brackets", "{english} ({reo})"),
        ("bar", "{english} | {reo}"),
    ):
        yield book(
            f"two languages, {how}",
            f"Kaupapa {how}.xlsx",
            {
                form.format(reo=reo, english=english): meant
                for reo, english, meant in TWO_LANGUAGES
            },
        )
    yield book(
        "two languages, staff",
        "Kaimahi.xlsx",
        {
            "Ingoa / Name": "name",
            "Īmēra / Email": "email",
            "Tūranga / Role": "role",
            "Tari / Department": "org_department",
        },
        kind=PEOPLE,
    )


def _in_te_reo() -> Iterator[Office]:
    yield book(
        "te reo Māori alone",
        "Rārangi kaupapa.xlsx",
        {
            "Tohutoro": "reference",
            "Ingoa": "name",
            "Whakaahuatanga": "description",
            "Momo": "type",
            "Rā tīmata": "start_date",
            "Rā mutunga": "end_date",
            "Rā whakautu": "respond_by_date",
            "Wāhi": "address",
            "Ahopae": "latitude",
            "Ahopou": "longitude",
        },
    )
    yield book(
        "te reo Māori alone, no macrons",
        "Rarangi mahi.csv",
        {
            "Ingoa o te kaupapa": "name",
            "Whakaahuatanga": "description",
            "Momo mahi": "type",
            "Timata": "start_date",
            "Mutunga": "end_date",
            "Whakautu": "respond_by_date",
            "Ahopae": "latitude",
            "Ahopou": "longitude",
            "Tuku": "send",
        },
    )
    yield book(
        "te reo Māori alone, staff",
        "Rārangi tāngata.xlsx",
        {
            "Ingoa": "name",
            "Īmēra": "email",
            "Waea": own("021 555 0142"),
            "Tari": "org_department",
        },
        kind=PEOPLE,
    )


def _from_maps() -> Iterator[Office]:
    yield book(
        "map export, shapefile names",
        "consents_export.csv",
        {
            "OBJECTID": own("7"),
            "CONSENT_NO": "reference",
            "PROJ_NAME": "name",
            "DESCR": "description",
            "ACT_TYPE": "type",
            "START_DT": "start_date",
            "END_DT": "end_date",
            "RESP_DT": "respond_by_date",
            "POINT_X": "easting",
            "POINT_Y": "northing",
            "HOLDER": client("J & K Brown"),
        },
    )
    yield book(
        "map export, names cut to ten letters",
        "works_pt.csv",
        {
            "FID": own("3"),
            "PROJECT_NA": "name",
            "DESCRIPTIO": "description",
            "WORK_TYPE": "type",
            "START_DATE": "start_date",
            "FINISH_DAT": "end_date",
            "RESPOND_BY": "respond_by_date",
            "LATITUDE": "latitude",
            "LONGITUDE": "longitude",
            "Shape_Leng": own("412.7"),
        },
    )
    yield book(
        "map server, computer's times",
        "query.csv",
        {
            "OBJECTID": own("3"),
            "ProjectID": "reference",
            "ProjectName": "name",
            "ProjectDescription": "description",
            "ProjectType": "type",
            "StartDate": epoch("start_date"),
            "EndDate": epoch("end_date"),
            "RespondBy": epoch("respond_by_date"),
            "x": "longitude",
            "y": "latitude",
            "GlobalID": own("6f1c2f0e-2c0b-4b1e-9d51-0a4bb6d6f0aa"),
        },
    )
    yield book(
        "map desktop, metres as X and Y",
        "layer.csv",
        {
            "fid": own("11"),
            "ref": "reference",
            "name": "name",
            "descr": "description",
            "type": "type",
            "date_from": "start_date",
            "date_to": "end_date",
            "feedback_by": "respond_by_date",
            "X_NZTM": "easting",
            "Y_NZTM": "northing",
        },
    )


def _from_personnel() -> Iterator[Office]:
    yield book(
        "personnel, portal access",
        "HR export.xlsx",
        {
            "Employee No": own("10442"),
            "Preferred Name": ("~name", first_name),
            # The name that people go by serves as well.
            "Legal First Name": ("~name", first_name),
            "Legal Last Name": ("name", surname),
            "Work Email": "email",
            "Position Title": "org_role",
            "Business Unit": "org_department",
            "Portal access": ("role", const("Standard")),
            "Start Date": own("01/07/2024"),
        },
        kind=PEOPLE,
        above=[["Staff report"], ["Run 23/11/2026"], []],
    )
    yield book(
        "personnel, one name column and who they report to",
        "Staff list.xlsx",
        {
            "Full name": "name",
            "Email address": "email",
            "Reports to": own("Sue Ruru"),
            "Manager email": own("sue.ruru@example.org"),
            "Team": "org_department",
            "Job title": "org_role",
        },
        kind=PEOPLE,
    )
    yield book(
        "personnel, system role beside the team",
        "users.csv",
        {
            "user_name": "name",
            "user_email": "email",
            "user_role": "role",
            "department": "org_department",
            "last_login": own("12/11/2026"),
        },
        kind=PEOPLE,
    )


def _programmes() -> Iterator[Office]:
    yield book(
        "roads programme, contractors beside the works",
        "Roads programme.xlsx",
        {
            "Job #": "reference",
            "Road": own("Example Road"),
            "Works": "name",
            "What we are doing": "description",
            "Work category": "type",
            "Works begin": "start_date",
            "Works complete": "end_date",
            "Iwi feedback deadline": "respond_by_date",
            "Lat, Long": (
                "latitude",
                lambda row: f"{row['latitude']}, {row['longitude']}",
            ),
            "Budget": own("45,000"),
            "Engineer": "contact_name",
            "Cell": "contact_phone",
            "Email": "contact_email",
            "Sent to iwi": own("No"),
        },
        above=[["Roads programme 2030/31"], ["Draft for iwi"], []],
    )
    yield book(
        "consultant, list of works with the client",
        "Jobs.xlsx",
        {
            "Our job no": "reference",
            "Job": "name",
            "Client": client("J & K Brown"),
            "What is proposed": "description",
            "Consent": "type",
            "Planner": "contact_name",
            "Site address": "address",
            "Lat": "latitude",
            "Long": "longitude",
            "Start on site": "start_date",
            "Finish on site": "end_date",
            "Response wanted by": "respond_by_date",
            "Fee": own("2,400"),
        },
    )
    yield book(
        "power company, planned work in metres",
        "Outage plan.xlsx",
        {
            "WO": "reference",
            "Feeder": own("GLN-12"),
            "Planned work": "name",
            "Details of work": "description",
            "Class of work": "type",
            "Shutdown start": "start_date",
            "Shutdown end": "end_date",
            "Comment by": "respond_by_date",
            "NZTM East": "easting",
            "NZTM North": "northing",
            "Notify?": "send",
            "ICPs off": own("37"),
        },
    )
    yield book(
        "power company, inspection dates beside the works",
        "Pole replacement.xlsx",
        {
            "Pole ID": "reference",
            "Project": "name",
            "Scope": "description",
            "Type": "type",
            "Last inspected": days_from("start_date", -400),
            "Construction start": "start_date",
            "Construction finish": "end_date",
            "Next inspection": days_from("end_date", 900),
            "Feedback due": "respond_by_date",
            "Lat": "latitude",
            "Lon": "longitude",
        },
    )


NOTES = [
    [],
    ["Notes"],
    ["1. Dates are indicative and depend on the weather."],
    ["2. Costs are in thousands of dollars."],
    ["Prepared by M. Pene, 23 November 2026"],
]


def _with_notes() -> Iterator[Office]:
    plain = {
        **FIRST,
        "Start date": "start_date",
        "End date": "end_date",
        "Respond by": "respond_by_date",
        **PLACE,
    }
    yield book("notes below the table", "Programme.xlsx", plain, below=NOTES)
    yield book(
        "total and notes below the table",
        "Programme with cost.xlsx",
        {**plain, "Cost": own("310")},
        below=[["Total", "", "", "", "", "", "", "", "", 1550], *NOTES],
    )
    yield book(
        "legend below the table",
        "Programme with legend.xlsx",
        {**plain, "Status": own("G")},
        below=[[], ["Legend"], ["G", "on time"], ["A", "at risk"], ["R", "late"]],
    )


def _two_tables() -> Iterator[Office]:
    plain = {
        **FIRST,
        "Works begin": "start_date",
        "Works end": "end_date",
        "Respond by": "respond_by_date",
        **PLACE,
    }
    other = works(2, first=60, about="Bridge")
    yield book(
        "two tables, the second is a budget",
        "Works and budget.xlsx",
        plain,
        above=[["Works"], []],
        below=[[], ["Budget"], ["Activity", "Amount"], ["Roads", 310], ["Water", 120]],
    )
    yield book(
        "two tables, the second is a list of contacts",
        "Works and contacts.xlsx",
        plain,
        below=[
            [],
            ["Contact", "Role", "Phone", "Email"],
            *(
                [row["contact_name"], "Planner", row["contact_phone"], "m@example.org"]
                for row in other
            ),
        ],
    )


def text_dates(headings: Mapping[str, Means], form: str) -> dict[str, Means]:
    """Write the dates of a sheet as text."""
    return {
        heading: (means, text_day(means, form))
        if isinstance(means, str) and means in DATES
        else means
        for heading, means in headings.items()
    }
