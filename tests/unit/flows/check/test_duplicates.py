from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.sheets import attached
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import fold_name, near_reference
from kawe.flows.check.checking import mark_duplicates

PLAN = attached("plan.pdf", size_bytes=1)


def _found(*contents):
    """Give rule and severity of each finding by the number of its row."""
    return {
        row.row.ref.row: [(each.rule, each.severity) for each in row.findings]
        for row in mark_duplicates(checked_projects(list(contents)).rows)
        if row.findings
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RC-2027-0142", "rc-2027-0142"),
        ("RC 2027/0142", "RC-2027-0142"),
        ("RC-1O1", "RC-101"),
        ("RC101", "RC-101"),
        ("Ōtaki 1", "Otaki-1"),
        ("R-07", "R\u20117"),
        ("00012", "12"),
    ],
)
def test_references_that_look_alike_are_near(one, other):
    assert near_reference(one) == near_reference(other)


@pytest.mark.parametrize(
    ("one", "other"), [("RC 12-3", "RC 1-23"), ("R-1", "R-10"), ("R-1", "S-1")]
)
def test_references_that_say_another_number_are_not_near(one, other):
    assert near_reference(one) != near_reference(other)


def test_near_references_are_warned_of_with_the_spelling_of_the_other():
    checked = checked_projects([project(1), project(2, reference="r 1")])
    first, second = mark_duplicates(checked.rows)
    assert (first.findings[0].message, second.findings[0].message) == (
        "The reference is nearly that of Projects!3 “r 1”.",
        "The reference is nearly that of Projects!2 “R-1”.",
    )
    assert first.is_valid


def test_projects_of_one_name_are_warned_of_on_each_row():
    again = project(2, name="CULVERT 1 at Mangere", start_on=date(2030, 5, 1))
    found = _found(project(1), again, project(3))
    warning = ("name-repeated", Severity.WARNING)
    assert found == {2: [warning], 3: [warning]}


def test_a_row_that_is_there_twice_is_told_so_alone():
    assert _found(project(1), project(1)) == {
        2: [("row-twice", Severity.ERROR)],
        3: [("row-twice", Severity.ERROR)],
    }


def test_a_file_on_several_rows_is_noted_and_a_file_twice_on_one_is_not():
    found = _found(
        project(1, files=(PLAN,)), project(2, files=(PLAN,)), project(3, files=(PLAN,))
    )
    note = ("file-on-several-rows", Severity.NOTE)
    assert found == {2: [note], 3: [note], 4: [note]}
    assert _found(project(1, files=(PLAN, PLAN))) == {}


def test_at_most_five_others_are_named():
    begins = [date(2030, 5, day) for day in range(1, 10)]
    projects = [project(n, name="Culvert", start_on=on) for n, on in enumerate(begins)]
    message = mark_duplicates(checked_projects(projects).rows)[8].findings[0].message
    assert message.startswith(
        "The same project name stands in Projects!2, Projects!3, Projects!4, "
        "Projects!5, Projects!6, and"
    )


def test_people_resemble_each_other_as_they_like():
    rows = checked_invitations([person(1), person(2, name=person(1).name)]).rows
    assert mark_duplicates(rows) == rows


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_letters_fold_as_all_others_do(text):
    # Behind the macron the same text takes the way for every script.
    assert fold_name(f"{text} ā") == f"{fold_name(text)} a".strip()


def test_rows_without_a_reference_have_none_that_is_near():
    assert _found(project(1, reference=None), project(2, reference=None)) == {}


def test_rows_of_which_nothing_but_the_reference_was_read_are_not_compared():
    rows = checked_projects([project(1), project(1)]).rows
    unread = tuple(replace(row, content=None, take_fingerprint=None) for row in rows)
    assert mark_duplicates(unread) == unread
