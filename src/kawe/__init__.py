"""kawe: bulk import and export for iwi consultation, from workbooks.

Importing this package is cheap on purpose: it loads nothing else. What `__all__` names
is the interface for Python programs, under semantic versioning; `kawe.cases.python` has
it, and is loaded when the first name is asked for.
"""

from typing import Any

__all__ = [
    "Decision",
    "ExitCode",
    "KaweError",
    "PlannedLimits",
    "Reading",
    "audit",
    "check",
    "export_receipts",
    "find_rows",
    "in_words",
    "open_kawe",
    "plan",
    "release",
    "resolve",
    "status",
    "submit",
    "verify",
    "waiting",
]
BASE = "0.2.0.dev0"
try:
    from kawe._version import __version__ as __version__
except ImportError:  # a copy that nobody built: tools/build_version.py
    __version__ = BASE


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Give a name of the Python interface."""
    if name not in __all__:
        raise AttributeError(f"kawe has no public name {name!r}.")
    from importlib import import_module  # noqa: PLC0415 (start-up)

    # By its name: every room asks this package for the version, and none for these.
    return getattr(import_module("kawe.cases.python"), name)
