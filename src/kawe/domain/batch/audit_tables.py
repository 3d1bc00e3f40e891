"""The tables of the statement of a period."""

from __future__ import annotations

from typing import Final

from kawe.domain.service.list_tables import fields_of
from kawe.domain.service.lists import TableOf

TABLES: Final = (
    TableOf(
        title="Statement",
        nested="statement",
        fields=fields_of("""
What               | what    |  | 46
Number             | number  |  | 12
Right              | holds   |  | 12
"""),
    ),
    TableOf(
        title="Sent",
        nested="sent",
        fields=fields_of("""
Reference          | reference         |        | 16
Project            | name              |        | 36
Iwi                | iwi.name          |        | 34
Sent               | sent_at           | moment | 18
Receipt            | receipt_number    |        | 18
Submission         | submission_number |        | 18
Tokens             | tokens            |        | 10
Sent by            | sent_by           |        | 26
In the journal     | in_journal        | yes    | 12
With the service   | on_service        | yes    | 12
Portal             | link              | link   | 16
Project id         | project_id        |        | 38
"""),
    ),
    TableOf(
        title="Paid responses",
        nested="responses",
        fields=fields_of("""
Reference          | reference    |        | 16
Project            | name         |        | 36
Responded          | responded_at | moment | 18
Who                | who          |        | 26
Response no.       | number       |        | 14
In the period      | in_period    | yes    | 14
Portal             | link         | link   | 16
Project id         | project_id   |        | 38
"""),
    ),
    TableOf(
        title="Exceptions",
        nested="exceptions",
        fields=fields_of("""
Exception          | trouble    |  | 26
About              | about      |  | 40
What is known      | what       |  | 70
What to do         | what_to_do |  | 60
"""),
    ),
)
"""As the workbook has them."""
PAGE_TABLES: Final = (TABLES[0], TABLES[3], TABLES[1], TABLES[2])
"""On one page, what a person must look at comes before a long list."""
