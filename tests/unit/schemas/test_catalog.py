from collections import Counter

import pytest

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.domain.text.texts import fold
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns, row_schema
from kawe_contract.document import document
from kawe_contract.enums import ProjectPhase, ProjectType, UserRole

BOTH = pytest.mark.parametrize("kind", KINDS)

# The words on which the two libraries agree (performance.md section 2), and
# those that say nothing about a value.
CHECKING = {
    "type",
    "const",
    "required",
    "properties",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
    "$ref",
    "allOf",
    "items",
}
TELLING = {"$schema", "$id", "title", "x-kawe"}


def columns_of(kind: SheetKind) -> dict[str, Column]:
    return {column.field: column for column in load_columns(kind)}


def test_the_projects_sheet_has_these_columns_in_this_order():
    assert [column.field for column in load_columns(PROJECTS)] == [
        "reference",
        "name",
        "description",
        "type",
        "phase",
        "start_date",
        "end_date",
        "respond_by_date",
        "address",
        "latitude",
        "longitude",
        "easting",
        "northing",
        "coordinate_system",
        "iwi",
        "organisation",
        "organisation_address",
        "organisation_city",
        "organisation_country",
        "organisation_postcode",
        "organisation_latitude",
        "organisation_longitude",
        "contact_name",
        "contact_role",
        "contact_phone",
        "contact_email",
        "files",
        "send",
        "message",
        "recipient_team_id",
        "priority_order",
        "repeat_of",
    ]


def test_the_invitations_sheet_has_these_columns_in_this_order():
    assert [column.field for column in load_columns(INVITATIONS)] == [
        "name",
        "email",
        "role",
        "org_department",
        "org_department_other",
        "org_role",
        "org_role_other",
    ]


def test_a_project_needs_what_the_service_needs_and_no_more():
    # kawe itself says which files there are, and that it is a draft.
    of_kawe = {"files", "draft"}
    needed = set(document()["$defs"]["CreateProjectBody"]["required"]) - of_kawe

    assert {c.field for c in load_columns(PROJECTS) if c.required} == needed


def test_an_invitation_needs_what_the_service_needs():
    needed = set(document()["$defs"]["InviteUserBody"]["required"])

    assert {c.field for c in load_columns(INVITATIONS) if c.required} == needed


@pytest.mark.parametrize(
    ("kind", "field", "values"),
    [
        (PROJECTS, "type", ProjectType),
        (PROJECTS, "phase", ProjectPhase),
        (INVITATIONS, "role", UserRole),
    ],
)
def test_a_choice_column_offers_every_value_of_the_contract(kind, field, values):
    offered = [choice.value for choice in columns_of(kind)[field].choices]

    assert offered == [each.value for each in values]


@BOTH
def test_only_choice_columns_have_choices(kind):
    assert {c.field for c in load_columns(kind) if c.choices} == {
        c.field for c in load_columns(kind) if c.kind is CellKind.CHOICE
    }


def test_a_label_is_the_name_of_the_interface_as_people_read_it():
    choices = columns_of(PROJECTS)["type"].choices

    assert next(c for c in choices if c.value == "LAND_USE_CONSENT") == Choice(
        value="LAND_USE_CONSENT",
        label="Land use consent",
        aliases=next(c.aliases for c in choices if c.value == "LAND_USE_CONSENT"),
    )


@BOTH
def test_no_heading_can_be_taken_for_two_columns(kind):
    words = Counter(
        word
        for column in load_columns(kind)
        for word in {fold(each) for each in (column.title, *column.synonyms)}
        | {fold(column.field)}
    )

    assert [word for word, times in words.items() if times > 1 or not word] == []


@BOTH
def test_every_word_that_was_seen_has_its_source(kind):
    sources = row_schema(kind)["x-kawe"].get("sources", {})
    seen = [
        (source, word)
        for said in row_schema(kind)["x-kawe"]["columns"].values()
        for source, words in said.get("seen", {}).items()
        for word in words
    ]
    known = {word for column in load_columns(kind) for word in column.synonyms}

    assert {source for source, _ in seen} == set(sources)
    assert {word for _, word in seen} <= known


@BOTH
def test_no_word_can_be_taken_for_two_choices(kind):
    twice = {
        (column.field, word)
        for column in load_columns(kind)
        for word, times in Counter(
            word
            for choice in column.choices
            for word in {fold(w) for w in (choice.value, choice.label, *choice.aliases)}
        ).items()
        if times > 1 or not word
    }

    assert twice == set()


@BOTH
def test_every_alias_belongs_to_a_value_of_the_contract(kind):
    for field, said in row_schema(kind)["x-kawe"]["columns"].items():
        values = {choice.value for choice in columns_of(kind)[field].choices}

        assert set(said.get("aliases", {})) | set(said.get("labels", {})) <= values


@BOTH
def test_a_hint_is_a_sentence_that_fits_an_input_message(kind):
    # Excel cuts an input message at 255 characters and its title at 32.
    for column in load_columns(kind):
        assert 0 < len(column.hint) <= 255
        assert column.hint.endswith(".")
        assert 0 < len(column.title) <= 32
        assert column.example


@BOTH
def test_the_rules_keep_to_the_words_on_which_both_libraries_agree(kind):
    schema = row_schema(kind)
    used = set(schema) | {word for r in schema["properties"].values() for word in r}

    assert used <= CHECKING | TELLING


@BOTH
def test_no_enum_is_written_beside_the_contract(kind):
    for column in load_columns(kind):
        rules = row_schema(kind)["properties"][column.field]
        said = row_schema(kind)["x-kawe"]["columns"][column.field]

        assert "enum" not in rules
        # What is to be done with a row is no word of the service.
        if column.kind is CellKind.CHOICE and "choices" not in said:
            assert rules["$ref"].startswith("urn:kawe:contract#/$defs/")


def test_a_field_that_the_service_knows_is_taken_from_the_contract():
    body = document()["$defs"]["CreateProjectBody"]["properties"]
    # A place may be typed as text, and files are names until they are uploaded;
    # the name of an organisation stands for the whole of it.
    read_otherwise = {"latitude", "longitude", "files", "organisation"}

    for field, rules in row_schema(PROJECTS)["properties"].items():
        if field in body and field not in read_otherwise:
            assert rules["$ref"].endswith(f"/CreateProjectBody/properties/{field}")


def test_nothing_on_the_sheet_can_buy_tokens():
    assert "quantity" not in columns_of(PROJECTS)


@BOTH
def test_columns_are_made_once(kind):
    assert load_columns(kind) is load_columns(kind)
