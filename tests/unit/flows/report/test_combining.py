"""The rows of several workbooks as one sheet: each once, under combined headings."""

from dataclasses import replace

from doubles.journal_values import BATCH, batch, entry, key, later, line
from doubles.memory_journal import MemoryJournal
from doubles.sheets import finding
from kawe.domain.sheet.findings import CellRef, RowRef
from kawe.flows.report.combining import combine


def problem(where):
    return finding(where, rule="wrong", heading="Name", message="It is wrong.")


async def test_lines_of_an_earlier_workbook_follow_below_under_united_headings():
    wrong = line(
        4,
        raw=("?", "Weir"),
        row=None,
        findings=(
            problem(CellRef(sheet="Projects", row=5, column=2)),
            problem(RowRef(sheet="Projects", row=5)),
        ),
    )
    part = batch(
        workbook="/home/mere/Part.xlsx", headings=("Name", "Note"), read_at=later(1)
    )
    journal = MemoryJournal()
    await journal.open_batch(
        batch(),
        lines=[line(1), line(2), wrong, replace(wrong, where=line(9).where)],
        entries=[entry(1), entry(2), entry(3)],
    )
    await journal.open_batch(part, lines=[line(2, raw=("Weir", "x"))], entries=())
    told = await journal.told(BATCH, quiet=())
    combined = await combine(part, told=told, journal=journal)
    assert combined.headings == ("Name", "Note", "Reference")
    assert [(each.where.row, each.row, each.raw) for each in combined.lines] == [
        (3, key(2), ("Weir", "x")),
        (4, key(1), ("Stormwater outlet", None, "R-1")),
        (5, None, ("Weir", None, "?")),
        (6, key(3), ()),
    ]
    assert [each.where for each in combined.lines[2].findings] == [
        CellRef(sheet="Projects", row=5, column=2),
        RowRef(sheet="Projects", row=5),
    ]
    assert (combined.gone, list(combined.elsewhere.values())) == (
        {key(3)},
        [
            "It stands in November.xlsx at Projects!2.",
            "It stands in November.xlsx at Projects!5.",
        ],
    )
