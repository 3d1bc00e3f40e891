"""The samples as the tests see them: a workbook and what is expected of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One folder below `samples/`."""

    folder: Path
    expected: dict[str, Any]

    def __str__(self) -> str:
        return self.folder.relative_to(SAMPLES).as_posix()

    @property
    def workbook(self) -> Path:
        """Give the workbook to check."""
        path: Path = self.folder / self.expected["workbook"]
        return path

    @property
    def findings(self) -> list[tuple[str, str, str]]:
        """Give where, severity and rule of each finding, sorted."""
        return sorted(
            (each["where"], each["severity"], each["rule"])
            for each in self.expected["findings"]
        )


def samples(group: str = "*") -> Sequence[Sample]:
    """Find every sample of a group."""
    return [
        Sample(folder=path.parent, expected=json.loads(path.read_text("utf-8")))
        for path in sorted(SAMPLES.glob(f"{group}/*/expected.json"))
    ]
