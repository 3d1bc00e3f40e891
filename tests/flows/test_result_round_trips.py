"""A result is edited as people do, submitted again, and acts on the changed rows."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment

from doubles.command import HEADINGS
from flows.test_identity import OFFICE, Desk, row, saved_by_office, write
from kawe.domain.batch.readings import Reading
from kawe.errors import ReadingUnclear

WRONG = 4
SENT, DRAFTED = "Sent", "Drafted"


def result_of(desk: Desk, path: Path) -> Path:
    """Write the result of what was submitted last, from the workbook itself."""
    stem = path.stem.removesuffix(".result")
    return desk.result(path.with_name(f"{stem}.result.xlsx"), workbook=path)


def begun(folder: Path) -> tuple[Desk, Path]:
    """Submit nine rows, one of them wrong; give the result."""
    desk = Desk(folder=folder)
    rows = [row(n) for n in range(1, 10)]
    rows[WRONG - 1] = row(WRONG, Type="Something")
    path = write(folder / "monthly.xlsx", rows)
    desk.submit(path)
    return desk, result_of(desk, path)


def edited(
    path: Path, *, order: Sequence[int], fixes: bool, adds_at: int | None
) -> None:
    """Keep the rows with the numbers `order`, in that order; kawe's cells with them."""
    book = openpyxl.load_workbook(path)
    sheet = book["Projects"]
    lines = {n: [cell.value for cell in sheet[n + 1]] for n in range(1, 10)}
    if fixes:
        lines[WRONG][HEADINGS.index("Type")] = "Earthworks"
    kept = [lines[n] for n in order]
    if adds_at is not None:
        kept.insert(min(adds_at, len(kept)), row(10))
    sheet.delete_rows(2, 9)
    for line in kept:
        sheet.append(line)
    book.save(path)


@settings(max_examples=8)
@given(
    order=st.permutations(range(1, 10)),
    gone=st.sets(st.integers(1, 9), max_size=3),
    fixes=st.booleans(),
    adds_at=st.none() | st.integers(0, 9),
)
def test_an_edited_result_acts_on_exactly_the_changed_rows(
    *, order, gone, fixes, adds_at
):
    with tempfile.TemporaryDirectory() as folder:
        desk, result = begun(Path(folder))
        kept = [n for n in order if n not in gone]
        edited(result, order=kept, fixes=fixes, adds_at=adds_at)
        before = set(desk.scene.service.sends)
        creates = desk.scene.service.calls["create"]

        desk.submit(result)

        new = (fixes and WRONG in kept) + (adds_at is not None)
        assert desk.scene.service.calls["create"] - creates == new
        assert len(desk.scene.service.sends.keys() - before) == new
        assert set(desk.scene.service.sends.values()) == {1}
        assert result_of(desk, result) == result
        book = openpyxl.load_workbook(result)
        assert book.sheetnames == [
            *("Results", "Projects", "Summary", "Problems", "Waiting")
        ]


def test_two_halves_of_a_result_are_done_rows(tmp_path):
    desk, result = begun(tmp_path)
    data = result.read_bytes()
    before = desk.unsafe()
    for name, order in (("a", range(1, 5)), ("b", range(5, 10))):
        half = tmp_path / f"{name}.xlsx"
        half.write_bytes(data)
        edited(half, order=order, fixes=False, adds_at=None)
        desk.submit(half)
    assert desk.unsafe() == before


def two_months(folder: Path) -> tuple[Desk, Path, list[list[object]]]:
    """Submit January and February; give January's result and February's lines."""
    desk = Desk(folder=folder)
    # The double names the batches of one instant by name.
    january = write(folder / "a.xlsx", [row(n) for n in range(1, 4)])
    desk.submit(january)
    first = result_of(desk, january)
    february = write(folder / "b.xlsx", [row(n) for n in range(4, 7)])
    desk.submit(february)
    sheet = openpyxl.load_workbook(result_of(desk, february))["Projects"]
    return desk, first, [[*line] for line in sheet.iter_rows(values_only=True)]


def merged(path: Path, lines: Sequence[Sequence[object]]) -> Path:
    """Copy lines below those of a result."""
    book = openpyxl.load_workbook(path)
    for line in lines:
        book["Projects"].append(line)
    target = path.with_name("both.xlsx")
    book.save(target)
    return target


def in_other_words(lines):
    """Head the lines as another office does."""
    called = {"Name": "Project name", "Type": "Kind of project", "Send": "Send?"}
    return [[called.get(cell, cell) for cell in lines[0]], *lines[1:]]


def changed(lines):
    """Change what the first line below the headings says."""
    edit = [*lines[1][:2], "Something else.", *lines[1][3:]]
    return [lines[0], edit, *lines[2:]]


@pytest.mark.parametrize(
    ("how", "late"),
    [
        (list, 0),
        (lambda lines: lines[1:], 0),
        (lambda lines: [line[: len(HEADINGS)] for line in lines], 0),
        (in_other_words, 0),
        (changed, 1),
    ],
    ids=["whole", "without headings", "without ours", "other words", "changed"],
)
def test_two_results_in_one_are_done_rows_and_a_changed_one_is_named(
    tmp_path, how, late
):
    desk, january, february = two_months(tmp_path)
    before = desk.unsafe()
    plan = desk.submit(merged(january, how(february)))
    found = [each.rule for line in plan.lines for each in line.findings]
    assert (desk.unsafe() - before, plan.finished, plan.invalid) == (0, 6, 0)
    assert found.count("edited-too-late") == late


def test_rows_twice_in_a_merged_result_are_named_and_sent_no_second_time(tmp_path):
    desk, january, _ = two_months(tmp_path)
    sheet = openpyxl.load_workbook(january)["Projects"]
    before = desk.unsafe()
    plan = desk.submit(merged(january, [*sheet.iter_rows(values_only=True)]))
    twice = [each.rule for line in plan.lines for each in line.findings]
    assert desk.unsafe() == before
    assert twice.count("row-twice") == 2 * 3


@pytest.mark.parametrize(
    ("block", "stays", "rule"),
    [
        # The last of kawe's columns of one name are kawe's.
        (range(11, 18), range(11, 18), None),
        (range(3, 5), range(41, 43), "heading-twice"),
    ],
    ids=["ours", "theirs"],
)
def test_columns_pasted_a_second_time_send_nothing_again_and_stay(
    tmp_path, *, block, stays, rule
):
    desk, result = begun(tmp_path)
    before = desk.unsafe()
    book = openpyxl.load_workbook(result)
    sheet = book["Projects"]
    for line in range(1, 11):
        for to, column in enumerate(block, start=41):
            sheet.cell(line, to).value = sheet.cell(line, column).value
    book.save(result)
    texts = [[sheet.cell(line, at).value for at in stays] for line in range(1, 11)]

    desk.submit(result)
    found = {each.rule for each in desk.toolkit.read(Reading(workbook=result)).findings}
    opened = openpyxl.load_workbook(result_of(desk, result))["Projects"]

    assert (desk.unsafe() - before, found) == (0, {rule} - {None})
    assert [
        [opened.cell(line, at).value for at in stays] for line in range(1, 11)
    ] == texts


def test_rows_of_another_team_are_named_before_they_are_sent(tmp_path):
    desk, january, _ = two_months(tmp_path)
    ours = openpyxl.load_workbook(january)["Projects"]
    sent = [cell.value for cell in ours[2]][len(HEADINGS) :]
    theirs = ["of another team" if cell == sent[3] else cell for cell in sent[:-1]]
    lines = [[*row(7), *theirs], [*row(8), *sent], row(9)]
    path = merged(january, lines)

    found = [
        [
            (line.where.row, each.severity)
            for line in plan.lines
            for each in line.findings
            if each.rule == "sent-elsewhere"
        ]
        for plan in [desk.submit(path) for _ in range(2)]
    ]
    # What kawe sent with this journal is known, and new rows may be made of it.
    assert found == [[(5, "warning")], []]


def swapped(lines, one, other):
    """Put two columns into each other's place."""
    at = [*range(len(lines[0]))]
    first, second = HEADINGS.index(one), HEADINGS.index(other)
    at[first], at[second] = second, first
    return [[line[index] for index in at] for line in lines]


@pytest.mark.parametrize(
    "columns", [("Reference", "Name"), ("Start date", "Respond by")], ids=" ".join
)
def test_rows_below_headings_in_another_order_are_another_table_and_not_sent(
    tmp_path, columns
):
    desk, january, february = two_months(tmp_path)
    before = desk.unsafe()
    path = merged(january, swapped(february, *columns))
    readings = [Reading(workbook=path, table=table) for table in ("A1", "A5")]

    with pytest.raises(ReadingUnclear) as stopped:
        desk.submit(path)
    tables = [desk.toolkit.read(each) for each in readings]

    assert desk.unsafe() == before
    assert stopped.value.about == "table"
    assert [[row.ref.row for row in each.rows] for each in tables] == [
        [2, 3, 4],
        [6, 7, 8],
    ]
    one, other = ({h.means.field for h in e.headings if h.means} for e in tables)
    assert one == other


def test_what_a_person_typed_into_a_comment_of_kawes_stays(tmp_path):
    desk, result = begun(tmp_path)
    book = openpyxl.load_workbook(result)
    cell = book["Projects"]["A2"]
    cell.comment = Comment(f"{cell.comment.text}\nAroha: ask Hemi first.", "kawe")
    book.save(result)
    typed = result.read_bytes()

    desk.submit(result)

    assert result_of(desk, result).name == "monthly.result (2).xlsx"
    assert result.read_bytes() == typed


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not on this machine")
# LibreOffice names the columns of a print area alone, which openpyxl does not read.
@pytest.mark.filterwarnings("ignore:Print area")
def test_a_result_that_libreoffice_saved_is_the_same_and_comes_back(tmp_path):
    desk, result = begun(tmp_path)
    saved = saved_by_office(result, tmp_path / "saved")
    before = desk.unsafe()
    result.write_bytes(saved.read_bytes())

    desk.submit(result)

    assert desk.unsafe() == before
    assert result_of(desk, result) == result
    outcomes = [
        line[len(HEADINGS)]
        for line in openpyxl.load_workbook(result)["Projects"].iter_rows(
            min_row=2, values_only=True
        )
    ]
    assert outcomes == [
        "To correct" if n == WRONG else SENT if n % 3 else DRAFTED for n in range(1, 10)
    ]
