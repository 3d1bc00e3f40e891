"""Bytes to JSON, and American spellings."""

from kawe_twin.api.envelope import decoded


def test_american_spellings_are_read_at_every_depth():
    raw = b'{"organization": {"color": [{"organization_id": 1}]}, "name": "x"}'
    assert decoded(raw) == {
        "organisation": {"colour": [{"organisation_id": 1}]},
        "name": "x",
    }


def test_our_spelling_wins_over_theirs():
    assert decoded(b'{"color": "theirs", "colour": "ours"}') == {"colour": "ours"}
