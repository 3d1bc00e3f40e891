from __future__ import annotations

import pytest

from kawe.errors import SettingsError
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.settings.headings import taught_headings


def test_a_column_is_named_by_its_field_or_its_title():
    taught = taught_headings(
        {
            "projects": {"Kaupapa": "description", "File no.": "Reference"},
            "invitations": {"Wāhi mahi": "org_department"},
        }
    )
    assert taught == {
        PROJECTS: {"Kaupapa": "description", "File no.": "reference"},
        INVITATIONS: {"Wāhi mahi": "org_department"},
    }


def test_nothing_taught_is_nothing():
    assert taught_headings({}) == {}


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
        taught_headings(columns)
    assert refused.value.message == words
