"""Finds names so similar that one may be a misspelling of the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rapidfuzz import fuzz, process

from kawe.domain.text.texts import fold_name

_ALIKE: Final = 85
_SPELT_ALIKE: Final = 60
_MOST: Final = 3
_NUMBER: Final = re.compile(r"\d+")
# Words that do not distinguish organisations.
_SHORT: Final = {
    "limited": "ltd",
    "company": "co",
    "incorporated": "inc",
    "association": "assn",
    "department": "dept",
    "saint": "st",
}


class RapidfuzzSuggester:
    """Implements the port `Suggester`."""

    def nearest(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Compare folded names; different numbers are different names."""
        folded = _plain(name)
        numbers = _NUMBER.findall(folded)
        plain = {other: _plain(other) for other in among}
        found = process.extract(
            folded, plain, scorer=fuzz.token_sort_ratio, score_cutoff=_ALIKE, limit=10
        )
        alike = [other for text, _, other in found if _NUMBER.findall(text) == numbers]
        return tuple(alike[:_MOST])

    def misspelt(self, name: str, *, among: Sequence[str]) -> tuple[str, ...]:
        """Compare the letters as typed."""
        found = process.extract(
            name, among, scorer=fuzz.ratio, score_cutoff=_SPELT_ALIKE, limit=_MOST
        )
        return tuple(other for other, _, _ in found)


def _plain(name: str) -> str:
    return " ".join(_SHORT.get(word, word) for word in fold_name(name).split())
