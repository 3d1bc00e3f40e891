"""API keys."""

import pytest

from kawe_contract.enums import Scope
from kawe_twin.world.keys import Caller, KeyRing, bearer_of, hashed, new_key


def caller(**changes):
    plain = {
        "key_id": "k",
        "account_id": "a",
        "team_id": "a",
        "person_id": None,
        "kind": "TEAM",
        "sandbox": False,
        "scopes": frozenset({Scope.PROJECTS_READ}),
    }
    return Caller(**{**plain, **changes})


def test_a_new_key_does_not_show_its_secret():
    key = new_key(sandbox=False)
    assert key.secret not in repr(key)
    assert key.hash == hashed(key.secret)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Basic kawe_live_x",
        "Bearer other_live_x",
        "Bearer kawe_live_ā",
        "kawe_live_x",
        "Bearer kawe_live_x\n",
    ],
)
def test_a_malformed_header_names_no_key(header):
    assert bearer_of(header) is None


def test_the_scheme_is_read_in_either_case():
    assert bearer_of("bearer kawe_live_x") == "kawe_live_x"


def test_a_dropped_key_is_found_no_more_and_others_are():
    ring = KeyRing()
    ring.add(caller(key_id="one"), key_hash=hashed("1"))
    ring.add(caller(key_id="two"), key_hash=hashed("2"))
    ring.drop(frozenset({"one"}))
    assert (ring.find("1"), ring.find("2")) == (None, caller(key_id="two"))
