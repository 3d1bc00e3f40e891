"""Any text that stood in a cell comes back as it was meant, from every reader."""

import csv
import io
import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

from contracts.test_reader_result_sheets import report, row
from kawe.domain.text.table_doc import guarded, unguarded
from kawe.workbook.results.result import write_result
from kawe_xlsx.limits import CUT_MARK
from kawe_xlsx.writing.text import plain_text

_ODD = [
    *("=cmd|' /C calc'!A0", "+1", "-1+2", "@SUM(A1)", "\t=1", "'=1", "''", "＝1"),
    *("_x000D_", "_x005F_", "_x", "_", "\n", "\r\n", "\r", "\x00", "\x1b[31m"),
    *("\ud800", "\udfff", "\ufffe", "\u202e", "\u2028", "\u200b", "\xa0", " "),
    *("&", "<", ">", '"', "]]>", "<![CDATA[", "&#10;", "ā", "a\u0304", "🐟", ";"),
]
TEXTS = st.lists(st.sampled_from(_ODD) | st.text(max_size=8), max_size=6).map("".join)
_MODEST = settings(max_examples=40)


def _unescaped(text):
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


def _written(texts):
    rows = [row(at, raw=(text, None)) for at, text in enumerate(texts, start=2)]
    files = [io.BytesIO() for _ in range(3)]
    write_result(report(*rows), files)
    return files


@_MODEST
@example(_ODD)
@example(["x" * 40_000, " a", "b ", "\n", "_x005F_x000D_"])
@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_texts_come_back_from_the_workbook(texts):
    workbook, _, _ = _written(texts)
    meant = [plain_text(text) or None for text in texts]

    sheet = load_workbook(workbook)["Projects"]
    found = [sheet.cell(at, 1) for at in range(2, len(texts) + 2)]
    again = CalamineWorkbook.from_filelike(io.BytesIO(workbook.getvalue()))
    rows = again.get_sheet_by_name("Projects").to_python(skip_empty_area=False)[1:]

    # openpyxl leaves escapes as they are stored.
    assert [_unescaped(str(cell.value or "")) for cell in found] == [
        text or "" for text in meant
    ]
    assert {cell.data_type for cell in found if cell.value is not None} <= {"s"}
    assert [line[0] or None for line in rows] == meant


@_MODEST
@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_texts_come_back_from_the_csv_file_and_none_is_a_formula(texts):
    _, table, _ = _written(texts)
    text = table.getvalue().decode("utf-8-sig")
    cells = [line[0] for line in csv.reader(io.StringIO(text, newline=""))][1:]
    assert [unguarded(cell) for cell in cells] == [plain_text(each) for each in texts]
    risky = [cell for cell in cells if cell.lstrip()[:1] in set("=+-@＝＋－＠")]
    assert [cell for cell in risky if cell.strip()] == [
        cell for cell in risky if re.fullmatch(r"[+-][0-9][0-9 .]*", cell)
    ]


@_MODEST
@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_texts_are_whole_in_the_json_and_safe_on_a_terminal(texts):
    _, _, document = _written(texts)
    data = document.getvalue()
    assert [each["values"]["Name"] for each in json.loads(data)["rows"]] == texts
    assert all(line.isprintable() for line in data.decode().split("\n"))


@given(TEXTS)
def test_taking_a_guard_away_gives_the_text_back(text):
    assert unguarded(guarded(text)) == plain_text(text)


def test_a_long_text_is_whole_in_the_json_alone():
    long = "x" * 40_000
    _, table, document = _written([long])
    said = table.getvalue().decode("utf-8-sig").splitlines()[1].split(",")[0]
    assert said == "x" * 1_000 + CUT_MARK
    assert json.loads(document.getvalue())["rows"][0]["values"]["Name"] == long
