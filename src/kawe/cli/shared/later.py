"""Imports that wait, so that the help of a command is there at once.

`kawe COMMAND --help` needs the options alone; what the command works with takes five
times as long to load. The modules of the command get a stand-in for each name from
elsewhere, which is imported when something of it is asked for, or by `import_now`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

_HERE: Final = "kawe.cli."
_WAIT: Final = ("kawe.", "kawe_", "asyncio", "subprocess")
_AT_ONCE: Final = (_HERE, "kawe.errors", "kawe.domain.text.hosts")
_LOG: Final = "kawe.cli.output.log"
_import: Final = builtins.__import__
_waiting: Final[set[str]] = set()


class _StandIn:
    """Stands in for a module, or for a name of one."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def stood_in_for(self) -> Any:  # noqa: ANN401 - whatever stands there
        module = import_module(self._module)
        return getattr(module, self._name) if self._name else module

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever stands there
        if not self._name:
            return _StandIn(self._module, name)
        return getattr(self.stood_in_for(), name)

    def __getitem__(self, key: object) -> Any:  # noqa: ANN401 - whatever stands there
        return self.stood_in_for()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.stood_in_for())

    def __or__(self, other: object) -> Any:  # noqa: ANN401 - a type hint
        return self.stood_in_for() | other


@contextmanager
def importing_later() -> Iterator[None]:
    """Let the modules of commands wait for what they import."""
    builtins.__import__ = _imported
    try:
        yield
    finally:
        builtins.__import__ = _import


def import_now() -> None:
    """Import all that has waited."""
    for name, module in [*sys.modules.items()] if _waiting else ():
        if name.startswith(_HERE):
            for known, value in [*vars(module).items()]:
                if isinstance(value, _StandIn):
                    setattr(module, known, value.stood_in_for())


def _imported(name: str, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - a module
    importer = str((given[0] or {}).get("__name__")) if given else ""
    waits = (name.startswith(_WAIT) and not name.startswith(_AT_ONCE)) or name == _LOG
    if waits and importer.startswith(_HERE) and name not in sys.modules:
        _waiting.add(name)
        return _StandIn(name)
    return _import(name, *given, **named)
