"""Which row a row is, wherever it moves."""

import re
from dataclasses import replace
from datetime import date

import pytest

from doubles.journal_values import content
from doubles.sheets import attached
from kawe.domain.rows.identity import (
    canonical,
    duplicate_key,
    fingerprint_of,
    is_made_marker,
    marker_of,
    project_key,
    sha256_of,
)
from kawe.kinds.invitations.kind import InvitationContent, email_key
from kawe_places.values import Place

NAMELESS = content(1, reference=None, address="1 Te Ara, Ōtaki")


def test_a_reference_is_the_key_and_the_marker():
    row = content(1)
    assert (project_key(row), marker_of(row)) == ("ref:R-1", "R-1")


def test_a_row_without_a_reference_is_known_by_name_place_and_dates():
    assert re.fullmatch(r"row:[0-9a-f]{64}", project_key(NAMELESS))


@pytest.mark.parametrize(
    "edit",
    [
        {"description": "Another."},
        {"name": "STORMWATER  outlet 1 – Otaki"},
        {"address": "1 te ara otaki"},
        {"send": True},
    ],
)
def test_it_stays_the_same_row_through_edits_that_do_not_matter(edit):
    edited = replace(NAMELESS, **edit)
    assert (project_key(edited), marker_of(edited)) == (
        project_key(NAMELESS),
        marker_of(NAMELESS),
    )


@pytest.mark.parametrize(
    "edit",
    [
        {"name": "Stormwater outlet 2, Ōtaki"},
        {"address": "2 Te Ara, Ōtaki"},
        {"start_on": date(2027, 2, 2)},
        {"end_on": date(2027, 5, 2)},
        {"respond_by_on": date(2027, 1, 21)},
        {"place": Place(latitude=-40.75, longitude=175.15)},
    ],
)
def test_another_name_place_or_day_is_another_row(edit):
    edited = replace(NAMELESS, **edit)
    assert project_key(edited) != project_key(NAMELESS)
    assert marker_of(edited) != marker_of(NAMELESS)


def test_an_address_does_not_count_beside_a_place():
    placed = replace(NAMELESS, place=Place(latitude=-40.75, longitude=175.15))
    moved = replace(placed, address="somewhere else")
    assert duplicate_key(moved) == duplicate_key(placed)


def test_a_made_marker_is_easy_to_read_out_and_always_the_same():
    marker = marker_of(NAMELESS)
    assert re.fullmatch(r"KW[0-9A-HJKMNP-TV-Z]{12}", marker)
    assert marker == marker_of(replace(NAMELESS))


@pytest.mark.parametrize(
    ("reference", "is_made"),
    [
        ("KW7F3A9C21QX4M", True),
        ("KW7F3A9C21QX4", False),
        ("KW7F3A9C21QX4MM", False),
        ("KW7F3A9C21QXIM", False),
        ("kw7f3a9c21qx4m", False),
        ("R-1", False),
        ("", False),
    ],
)
def test_a_made_marker_is_told_from_a_reference(reference, is_made):
    assert is_made_marker(reference) is is_made


def test_an_invitation_is_known_by_its_address_whatever_its_case():
    person = InvitationContent(name="Hēmi", email="Hemi@Example.NZ", role="MEMBER")
    assert email_key(person.email) == "mail:hemi@example.nz"


def test_canonical_json_has_one_form():
    assert canonical({"b": [1, None], "a": "Ō"}) == '{"a":"Ō","b":[1,null]}'.encode()


def test_a_hash_does_not_depend_on_the_order_of_fields():
    assert sha256_of({"a": 1, "b": 2}) == sha256_of({"b": 2, "a": 1})


def test_a_fingerprint_counts_files_whatever_their_order():
    p, q = (attached(e, mime_type="", size_bytes=1, sha256=e) for e in ("p", "q"))
    one = fingerprint_of({"name": "x"}, files=(p, q))
    assert one == fingerprint_of({"name": "x"}, files=(q, p))
    assert one != fingerprint_of({"name": "x"}, files=(p,))
