"""Whatever JSON comes back, it is read or it is `Unreadable`."""

import json
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.domain.service.service_words import Person
from kawe.errors import SettingsError
from kawe.service import parsing
from kawe.service.parsing import Unreadable
from kawe_places.values import Place

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
OTHER_ID = "11111111-2222-4333-8444-555555555555"
NOW = "2026-11-21T09:00:00.000Z"
PROJECT = {"id": ID, "name": "Culvert", "created_on": NOW}
READERS = [
    parsing.parse_project,
    parsing.parse_account,
    parsing.parse_iwi_answer,
    parsing.parse_invites,
    parsing.parse_team,
    parsing.parse_organisation,
    parsing.parse_receipt,
    partial(parsing.parse_page, item=parsing.parse_project),
    partial(parsing.parse_listed, page=1),
    partial(parsing.text_of, name="url"),
]
NAMES = [
    *("id", "name", "created_on", "start_date", "latitude", "longitude", "teams"),
    *("iwi", "slug", "account", "sandbox", "current_credit_balance", "results"),
    *("email", "status", "users", "invitations", "document_id", "project_name"),
    *("receipt_number", "submission_number", "data", "total", "page", "url"),
    *("organisation_id", "reference", "message", "invitation_id", "iwi_name"),
]
TEXTS = st.text(st.characters(), max_size=5) | st.sampled_from(
    [
        ID,
        NOW,
        "\ud800",
        "0001-01-01T00:00:00+12:00",
        "9999-12-31T23:59:59-12:00",
        "0001-01-01",
        "{" + ID + "}",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 2**63])
    | TEXTS
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {"id": st.just(ID), "name": TEXTS, "created_on": TEXTS},
    optional={name: ANY_JSON for name in NAMES if name not in PROJECT},
)


@settings(max_examples=60, deadline=None)
@given(ANY_JSON | NEARLY, st.sampled_from(READERS))
def test_no_json_makes_a_reader_raise_anything_else(value, read):
    try:
        got = read(value)
    except Unreadable:
        return
    # What was read can be written: no half characters are left in it.
    repr(got).encode()


def test_unknown_fields_are_ignored_and_missing_ones_are_empty():
    project = parsing.parse_project({**PROJECT, "colour": "kākāriki"})
    assert (project.reference, project.status, project.place, project.start_at) == (
        (None,) * 4
    )


@pytest.mark.parametrize("text", ["2026-11-02T03:00:00Z", "soon", None, 7])
def test_a_time_that_no_send_needs_makes_no_answer_unreadable(text):
    said = datetime(2026, 11, 2, 3, tzinfo=UTC) if isinstance(text, str) else None
    at = None if text == "soon" else said
    invited = {"id": ID, "email": "A@x.example", "status": "PENDING", "name": 7}
    member = {"email": "b@x.example", "first_name": "Āroha", "last_name": "Tauira"}
    team = {"users": [member], "invitations": [{**invited, "expired_on": text}]}
    roll = parsing.parse_team(team)
    assert [(each.name, each.expires_at) for each in roll.invitations] == [("", at)]
    assert roll.member_names == {"aroha tauira"}


@pytest.mark.parametrize(
    ("said", "iwi"),
    [
        ({}, ()),
        ({"iwi_name": None}, ()),
        ({"iwi_name": "Ngāti A, Ngāti\x1b B, "}, ("Ngāti A", "Ngāti B")),
    ],
)
def test_a_project_names_the_iwi_that_it_was_sent_to(said, iwi):
    assert parsing.parse_project({**PROJECT, **said}).iwi == iwi


def test_half_a_character_becomes_a_whole_one():
    value = json.loads('{"url": "R\\ud800\\u0101"}')
    assert parsing.text_of(value, "url") == "R\ufffdā"


def test_a_name_at_the_service_is_no_advice_of_kawe():
    value = {"name": "Ngāti \ufdd0next submit\ufdd1all.xlsx\ufdd2"}
    assert parsing.text_of(value, "name") == "Ngāti next submitall.xlsx"


def test_a_date_without_an_offset_is_utc():
    project = parsing.parse_project({**PROJECT, "start_date": "2027-02-01"})
    assert project.start_at == datetime(2027, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize("date", ["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"])
def test_a_date_that_means_never_does_not_hide_the_project(date):
    assert parsing.parse_project({**PROJECT, "end_date": date}).end_at is None


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "17"},
        {"id": 17},
        {"name": None},
        {"created_on": "soon"},
        {"created_on": "9999-12-31T23:59:59Z"},
        {"start_date": "soon"},
        {"latitude": 1, "longitude": "174"},
        {"latitude": True, "longitude": 174},
        {"latitude": float("nan"), "longitude": 174},
        {"latitude": 10**400, "longitude": 174},
        {"organisation_id": "17"},
    ],
    ids=str,
)
def test_a_misshapen_project_is_unreadable(changes):
    with pytest.raises(Unreadable):
        parsing.parse_project({**PROJECT, **changes})


def test_a_place_needs_both_numbers():
    both = parsing.parse_project({**PROJECT, "latitude": -41, "longitude": 174.5})
    one = parsing.parse_project({**PROJECT, "latitude": -41, "longitude": None})
    assert (both.place, one.place) == (Place(latitude=-41, longitude=174.5), None)


def test_an_iwi_key_speaks_for_its_iwi():
    value = {"teams": [], "iwi": [{"id": ID, "name": "Ngāti Tauira"}]}
    account = parsing.parse_account(value)
    assert (account.is_iwi, account.team_name) == (True, "Ngāti Tauira")


@pytest.mark.parametrize(
    ("account", "sandbox"),
    [({"sandbox": True}, True), ({"sandbox": "yes"}, None), (None, None)],
)
def test_sandbox_is_only_what_the_service_says_plainly(account, sandbox):
    team = {"id": ID, "name": "T", "current_credit_balance": 3.9, "account": account}
    read = parsing.parse_account({"teams": [team]})
    assert (read.sandbox, read.balance) == (sandbox, 3)


@pytest.mark.parametrize(
    ("user", "person"),
    [
        (
            {
                "id": ID,
                "first_name": "Aroha\n",
                "last_name": "T",
                "email": "a@b.example",
            },
            Person(id=ID, name="Aroha T", email="a@b.example"),
        ),
        ({"id": ID, "first_name": None}, Person(id=ID, name="", email="")),
        ({"id": "x", "first_name": "Aroha"}, None),
        ({}, None),
    ],
)
def test_the_person_behind_a_key_is_whom_the_service_names(user, person):
    team = {"id": ID, "name": "T", "current_credit_balance": 1}
    assert parsing.parse_account(user | {"teams": [team]}).person == person


TWO_TEAMS = {
    "teams": [
        {"id": ID, "name": "Ngā Wai", "current_credit_balance": 3},
        {"id": OTHER_ID, "name": "Te Ara", "current_credit_balance": 7},
    ]
}


def test_of_several_teams_the_one_named_in_the_settings_is_meant():
    read = parsing.parse_account(TWO_TEAMS, team_name="te ara")
    assert (read.team_id, read.balance) == (OTHER_ID, 7)


@pytest.mark.parametrize("name", [None, "Another"])
def test_several_teams_and_no_word_which_is_refused(name):
    with pytest.raises(SettingsError, match="Ngā Wai; Te Ara"):
        parsing.parse_account(TWO_TEAMS, team_name=name)


@pytest.mark.parametrize("value", [None, {}, {"teams": [], "iwi": []}, {"teams": "x"}])
def test_a_key_that_speaks_for_nobody_is_unreadable(value):
    with pytest.raises(Unreadable):
        parsing.parse_account(value)


@pytest.mark.parametrize("more", [0, 1])
def test_a_page_with_far_more_than_was_asked_for_is_unreadable(more):
    page = {"data": [PROJECT] * (200 + more), "total": 201, "page": 1}
    try:
        read = len(parsing.parse_page(page, parsing.parse_project).items)
    except Unreadable:
        read = None
    assert read == (None if more else 200)


def test_a_list_is_read_in_pages_whether_or_not_the_service_has_them():
    whole = [{"id": str(number)} for number in range(130)]
    pages = [parsing.parse_listed(whole, page=number) for number in (1, 2, 3)]
    assert [(len(page.items), page.total) for page in pages] == [
        *((100, 130), (30, 130), (0, 130))
    ]
    one = parsing.parse_listed({"id": "team", "users": []}, page=1)
    assert (one.items, one.total) == (({"id": "team", "users": []},), 1)
    tabs = {"all": 1, "active": 1.0, "closed": 0, "odd": "x"}
    page = {"data": [{"id": "a"}], "total": 1, "page": 1, "tab_counts": tabs}
    read = parsing.parse_listed(page, page=1)
    assert (read.items, read.tab_counts) == (
        ({"id": "a"},),
        {"all": 1, "active": 1, "closed": 0},
    )
