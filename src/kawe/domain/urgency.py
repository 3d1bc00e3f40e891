"""Which row gets a scarce token first."""

from __future__ import annotations

import math

from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry


def urgency(entry: Entry) -> tuple[float, str, int]:
    """Give the sort key of a row: the most urgent row sorts first.

    The person's priority order comes first, then the day to respond by, then
    the order in the sheet.
    """
    content = entry.content
    if not isinstance(content, ProjectContent):
        return (math.inf, "", entry.position)
    order = math.inf if content.priority_order is None else content.priority_order
    return (order, content.respond_by_on.isoformat(), entry.position)
