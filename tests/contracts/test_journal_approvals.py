"""What every journal promises of who agreed to a plan."""

from dataclasses import replace

import pytest

from doubles.journal_values import GIVEN, NOW, PROOF, SIGNED, entry, key, later
from kawe.domain.rows.entries import BatchName
from kawe.errors import JournalError


def test_the_next_process_finds_approvals_the_earliest_first(home):
    home.begin(entry(1))
    later_one = replace(GIVEN, approved_by="Aroha", at=later(5))
    home.ask("keep_approval", later_one)
    home.ask("keep_approval", GIVEN)
    assert home.ask("approvals") == (GIVEN, later_one)


def test_what_was_agreed_to_first_stands(home):
    home.begin(entry(1))
    home.ask("keep_approval", GIVEN)
    home.ask("keep_approval", replace(GIVEN, sends=99, author="x", at=later(5)))
    assert home.ask("approvals") == (GIVEN,)


def test_a_signed_approval_stands_beside_a_typed_one_and_comes_back_whole(home):
    home.begin(entry(1))
    again = replace(PROOF, signed=replace(PROOF.signed, signature="t"))
    home.ask("keep_approval", GIVEN)
    for _ in range(2):
        home.ask("keep_approval", SIGNED, row=key(1))
    home.ask("keep_approval", replace(SIGNED, proof=again), row=key(1))
    home.begin(entry(1))
    assert home.ask("approvals") == (GIVEN, SIGNED, replace(SIGNED, proof=again))


@pytest.mark.parametrize("row", [None, key(9)])
def test_a_signed_approval_of_no_known_row_is_refused_and_not_kept(home, row):
    home.begin(entry(1))
    with pytest.raises(JournalError, match="The journal does not know"):
        home.ask("keep_approval", SIGNED, row=row)
    assert home.ask("approvals") == ()


def test_an_approval_of_an_unknown_batch_is_refused_and_not_kept(home):
    home.begin(entry(1))
    with pytest.raises(JournalError, match="The journal has no batch other"):
        home.ask("keep_approval", replace(GIVEN, batch=BatchName("other")))
    assert home.ask("approvals") == ()


def test_an_approval_at_no_instant_is_refused(home):
    home.begin(entry(1))
    with pytest.raises(JournalError, match="time zone"):
        home.ask("keep_approval", replace(GIVEN, at=NOW.replace(tzinfo=None)))
    assert home.ask("approvals") == ()


@pytest.mark.parametrize(
    ("approved_by", "is_other"),
    [("Hēmi", True), ("MERE", False), (" méré ", False), ("", False), ("…", False)],
)
def test_another_person_is_one_whose_name_differs_in_letters(approved_by, is_other):
    assert replace(GIVEN, approved_by=approved_by).is_by_another is is_other
