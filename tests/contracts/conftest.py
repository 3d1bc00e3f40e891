"""The journals, each at a place where it can be opened again."""

from itertools import count

import pytest

from doubles.journal_homes import MemoryHome, ServerHome, SqliteHome
from doubles.opening import opener
from doubles.postgres import running_postgres
from kawe_twin.serving import TwinOptions, start_twin

_NUMBERS = count(1)


@pytest.fixture
def twin(tmp_path):
    with start_twin(TwinOptions(folder=tmp_path / "twin", tokens=1)) as running:
        yield running


@pytest.fixture
def disk(tmp_path):
    return SqliteHome(tmp_path / "kawe" / "journal.db")


@pytest.fixture(scope="session")
def postgres():
    with running_postgres() as server:
        yield server


@pytest.fixture
def server_home(postgres):
    return ServerHome(postgres.journal(f"council {next(_NUMBERS)}"))


@pytest.fixture(params=["xlsx", "csv"])
def opened(request, tmp_path):
    return opener(tmp_path / f"works.{request.param}")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def home(request):
    if request.param == "memory":
        return MemoryHome()
    name = "disk" if request.param == "sqlite" else "server_home"
    return request.getfixturevalue(name)
