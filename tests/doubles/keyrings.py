"""Keyrings that a test can do with as it likes, in this process and in others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import keyring.backend
import keyring.errors


class FolderKeyring(keyring.backend.KeyringBackend):
    """Keeps what it is given in the file that KAWE_TEST_KEYRING names."""

    name = "Test Keyring"
    priority: Any = 5

    def __init__(self) -> None:
        self._file = Path(os.environ["KAWE_TEST_KEYRING"])

    def _kept(self) -> dict[str, str]:
        if not self._file.exists():
            return {}
        kept: dict[str, str] = json.loads(self._file.read_text("utf-8"))
        return kept

    def get_password(self, service: str, username: str) -> str | None:
        return self._kept().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep it."""
        kept = {**self._kept(), f"{service} {username}": password}
        self._file.write_text(json.dumps(kept), "utf-8")

    def delete_password(self, service: str, username: str) -> None:
        """Forget it."""
        kept = self._kept()
        del kept[f"{service} {username}"]
        self._file.write_text(json.dumps(kept), "utf-8")


class LockedKeyring(FolderKeyring):
    """Says what was to be kept, as a careless keyring could, and keeps nothing."""

    def get_password(self, service: str, username: str) -> str | None:
        """Refuse.

        Raises:
            KeyringLocked: Always.
        """
        raise keyring.errors.KeyringLocked(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        """Refuse.

        Raises:
            PasswordSetError: Always.
        """
        raise keyring.errors.PasswordSetError(service, username, password)


class ForgetfulKeyring(FolderKeyring):
    """Takes everything and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Say that it was kept."""


class WeakKeyring(FolderKeyring):
    """One that says of itself that it is not safe."""

    priority: Any = 0.5
