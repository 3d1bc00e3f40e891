"""What a killed run leaves half written is cleared by a later one."""

import os
from datetime import UTC, datetime

import pytest

from kawe.domain.service.papers import ReceiptExport
from kawe.files.papers import PaperPlace
from kawe.files.receipts import ReceiptFolder
from kawe.workbook.results.tables import write_table

LONG_AGO = 1_000_000_000


def _leave(folder, *, is_old):
    """Leave what a killed export and a killed report leave."""
    for name in (".kawe-a1b2c3d4.part", ".kawe-e5f6a7b8.tmp"):
        path = folder / name
        path.write_bytes(b"half")
        if is_old:
            os.utime(path, (LONG_AGO, LONG_AGO))


def _export(folder):
    export = ReceiptExport(
        receipts=(), team="Tauira", written_at=datetime.now(UTC), is_complete=True
    )
    ReceiptFolder(PaperPlace.plain(folder), write_table=write_table).finish(export)


@pytest.mark.parametrize(("is_old", "stays"), [(True, 0), (False, 2)])
def test_temporary_files_are_cleared_when_they_are_old(tmp_path, is_old, stays):
    _leave(tmp_path, is_old=is_old)
    _export(tmp_path)
    assert len(list(tmp_path.glob(".kawe-*"))) == stays


def test_a_file_of_the_persons_own_is_left_alone(tmp_path):
    own = tmp_path / ".kawe-notes.txt"
    own.write_text("mine", encoding="utf-8")
    os.utime(own, (LONG_AGO, LONG_AGO))
    _export(tmp_path)
    assert own.read_text(encoding="utf-8") == "mine"
