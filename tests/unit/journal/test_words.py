"""How instants, texts and rows are written."""

from datetime import datetime, timedelta, timezone

import pytest

from kawe.domain.service.states import RowKey
from kawe.errors import JournalError
from kawe.journal.words import instant_to_text, shown_key, storable


def test_an_instant_is_written_in_utc_and_always_as_long():
    at = datetime(2026, 11, 21, 9, 30, tzinfo=timezone(timedelta(hours=13)))
    assert instant_to_text(at) == "2026-11-20T20:30:00.000000+00:00"


def test_a_time_without_a_zone_is_no_instant():
    with pytest.raises(JournalError, match="has no time zone"):
        instant_to_text(datetime(2026, 11, 21))  # noqa: DTZ001 - on purpose


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ref:R-1", "row R-1"),
        ("ref:A:B", "row A:B"),
        ("mail:hemi@example.nz", "row hemi@example.nz"),
        (f"row:{'a' * 64}", "a row without a reference"),
        ("strange", "a row without a reference"),
        ("ref:a\u202e\x1b[31mb", "row a[31mb"),
    ],
)
def test_a_row_is_named_as_a_person_knows_it(key, shown):
    assert shown_key(RowKey(key)) == shown


def test_text_keeps_its_macrons_and_loses_half_characters():
    assert storable("Ōtaki \ud800") == "Ōtaki ?"
