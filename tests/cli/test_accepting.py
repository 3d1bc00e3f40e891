"""A person agrees to what kawe makes of mistyped coordinates, or does not."""

from doubles.at_the_twin import projects_of
from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")
TURNED = {"Latitude": "174.7600", "Longitude": "-36.8500"}


def _person(person_with):
    person = person_with(tokens=9)
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2, **TURNED)])
    return person


def _places(person):
    """Ask the twin where its projects are."""
    listed = projects_of(person.twin.address)
    return [(each["latitude"], each["longitude"]) for each in listed]


def test_nothing_is_taken_that_nobody_agreed_to(person_with):
    person = _person(person_with)
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, _places(person)) == (3, [(-36.85, 174.76)])
    assert "with --accept coordinates" in done.stdout + done.stderr


def test_what_was_agreed_to_is_sent_with_a_warning_that_names_it(person_with):
    person = _person(person_with)
    checked = person.run("check", "monthly.csv", "--accept", "coordinates")
    done = person.run("submit", "monthly.csv", "--accept", "coordinates", *YES)
    assert (done.returncode, _places(person)) == (0, [(-36.85, 174.76)] * 2)
    assert "“174.7600, -36.8500” was taken as -36.85, 174.76" in checked.stdout
    assert "Next: kawe submit monthly.csv --accept coordinates" in checked.stdout


def test_only_coordinates_can_be_agreed_to(person_with):
    person = _person(person_with)
    done = person.run("submit", "monthly.csv", "--accept", "everything", *YES)
    assert (done.returncode, _places(person)) == (2, [])
