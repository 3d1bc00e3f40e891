"""The figures of the campaigns, kept for the page that publishes them.

A campaign writes what it measured, `tools/write_figures.py` makes the
table of docs/proof.md of it. Nothing is published that no run wrote.
CAMPAIGN_FIGURES names another folder for them, where a run is only a trial.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

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
