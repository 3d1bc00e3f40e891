"""The large samples, submitted as a person does it."""

import shutil
from collections import Counter

import pytest

from doubles.command import at_a_twin
from samples.expecting import samples

YES = ("--yes", "230", "--no-input", "--quiet")


@pytest.fixture
def person(tmp_path):
    """Sit a person before a twin with more tokens than rows."""
    with at_a_twin(tmp_path, tokens=1_000) as person:
        yield person


def _sample(name, *, folder):
    """Copy a sample to where nothing is written beside it in the project."""
    (sample,) = (each for each in samples() if each.folder.name == name)
    shutil.copytree(sample.folder, folder, dirs_exist_ok=True)
    return sample


def test_200_rows_with_20_mistakes_send_180_and_end_with_code_3(person):
    sample = _sample("200-rows-20-mistakes", folder=person.folder)
    done = person.run("submit", "projects.xlsx", *YES, "--verbose")
    cells = {each["where"] for each in sample.expected["findings"]}
    assert (
        done.returncode,
        person.sends(),
        {cell for cell in cells if f"{cell} " not in done.stdout},
    ) == (3, sample.expected["sends"], set())


def test_people_who_are_in_the_team_are_not_invited_again(person):
    sample = _sample("invitations", folder=person.folder)
    rows = person.document("submit", "invitations.xlsx", *YES)["rows"]
    assert Counter(row["outcome"] for row in rows) == {
        "invited": sample.expected["rows"] - len(sample.expected["already_there"]),
        "already there": len(sample.expected["already_there"]) - 1,
        # One is a member, and the list wants an owner.
        "not as asked": 1,
    }
