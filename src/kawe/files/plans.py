"""Saved plans on the disk: written whole or not at all, and known when they are met."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.text.texts import one_line
from kawe.errors import PlanRefused
from kawe.files.plan_json import plan_from_text, plan_to_text
from kawe.files.saving import save_named

_MOST_BYTES: Final = 256 * 2**20
_HEAD_BYTES: Final = 64


def is_plan(path: Path) -> bool:
    """Say whether a file is meant as a plan: it is called so, or begins so."""
    try:
        if path.exists() and not path.is_file():
            # A folder says so itself; a pipe would be waited for.
            return False
        if path.suffix.lower() == ".json":
            return True
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).lstrip().startswith(b'{\n  "schema": "kawe.')
    except OSError:
        return False


def write_plan(plan: SavedPlan, path: Path) -> None:
    """Write a plan, for its owner's eyes alone.

    Raises:
        ResultNotWritable: It cannot be written there.
    """
    save_named(path, plan_to_text(plan).encode(), called="plan")


def read_plan(path: Path) -> SavedPlan:
    """Read a plan.

    Raises:
        PlanRefused: It cannot be read, is none, or was edited.
    """
    shown = one_line(str(path))
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PlanRefused(message=f"{shown} is too large for a plan.")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise PlanRefused(
            message=f"The plan {shown} cannot be read.",
            hint="Check its name, or make it with kawe plan WORKBOOK -o plan.json.",
        ) from trouble
    return plan_from_text(text)
