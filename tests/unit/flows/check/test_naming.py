from dataclasses import replace

import pytest

from doubles.rows import checked_projects, project
from doubles.sheets import SameBeginning
from kawe.domain.service.service_words import Organisation, OrganisationId
from kawe.domain.sheet.content import OrganisationContent
from kawe.domain.sheet.findings import CellRef, Severity
from kawe.domain.sheet.tables import Cell
from kawe.domain.text.texts import fold_name
from kawe.flows.check.naming import Naming, mark_organisations
from kawe_places.values import Place

HERE = Place(latitude=-41.0, longitude=174.0)


def _rows(*names, whole=True):
    contents = [
        project(
            number,
            organisation=OrganisationContent(
                name=name,
                address="1 Quay" if whole else None,
                place=HERE if whole else None,
            ),
        )
        for number, name in enumerate(names)
    ]
    return checked_projects(contents).rows


def _found(rows, *team, was_asked=True, skip=()):
    known = {
        fold_name(name): Organisation(id=OrganisationId(name), name=name)
        for name in team
    }
    naming = Naming(team=known, was_asked=was_asked, suggester=SameBeginning())
    marked = mark_organisations(rows, naming=naming, skip=skip)
    return [each for row in marked for each in row.findings]


def _rules(*arguments, **options):
    return [each.rule for each in _found(*arguments, **options)]


def test_a_known_name_is_known_in_any_spelling_that_folds_to_it():
    assert _rules(_rows("WAI ORĀ", whole=False), "Wai Ora") == []


def test_a_new_name_without_a_place_is_an_error_that_suggests_the_near_one():
    (finding,) = _found(_rows("Wai Ora Trst", whole=False), "Wai Ora Trust")
    assert (finding.severity, finding.rule) == (Severity.ERROR, "organisation-new")
    assert finding.advice == (
        "Did you mean “Wai Ora Trust”? If not, correct the name, or fill in the "
        "organisation's address and place, here or once for all rows on a sheet called "
        "Organisations."
    )


def test_without_a_near_one_nothing_is_suggested():
    (finding,) = _found(_rows("Wai Ora", whole=False), "Hiko")
    assert finding.advice.startswith("Correct the name, or fill in")


def test_a_whole_new_one_that_is_nearly_the_teams_is_a_warning():
    (finding,) = _found(_rows("Wai Ora Trst"), "Wai Ora Trust")
    assert (finding.severity, finding.rule) == (Severity.WARNING, "organisation-near")
    assert "the team already has “Wai Ora Trust”" in finding.message


def test_a_whole_new_one_unlike_any_other_is_nothing_to_say():
    assert _rules(_rows("Wai Ora"), "Hiko") == []


def test_two_spellings_of_one_new_organisation_name_each_other():
    first, second = _found(_rows("Hiko Tauira Ltd", "Hiko Tauira Limited"))
    assert (first.rule, second.rule) == ("organisation-spelt-twice",) * 2
    assert "Projects!3 “Hiko Tauira Limited”" in first.message
    assert "Projects!2 “Hiko Tauira Ltd”" in second.message


def test_spellings_are_compared_offline_too_and_nothing_else_is():
    rows = _rows("Hiko Tauira Ltd", "Hiko Tauira Limited", "Wai Ora", whole=False)
    assert _rules(rows, was_asked=False) == ["organisation-spelt-twice"] * 2


def test_one_spelling_on_many_rows_is_one_organisation():
    assert _rules(_rows("Hiko Tauira", "HIKO TAUIRA", "Hiko-Tauira")) == []


def test_a_name_that_the_team_has_is_no_second_spelling():
    found = _rules(_rows("Hiko Tauira Ltd", "Hiko Tauira Limited"), "Hiko Tauira Ltd")
    assert found == ["organisation-near"]


def test_rows_that_are_finished_are_left_alone():
    rows = _rows("Hiko Tauira Ltd", "Hiko Tauira Limited", whole=False)
    assert _rules(rows, skip={each.row.ref for each in rows}) == []


def test_a_thousand_new_names_are_compared_and_more_are_not():
    assert _rules(_rows(*(f"Hiko Tauira {n}" for n in range(1_001)))) == []


def test_rows_without_an_organisation_are_left_alone():
    rows = checked_projects([project(1)]).rows
    assert _rules((*rows, replace(rows[0], content=None))) == []


@pytest.mark.parametrize(
    ("whole", "without"),
    [
        ({}, "Or leave the cell empty."),
        ({"city": "Ōtaki"}, "Or leave all its cells empty."),
    ],
    ids=["a name alone", "more"],
)
def test_a_name_that_nobody_asked_for_may_be_left_out(whole, without):
    (row,) = checked_projects(
        [project(1, organisation=OrganisationContent(name="Wai Ora", **whole))]
    ).rows
    cell = Cell(
        ref=CellRef(sheet="Projects", row=2, column=9),
        heading="Organisation",
        shown="Wai Ora",
        value="Wai Ora",
        may_be_empty=True,
    )
    rows = [replace(row, row=replace(row.row, cells={"organisation": cell}))]
    (finding,) = _found(rows, "Hiko")
    assert finding.advice == (
        "Correct the name, or fill in the organisation's address and place, here or "
        "once for all rows on a sheet called Organisations. " + without
    )
