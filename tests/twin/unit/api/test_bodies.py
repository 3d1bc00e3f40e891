"""Bytes to JSON, and American spellings."""

import pytest

from kawe_twin.api.envelope import decoded
from kawe_twin.world.answers import Refusal


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b"9" * 5000]
)
def test_what_is_not_json_is_refused(raw):
    with pytest.raises(Refusal) as caught:
        decoded(raw)
    assert caught.value.status_code == 400


def test_american_spellings_are_read_at_every_depth():
    raw = b'{"organization": {"color": [{"organization_id": 1}]}, "name": "x"}'
    assert decoded(raw) == {
        "organisation": {"colour": [{"organisation_id": 1}]},
        "name": "x",
    }


def test_our_spelling_wins_over_theirs():
    assert decoded(b'{"color": "theirs", "colour": "ours"}') == {"colour": "ours"}


def test_macrons_stay_as_they_were_sent():
    decomposed = "Ma\u0304ori"
    assert decoded(f'"{decomposed} Māori"'.encode()) == f"{decomposed} Māori"
