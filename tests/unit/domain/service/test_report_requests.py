"""Which report of the list is the one that was asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kawe.domain.service.report_requests import ReportOf, ReportRequest

ASKED = ReportRequest(
    about=ReportOf(project="p1", name="Road", reference="R-1"),
    asked_at=datetime(2026, 11, 21, 9, 0, tzinfo=UTC),
    known=("old",),
)
LISTED = {"id": "new", "document_id": "d", "project_name": "Road", "reference": "R-1"}


@pytest.mark.parametrize(
    ("changed", "is_it"),
    [
        ({}, True),
        ({"id": "old"}, False),
        ({"document_id": None}, False),
        ({"project_name": "road"}, False),
        ({"reference": None}, False),
        # The clocks of the service and of this computer may differ by an hour.
        ({"created_on": "2026-11-21T08:01:00Z"}, True),
        ({"created_on": "2026-11-21T07:59:00Z"}, False),
        ({"created_on": "yesterday"}, True),
    ],
)
def test_only_a_new_report_of_the_same_name_and_reference_that_is_built(changed, is_it):
    assert ASKED.is_answered_by(LISTED | changed) is is_it


def test_a_request_is_shown_without_ids():
    assert ASKED.as_json() == {
        "project": "Road",
        "reference": "R-1",
        "asked_at": "2026-11-21T09:00:00+00:00",
        "answer": None,
    }
