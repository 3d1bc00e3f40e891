"""Cases of one test, of which some take long."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

# `make test` tells each story once; `make faults` tells it each way.
RETOLD = pytest.mark.short_campaign
COMPUTERS = pytest.mark.parametrize(
    "where", [pytest.param("here", marks=RETOLD), "there"]
)
NUMBERED = pytest.mark.parametrize(
    "numbered", [True, pytest.param(False, marks=RETOLD)], ids=["numbered", "bare"]
)


def cases(of: Mapping[str, Any], *, long: Iterable[str]) -> list[Any]:
    """Give the cases of a test by name; `make faults` alone runs the `long` ones."""
    marks = {name: [RETOLD] for name in long}
    return [
        pytest.param(each, id=name, marks=marks.get(name, ()))
        for name, each in of.items()
    ]
