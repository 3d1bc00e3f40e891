"""Which row gets a scarce token first."""

from datetime import date

from doubles.journal_values import content, entry, invitation, key
from kawe.domain.batch.waiting import in_order, urgency


def _row(number, **said):
    return entry(number, content=content(number, **said))


def test_the_persons_order_comes_first_then_the_day_then_the_sheet():
    rows = [
        _row(4, respond_by_on=date(2027, 1, 20)),
        _row(1, respond_by_on=date(2027, 1, 21)),
        _row(5, priority_order=2.0, respond_by_on=date(2027, 3, 1)),
        _row(6, priority_order=1.0, respond_by_on=date(2027, 4, 1)),
        _row(2, respond_by_on=date(2027, 1, 20)),
    ]
    assert [row.position for row in sorted(rows, key=urgency)] == [6, 5, 2, 4, 1]


def test_invitations_go_in_the_order_of_their_sheet():
    rows = [invitation(3), invitation(1), invitation(2)]
    assert [row.position for row in sorted(rows, key=urgency)] == [1, 2, 3]


def test_rows_that_a_person_put_first_go_before_the_most_urgent():
    rows = [_row(1, priority_order=1.0), _row(2), _row(3), _row(4, priority_order=2.0)]
    ordered = [row.position for row in in_order(rows, first=[key(3), key(2), key(9)])]
    assert ordered == [3, 2, 1, 4]
