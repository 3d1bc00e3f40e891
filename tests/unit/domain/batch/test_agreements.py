"""An agreement is to acts, each as it leaves, in their order."""

from dataclasses import replace

import pytest

from doubles.journal_values import entry
from kawe.domain.batch.agreements import Agreement, Budget
from kawe.domain.service.states import State
from kawe.domain.sheet.content import Attachment

ROWS = [entry(n) for n in (1, 2, 3)]
AGREED = Agreement.of(ROWS[:2])


def saying(row, **changes):
    return replace(row, content=replace(row.content, **changes))


FILE = {"mime_type": "application/pdf", "size_bytes": 9}


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Another name"},
        {"description": "Other words."},
        {"message": "Another message."},
        {"iwi": ("another-iwi",)},
        {"place": None, "address": "Elsewhere 1"},
    ],
    ids=str,
)
def test_a_row_that_says_something_else_is_another_act(changes):
    other = saying(ROWS[0], **changes)
    assert (AGREED.covers(ROWS[0]), AGREED.covers(other)) == (True, False)
    assert Agreement.of([other, ROWS[1]]).sha256 != AGREED.sha256


def test_a_file_is_known_by_its_bytes_and_not_by_its_place(tmp_path):
    one = Attachment(path=tmp_path / "a", name="a.pdf", sha256="1" * 64, **FILE)
    row = saying(ROWS[0], files=(one,))
    moved = saying(row, files=(replace(one, path=tmp_path / "b"),))
    other = saying(row, files=(replace(one, sha256="2" * 64),))
    agreed = Agreement.of([row])
    assert (agreed.covers(moved), agreed.covers(other)) == (True, False)


def test_a_draft_may_be_made_for_a_row_and_not_put_in_place_of_another():
    made = replace(ROWS[0], project_id="p-1", state=State.DRAFTED)
    agreed = Agreement.of([made])
    assert Agreement.of([replace(made, project_id=None)]).covers(made)
    assert not agreed.covers(replace(made, project_id="p-2"))


def test_a_draft_that_was_taken_over_leaves_if_it_says_just_the_same():
    made = replace(ROWS[0], project_id="p-1", state=State.DRAFTED)
    agreed = Agreement.of([made, ROWS[1]]).of_any_draft({made.key, ROWS[2].key})
    other = replace(made, project_id="p-2")
    said = [agreed.covers(each) for each in (other, saying(other, name="Other"))]
    assert (said, agreed.acts.keys()) == ([True, False], {made.key, ROWS[1].key})


def test_a_draft_that_is_gone_is_made_again_under_one_agreement():
    again = replace(ROWS[0], project_id="gone", state=State.FILES_READY)
    made = replace(again, project_id="p-2", state=State.DRAFTED)
    assert Agreement.of([again]).covers(made)


def test_urgency_and_the_wish_to_be_sent_are_no_part_of_it():
    row = saying(ROWS[0], priority_order=1.0)
    assert (AGREED.covers(row), AGREED.covers(ROWS[2])) == (True, False)


def test_what_leaves_is_in_the_order_that_was_agreed_to():
    assert AGREED.in_order(reversed(ROWS)) == ROWS[:2]
    assert Agreement.of(ROWS[1::-1]).sha256 != AGREED.sha256
    assert (AGREED.tokens, len(AGREED.acts)) == (2, 2)


def test_whoever_agrees_to_a_number_agrees_to_the_first_rows_that_were_shown():
    budget = Budget(balance=9).agreed_to(2, ROWS)
    assert [budget.lets_go(row) for row in ROWS] == [True, True, False]
    assert (budget.agreed, Budget(balance=9).lets_go(ROWS[2])) == (2, True)
