"""The lists that people export: their tables, and the cells of one record.

A record is an object of the service as it is. A table shows one row for each record,
or one for each entry of a list within it, such as the thread of a project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, auto
from typing import Final

from kawe.domain.text.cell_types import RawValue
from kawe.domain.text.new_zealand import NEW_ZEALAND

_CENTS: Final = 100
_CODE_CHARACTERS: Final = 60


class Form(Enum):
    """What a field is, and so how its cells look."""

    TEXT = auto()
    CODE = auto()
    """A word of the interface, such as IN_PROGRESS, for people: In progress."""
    DAY = auto()
    MOMENT = auto()
    YES = auto()
    CENTS = auto()
    """Shown in dollars."""
    LINK = auto()
    FILE = auto()
    """A file below the folder of the export."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One column of a table."""

    heading: str
    of: tuple[str, ...]
    """Where its parts stand in a record, such as `assigned_to.first_name`."""
    form: Form
    width: float

    def cell(self, row: Mapping[str, object]) -> RawValue:
        """Give the cell of a row; what has another form than it should is text."""
        found = [_at(row, path.split(".")) for path in self.of]
        if len(found) > 1:
            return " ".join(filter(None, map(_text, found))) or None
        return _READERS[self.form](found[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOf:
    """One table of a list."""

    title: str
    fields: tuple[Field, ...]
    nested: str = ""
    """The list within a record that has its rows; empty: the record is the row."""

    @property
    def headings(self) -> tuple[str, ...]:
        """Name the columns."""
        return tuple(field.heading for field in self.fields)

    def rows(self, record: Record) -> Iterator[list[RawValue]]:
        """Give the rows of a record."""
        about = {"@": record.about, "^": record.item}
        rows = record.item.get(self.nested, []) if self.nested else [record.item]
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict):
                yield [field.cell(row | about) for field in self.fields]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One object of the service, and what kawe says about it."""

    item: Mapping[str, object]
    about: Mapping[str, str]
    """`link`: its page in the portal; `file`: where its document was saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A list within each project that is asked for by itself."""

    name: str
    operation: str
    table: TableOf


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordList:
    """A list of the service that people export."""

    name: str
    one: str
    operation: str
    tables: tuple[TableOf, ...]
    sums: tuple[Field, ...] = ()
    """The columns that are added up."""
    of_team: bool = False
    """Its path names the team."""
    is_single: bool = False
    """It is one object, and its tables are lists within it."""

    @property
    def many(self) -> str:
        """Name several of them."""
        return self.one + "s"


def _at(row: object, path: list[str]) -> object:
    for index, name in enumerate(path):
        if isinstance(row, list):
            rest = path[index:]
            return "; ".join(filter(None, (_text(_at(one, rest)) for one in row)))
        row = row.get(name) if isinstance(row, Mapping) else None
    return row


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _plain(value: object) -> RawValue:
    if value is None or isinstance(value, str | bool | int | float):
        return value if value != "" else None
    return _text(value)


def _code(value: object) -> RawValue:
    if not isinstance(value, str) or not value or len(value) > _CODE_CHARACTERS:
        return _plain(value)
    return code_words(value)


def code_words(code: str) -> str:
    """Write a word of the interface for people: IN_PROGRESS is In progress."""
    return code.replace("_", " ").capitalize()


def instant_of(value: object) -> datetime | None:
    """Read an instant of the service; None: it is none."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        if at is None:
            return None
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(NEW_ZEALAND)
    except (ValueError, OverflowError):
        return None


def _moment(value: object) -> RawValue:
    at = instant_of(value)
    return _plain(value) if at is None else at.replace(microsecond=0)


def _day(value: object) -> RawValue:
    # A day comes back as an instant: midnight in UTC, or in New Zealand.
    at = instant_of(value)
    return _plain(value) if at is None else date(at.year, at.month, at.day)


def _yes(value: object) -> RawValue:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return _plain(value)


def _dollars(value: object) -> RawValue:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value / _CENTS
    return _plain(value)


_READERS: Final = {
    Form.TEXT: _plain,
    Form.CODE: _code,
    Form.DAY: _day,
    Form.MOMENT: _moment,
    Form.YES: _yes,
    Form.CENTS: _dollars,
    Form.LINK: _plain,
    Form.FILE: _plain,
}
_FORMS: Final = {
    "": Form.TEXT,
    "code": Form.CODE,
    "day": Form.DAY,
    "moment": Form.MOMENT,
    "yes": Form.YES,
    "cents": Form.CENTS,
    "link": Form.LINK,
    "file": Form.FILE,
}


def _fields(table: str) -> tuple[Field, ...]:
    """Read lines of heading | where it stands | form | width."""
    lines = (line.split("|") for line in table.strip().splitlines())
    return tuple(
        Field(
            heading=heading.strip(),
            of=tuple(of.split()),
            form=_FORMS[form.strip()],
            width=float(width),
        )
        for heading, of, form, width in lines
    )


_OF_PROJECT: Final = """
Reference          | ^.reference |        | 16
Project            | ^.name      |        | 36
"""
PARTS: Final = (
    Part(
        name="thread",
        operation="engagement_list",
        table=TableOf(
            title="Thread",
            nested="engagements",
            fields=_fields(f"""{_OF_PROJECT.strip()}
When               | created_on     | moment | 18
Changed            | updated_on     | moment | 18
Internal note      | is_internal    | yes    | 10
By                 | created_by.first_name created_by.last_name | | 22
Meeting            | meeting_type   | code   | 14
Text               | content        |        | 60
Documents          | documents.name |        | 30
"""),
        ),
    ),
    Part(
        name="documents",
        operation="project_documents",
        table=TableOf(
            title="Documents",
            nested="documents",
            fields=_fields(f"""{_OF_PROJECT.strip()}
Document           | name       |        | 40
Type of file       | mime_type  |        | 24
Size in bytes      | size       |        | 14
Added              | created_on | moment | 18
Document id        | id         |        | 38
"""),
        ),
    ),
    Part(
        name="log",
        operation="project_logs",
        table=TableOf(
            title="Log",
            nested="logs",
            fields=_fields(f"""{_OF_PROJECT.strip()}
When               | created_on | moment | 18
What was done      | action     | code   | 16
By                 | created_by.first_name created_by.last_name | | 22
Field              | property   |        | 18
Before             | from       |        | 30
After              | to         |        | 30
"""),
        ),
    ),
)
"""What may be asked for of each project, one request or more for each."""

PROJECTS: Final = RecordList(
    name="projects",
    one="project",
    operation="project_list",
    tables=(
        TableOf(
            title="Projects",
            fields=_fields("""
Reference          | reference   |        | 16
Name               | name        |        | 36
Type               | type        | code   | 24
Phase              | phase       | code   | 18
Status             | status      | code   | 20
Priority           | priority    | code   | 10
Iwi asked          | iwi_name    |        | 30
Organisation       | organisation.name |  | 24
Address            | address     |        | 30
Latitude           | latitude    |        | 12
Longitude          | longitude   |        | 12
Start date         | start_date  | day    | 13
End date           | end_date    | day    | 13
Respond by         | respond_by_date | day | 13
Created            | created_on  | moment | 18
Changed            | updated_on  | moment | 18
Closed             | closed_on   | moment | 18
Assigned to        | sender_assigned_to.first_name sender_assigned_to.last_name | | 22
Assigned group     | sender_assigned_to_group.name | | 18
Description        | description |        | 50
Portal             | @.link      | link   | 16
Project id         | id          |        | 38
"""),
        ),
    ),
)
INVOICES: Final = RecordList(
    name="invoices",
    one="invoice",
    operation="invoice_list",
    of_team=True,
    tables=(
        TableOf(
            title="Invoices",
            fields=_fields("""
Number             | number       |        | 18
Date               | created_on   | moment | 18
Description        | description  |        | 40
Tokens             | quantity     |        | 10
Amount with GST    | amount_total | cents  | 16
Currency           | currency     |        | 10
Status             | status       | code   | 14
Invoice            | hosted_url   | link   | 16
"""),
        ),
    ),
    sums=_fields("""
tokens             | quantity     |        | 0
                   | amount_total | cents  | 0
"""),
)
REPORTS: Final = RecordList(
    name="reports",
    one="report",
    operation="report_list",
    of_team=True,
    tables=(
        TableOf(
            title="Reports",
            fields=_fields("""
Reference          | reference    |        | 16
Project            | project_name |        | 40
Made               | created_on   | moment | 18
File               | @.file       | file   | 50
"""),
        ),
    ),
)
ORGANISATIONS: Final = RecordList(
    name="organisations",
    one="organisation",
    operation="organisation_list",
    tables=(
        TableOf(
            title="Organisations",
            fields=_fields("""
Name               | name       |        | 36
Address            | address    |        | 36
City               | city       |        | 18
Country            | country    |        | 16
Postcode           | postcode   |        | 10
Email              | email      |        | 28
Phone              | phone      |        | 18
Mobile             | mobile     |        | 18
Created            | created_on | moment | 18
Changed            | updated_on | moment | 18
"""),
        ),
        TableOf(
            title="Contacts",
            nested="contacts",
            fields=_fields("""
Organisation       | ^.name     |        | 36
Name               | name       |        | 28
Role               | role       |        | 24
Kind of role       | role_type  |        | 18
Email              | email      |        | 28
Phone              | phone      |        | 18
Created            | created_on | moment | 18
"""),
        ),
    ),
)
GROUPS: Final = RecordList(
    name="groups",
    one="group",
    operation="group_list",
    tables=(
        TableOf(
            title="Groups",
            fields=_fields("""
Name               | name        |        | 36
Description        | description |        | 50
Members            | @.members   |        | 50
Colour             | colour      |        | 12
Created            | created_on  | moment | 18
Changed            | updated_on  | moment | 18
"""),
        ),
    ),
)
_PERSON: Final = """
Department         | org_department       |        | 24
Other department   | org_department_other |        | 24
Role in the organisation | org_role       |        | 24
Other role         | org_role_other       |        | 24
"""
TEAM: Final = RecordList(
    name="team",
    one="team",
    operation="team_read",
    of_team=True,
    is_single=True,
    tables=(
        TableOf(
            title="Members",
            nested="users",
            fields=_fields(f"""
Name               | first_name last_name |        | 28
Email              | email                |        | 32
Role               | role                 | code   | 12
Joined             | created_on           | moment | 18
{_PERSON.strip()}
"""),
        ),
        TableOf(
            title="Invitations",
            nested="invitations",
            fields=_fields(f"""
Name               | name                 |        | 28
Email              | email                |        | 32
Role               | role                 | code   | 12
Status             | status               | code   | 14
Invited            | created_on           | moment | 18
Ends               | expired_on           | moment | 18
{_PERSON.strip()}
"""),
        ),
    ),
)
LISTS: Final = {
    each.name: each
    for each in (REPORTS, INVOICES, PROJECTS, TEAM, ORGANISATIONS, GROUPS)
}
