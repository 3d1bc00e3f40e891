"""The table of kinds: what a sheet can be about. A new kind is one line here."""

from __future__ import annotations

from typing import Final

from kawe.flows.kinds import Kind
from kawe.kinds.acts import ACTS
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS

KINDS: Final[tuple[Kind, ...]] = (PROJECTS, INVITATIONS, *ACTS)
