"""The list of receipts says what the service said, and runs nothing of it."""

import csv
from datetime import UTC, datetime

import pytest

from kawe.domain.service.papers import ExportedReceipt, ReceiptExport
from kawe.domain.text.table_doc import unguarded
from kawe.files.papers import PaperPlace
from kawe.files.receipts import TABLE, ReceiptFolder

AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def _listed(folder, name):
    receipt = ExportedReceipt(
        number="RC-1",
        submission="S-1",
        project_name=name,
        reference=None,
        created_at=AT,
        file="RC-1.pdf",
        size_bytes=4,
        sha256="0" * 64,
    )
    export = ReceiptExport(
        receipts=(receipt,), team="Us", written_at=AT, is_complete=True
    )
    place = PaperPlace.plain(folder)
    ReceiptFolder(place, write_table=lambda path, _: path.touch()).finish(export)
    with (folder / TABLE).open(encoding="utf-8-sig", newline="") as file:
        _, row = csv.reader(file)
    return row[2]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("=1+1", "=1+1"),
        (' =HYPERLINK("x")', ' =HYPERLINK("x")'),
        ("\n=1+1", "\n=1+1"),
        ("＝1+1", "＝1+1"),
        ("'=1", "'=1"),
        ("\r@SUM(A1)", "\n@SUM(A1)"),
    ],
)
def test_a_name_that_is_a_formula_stays_a_text(tmp_path, name, said):
    cell = _listed(tmp_path, name)
    assert (cell[0], unguarded(cell)) == ("'", said)


def test_a_name_brings_nothing_active_into_the_list(tmp_path):
    name = "Ōtāhuhu\x1b[31m\x00\x07 \u202eculvert\x9b"
    assert _listed(tmp_path, name) == "Ōtāhuhu[31m culvert"
