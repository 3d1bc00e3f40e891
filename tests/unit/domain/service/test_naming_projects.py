"""A reason that names projects gives them back, and nothing that it did not name."""

from datetime import UTC, datetime

import pytest

from kawe.domain.service.service_words import (
    Project,
    ProjectId,
    projects_in,
    with_projects,
    without_ids,
    without_projects,
)

AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ONE = ProjectId("00000000-0000-4000-8000-00000000beef")
TWO = ProjectId("00000000-0000-4000-8000-00000000cafe")


def there(project_id, **changes):
    """Give a project of the service."""
    words = {"name": "Bridge", "status": "DRAFT"} | changes
    return Project(id=project_id, reference="R-1", created_at=AT, **words)


def test_a_reason_gives_back_the_projects_that_it_names():
    reason = with_projects("There are two", [there(ONE), there(TWO, status="NEW")])
    assert (without_ids(reason), projects_in(reason)) == (
        "There are two: “Bridge”, a draft; “Bridge”, sent.",
        (("“Bridge”, a draft", ONE), ("“Bridge”, sent", TWO)),
    )


@pytest.mark.parametrize("reason", ["", "It differs.", f"Two projects: {ONE}, {TWO}."])
def test_a_reason_that_names_none_stays_as_it_is(reason):
    assert (without_ids(reason), projects_in(reason)) == (reason, ())


def test_the_name_of_a_project_names_no_other():
    name = f"“Mine”, a draft ({TWO})"
    reason = with_projects("There is one", [there(ONE, name=name, status=None)])
    assert projects_in(reason) == ((f"“'Mine', a draft ({TWO})”, perhaps sent", ONE),)


def test_rows_with_one_reason_agree_in_it_once_their_projects_are_left_out():
    reasons = [with_projects("There are two", [there(ONE), there(TWO)]), "It differs."]
    assert [without_projects(each) for each in reasons] == [
        "There are two.",
        "It differs.",
    ]


@pytest.mark.parametrize("status", ["DRAFT", "NEW", None])
def test_a_bare_project_says_which_it_is_and_how_it_stands(status):
    whole = there(ONE, status=status, description="As agreed.", type="Earthworks")
    bare = whole.bare()
    assert bare == there(ONE, status=status, name="")
    assert (bare.is_draft, bare.is_sent) == (whole.is_draft, whole.is_sent)
