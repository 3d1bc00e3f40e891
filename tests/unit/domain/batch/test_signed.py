"""Whose signature counts, and of what; whatever byte somebody changes."""

from base64 import b64encode
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.journal_values import NOW, entry
from doubles.saved import Planner, rows_of, sheet
from kawe.domain.batch.agreements import Act
from kawe.domain.batch.approvals import (
    ApprovalJudge,
    Approvers,
    SignedApproval,
    Statement,
    approval_from_text,
    covered_hash,
    covered_rows,
    fingerprint_words,
    not_of_plan,
    public_key_in,
    short_words,
    user_words,
)
from kawe.domain.batch.saved_plans import hidden
from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import Person
from kawe.files.plans import sealed
from kawe.signatures import open_signer, verifies


def key_from(seed):
    """Make the same key each time: the names of tests have its fingerprint."""
    raw = bytes.fromhex("302e020100300506032b657004220420") + seed * 32
    pem = f"-----BEGIN PRIVATE KEY-----\n{b64encode(raw).decode()}"
    return open_signer(f"{pem}\n-----END PRIVATE KEY-----\n", "")


SIGNER, OTHER, OWN = map(key_from, (b"1", b"2", b"3"))
PLAN = sealed(Planner().save(sheet(*rows_of(2))))
FILE = "f" * 64
HERE = Binding(base_url="https://a.example", team_id="7", team_name="T", mode="live")
AROHA = Person(id="u1", name="Aroha", email="aroha@tauira.example")
SAID = Statement(
    plan=PLAN.sha256,
    file=FILE,
    kind="projects",
    workbook="monthly.xlsx",
    sheet="Projects",
    mode="live",
    service=HERE.base_url,
    team_id="7",
    team="Kaunihera o Tauira",
    user_id="u2",
    user="Wiremu Tauira",
    email="wiremu@tauira.example",
    acts=2,
    waits=0,
    salt=PLAN.salt,
    rows=covered_hash(covered_rows(PLAN)),
    at=NOW,
    kawe="0.1.0",
)


def signed(signer=SIGNER, **changes):
    said = replace(SAID, **changes)
    return SignedApproval(
        statement=said,
        public_key=signer.public_key,
        signature=signer.sign(said.message),
    )


GIVEN = signed()
TEXT = GIVEN.to_text()


def judge(**changes):
    keys = ("Wiremu", SIGNER.public_key), ("Mere", OWN.public_key)
    own = {name: changes.pop(name) for name in ("user", "now_at") if name in changes}
    return ApprovalJudge(
        **{
            "approvers": replace(Approvers(keys=keys), **changes),
            "binding": HERE,
            "user": AROHA,
            "own_key": OWN.public_key,
            "now_at": NOW + timedelta(hours=2),
            "verifies": _verifies,
            **own,
        }
    )


def _verifies(approval):
    said = approval.statement.message
    return verifies(approval.public_key, message=said, signature=approval.signature)


def test_an_approval_comes_back_from_its_text_and_counts():
    assert (
        approval_from_text(TEXT),
        judge().trouble(GIVEN),
        not_of_plan(GIVEN, PLAN, file=FILE),
        judge().approvers.name_of(GIVEN.public_key),
    ) == (GIVEN, "", "", "Wiremu")


@given(at=st.integers(0, len(TEXT.encode()) - 1), byte=st.integers(0, 255))
def test_whatever_byte_of_an_approval_is_changed_it_does_not_count(at, byte):
    content = bytearray(TEXT.encode())
    is_same, content[at] = content[at] == byte, byte
    try:
        found = approval_from_text(content.decode())
    except ValueError:
        return
    assert is_same or judge().trouble(found)


@pytest.mark.parametrize("name", list(Statement.__dataclass_fields__))
def test_the_signature_is_of_every_part_of_the_statement(name):
    value = getattr(SAID, name)
    other = {int: 9, str: "x"}.get(type(value), NOW + timedelta(seconds=1))
    changed = replace(GIVEN, statement=replace(SAID, **{name: other}))
    assert judge().trouble(changed) == (
        "its signature is wrong: it was changed after it was signed"
    )


@pytest.mark.parametrize(
    ("given_", "settings", "said"),
    [
        (
            signed(OTHER),
            {},
            (
                f"its key {fingerprint_words(OTHER.public_key)} is not among the "
                "[approvers] of your settings"
            ),
        ),
        (signed(mode="sandbox"), {}, "it is for sandbox, and this run is live"),
        (signed(team_id="8"), {}, "it is for the team Kaunihera o Tauira"),
        (
            signed(service="https://b.example"),
            {},
            "it is for the service at https://b.example",
        ),
        (
            GIVEN,
            {"within_hours": 1.5},
            (
                "it is of 22:00 on 21 November 2026 (NZ time), and your settings take "
                "none that is older than 1.5 hours"
            ),
        ),
        (GIVEN, {"within_hours": 2.0}, ""),
        (
            GIVEN,
            {"now_at": NOW - timedelta(hours=1)},
            "it is of 22:00 on 21 November 2026 (NZ time), which is yet to come",
        ),
        (
            signed(OWN),
            {},
            (
                f"it is signed with your own key {fingerprint_words(OWN.public_key)}, "
                "and you submit"
            ),
        ),
        (signed(OWN, user_id="u1"), {"allow_own": True}, ""),
        (
            signed(user_id="u1"),
            {},
            (
                "the service names the same person behind the key of the approval and "
                "behind yours"
            ),
        ),
        (signed(user_id="u1"), {"allow_same_user": True}, ""),
        (signed(user_id=""), {"user": None}, ""),
    ],
)
def test_an_approval_that_does_not_count_says_why(given_, settings, said):
    assert judge(**settings).trouble(given_) == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"plan": "0" * 64}, "it approves another plan"),
        (
            {"file": "0" * 64},
            "the file of the plan is not the one that was approved, byte for byte",
        ),
        ({"rows": "0" * 64}, "it approves other rows than the plan has"),
        ({"salt": "other"}, "it approves other rows than the plan has"),
    ],
)
def test_an_approval_is_of_one_plan_and_its_bytes(changes, said):
    assert not_of_plan(signed(**changes), PLAN, file=FILE) == said


@pytest.mark.parametrize(
    ("given_", "settings", "persons"),
    [
        ([GIVEN, signed(at=NOW + timedelta(hours=1))], {}, 1),
        ([GIVEN, signed(OTHER)], {}, 1),
        ([GIVEN, signed(OTHER)], {"allow_same_user": True}, 2),
        ([GIVEN, signed(OTHER, user_id="u3")], {}, 2),
        ([signed(user_id=""), signed(OTHER, user_id="")], {}, 2),
    ],
)
def test_persons_are_counted_by_key_and_by_whom_the_service_names(
    given_, settings, persons
):
    assert judge(**settings).persons(given_) == persons


@pytest.mark.parametrize(
    "text",
    ["", "ed25519:", "ed25519:AAAA", f"{SIGNER.public_key}=", SIGNER.public_key[:-2]],
)
def test_what_is_no_public_key_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reason
        public_key_in(text)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", "[" * 100_000, TEXT[:-1], TEXT.replace("approval/1", "x")],
)
def test_what_is_no_approval_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reason
        approval_from_text(text)


def test_settings_and_refusals_are_said_in_words():
    key = fingerprint_words(SIGNER.public_key)
    assert [
        str(Approvers(keys=(("Wiremu", SIGNER.public_key),))),
        short_words({}, require=1, has=0),
        short_words({"a.json": "it is x"}, require=2, has=1),
    ] == [
        f"1 of Wiremu ({key})",
        (
            "Your settings want 1 signed approval, and nobody approved it so that it "
            "counts."
        ),
        (
            "Your settings want 2 signed approvals, and 1 person approved it so that "
            "it counts. a.json does not count: it is x."
        ),
    ]


def test_a_row_is_named_as_the_plan_names_it():
    row = entry(1)
    said = hidden(SAID.salt, "key", row.key), Act.of(row).says
    assert SAID.may_send(row) == said


def test_whom_the_service_names_is_said_plainly():
    assert [
        user_words(None),
        user_words(Person(id="1", name="", email="")),
        user_words(Person(id="1", name="A\x1b[2J", email="a@b.example")),
    ] == [
        "the service names its team, and no person",
        "the service names a person without a name",
        "the service names A[2J, a@b.example",
    ]
