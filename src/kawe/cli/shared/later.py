"""The help of a command is there at once: what it does not need is imported later.

`kawe COMMAND --help` needs the options alone; what the command works with takes five
times as long to load. The modules of the command get a stand-in for each name from
elsewhere, which is imported when something of it is asked for, or by `import_now`.
"""

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TypeVar

import click

_HERE: Final = "kawe.cli."
_WAIT: Final = ("kawe.", "kawe_", "asyncio", "subprocess")
_AT_ONCE: Final = (_HERE, "kawe.errors", "kawe.domain.text.hosts")
_OWN: Final = {"kawe.cli.output.log", "kawe.cli.shared.progress"}
_import: Final = builtins.__import__
_waiting: Final[set[str]] = set()
_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])
SHOWS_ALL: Final = "kawe.help-all"
"""In click's context: every option is shown."""


class _StandIn:
    """Stands in for a module, or for a name of one."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def stood_in_for(self) -> Any:  # noqa: ANN401 - whatever stands there
        module = import_module(self._module)
        if self._name and not hasattr(module, self._name):
            # It is a module itself.
            return import_module(f"{self._module}.{self._name}")
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
        return Any | other

    __ror__ = __or__


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
    waits = (name.startswith(_WAIT) and not name.startswith(_AT_ONCE)) or name in _OWN
    if waits and importer.startswith(_HERE) and name not in sys.modules:
        _waiting.add(name)
        return _StandIn(name)
    return _import(name, *given, **named)


def help_all(shown: str) -> Callable[[_CommandT], _CommandT]:
    """Give a command the option that prints its help with all that is `shown` then."""
    return click.option(
        "--help-all",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help=f"Show every {shown}.",
    )


def _show_all(ctx: click.Context, _option: click.Parameter, asked: object) -> None:
    if not asked:
        return
    ctx.meta[SHOWS_ALL] = True
    click.echo(ctx.get_help(), color=ctx.color)
    if isinstance(ctx.command, click.Group):
        for name, command in ctx.command.commands.items():
            inner = click.Context(command, info_name=name, parent=ctx)
            click.echo(f"\n{command.get_help(inner)}", color=ctx.color)
    ctx.exit()
