"""A folder of work, a home, and a keyring of one's own."""

import keyring
import pytest

from doubles.keyrings import FolderKeyring


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Give a home of this test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "kawe").mkdir(parents=True)
    return tmp_path / "home" / "kawe"


@pytest.fixture
def with_keyring(tmp_path, monkeypatch):
    """Give a function that puts a keyring in the place of the system's."""
    monkeypatch.setenv("KAWE_TEST_KEYRING", str(tmp_path / "keyring"))
    before = keyring.get_keyring()

    def put(kind=FolderKeyring):
        keyring.set_keyring(kind())

    yield put
    keyring.set_keyring(before)
