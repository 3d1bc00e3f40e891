"""An invitation that a colleague sent again is not sent once more by chance."""

import pytest

from kawe.domain.service.service_words import Account
from kawe.kinds.acts.deeds import deed_of
from kawe.kinds.acts.table import LINES
from kawe.kinds.acts.world import World

UNTIL = {"status": "PENDING", "created_on": "2030-03-01T00:00:00Z"}


def unknown(until, **said):
    """Send one of two invitations again; the other is open until 8 March."""
    hemi = {**UNTIL, "id": "1", "email": "hemi@example.org", "expired_on": until}
    aroha = {**UNTIL, "id": "2", "email": "aroha@example.org"}
    aroha["expired_on"] = "2030-03-08T00:00:00Z"
    account = Account(
        team_id="t", team_name="Team", balance=0, sandbox=False, is_iwi=False
    )
    world = World(account=account, parts={"team": {"invitations": [hemi, aroha]}})
    row = {"person": "hemi@example.org", "do": "resend", **said}
    return deed_of(LINES["resends"], row, world).unknown


def test_what_is_open_longer_than_others_was_sent_again_and_is_asked_about():
    found = unknown("2030-03-12T00:00:00Z")
    assert found is not None
    assert found.message == (
        "It was sent again (open for 11 days, others for 7), last on 2030-03-05."
    )


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ("2030-03-08T11:00:00Z", {}),
        ("2030-03-12T00:00:00Z", {"occasion": "March"}),
        ("2030-03-12T00:00:00Z", {"do": "expire"}),
    ],
    ids=["as others", "on an occasion", "an end"],
)
def test_else_it_is_sent_or_ended(until, said):
    assert unknown(until, **said) is None
