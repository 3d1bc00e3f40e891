"""The tables of each list of the service that people export."""

from dataclasses import replace
from typing import Final

from kawe.domain.service.lists import ListField, ProjectPart, RecordList, TableOf
from kawe.domain.text.table_doc import CellForm


def fields_of(table: str) -> tuple[ListField, ...]:
    """Read lines of heading | where it stands | form | width."""
    lines = (line.split("|") for line in table.strip().splitlines())
    return tuple(
        ListField(
            heading=heading.strip(),
            of=tuple(of.split()),
            form=CellForm[form.strip().upper() or "TEXT"],
            width=float(width),
        )
        for heading, of, form, width in lines
    )


def table_of(text: str) -> TableOf:
    """Read title | the list within a record that has the rows, and its `fields_of`."""
    first, _, fields = text.strip().partition("\n")
    title, _, nested = map(str.strip, first.partition("|"))
    return TableOf(title=title, nested=nested, fields=fields_of(fields))


_OF_PROJECT: Final = """
Reference          | ^.reference |        | 16
Project            | ^.name      |        | 36
"""
PARTS: Final = (
    ProjectPart(
        name="thread",
        operation="engagement_list",
        table=table_of(f"""
Thread | engagements
{_OF_PROJECT.strip()}
When               | created_on     | moment | 18
Changed            | updated_on     | moment | 18
Internal note      | is_internal    | yes    | 10
By                 | created_by.first_name created_by.last_name | | 22
Meeting            | meeting_type   | code   | 14
Text               | content        |        | 60
Documents          | documents.name |        | 30
"""),
    ),
    ProjectPart(
        name="documents",
        operation="project_documents",
        table=table_of(f"""
Documents | documents
{_OF_PROJECT.strip()}
Document           | name       |        | 40
File               | file       | file   | 30
Type of file       | mime_type  |        | 24
Size in bytes      | size       |        | 14
Added              | created_on | moment | 18
Document id        | id         |        | 38
"""),
    ),
    ProjectPart(
        name="log",
        operation="project_logs",
        table=table_of(f"""
Log | logs
{_OF_PROJECT.strip()}
When               | created_on | moment | 18
What was done      | action     | code   | 16
By                 | created_by.first_name created_by.last_name | | 22
Field              | property   |        | 18
Before             | from       |        | 30
After              | to         |        | 30
"""),
    ),
)
"""What may be asked for of each project, one request or more for each."""

PROJECTS: Final = RecordList(
    name="projects",
    one="project",
    operation="project_list",
    formats=("geojson", "ics"),
    tables=(
        table_of("""
Projects
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
)
ONE_PROJECT: Final = replace(PROJECTS, name="project", operation="project_read")
INVOICES: Final = RecordList(
    name="invoices",
    one="invoice",
    operation="invoice_list",
    of_team=True,
    tables=(
        table_of("""
Invoices
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
    sums=fields_of("""
tokens             | quantity     |        | 0
                   | amount_total | cents  | 0
"""),
)
REPORT_LIST: Final = RecordList(
    name="reports",
    one="report",
    operation="report_list",
    of_team=True,
    tables=(
        table_of("""
Reports
Reference          | reference    |        | 16
Project            | project_name |        | 40
Made               | created_on   | moment | 18
File               | @.file       | file   | 50
"""),
    ),
)
ORGANISATIONS: Final = RecordList(
    name="organisations",
    one="organisation",
    operation="organisation_list",
    tables=(
        table_of("""
Organisations
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
        table_of("""
Contacts | contacts
Organisation       | ^.name     |        | 36
Name               | name       |        | 28
Role               | role       |        | 24
Kind of role       | role_type  |        | 18
Email              | email      |        | 28
Phone              | phone      |        | 18
Created            | created_on | moment | 18
"""),
    ),
)
GROUP_LIST: Final = RecordList(
    name="groups",
    one="group",
    operation="group_list",
    tables=(
        table_of("""
Groups
Name               | name        |        | 36
Description        | description |        | 50
Members            | @.members   |        | 50
Colour             | colour      |        | 12
Created            | created_on  | moment | 18
Changed            | updated_on  | moment | 18
"""),
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
    formats=("ics",),
    one="team",
    operation="team_read",
    of_team=True,
    is_single=True,
    tables=(
        table_of(f"""
Members | users
Name               | first_name last_name |        | 28
Email              | email                |        | 32
Role               | role                 | code   | 12
Joined             | created_on           | moment | 18
{_PERSON.strip()}
"""),
        table_of(f"""
Invitations | invitations
Name               | name                 |        | 28
Email              | email                |        | 32
Role               | role                 | code   | 12
Status             | status               | code   | 14
Invited            | created_on           | moment | 18
Ends               | expired_on           | moment | 18
{_PERSON.strip()}
"""),
    ),
)
LISTS: Final = {
    each.name: each
    for each in (REPORT_LIST, INVOICES, PROJECTS, TEAM, ORGANISATIONS, GROUP_LIST)
}
