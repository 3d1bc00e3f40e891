"""One question about every profile of the settings, answered for each account."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import click

from kawe.cli.output import printing
from kawe.cli.output.next_command import typed_flag
from kawe.cli.shared.options import CommandContext, LookOptions, open_context
from kawe.domain.batch.exit_codes import ExitCode, code_of, worst_of
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError
from kawe.settings.working import profiles_of

OF_ALL = "--all-profiles"
HELP = "Of each profile of your own settings, one account after the other."


@dataclass(frozen=True, slots=True, kw_only=True)
class OfAccount:
    """What is told of one account."""

    code: ExitCode
    document: Mapping[str, Any]
    lines: Iterable[str]


def answer_of_all(
    schema: str, look: LookOptions, tell: Callable[[CommandContext], OfAccount]
) -> ExitCode:
    """Tell of each account; one that cannot be read is said, and the others follow.

    Only the journal that a profile itself names is read: another one that lies on this
    computer is another profile's.
    """
    if flag := typed_flag({"profile", "base_url", "key_file", "journals"}):
        raise click.UsageError(f"{flag} is for one account: leave out {OF_ALL}.")
    told: dict[str, OfAccount] = {}
    profiles = profiles_of(environment=os.environ)
    for name in profiles:
        try:
            context = open_context(replace(look.journal, profile=name), look.output)
            if name == "default" and profiles[1:] and not context.toolkit.has_journal:
                # What it says is for the other profiles.
                continue
            told[name] = tell(context)
        except KaweError as trouble:
            words = one_line(str(trouble), limit=500)
            told[name] = OfAccount(
                code=code_of(trouble),
                document={"trouble": words},
                lines=[f"It cannot be read: {words}"],
            )
    return printing.answer(
        schema,
        lambda: {
            "accounts": [
                {"profile": name, "code": each.code, **each.document}
                for name, each in told.items()
            ]
        },
        code=worst_of(each.code for each in told.values()),
        as_json=look.output.as_json,
        lines=(
            f"{one_line(name)}: {line}"
            for name, each in told.items()
            for line in each.lines
        ),
    )
