"""Cases of one test, of which some take long."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def cases(of: Mapping[str, Any], *, long: Iterable[str]) -> list[Any]:
    """Give the cases of a test by name; `make faults` alone runs the `long` ones."""
    marks = {name: [pytest.mark.short_campaign] for name in long}
    return [
        pytest.param(each, id=name, marks=marks.get(name, ()))
        for name, each in of.items()
    ]
