"""A folder of work, a home, and a keyring of one's own."""

from dataclasses import dataclass, field
from pathlib import Path

import keyring
import pytest

from doubles.keyrings import FolderKeyring
from kawe.errors import GuardRefused
from kawe.settings.loading import load_settings


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Give a home of this test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "kawe").mkdir(parents=True)
    return tmp_path / "home" / "kawe"


@dataclass
class Desk:
    """A folder of work, a home, and what stands in the environment."""

    folder: Path
    home: Path
    environment: dict = field(default_factory=dict)

    def load(self, *, near="", user="", environment=None, **flags):
        (self.folder / "kawe.toml").write_text(near, "utf-8")
        (self.home / "kawe.toml").write_text(user, "utf-8")
        given = self.environment if environment is None else environment
        return load_settings(flags, environment=given, folder=self.folder)

    def refused(self, **given):
        with pytest.raises(GuardRefused) as caught:
            self.load(**given)
        return str(caught.value)


@pytest.fixture
def desk(tmp_path, home):
    (tmp_path / "work").mkdir()
    return Desk(tmp_path / "work", home)


@pytest.fixture
def with_keyring(tmp_path, monkeypatch):
    """Give a function that puts a keyring in the place of the system's."""
    monkeypatch.setenv("KAWE_TEST_KEYRING", str(tmp_path / "keyring"))
    before = keyring.get_keyring()

    def put(kind=FolderKeyring):
        keyring.set_keyring(kind())

    yield put
    keyring.set_keyring(before)
