"""Somebody with an empty home, before any setting was made."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doubles.typed_commands import command_line, run_command


@dataclass(slots=True, kw_only=True)
class NewSheet:
    """A person, their home and the folder that they work in."""

    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.home / "work"

    @property
    def settings(self) -> Path:
        return self.home / ".config" / "kawe"

    def command(self, *words: str) -> list[str]:
        return command_line(*words)

    def surroundings(self) -> dict[str, str]:
        """Give the environment: a home, a path, and what was added."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            # No keyring, unless one is named.
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            **self.environment,
        }

    def run(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return run_command(
            words, folder=self.folder, environment=self.surroundings(), typed=typed
        )

    def document(self, *words: str) -> dict[str, Any]:
        """Run a command with --json and give what it printed beside its run."""
        value: dict[str, Any] = json.loads(self.run(*words, "--json").stdout)
        del value["run"]
        return value

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
