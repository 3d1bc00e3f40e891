"""Both journals, each at a place where it can be opened again."""

import pytest

from doubles.journal_homes import MemoryHome, SqliteHome


@pytest.fixture
def disk(tmp_path):
    return SqliteHome(tmp_path / "kawe" / "journal.db")


@pytest.fixture(params=["memory", "sqlite"])
def home(request, disk):
    return MemoryHome() if request.param == "memory" else disk
