"""The cells of exported lists: real days for people, and hostile answers as text."""

from datetime import date, datetime

import pytest

from kawe.domain.service.list_tables import LISTS, PARTS, PROJECTS
from kawe.domain.service.lists import ListRecord
from kawe.domain.text.new_zealand import NEW_ZEALAND

(TABLE,) = PROJECTS.tables


def cells(**item):
    (row,) = TABLE.rows(
        ListRecord(item=item, about={"link": "https://portal.example/1"})
    )
    return dict(zip(TABLE.headings, row, strict=True))


def test_a_project_is_shown_as_people_say_it():
    shown = cells(
        status="IN_PROGRESS",
        start_date="2030-03-01T00:00:00.000Z",
        created_on="2026-11-23T01:55:45.563Z",
        organisation={"name": "Tauira"},
        sender_assigned_to={"first_name": "Aroha", "last_name": None},
        latitude=-36.85,
        reference="",
    )
    assert {
        heading: value for heading, value in shown.items() if value is not None
    } == {
        "Status": "In progress",
        "Start date": date(2030, 3, 1),
        "Created": datetime(2026, 11, 23, 14, 55, 45, tzinfo=NEW_ZEALAND),
        "Organisation": "Tauira",
        "Assigned to": "Aroha",
        "Latitude": -36.85,
        "Portal": "https://portal.example/1",
    }


@pytest.mark.parametrize(
    ("odd", "shown"),
    [
        ("never", "never"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        (5, 5),
        ([1, {"a": None}], '[1, {"a": null}]'),
        ({"a": "=1"}, '{"a": "=1"}'),
        ("X" * 61, "X" * 61),
        (None, None),
    ],
)
def test_an_answer_of_another_form_is_text_and_never_lost(odd, shown):
    row = cells(start_date=odd, created_on=odd, status=odd)
    if isinstance(odd, str) and len(odd) < 61:
        row["Status"] = odd
    assert [row[each] for each in ("Start date", "Created", "Status")] == [shown] * 3


def test_lists_within_a_record_have_rows_of_their_own():
    thread = PARTS[0].table
    entry = {
        "content": "Kia ora",
        "is_internal": True,
        "documents": [{"name": "a.pdf"}, {"name": "b.pdf"}],
    }
    item = {"reference": "R-1", "name": "Culvert", "engagements": [entry, "odd"]}
    (row,) = thread.rows(ListRecord(item=item, about={}))
    shown = dict(zip(thread.headings, row, strict=True))
    assert [shown[each] for each in ("Reference", "Text", "Documents")] == [
        *("R-1", "Kia ora", "a.pdf; b.pdf")
    ]
    odd = {"engagements": [{"is_internal": says} for says in (False, "odd")]}
    notes = [row[4] for row in thread.rows(ListRecord(item=odd, about={}))]
    assert (shown["Internal note"], notes) == ("Yes", ["No", "odd"])
    assert list(thread.rows(ListRecord(item={"engagements": "odd"}, about={}))) == []


def test_no_table_has_a_heading_twice():
    tables = [*(t for each in LISTS.values() for t in each.tables)]
    tables += [part.table for part in PARTS]
    assert [t.title for t in tables if len(set(t.headings)) < len(t.headings)] == []
