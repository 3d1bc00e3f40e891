"""What a person types for an export of a list, and where its files go."""

from datetime import date
from pathlib import Path

import pytest

import kawe.cases.kinds  # noqa: F401 - declares what a sheet can be about
from kawe.cases.records.listing import ListWords, request_of_list
from kawe.domain.text.next_steps import Given
from kawe.errors import SettingsError


def place_of(name, output, formats):
    made = request_of_list(ListWords(name=name), output=Path(output), formats=formats)
    return made.folder, made.stem, made.formats, made.is_folder


def asked_of(words):
    return request_of_list(words, output=Path("lists"), formats=()).asked


def test_words_and_days_are_read_as_in_a_sheet():
    asked = asked_of(
        ListWords(
            name="projects",
            types=("earthworks", "land use consent"),
            statuses=("in progress",),
            priorities=("high", "LOW"),
            since="1/10/2026",
            until="31 Oct 2026",
            parts=("log",),
        )
    )
    assert asked.query == {
        "type": ["EARTHWORKS", "LAND_USE_CONSENT"],
        "status": ["IN_PROGRESS"],
        "priority": ["HIGH", "LOW"],
    }
    assert (asked.since_on, asked.until_on) == (date(2026, 10, 1), date(2026, 10, 31))
    assert [part.operation for part in asked.parts] == ["project_logs"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ListWords(name="projects", statuses=("gone",)),
            f"“gone” for {Given.STATUS} is not one of",
        ),
        (
            ListWords(name="projects", priorities=("top",)),
            f"“top” for {Given.PRIORITY} is not one of",
        ),
        (
            ListWords(name="projects", types=("x\x1b[2J",)),
            f"{Given.TYPE}: “x[2J” is not one of the choices",
        ),
        (
            ListWords(name="projects", since="13/13/2026"),
            f"{Given.SINCE}: “13/13/2026”",
        ),
        (ListWords(name="projects", until="October"), f"{Given.UNTIL}: “October”"),
        (
            ListWords(name="projects", since="2/1/2026", until="1/1/2026"),
            f"is before {Given.SINCE}",
        ),
    ],
)
def test_what_is_not_understood_is_named_with_its_flag(words, said):
    with pytest.raises(SettingsError) as refused:
        asked_of(words)
    assert said in str(refused.value)
    ends = "Nothing was exported.", "Nothing was read or written."
    assert str(refused.value).endswith(ends)


def test_an_ending_names_one_format_and_a_folder_has_all():
    every = ("xlsx", "csv", "jsonl", "geojson", "ics")
    assert [
        place_of("projects", "a/October.CSV", ()),
        place_of("projects", "lists", ()),
        place_of("team", "lists", ()),
        place_of("projects", "lists", ("csv", "csv")),
    ] == [
        (Path("a"), "October", ("csv",), False),
        (Path("lists"), "projects", every, True),
        (Path("lists"), "team", (*every[:3], "ics"), True),
        (Path("lists"), "projects", ("csv",), True),
    ]


@pytest.mark.parametrize(
    ("name", "output", "formats", "said"),
    [
        ("team", "lists", ("geojson",), "GeoJSON is for projects alone"),
        ("team", "team.geojson", (), "GeoJSON is for projects alone"),
        ("reports", "reports.ics", (), "for projects, or for the invitations of"),
        ("team", "team.pdf", (), "its ending says no format that kawe writes"),
        ("team", "team.csv", ("xlsx",), "say two formats"),
    ],
)
def test_a_place_that_cannot_be_is_refused(name, output, formats, *, said):
    with pytest.raises(SettingsError, match=said):
        place_of(name, output, formats)
