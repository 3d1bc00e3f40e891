"""The figures of the campaigns, kept for the page that publishes them.

A campaign writes what it measured, `tools/write_figures.py` makes the
table of docs/proof.md of it. Nothing is published that no run wrote.
CAMPAIGN_FIGURES names another folder for them, where a run is only a trial.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

USUAL = Path(__file__).parents[2] / "build" / "campaign"
FIGURES = Path(os.environ.get("CAMPAIGN_FIGURES", USUAL))

RUN = "PYTHONPATH=tests .venv/bin/python -m campaigns"
"""How every campaign is started, before a point and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one campaign measured."""

    campaign: str
    """Its name: kills, kills-in-recovery, simulation, state-machine, ..."""
    what: str
    """What was done, in a short phrase for the table."""
    command: str
    """What makes these figures again."""
    runs: int
    rows: int
    faults: int
    """How many faults really struck."""
    lost: int
    doubled: int
    to_a_person: int
    """Rows that were held for a person at the end."""
    seconds: float
    seeds: str = ""
    note: str = ""


def record(figures: Figures) -> None:
    """Write figures down, in place of those of the campaign's last run."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    words = asdict(figures) | {"date": f"{datetime.now(UTC):%Y-%m-%d}"}
    text = json.dumps(words, indent=2, ensure_ascii=False)
    (FIGURES / f"{figures.campaign}.json").write_text(text + "\n", encoding="utf-8")


class Asked:
    """What a campaign is asked for on its command line, and since when it runs."""

    def __init__(self, page: str | None, *by_place: str, **usual: Any) -> None:
        """Read the options, each given by its usual value; some go by their place."""
        words = argparse.ArgumentParser(description=(page or "").partition("\n")[0])
        for name, value in usual.items():
            if isinstance(value, bool):
                words.add_argument(f"--{name}", action="store_true")
            elif name in by_place:
                words.add_argument(name, type=type(value), nargs="?", default=value)
            else:
                words.add_argument(f"--{name}", type=type(value), default=value)
        self._given = vars(words.parse_args())
        self._by_place = by_place
        self._began = time.monotonic()

    def __getattr__(self, name: str) -> Any:
        return self._given[name]

    @property
    def command(self) -> str:
        """Give what makes the figures again."""
        said = [f"{RUN}.{Path(sys.argv[0]).stem}"]
        for name, value in self._given.items():
            told = f"{value:g}" if isinstance(value, float) else str(value)
            if name in self._by_place:
                said.append(told)
            elif value is True:
                said.append(f"--{name}")
            elif value is not False and told:
                said.append(f"--{name} {told}")
        return " ".join(said)

    def record(self, campaign: str, what: str, **measured: Any) -> None:
        """Write down what was measured since it began; see `Figures`."""
        told: dict[str, Any] = {"lost": 0, "doubled": 0, "to_a_person": 0, **measured}
        told["command"] = self.command
        told["seconds"] = round(time.monotonic() - self._began, 1)
        record(Figures(campaign=campaign, what=what, **told))
