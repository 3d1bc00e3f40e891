"""The check of the words of commits."""

import pytest

from check_subjects import troubles


@pytest.mark.parametrize(
    ("commit", "changes_source", "wrong"),
    [
        (("Texts are folded once", "It took a third of a check."), True, 0),
        (("The page of IT names the desk", ""), False, 0),
        (("Texts are folded once", "\n"), True, 1),
        (("w" * 72, "why"), True, 0),
        (("w" * 73, ""), True, 2),
    ],
)
def test_a_commit_says_shortly_what_is_so_and_why(commit, changes_source, wrong):
    assert len(troubles(*commit, changes_source=changes_source)) == wrong
