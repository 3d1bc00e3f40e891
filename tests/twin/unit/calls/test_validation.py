"""The twin's own reading of the contract's schemas."""

import pytest

from kawe_contract.limits import BULK_INVITE_MAX, UPLOAD_MAX_BYTES
from kawe_twin.calls.validation import body_problems, is_day, is_uuid

UPDATE = {
    "start_date": "2026-12-01",
    "end_date": "2026-12-31",
    "respond_by_date": "2026-12-20",
}
PERSON = {"name": "Aroha", "email": "aroha@tauira.example", "role": "MEMBER"}


def said(body: object, schema_name: str) -> list[str]:
    return [str(problem) for problem in body_problems(body, schema_name=schema_name)]


def test_a_body_that_is_no_object_is_told_so():
    assert said([], "UpdateProjectBody") == ["body must be an object"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("start_date", "2026-02-30", "start_date must be a date, YYYY-MM-DD"),
        ("start_date", "20261201", "start_date must be a date, YYYY-MM-DD"),
        ("start_date", "2026-W01-1", "start_date must be a date, YYYY-MM-DD"),
        ("start_date", None, "start_date must be text"),
        ("name", 7, "name must be text"),
        ("name", "\ud800", "name must be proper Unicode text"),
        ("reference", None, "reference must be text"),
    ],
)
def test_a_field_of_the_wrong_kind_is_told_what_it_must_be(field, value, says):
    assert said({**UPDATE, field: value}, "UpdateProjectBody") == [says]


def test_a_value_outside_an_enum_is_told_the_choices_and_never_repeated():
    (problem,) = said({**UPDATE, "type": "\x1b[31mRED"}, "UpdateProjectBody")
    assert problem.startswith("type must be one of EMERGENCY_WORKS, ")
    assert "RED" not in problem.replace("ACQUIRED", "")


def test_a_nullable_enum_takes_null():
    assert said({**UPDATE, "phase": None}, "UpdateProjectBody") == []


def test_a_number_is_no_boolean_and_a_boolean_no_number():
    assert said({"lat": True, "lon": "174"}, "IwiCountBody") == [
        "lat must be a number",
        "lon must be a number",
    ]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400])
def test_what_no_double_holds_is_no_number(value):
    assert said({"lat": value, "lon": 1}, "IwiCountBody") == ["lat must be a number"]


@pytest.mark.parametrize(
    ("size", "says"),
    [
        (1, []),
        (5.0, []),
        (UPLOAD_MAX_BYTES, []),
        (0, ["size must be greater than 0"]),
        (UPLOAD_MAX_BYTES + 1, [f"size must be at most {UPLOAD_MAX_BYTES}"]),
        (1.5, ["size must be a whole number"]),
    ],
)
def test_the_bounds_of_a_size_are_those_of_the_interface(size, says):
    body = {"fileName": "a.pdf", "mimeType": "application/pdf", "size": size}
    assert said(body, "PresignUploadBody") == says


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (0, ["invitations must have at least 1 item"]),
        (BULK_INVITE_MAX, []),
        (BULK_INVITE_MAX + 1, ["invitations must have at most 200 items"]),
    ],
)
def test_a_list_keeps_its_bounds(count, says):
    assert said({"invitations": [PERSON] * count}, "BulkInviteBody") == says


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("024fe072-a543-478e-9763-dbb633556da1", True),
        ("024FE072-A543-478E-9763-DBB633556DA1", True),
        ("024fe072a543478e9763dbb633556da1", False),
        ("{024fe072-a543-478e-9763-dbb633556da1}", False),
        ("024fe072-a543-478e-9763-dbb633556da1\n", False),
    ],
)
def test_a_uuid_has_one_form_in_either_case(text, good):
    assert is_uuid(text) is good


def test_a_day_has_ascii_digits():
    assert not is_day("２０２６-12-01")
