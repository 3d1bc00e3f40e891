from pathlib import Path

import pytest

from kawe.errors import GuardRefused, SettingsError
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.settings.headings import own_headings
from kawe.settings.table import Giver, Layer, Origin

OWN = Origin(giver=Giver.USER_FILE, name="own", file=Path("own"))
FOLDER = Origin(giver=Giver.FOLDER_FILE, name="the folder's kawe.toml")


def said(*layers):
    headings = own_headings(
        [
            Layer(origin=origin, values={"columns": columns})
            for origin, columns in layers
        ]
    )
    return {(e.kind, e.heading): (e.field, e.by) for e in headings if not e.is_idle}


def test_a_column_is_named_by_its_field_or_its_title():
    columns = {
        "projects": {"Kaupapa": "description", "File no.": "Reference", "X": False},
        "invitations": {"Wāhi mahi": "org_department"},
    }
    by = "your settings say so"
    assert said((OWN, columns)) == {
        (PROJECTS, "Kaupapa"): ("description", by),
        (PROJECTS, "File no."): ("reference", by),
        (PROJECTS, "X"): (None, by),
        (INVITATIONS, "Wāhi mahi"): ("org_department", by),
    }


def test_a_folder_says_nothing_of_a_heading_that_the_own_settings_speak_of():
    folder = {"projects": {"LODGED": "reference", "Site name": "name"}}
    assert said((OWN, {"projects": {"Lodged": False}}), (FOLDER, folder)) == {
        (PROJECTS, "Lodged"): (None, "your settings say so"),
        (PROJECTS, "Site name"): ("name", "this folder's kawe.toml says so"),
    }


def test_a_folder_leaves_no_column_unread():
    assert said((FOLDER, {"projects": {"Go?": False, "Lodged": "reference"}})) == {
        (PROJECTS, "Lodged"): ("reference", "this folder's kawe.toml says so")
    }


@pytest.mark.parametrize(
    "field", ["send", "message", "files", "iwi", "recipient_team_id"]
)
def test_a_folder_makes_no_column_reach_people(field):
    with pytest.raises(GuardRefused) as refused:
        said((FOLDER, {"projects": {"Lodged": field}}))
    assert refused.value.message.startswith("the folder's kawe.toml reads “Lodged” as ")
    assert refused.value.message.endswith(", which decides what reaches people.")


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"people": {}}, "[columns] cannot hold 'people'."),
        ({"projects": "description"}, "[columns] cannot hold 'projects'."),
        (
            {"projects": {"Kaupapa": "descripton"}},
            (
                "[columns.projects] 'Kaupapa' cannot mean 'descripton': there is no "
                "such column."
            ),
        ),
        (
            {"invitations": {"Kaupapa": "description"}},
            (
                "[columns.invitations] 'Kaupapa' cannot mean 'description': there is "
                "no such column."
            ),
        ),
        (
            {"projects": {"Kaupapa": 3}},
            "[columns.projects] 'Kaupapa' cannot mean '3': there is no such column.",
        ),
        (
            {"projects": {"***": "description"}},
            "[columns.projects] has a heading without letters: '***'.",
        ),
    ],
)
def test_what_is_not_known_is_refused_in_words_that_name_it(columns, words):
    with pytest.raises(SettingsError) as refused:
        said((OWN, columns))
    assert refused.value.message == words
