"""Axe looks over the page that a browser shows, for what keeps people out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final

from doubles.browser import Browser

_SERIOUS: Final = {"serious", "critical"}


def serious_faults(browser: Browser) -> list[str]:
    """Name each serious fault of the page shown, and the elements that have it."""
    browser.run(_axe())
    found: dict[str, Any] = browser.run("return axe.run(document)")
    return [
        f"{each['id']}: {[node['target'] for node in each['nodes'][:4]]}"
        for each in found["violations"]
        if each["impact"] in _SERIOUS
    ]


@cache
def _axe() -> str:
    return files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
