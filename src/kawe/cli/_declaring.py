"""Options as values: a command's dataclass declares what stands on its command line.

Each field is written once, with its type, its flags and its help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import (
    Any,
    Final,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_type_hints,
)

import click

OptionsT = TypeVar("OptionsT")
_Command: TypeAlias = Callable[..., int]
_Decorator: TypeAlias = Callable[[_Command], _Command]
_DECLARES: Final = "declares"


def option(*flags: str, **attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare a field as an option of the command line; a bool is a flag."""

    def declare(name: str, kind: object) -> _Decorator:
        return click.option(*flags, name, is_flag=kind is bool, **attributes)

    return field(metadata={_DECLARES: declare})


def argument(**attributes: Any) -> Any:  # noqa: ANN401 - a field's default
    """Declare a field as an argument of the command line."""

    def declare(name: str, _kind: object) -> _Decorator:
        return click.argument(name, **attributes)

    return field(metadata={_DECLARES: declare})


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(option, argument)
)
def options_class(declared: type[OptionsT]) -> type[OptionsT]:
    """Make a frozen dataclass of options, of which the type checker wants every one."""
    return dataclass(frozen=True, slots=True, kw_only=True)(declared)


def taking(
    options: type[OptionsT],
) -> Callable[[Callable[[OptionsT], int]], _Command]:
    """Give a command the parameters that a dataclass declares, as one value of it.

    A field that declares nothing is itself a dataclass of options, which several
    commands share.
    """

    def decorate(command: Callable[[OptionsT], int]) -> _Command:
        @wraps(command)
        def called(**given: object) -> int:
            return command(_built(options, given))

        done: _Command = called
        for declare in reversed([*_declarations(options)]):
            done = declare(done)
        return done

    return decorate


def _declarations(options: type[Any]) -> Iterator[_Decorator]:
    types = get_type_hints(options)
    for each in fields(options):
        if _DECLARES in each.metadata:
            yield each.metadata[_DECLARES](each.name, types[each.name])
        else:
            yield from _declarations(types[each.name])


def _built(options: type[Any], given: Mapping[str, object]) -> Any:  # noqa: ANN401 - one of `options`
    types = get_type_hints(options)
    values = {
        each.name: given[each.name]
        if _DECLARES in each.metadata
        else _built(types[each.name], given)
        for each in fields(options)
    }
    return options(**values)
