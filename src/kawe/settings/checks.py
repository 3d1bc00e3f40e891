"""What the settings want of kinds: `[checks.projects]`, `[retention]`."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from kawe.domain.sheet.columns import OwnCheck, SheetKind, column_named
from kawe.domain.text.new_zealand import A_YEAR
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.table import Layer, refuse_unknown

_CHECK: Final = (
    'Write says = "…" and one of required = true, like = "RC-####" with one * at most, '
    'one_of = ["…"] and working_days = 20; warns = true lets the row go.'
)


def own_checks(layers: Sequence[Layer]) -> tuple[OwnCheck, ...]:
    """Give what `[checks.projects]` wants of columns; a folder's file may add to it."""
    sections = [each.values.get("checks", {}) for each in layers]
    for section in sections:
        refuse_unknown("checks", section, names=SheetKind.declared())
    return tuple(
        _check(kind, name, said)
        for section in sections
        for kind, checks in section.items()
        for name, said in (checks if isinstance(checks, dict) else {"": ""}).items()
    )


def _check(kind: str, name: str, said: object) -> OwnCheck:
    column = column_named(name, load_columns(SheetKind.named(kind)))
    try:
        told = dict(said) if isinstance(said, dict) and column is not None else {}
        told = {n: tuple(e) if isinstance(e, list) else e for n, e in told.items()}
        check = OwnCheck(
            kind=kind, field="" if column is None else column.field, **told
        )
        if check.is_usable:
            return check
    except TypeError:
        pass
    message = f"[checks.{kind}] {one_line(name)} is no check of a column."
    raise SettingsError(message=message, hint=_CHECK)


_PERIOD: Final = re.compile(r"([0-9]{1,3}) (day|month|year)s?")
# The longest that each can be: nothing goes too soon.
_UNITS: Final = {"day": timedelta(days=1), "month": timedelta(days=31), "year": A_YEAR}


def retention_of(section: Mapping[str, object]) -> dict[str | None, timedelta]:
    """Say how long the journal keeps what done rows of each kind said."""
    refuse_unknown("retention", section, names=SheetKind.declared())
    kept: dict[str | None, timedelta] = {}
    for kind, said in section.items():
        if not (found := _PERIOD.fullmatch(str(said))):
            raise SettingsError(
                message=f"[retention] {kind} is no period.",
                hint='Write it as "7 years", "18 months" or "90 days".',
            )
        kept[kind] = int(found[1]) * _UNITS[found[2]]
    return kept
