"""What the projects with a row's marker are to the row."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from doubles.rows import AUCKLAND, project
from kawe.domain.service_words import Project, ProjectId
from kawe.domain.there import There, what_is_there

ROW = project(1)
SENT = Project(
    id=ProjectId("p-1"),
    name=ROW.name,
    reference="R-1",
    status="NEW",
    description=ROW.description,
    type=ROW.type,
    created_at=datetime(2026, 11, 1, tzinfo=UTC),
    start_at=datetime(2030, 3, 1, tzinfo=UTC),
    end_at=datetime(2030, 9, 30, tzinfo=UTC),
    respond_by_at=datetime(2030, 4, 1, tzinfo=UTC),
    place=AUCKLAND,
)
DRAFT = replace(SENT, status="DRAFT")
HAS = "The service already has a project with the reference R-1"
NAMED = "“Culvert 1 at Māngere”"


@pytest.mark.parametrize(
    ("found", "is_strange", "there"),
    [
        ([], True, (There.NOTHING, "")),
        ([SENT], True, (There.SENT, "")),
        ([DRAFT], True, (There.DRAFT, "")),
        ([DRAFT, SENT], True, (There.SENT, "")),
        (
            [replace(SENT, description="Else.")],
            True,
            (
                There.OTHER,
                f"{HAS} that differs from the row in description: {NAMED}, sent (p-1).",
            ),
        ),
        (
            [replace(SENT, status=None)],
            True,
            (
                There.OTHER,
                (
                    f"{HAS} and does not say whether it was sent: {NAMED}, perhaps "
                    "sent (p-1)."
                ),
            ),
        ),
        (
            [DRAFT],
            False,
            (
                There.OTHER,
                f"{HAS}, which was made for another row: {NAMED}, a draft (p-1).",
            ),
        ),
        (
            [SENT, replace(SENT, id="p-2")],
            True,
            (
                There.OTHER,
                (
                    "The service already has 2 projects with the reference R-1: "
                    f"{NAMED}, sent (p-1); {NAMED}, sent (p-2)."
                ),
            ),
        ),
    ],
    ids=[
        "none",
        "sent",
        "draft",
        "sent beside a draft",
        "differs",
        "no status",
        "another row's",
        "two",
    ],
)
def test_only_one_that_says_the_same_is_the_rows_own(found, is_strange, there):
    strangers = found if is_strange else []
    assert what_is_there(ROW, found, strangers=strangers) == there
