"""What the projects with a row's marker are to the row."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from doubles.rows import AUCKLAND, project
from kawe.domain.rows.edits import There, ThereAlready, what_is_there
from kawe.domain.service.service_words import Project, ProjectId

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


OLDER = replace(
    DRAFT, id=ProjectId("p-0"), created_at=datetime(2026, 10, 1, tzinfo=UTC)
)


def only_a_person(why):
    return ThereAlready(what=There.OTHER, why=why)


@pytest.mark.parametrize(
    ("found", "strangers", "standing"),
    [
        ([SENT], [SENT], ThereAlready(what=There.SENT, project=SENT)),
        ([DRAFT], [DRAFT], ThereAlready(what=There.DRAFT, project=DRAFT)),
        ([DRAFT, OLDER], [DRAFT, OLDER], ThereAlready(what=There.DRAFT, project=OLDER)),
        ([OLDER, SENT], [OLDER, SENT], ThereAlready(what=There.SENT, project=SENT)),
        (
            [replace(SENT, description="Else.")],
            [replace(SENT, description="Else.")],
            only_a_person(
                f"{HAS} that differs from the row in description: {NAMED}, sent (p-1)."
            ),
        ),
        (
            [replace(SENT, status=None)],
            [replace(SENT, status=None)],
            only_a_person(
                f"{HAS} and does not say whether it was sent: {NAMED}, perhaps "
                "sent (p-1)."
            ),
        ),
        (
            [DRAFT],
            [],
            only_a_person(
                f"{HAS}, which was made for another row: {NAMED}, a draft (p-1)."
            ),
        ),
        (
            [SENT, replace(SENT, id=ProjectId("p-2"))],
            [SENT, replace(SENT, id=ProjectId("p-2"))],
            only_a_person(
                "The service already has 2 projects with the reference R-1: "
                f"{NAMED}, sent (p-1); {NAMED}, sent (p-2)."
            ),
        ),
        (
            [DRAFT, replace(OLDER, description="Else.")],
            [DRAFT, replace(OLDER, description="Else.")],
            only_a_person(
                "The service already has 2 projects with the reference R-1: "
                f"{NAMED}, a draft (p-1); {NAMED}, a draft (p-0)."
            ),
        ),
    ],
    ids=[
        "sent",
        "draft",
        "two equal drafts",
        "a draft beside what was sent",
        "differs",
        "no status",
        "another row's",
        "sent twice",
        "two that differ",
    ],
)
def test_only_what_says_the_same_is_the_rows_own(found, strangers, standing):
    assert what_is_there(ROW, found, strangers=strangers) == standing
