"""A sheet that was read answers what its cells say."""

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Cell, Heading, Table, TableRow
from kawe.kinds.projects import PROJECTS

ROW = RowRef(sheet="Projects", row=2)
NAME = Column(
    field="name", title="Name", kind=CellKind.TEXT, hint="What it is.", example="Outlet"
)


def _cell(value):
    return Cell(ref=ROW.cell(1), heading="Name", shown=str(value), value=value)


def test_a_row_gives_the_values_that_are_there():
    row = TableRow(
        ref=ROW, cells={"name": _cell("Outlet"), "phase": _cell(None)}, raw=("Outlet",)
    )
    given = (row.value("name"), row.value("phase"), row.value("type"), row.values())
    assert given == ("Outlet", None, None, {"name": "Outlet"})


def test_a_table_has_the_columns_whose_headings_were_understood():
    table = Table(
        kind=PROJECTS,
        sheet="Projects",
        heading_row=1,
        headings=(
            Heading(column=1, text="Name", means=NAME),
            Heading(column=2, text="Colour", means=None),
        ),
        rows=(),
    )
    assert (table.has("name"), table.has("phase")) == (True, False)
