import io
import zipfile
from functools import cache

import openpyxl
import pytest

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Choice, Column, SheetKind
from kawe.errors import ResultNotWritable
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.templates.template import (
    TEMPLATE_VERSION,
    template_bytes,
    write_template,
)
from kawe_contract.limits import INTERFACE_VERSION
from kawe_xlsx.cells import column_letters

BOTH = pytest.mark.parametrize("kind", KINDS)


def typed(kind):
    """Give the columns that people fill in."""
    return [each for each in load_columns(kind) if not each.is_fetched]


@cache
def opened(kind: SheetKind, columns=None) -> openpyxl.Workbook:
    """Give a template to read: nobody writes into it."""
    content = template_bytes(kind, columns or load_columns(kind))
    return openpyxl.load_workbook(io.BytesIO(content))


def rules_of(book: openpyxl.Workbook):
    """Give the rule of each column, by its letters."""
    rules = {}
    for rule in book.worksheets[0].data_validations.dataValidation:
        (area,) = rule.sqref.ranges
        rules[column_letters(area.min_col)] = rule
    return rules


def rule_for(kind: SheetKind, field: str):
    fields = [column.field for column in typed(kind)]
    return rules_of(opened(kind))[column_letters(fields.index(field) + 1)]


def words_in(book: openpyxl.Workbook, name: str) -> list[str]:
    ((sheet, area),) = book.defined_names[name].destinations
    return [cell.value for (cell,) in book[sheet][area.replace("$", "")]]


@BOTH
def test_the_same_columns_give_the_same_bytes(kind):
    columns = typed(kind)

    assert template_bytes(kind, columns) == template_bytes(kind, columns)


@BOTH
def test_a_template_has_a_sheet_to_fill_in_and_one_to_read(kind):
    book = opened(kind)

    assert [(sheet.title, sheet.sheet_state) for sheet in book.worksheets] == [
        (kind.value.capitalize(), "visible"),
        ("How to", "visible"),
        ("Lists", "hidden"),
        ("kawe", "hidden"),
    ]
    assert book.active.title == kind.value.capitalize()


@BOTH
def test_headings_are_those_of_the_columns_with_a_star_where_needed(kind):
    sheet = opened(kind).worksheets[0]

    assert [cell.value for cell in sheet[1]] == [
        f"{column.title} *" if column.required else column.title
        for column in typed(kind)
    ]


@BOTH
def test_the_rows_are_a_table_and_the_headings_stay_in_view(kind):
    sheet = opened(kind).worksheets[0]
    (table,) = sheet.tables.values()

    assert table.displayName == f"kawe_{kind.value}"
    assert table.ref == f"A1:{column_letters(sheet.max_column)}501"
    assert [column.name for column in table.tableColumns] == [
        cell.value for cell in sheet[1]
    ]
    assert sheet.freeze_panes.endswith("2")


@BOTH
def test_nothing_is_written_below_the_headings(kind):
    assert opened(kind).worksheets[0].max_row == 1


@BOTH
def test_every_cell_shows_its_hint(kind):
    rules = rules_of(opened(kind))

    for at, column in enumerate(typed(kind), start=1):
        rule = rules[column_letters(at)]
        assert str(rule.sqref) == f"{column_letters(at)}2:{column_letters(at)}501"
        assert (rule.showInputMessage, rule.prompt) == (True, column.hint)
        assert rule.promptTitle == column.title + (" *" if column.required else "")


@BOTH
def test_a_drop_down_offers_every_choice_through_a_named_range(kind):
    book = opened(kind)
    rules = rules_of(book)

    for at, column in enumerate(typed(kind), start=1):
        if column.kind is CellKind.CHOICE:
            rule = rules[column_letters(at)]
            assert (rule.type, rule.formula1) == ("list", f"kawe_{column.field}")
            assert words_in(book, rule.formula1) == [c.label for c in column.choices]


def test_send_offers_yes_and_no():
    rule = rule_for(PROJECTS, "send")

    assert rule.type == "list"
    assert words_in(opened(PROJECTS), rule.formula1) == ["Yes", "No"]


@BOTH
def test_no_rule_is_longer_than_excel_bears(kind):
    for rule in rules_of(opened(kind)).values():
        for text in (rule.formula1, rule.formula2, rule.prompt, rule.error):
            assert len(text or "") <= 255
        for text in (rule.promptTitle, rule.errorTitle):
            assert len(text or "") <= 32


def test_a_date_cell_takes_dates_only_and_shows_the_month_in_words():
    sheet = opened(PROJECTS).worksheets[0]
    rule = rule_for(PROJECTS, "start_date")

    assert (rule.type, rule.operator, rule.errorStyle) == ("date", "between", "stop")
    assert rule.showErrorMessage
    assert sheet.column_dimensions["F"].number_format == "d mmm yyyy"


@pytest.mark.parametrize(
    "field", ["reference", "contact_phone", "organisation_postcode"]
)
def test_what_has_leading_zeros_is_text(field):
    fields = [column.field for column in load_columns(PROJECTS)]
    letters = column_letters(fields.index(field) + 1)
    sheet = opened(PROJECTS).worksheets[0]

    assert sheet.column_dimensions[letters].number_format == "@"


def test_a_number_cell_takes_numbers_only():
    assert rule_for(PROJECTS, "priority_order").type == "decimal"


def test_a_length_that_the_service_limits_is_a_rule():
    rule = rule_for(PROJECTS, "recipient_team_id")

    assert (rule.type, rule.formula1) == ("textLength", "36")


@BOTH
def test_the_how_to_sheet_explains_every_column_with_an_example(kind):

    assert set(opened(kind)["How to"].iter_rows(values_only=True)) >= {
        (
            column.title + (" *" if column.required else ""),
            "Yes" if column.required else "No",
            column.hint,
            column.example,
        )
        for column in typed(kind)
    }


@BOTH
def test_the_how_to_sheet_lists_what_the_drop_downs_offer(kind):
    rows = opened(kind)["How to"].iter_rows(values_only=True)
    offered = {row[0]: row[2] for row in rows}

    for column in typed(kind):
        if column.choices:
            assert offered[column.title] == " · ".join(c.label for c in column.choices)


@BOTH
def test_a_hidden_sheet_says_which_template_it_is(kind):
    rows = opened(kind)["kawe"].iter_rows(values_only=True)

    assert list(rows) == [
        ("kind", kind.value),
        ("template version", TEMPLATE_VERSION),
        ("interface version", INTERFACE_VERSION),
    ]


def test_a_template_is_made_of_whatever_columns_it_is_given():
    columns = (
        Column(
            field="colour",
            title="Colour",
            kind=CellKind.CHOICE,
            hint="Choose.",
            example="Red",
            required=True,
            choices=(Choice(value="RED", label="Red"),),
        ),
    )

    book = opened(PROJECTS, columns)

    assert book.worksheets[0]["A1"].value == "Colour *"
    assert words_in(book, "kawe_colour") == ["Red"]


@BOTH
def test_the_reader_knows_every_heading_of_an_untouched_template(kind, tmp_path):
    columns = {each: load_columns(each) for each in KINDS}
    path = write_template(kind, columns[kind], tmp_path / "t.xlsx")

    table = CalamineReader(columns).read(path, kind=None, sheet=None)

    assert table.kind is kind
    assert [heading.means for heading in table.headings] == typed(kind)
    assert table.rows == ()
    assert [finding.rule for finding in table.findings] == ["no-rows"]


def test_a_workbook_that_is_there_already_is_left_alone(tmp_path):
    path = tmp_path / "projects.xlsx"
    path.write_bytes(b"mine")

    written = write_template(PROJECTS, load_columns(PROJECTS), path)

    assert written == tmp_path / "projects (2).xlsx"
    assert path.read_bytes() == b"mine"
    assert zipfile.is_zipfile(written)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ResultNotWritable):
        write_template(
            PROJECTS, load_columns(PROJECTS), tmp_path / "gone" / "projects.xlsx"
        )
