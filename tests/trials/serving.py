"""A kawe that was just installed: its commands, and the twin that it serves."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_ADDRESS: Final = re.compile(r"Address of the service: +(\S+)\n +Key: +(\S+)")
_SECONDS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """How somebody types the kawe that is tried."""

    kawe: str
    """What begins each command, for a POSIX shell."""
    folder: Path
    """Where they work; there is no clone."""
    home: Path
    path: str
    """The PATH of their shell."""
    variables: Mapping[str, str] = field(default_factory=dict)

    def surroundings(self) -> dict[str, str]:
        """Give an environment without anything of the clone or of whoever tries."""
        own = re.compile("KAWE|PYTHON|XDG|VIRTUAL_ENV")
        usual = {k: v for k, v in os.environ.items() if not own.match(k)}
        # As plain and as wide as the lines of the documentation.
        plain = {"NO_COLOR": "1", "COLUMNS": "1000"}
        # No keyring of the machine gets a key of the twin.
        plain["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
        return {
            **usual,
            "HOME": str(self.home),
            "PATH": self.path,
            **plain,
            **self.variables,
        }

    def type(self, line: str) -> subprocess.CompletedProcess[str]:
        """Type a line in which `kawe` stands for the kawe that is tried."""
        return subprocess.run(
            ["sh", "-c", re.sub(r"^kawe\b", lambda _: self.kawe, line)],
            check=False,
            cwd=self.folder,
            env=self.surroundings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    @contextmanager
    def serving(self, words: str) -> Iterator[tuple[str, str]]:
        """Run `kawe serve`; give its address and its live key.

        Raises:
            RuntimeError: It did not start; the text is what it said.
        """
        told = self.folder.parent / "served.txt"
        with told.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {self.kawe} serve {words}"],
                cwd=self.folder,
                env={**self.surroundings(), "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        try:
            deadline = time.monotonic() + _SECONDS
            while not (found := _ADDRESS.search(told.read_text("utf-8"))):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(told.read_text("utf-8"))
                time.sleep(0.05)
            yield found[1], found[2]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=_SECONDS)
