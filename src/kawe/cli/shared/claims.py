"""What a command says about the state of rows, and about which journal.

“No row waits” is said of one journal. Where this computer has others in which rows
wait, the answer names them, and its exit code is not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kawe.cases.care.journals import JournalChoice, require_journal
from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode, say
from kawe.cli.shared.options import CommandContext
from kawe.domain.batch.outcomes import Outcome


def answer(
    context: CommandContext,
    schema: str,
    code: ExitCode,
    *,
    waits: Sequence[Outcome] = (),
    document: Callable[[], Mapping[str, Any]],
    lines: Iterable[str],
) -> ExitCode:
    """Print an answer from a journal and name the journals; give the exit code.

    Rows of `waits` in another journal make a code of 0 one for rows that wait.
    """
    choice = context.choice
    if choice is None or choice.is_plain:
        return printing.answer(
            schema, code, as_json=context.as_json, document=document, lines=lines
        )
    if code is ExitCode.DONE and choice.waits_elsewhere(waits):
        code = ExitCode.ROWS_WAIT_FOR_PERSON
    return printing.answer(
        schema,
        code,
        as_json=context.as_json,
        document=lambda: {**document(), "journals": choice.as_json()},
        lines=(*choice.before(), *lines, *choice.after()),
    )


def own_journal(context: CommandContext) -> JournalChoice:
    """Make sure that the key has a journal; say what waits in others.

    Raises:
        KeyMissing: No key was given.
        JournalError: It has none, and another key has.
    """
    context.settings.service_key()
    choice = require_journal(context.settings)
    for line in choice.after():
        say(line)
    return choice
