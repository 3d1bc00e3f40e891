"""What every journal promises of the team's projects and of when rows were read."""

from dataclasses import replace
from datetime import timedelta

from doubles.journal_values import NOW, entry
from doubles.service import projects_of_others
from kawe_places.values import Place

(OTHER,) = projects_of_others(1)
WHOLE = replace(
    OTHER,
    description="A weir is raised.",
    start_at=NOW,
    end_at=NOW,
    respond_by_at=NOW,
    updated_at=NOW,
    place=Place(latitude=-41.25, longitude=173.5),
    address="1 Mill Road, Ōtaki",
)


def _keep(home, *projects):
    home.ask("keep_team_projects", projects)


def _kept(home):
    return home.ask("team_projects")


def test_the_next_process_finds_what_a_look_saw(home):
    _keep(home, WHOLE, replace(OTHER, id="another"))
    assert {each.id: each for each in _kept(home)} == {
        WHOLE.id: replace(WHOLE, updated_at=None),
        "another": replace(OTHER, id="another"),
    }


def test_what_was_changed_at_the_service_takes_the_place_of_what_was_kept(home):
    _keep(home, WHOLE)
    _keep(home, replace(WHOLE, name="Weir", updated_at=NOW + timedelta(days=1)))
    assert [each.name for each in _kept(home)] == ["Weir"]


def test_a_row_keeps_the_time_at_which_it_was_first_read(home):
    row = entry(1)
    for at in (NOW, NOW + timedelta(days=3)):
        home.begin(replace(row, moved_at=at))
    assert home.ask("first_read", [row.key, "ref:none"]) == {row.key: NOW}
