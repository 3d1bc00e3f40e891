"""What stood in cells is written as JSON and read back."""

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kawe.journal.records import raw_from_json, raw_to_json

values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(alphabet=st.characters())
    | st.dates()
    | st.datetimes()
    | st.times()
)


@given(st.lists(values, max_size=6).map(tuple))
def test_values_come_back_as_they_were_and_of_their_kind(raw):
    found = raw_from_json(raw_to_json(raw))
    assert (found, [type(v) for v in found]) == (raw, [type(v) for v in raw])


def test_dates_times_and_odd_numbers_are_told_by_name():
    raw = (
        datetime(2027, 2, 1, 13, 30),  # noqa: DTZ001 - Excel knows no time zones
        date(2027, 2, 1),
        time(13, 30),
        float("-inf"),
        1.5,
    )
    assert raw_to_json(raw) == (
        '[{"datetime": "2027-02-01T13:30:00"}, {"date": "2027-02-01"}, '
        '{"time": "13:30:00"}, {"number": "-inf"}, 1.5]'
    )


def test_a_value_that_no_cell_holds_is_a_bug():
    with pytest.raises(TypeError, match="bytes is no value of a cell"):
        raw_to_json((b"x",))
