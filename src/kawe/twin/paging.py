"""Pages of a list (interface, Response envelope)."""

from __future__ import annotations

from collections.abc import Sequence

from kawe.twin.queries import Query


def page_of(data: Sequence[object], *, total: int, query: Query) -> dict[str, object]:
    """Put one page's rows beside the figures of the whole list."""
    return {
        "data": list(data),
        "total": total,
        "page": query.page,
        "limit": query.limit,
        "total_pages": -(-total // query.limit),
    }
