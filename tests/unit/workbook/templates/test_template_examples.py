"""What the how-to sheet says to type is what kawe takes."""

from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import TableRow
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.schemas.checker import SchemaChecker
from kawe.workbook.reading.reader import CalamineReader
from kawe.workbook.templates.template import write_template
from kawe_places.places import PyprojPlaces
from kawe_places.values import GivenPlace, Located

BOTH = pytest.mark.parametrize("kind", KINDS)
COLUMNS = {
    kind: tuple(each for each in load_columns(kind) if not each.is_fetched)
    for kind in KINDS
}


def as_excel_holds(column: Column) -> object:
    """Give what Excel makes of the example when a person types it."""
    if column.kind is CellKind.DATE:
        return datetime.strptime(column.example, "%d/%m/%Y")  # noqa: DTZ007 (a day)
    if column.kind in {CellKind.PLACE, CellKind.NUMBER}:
        return float(column.example)
    return column.example


def filled_in(kind: SheetKind, folder: Path, rows: list[list[object]]) -> Path:
    path = write_template(kind, COLUMNS[kind], folder / f"{kind}.xlsx")
    book = openpyxl.load_workbook(path)
    for at, values in enumerate(rows, start=2):
        for column, value in enumerate(values, start=1):
            book.worksheets[0].cell(row=at, column=column, value=value)
    book.save(path)
    return path


def read(path: Path) -> tuple[TableRow, ...]:
    return CalamineReader(COLUMNS).read(path, kind=None, sheet=None).rows


@BOTH
@pytest.mark.parametrize("typed", [as_excel_holds, lambda column: column.example])
def test_every_example_passes_the_reader_and_the_checker(kind, typed, tmp_path):
    examples = [typed(column) for column in COLUMNS[kind]]

    (row,) = read(filled_in(kind, tmp_path, [examples]))

    assert [f for f in row.findings if f.severity is not Severity.NOTE] == []
    assert set(row.values()) == {column.field for column in COLUMNS[kind]}
    assert SchemaChecker().problems(kind, row.values()) == ()


def test_the_examples_of_a_place_are_one_place(tmp_path):
    examples = [as_excel_holds(column) for column in COLUMNS[PROJECTS]]
    (row,) = read(filled_in(PROJECTS, tmp_path, [examples]))

    project, organisation = PyprojPlaces().locate(
        [
            GivenPlace(
                latitude=row.value("latitude"),
                longitude=row.value("longitude"),
                easting=row.value("easting"),
                northing=row.value("northing"),
                system=row.value("coordinate_system"),
            ),
            GivenPlace(
                latitude=row.value("organisation_latitude"),
                longitude=row.value("organisation_longitude"),
            ),
        ]
    )

    assert isinstance(project, Located)
    assert isinstance(organisation, Located)
    assert project.remarks == organisation.remarks == ()


@BOTH
def test_every_word_and_alias_of_every_choice_is_taken_for_its_value(kind, tmp_path):
    for column in [column for column in COLUMNS[kind] if column.choices]:
        pairs = [
            (word, choice.value)
            for choice in column.choices
            for word in (choice.label, *choice.aliases)
        ]
        rows = [
            [word if each is column else None for each in COLUMNS[kind]]
            for word, _ in pairs
        ]
        folder = tmp_path / column.field
        folder.mkdir()

        found = read(filled_in(kind, folder, rows))

        assert [row.value(column.field) for row in found] == [
            value for _, value in pairs
        ]
