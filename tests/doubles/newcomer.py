"""Somebody with an empty home, before any setting was made."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from doubles.typed_commands import AtTerminal


@dataclass(slots=True, kw_only=True)
class NewSheet(AtTerminal):
    """A person, their home and the folder that they work in."""

    home: Path

    @property
    def settings(self) -> Path:
        return self.home / ".config" / "kawe"

    def surroundings(self) -> dict[str, str]:
        """Give the environment: a home, a path, and what was added."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            # No keyring, unless one is named.
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            **self.environment,
        }

    def write_settings(self, text: str) -> Path:
        """Write their own settings."""
        self.settings.mkdir(parents=True, exist_ok=True)
        path = self.settings / "kawe.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def write_key(self, key: str) -> Path:
        """Put a key into a file of their own."""
        path = self.home / "service.key"
        path.write_text(key, encoding="utf-8")
        path.chmod(0o600)
        return path
