"""A plan that is in a file already, shown to whoever is to approve it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from kawe.cli import _words
from kawe.cli._asked import OF_A_PLAN
from kawe.cli._exit import ExitCode
from kawe.cli._plan_words import plan_document, plan_lines
from kawe.domain.new_zealand import moment_words
from kawe.domain.saved_plans import PlannedLimits, SavedPlan
from kawe.domain.texts import one_line
from kawe.errors import SettingsError
from kawe.toolkit import read_plan

_BOUNDS: Final = {
    "drafts_only": "--drafts-only",
    "update_drafts": "--update-drafts",
    "max_tokens": "--max-tokens",
    "keep_reserve": "--keep-reserve",
    "only": "--only",
    "canary": "--canary",
}
_SHAPING: Final = {
    **OF_A_PLAN,
    **_BOUNDS,
    "files_root": "--files",
    "written": "-o",
}


def show_plan(path: Path, options: Mapping[str, Any]) -> ExitCode:
    """Say what a plan in a file will do; ask the service nothing.

    Raises:
        PlanRefused: It is no plan, or was edited.
        SettingsError: An option would shape another plan.
    """
    given = (flag for name, flag in _SHAPING.items() if _is_given(options[name]))
    flag = next(given, None)
    if flag is not None:
        raise SettingsError(
            message=f"{flag} shapes a new plan, and {one_line(str(path))} is one "
            "already.",
            hint=f"To look at it: kawe plan {one_line(str(path))}. To make another, "
            f"name the workbook: kawe plan WORKBOOK {flag}",
        )
    saved = read_plan(path)
    code = ExitCode.DONE
    if options["as_json"]:
        document = plan_document(saved, written=str(path), exit_code=code)
        _words.print_json(document)
        return code
    for line in _lines(saved, path):
        click.echo(line)
    return code


def _lines(saved: SavedPlan, path: Path) -> Iterator[str]:
    name = one_line(str(path))
    yield (
        f"The plan {name}, as {one_line(saved.author)} made it at "
        f"{moment_words(saved.made_at)} (NZ time), unchanged since."
    )
    yield f"It is of {one_line(saved.workbook)}, sheet {one_line(saved.sheet)}."
    bounds = _bounds(saved.limits)
    if bounds:
        yield f"It was made with {bounds}."
    yield from plan_lines(saved, is_new=False)
    yield (
        "Whether all of it still fits is looked at when it is carried out: "
        f"kawe submit {name}"
    )
    yield f"With your word as the second person: kawe submit {name} --approved-by NAME"


def _bounds(limits: PlannedLimits) -> str:
    given = ((flag, getattr(limits, name)) for name, flag in _BOUNDS.items())
    return ", ".join(
        flag if value is True else f"{flag} {one_line(str(value))}"
        for flag, value in given
        if _is_given(value) and (flag, value) != ("--keep-reserve", 0)
    )


def _is_given(value: object) -> bool:
    return value is not None and value is not False and value != ()
