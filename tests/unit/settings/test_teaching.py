"""What a person teaches is kept in their own file; nothing else of it changes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as slow
from hypothesis import strategies as st

from kawe.domain.text.texts import fold
from kawe.errors import GuardRefused, SettingsError
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.settings import forget, load_settings, own_headings, teach
from kawe.settings.headings import taught_over

DUE = '"Due" = "respond_by_date"\n'
OWN = "[columns.projects] # own\n"


def write(home, text):
    (home / "kawe.toml").write_bytes(text.encode())


def read(home):
    return (home / "kawe.toml").read_bytes().decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"[columns.projects]\n{DUE}"),
        ("workers = 3", f"workers = 3\n\n[columns.projects]\n{DUE}"),
        (
            f"# mine\n{OWN}'A' = 'name' # x\n[notify]\nto = []\n",
            f"# mine\n{OWN}{DUE}'A' = 'name' # x\n[notify]\nto = []\n",
        ),
        ("[columns.projects]", f"[columns.projects]\n{DUE}"),
        (
            f"{OWN}DUE = 'end_date'\n[columns.invitations]\ndue = 'name'\n",
            f"{OWN}{DUE}[columns.invitations]\ndue = 'name'\n",
        ),
        (
            "workers = 3\r\n",
            "workers = 3\r\n\r\n[columns.projects]\r\n" + DUE.replace("\n", "\r\n"),
        ),
    ],
)
def test_a_heading_is_added_or_replaced_and_the_rest_stays(home, before, after):
    write(home, before)
    path = teach({PROJECTS: {"Due": "respond_by_date"}})
    assert (path, read(home)) == (home / "kawe.toml", after)


def test_a_heading_that_is_not_to_be_read_is_kept_as_false(home):
    teach({PROJECTS: {"Lodged": None}, INVITATIONS: {"Lodged": None}})
    assert tomllib.loads(read(home)) == {
        "columns": {"projects": {"Lodged": False}, "invitations": {"Lodged": False}}
    }


def test_what_was_taught_is_forgotten_and_the_rest_stays(home):
    before = f'workers = 3\n[columns.projects]\n"A" = "name"\n{DUE}'
    write(home, before)
    assert (forget(PROJECTS, "due"), read(home)) == (True, before.replace(DUE, ""))


def test_what_was_not_taught_cannot_be_forgotten(home):
    write(home, f"[columns.projects]\n{DUE}")
    assert (forget(PROJECTS, "Start"), forget(INVITATIONS, "Due")) == (False, False)
    assert read(home) == f"[columns.projects]\n{DUE}"


@pytest.mark.parametrize(
    "text",
    [
        'columns = {projects = {"A" = "name"}}\n',
        '[columns]\nprojects.A = "name"\n',
        '[columns]\nprojects = {A = "name"}\n',
    ],
)
def test_a_file_that_cannot_be_added_to_is_left_with_the_line_to_write(home, text):
    write(home, text)
    with pytest.raises(SettingsError) as refused:
        teach({PROJECTS: {"Due": "respond_by_date"}})
    assert (refused.value.hint, read(home)) == (
        (
            "Nothing was changed. Write there yourself: [columns.projects] "
            '"Due" = "respond_by_date"'
        ),
        text,
    )


def test_lines_in_a_text_of_several_lines_are_never_taken_for_settings(home):
    text = f'owner = """\n[columns.projects]\n{DUE}"""\n'
    write(home, text)
    with pytest.raises(SettingsError):
        teach({PROJECTS: {"Due": "respond_by_date"}})
    assert read(home) == text


def test_a_file_with_a_key_is_not_touched(home):
    write(home, 'api_key = "x"\n')
    with pytest.raises(GuardRefused):
        teach({PROJECTS: {"Due": "respond_by_date"}})
    assert read(home) == 'api_key = "x"\n'


@slow(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1).filter(lambda text: text.isprintable() and fold(text)))
def test_any_heading_can_be_taught_and_forgotten(home, heading):
    write(home, "workers = 3\n")
    teach({PROJECTS: {heading: "name"}})
    kept = tomllib.loads(read(home))["columns"]["projects"]
    assert (kept, forget(PROJECTS, heading)) == ({heading: "name"}, True)
    assert tomllib.loads(read(home)) == {"workers": 3, "columns": {"projects": {}}}


def test_headings_of_every_place_count_and_the_nearest_says_what_one_means(
    home, tmp_path
):
    write(home, f'[columns.projects]\n{DUE}"Lot" = "reference"\n')
    work = tmp_path / "work"
    work.mkdir()
    near = work / "kawe.toml"
    near.write_text("[columns.projects]\ndue = false\nKaupapa = 'name'\n", "utf-8")
    loaded = load_settings({}, environment={}, folder=work)
    found = [
        (each.heading, each.field, Path(str(each.origin)))
        for each in own_headings(loaded.columns, loaded.layers)
    ]
    assert found == [
        ("Lot", "reference", home / "kawe.toml"),
        ("due", None, near),
        ("Kaupapa", "name", near),
    ]


def test_of_two_that_are_spelt_alike_the_later_counts():
    before = {PROJECTS: {"Due": "end_date", "A": "name"}}
    assert taught_over(before, {PROJECTS: {"DUE": None}}) == {
        PROJECTS: {"A": "name", "DUE": None}
    }
