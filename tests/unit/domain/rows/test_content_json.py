"""What a row says survives being written as JSON."""

from datetime import date
from pathlib import Path

import pytest

from doubles.journal_values import content
from doubles.sheets import attached
from kawe.cases.kinds import KINDS
from kawe.domain.sheet.content import Contact, OrganisationContent
from kawe.journal.records import content_from_json, content_to_json
from kawe.kinds.projects import PROJECTS
from kawe_places.values import Place

PLACE = Place(latitude=-40.75, longitude=175.15)
FULL = content(
    1,
    phase="PRE_START",
    address="1 Te Ara",
    place=PLACE,
    iwi=("ngati-toa", "ngati-raukawa"),
    organisation=OrganisationContent(name="Kāpiti Coast", city="Ōtaki", place=PLACE),
    contact=Contact(name="Mere", role="Planner", phone="+64 4 123 4567"),
    files=(attached("café.pdf", path=Path("plans/caf\udce9.pdf"), size_bytes=3),),
    send=True,
    recipient_team_id="00000000-0000-4000-8000-000000000009",
    priority_order=1.5,
)


def test_a_project_with_a_file_name_that_is_no_text_comes_back_as_it_was():
    assert content_from_json(content_to_json(FULL), kind=PROJECTS) == FULL


def test_the_json_is_ascii_so_that_any_store_takes_it():
    assert content_to_json(FULL).isascii()


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("text", ["", "[", "7", "[]", "{}", '{"name": "x"}', "null"])
def test_anything_else_is_no_content(text, kind):
    with pytest.raises(ValueError, match=r"."):
        content_from_json(text, kind=kind)


def test_a_day_that_does_not_exist_is_no_content():
    text = content_to_json(content(1)).replace("2027-02-01", "2027-02-31")
    with pytest.raises(ValueError, match="day"):
        content_from_json(text, kind=PROJECTS)


def test_a_value_that_is_no_part_of_a_row_is_a_bug():
    row = content(1, address=frozenset({date(2027, 1, 1)}))
    with pytest.raises(TypeError, match="frozenset is no part"):
        content_to_json(row)
