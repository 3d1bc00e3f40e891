"""Options as values: a dataclass declares a command line.

Each field has its type, flags and help. A field without flags is itself such a
dataclass, which several commands share.
"""

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from types import ModuleType, NoneType
from typing import (
    Any,
    Final,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import click

from kawe.cli.output.exit import current_state
from kawe.cli.shared.later import SHOWS_ALL, help_all, import_now
from kawe.domain.text.texts import either, one_line
from kawe.errors import SettingsError
from kawe.machine.installation import load_extra

OptionsT = TypeVar("OptionsT")
_Command: TypeAlias = Callable[..., int]
_Decorator: TypeAlias = Callable[[_Command], _Command]
_DECLARES: Final = "declares"
_NO_NAME: Final = frozenset({errno.ELOOP, errno.ENAMETOOLONG})
# A message says so of what is none: click calls it an integer range.
click.IntRange.name = "whole number"


def option(*flags: str, is_folder: bool | None = None, **attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare a field as an option of the command line; its type says what it takes.

    A bool is a flag, a tuple may be given several times, and what can be None may be
    left out. `is_folder`: a path may be a folder alone, or no folder.
    """

    def declare(name: str, kind: object) -> _Decorator:
        given = _path_type(kind, is_folder=is_folder) | attributes
        is_many, is_flag = get_origin(kind) is tuple, kind in {bool, bool | None}
        may_lack = is_many or is_flag or NoneType in get_args(kind)
        told: dict[str, Any] = {
            "cls": _Option,
            "multiple": is_many,
            "required": not may_lack and "default" not in given,
            "show_default": kind is not str and bool(given.get("default")),
            # False, in place of None, lets no value begin with a hyphen.
            "is_flag": is_flag or None,
            **({"default": None} if kind == bool | None else {}),
        }
        return click.option(*flags, name, **(told | given))

    return field(metadata={_DECLARES: declare})


def rare(*flags: str, **attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare an option that stands in --help-all alone."""
    return option(*flags, cls=_RareOption, **attributes)


class _Filled(click.Parameter):
    """What takes no empty value."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Refuse it: a variable of a script that is not set gives it."""
        said = opts.get(self.name or "")
        if said == "" or (isinstance(said, list | tuple) and "" in said):
            raise click.BadParameter("it is empty.", ctx, self)
        return super().handle_parse_result(ctx, opts, args)


class _Option(_Filled, click.Option):
    """An option of a command."""


class _Argument(_Filled, click.Argument):
    """An argument of a command."""


class _RareOption(_Option):
    """An option that few people need."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return super().get_help_record(ctx) if ctx.meta.get(SHOWS_ALL) else None


def output(says: str, **attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare where a command writes its file, or the files of its folder."""
    return option("-o", "--output", help=says, **attributes)


def yes(says: str) -> Any:  # noqa: ANN401 - a field's default
    """Declare the option that agrees to a number of acts."""
    return option("--yes", type=click.IntRange(0), metavar="N", help=says)


def argument(*, is_folder: bool | None = None, **attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare a field as an argument of the command line."""

    def declare(name: str, kind: object) -> _Decorator:
        given = _path_type(kind, is_folder=is_folder) | attributes
        given |= {"cls": _Argument, "required": NoneType not in get_args(kind)}
        return click.argument(name, **given)

    return field(metadata={_DECLARES: declare})


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    field_specifiers=(option, rare, output, yes, argument),
)
def options_class(declared: type[OptionsT]) -> type[OptionsT]:
    return dataclass(frozen=True, slots=True, kw_only=True)(declared)


def command(
    examples: str,
    *,
    of: click.Group | None = None,
    **attributes: Any,  # noqa: ANN401 - click's
) -> Callable[[Callable[[OptionsT], int]], click.Command]:
    """Make a command, or one `of` a group, of a function that takes its options.

    They are one value of the dataclass that the function asks for. The `examples`
    stand below the help.
    """
    several = "s" if " · " in examples else ""
    attributes["epilog"] = f"Example{several}: {examples}"

    def decorate(function: Callable[[OptionsT], int]) -> click.Command:
        options = get_type_hints(function)["options"]

        @wraps(function)
        def called(**given: object) -> int:
            import_now()
            current_state().run.begin(click.get_current_context())
            return function(_built(options, given))

        done: _Command = help_all("option")(called)
        for declare in reversed([each for _, each in _declared(options)]):
            done = declare(done)
        return (of.command if of else click.command)(**attributes)(done)

    return decorate


def _declared(options: type[Any]) -> Iterator[tuple[str, _Decorator]]:
    types = get_type_hints(options)
    for each in fields(options):
        if _DECLARES in each.metadata:
            yield each.name, each.metadata[_DECLARES](each.name, types[each.name])
        else:
            yield from _declared(types[each.name])


def names_of(options: type[Any]) -> list[str]:
    return [name for name, _ in _declared(options)]


def _built(options: type[Any], given: Mapping[str, object]) -> Any:  # noqa: ANN401 - one of `options`
    types = get_type_hints(options)
    values = {
        each.name: given[each.name]
        if _DECLARES in each.metadata
        else _built(types[each.name], given)
        for each in fields(options)
    }
    return options(**values)


class ChoiceOf(click.Choice[str]):
    """One word of a table, which is looked into when a word is to be told."""

    choices = property(lambda self: tuple(self.table), lambda *_: None)

    def __init__(self, table: Iterable[str]) -> None:
        self.table = table
        super().__init__(())

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Name the first two of more words than a line of the help has room for."""
        words = super().get_metavar(param, ctx)
        return words and re.sub(r"((?:\w+\|){2})[\w|]{60,}", r"\1…", words)


class PathType(click.Path):
    """A path that the system accepts, whether it exists or not."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Give the path, unless no file can have this name."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            path.stat()
            if not self.file_okay and not path.is_dir():
                self.fail(f"{one_line(str(path), limit=80)} is no folder.", param, ctx)
        except OSError as trouble:
            if trouble.errno in _NO_NAME:
                raise SettingsError(
                    message=f"{one_line(str(path), limit=80)} cannot be the name of a "
                    f"file: {str(trouble.strerror).lower()}.",
                    hint="Check the name. Nothing was done.",
                ) from trouble
        return path


def _path_type(kind: object, *, is_folder: bool | None = None) -> dict[str, Any]:
    if kind not in {Path, Path | None, tuple[Path, ...]}:
        return {}
    may_be = {"file_okay": is_folder is not True, "dir_okay": is_folder is not False}
    return {"type": PathType(path_type=Path, **may_be)}


@contextmanager
def ports_opened(ports: Sequence[int], *, hint: str) -> Iterator[None]:
    """Name the ports of this computer, one of which cannot be listened at."""
    try:
        yield
    except OSError as trouble:
        if trouble.errno not in {errno.EADDRINUSE, errno.EACCES} or trouble.filename:
            raise
        raise SettingsError(
            message="Another program on this computer listens at port "
            f"{either([*map(str, ports)])}, or the system keeps it.",
            hint=hint,
        ) from trouble


def load_twin() -> ModuleType:
    return load_extra("kawe_twin.serving", extra="twin", called="The twin")
