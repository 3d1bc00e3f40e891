import pytest

from kawe.domain.sheet.columns import CellKind, Column
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.checker import Broken, SchemaChecker, tell
from kawe_contract.enums import ProjectPhase, ProjectType, UserRole

RIGHT = {
    "name": "Culvert",
    "description": "Replace it.",
    "type": "COASTAL_STREAM_CONSENT",
    "start_date": "2027-02-15",
    "end_date": "2027-04-30",
    "respond_by_date": "2027-01-31",
}
FULL = {
    **RIGHT,
    "reference": "RC-1",
    "phase": "LODGED",
    "latitude": "41°15'39\"S",
    "longitude": 174.79109,
    "iwi": ["Ngāti Toa Rangatira"],
    "files": ["plan.pdf", "*.jpg"],
    "send": True,
    "message": "Kia ora",
    "recipient_team_id": "3f1c9a52-7d0e-4b7a-9a41-52c6e0d8b913",
    "priority_order": 1.5,
}


def problems(values, *, kind=PROJECTS):
    return SchemaChecker().problems(kind, values)


def test_a_row_with_what_is_needed_has_no_problems():
    assert problems(RIGHT) == ()


def test_a_row_with_every_column_has_no_problems():
    assert problems(FULL) == ()


def test_a_missing_name_is_told_in_plain_words():
    without = {field: value for field, value in RIGHT.items() if field != "name"}

    assert problems(without) == (
        (
            "name",
            "missing",
            "Name is missing.",
            "Type the project's name, as iwi should see it.",
        ),
    )


def test_an_empty_row_misses_everything_that_is_needed_in_the_order_of_the_sheet():
    found = problems({})

    assert [(field, rule) for field, rule, _, _ in found] == [
        (field, "missing") for field in RIGHT
    ]


def test_none_is_an_empty_cell():
    assert problems({**RIGHT, "address": None, "reference": None}) == ()
    assert [each[:2] for each in problems({**RIGHT, "name": None})] == [
        ("name", "missing")
    ]


def test_an_unknown_column_is_no_problem():
    assert problems({**RIGHT, "ward": "Lambton"}) == ()


def test_a_value_that_is_no_choice_is_told_with_the_choices():
    row = {"name": "Hēmi", "email": "hemi@example.org.nz", "role": "BOSS"}

    assert problems(row, kind=INVITATIONS) == (
        (
            "role",
            "not-a-choice",
            "“BOSS” is not one of the choices for Role.",
            "Choose one of: Owner or Member.",
        ),
    )


@pytest.mark.parametrize("value", ProjectType)
def test_every_type_of_the_interface_passes(value):
    assert problems({**RIGHT, "type": value.value}) == ()


@pytest.mark.parametrize("value", ProjectPhase)
def test_every_phase_of_the_interface_passes(value):
    assert problems({**RIGHT, "phase": value.value}) == ()


@pytest.mark.parametrize("value", UserRole)
def test_every_role_of_the_interface_passes(value):
    row = {"name": "Hēmi", "email": "hemi@example.org.nz", "role": value.value}

    assert problems(row, kind=INVITATIONS) == ()


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("type", "land use", "not-a-choice"),
        ("phase", "Lodged", "not-a-choice"),
        ("name", "", "empty"),
        ("name", 7, "unusable"),
        ("start_date", "15/02/2027", "unusable"),
        ("start_date", "2027-13-01", "unusable"),
        ("start_date", "2027-02-15\n", "unusable"),
        ("respond_by_date", 46054, "unusable"),
        ("latitude", True, "unusable"),
        ("iwi", "Ngāti Toa", "unusable"),
        ("files", ["plan.pdf", ""], "empty"),
        ("files", [1.0], "unusable"),
        ("send", "yes", "unusable"),
        ("send", 1, "unusable"),
        ("message", "", "empty"),
        ("recipient_team_id", "team 7", "unusable"),
        ("priority_order", "first", "unusable"),
        ("priority_order", True, "unusable"),
        ("priority_order", float("nan"), "unusable"),
        ("phase", "\ud800", "not-a-choice"),
    ],
)
def test_a_value_of_the_wrong_shape_is_named_by_field_and_rule(field, value, rule):
    found = problems({**RIGHT, field: value})

    assert (field, rule) in [each[:2] for each in found]
    assert {each[0] for each in found} == {field}


def test_half_a_surrogate_pair_in_a_name_stops_nothing():
    assert problems({**RIGHT, "name": "Culvert \ud83d"}) == ()


def test_a_message_shows_hostile_text_disarmed_and_short():
    ((_, _, message, _),) = problems({**RIGHT, "type": "\x1b[31m\u202eX" + "y" * 500})

    assert message == f"“[31mX{'y' * 54}…” is not one of the choices for Type."


def test_a_part_of_a_list_is_told_once_however_many_are_wrong():
    assert len(problems({**RIGHT, "files": ["", "", ""]})) == 1


def test_no_sentence_speaks_of_the_machinery():
    broken = {**dict.fromkeys(FULL, 7), "type": "?", "files": [""], "send": "x"}

    words = " ".join(m + " " + a for _, _, m, a in problems(broken) + problems({}))

    for word in ("JSON", "schema", "regex", "pattern", "string", "null", "array"):
        assert word.casefold() not in words.casefold()


def column(**changes) -> Column:
    return Column(
        **{
            "field": "name",
            "title": "Name",
            "kind": CellKind.TEXT,
            "hint": "Type it.",
            "example": "x",
        }
        | changes
    )


@pytest.mark.parametrize(
    ("word", "limit", "value", "told"),
    [
        (
            "maxLength",
            3,
            "abcd",
            (
                "too-long",
                "Name has 4 characters; 3 is the most.",
                "Shorten it by 1 character.",
            ),
        ),
        (
            "maxLength",
            3,
            "abcde",
            (
                "too-long",
                "Name has 5 characters; 3 is the most.",
                "Shorten it by 2 characters.",
            ),
        ),
        ("minimum", 1, 0, ("too-small", "Name must not be less than 1.", "Type it.")),
        ("maximum", 9, 10, ("too-large", "Name must not be more than 9.", "Type it.")),
        (
            "const",
            "x",
            ["a", "b"],
            (
                "unusable",
                "“a; b” cannot be used as Name: it should be text.",
                "Type it. Or leave the cell empty.",
            ),
        ),
    ],
)
def test_a_limit_is_told_with_its_number(*, word, limit, value, told):
    broken = Broken(column=column(), word=word, limit=limit, value=value)

    assert tell(broken) == ("name", *told)
