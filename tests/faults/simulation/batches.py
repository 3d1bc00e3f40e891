"""The workbooks of worlds, checked."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from doubles.rows import checked_projects, project
from kawe.domain.sheet.content import Attachment, OrganisationContent, ProjectContent
from kawe.flows.check.checking import Checked
from kawe_places.values import Place

_FIRST_DAY: Final = date(2030, 3, 1)
_PAPER: Final = Path(__file__)
"""Any file will do: it is read and its bytes are dropped."""


def size_of(chance: Random) -> int:
    """Say how many rows a workbook has: mostly a few dozen, seldom hundreds."""
    kind = chance.random()
    if kind < 0.7:
        return chance.randint(20, 80)
    return chance.randint(80, 200) if kind < 0.95 else chance.randint(200, 500)


def batch_of(chance: Random, size: int) -> Checked:
    """Make a checked workbook of that many rows."""
    has_organisations = chance.random() < 0.2
    has_files = chance.random() < 0.15
    return checked_projects(
        [
            _content(
                chance, number, has_organisations=has_organisations, has_files=has_files
            )
            for number in range(1, size + 1)
        ]
    )


def _content(
    chance: Random, number: int, *, has_organisations: bool, has_files: bool
) -> ProjectContent:
    organisation = None
    if has_organisations and chance.random() < 0.3:
        organisation = OrganisationContent(name=chance.choice("ABC") + " Limited")
    files: tuple[Attachment, ...] = ()
    if has_files and chance.random() < 0.2:
        files = (an_attachment(number),)
    return project(
        number,
        reference=None if chance.random() < 0.2 else f"R-{number}",
        respond_by_on=_FIRST_DAY + timedelta(days=chance.randint(0, 40)),
        place=Place(latitude=-36.85 + chance.randint(0, 2) / 100, longitude=174.76),
        organisation=organisation,
        files=files,
        send=chance.random() < 0.97,
        priority_order=float(chance.randint(1, 3)) if chance.random() < 0.1 else None,
    )


def an_attachment(number: int) -> Attachment:
    """Name a file that a row carries."""
    content = _bytes()
    return Attachment(
        path=_PAPER,
        name=f"plan {number}.pdf",
        mime_type="application/pdf",
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


@lru_cache(maxsize=1)
def _bytes() -> bytes:
    return _PAPER.read_bytes()
