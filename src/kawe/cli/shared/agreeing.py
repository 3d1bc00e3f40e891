"""A person is asked at the terminal: to agree, and for the key that they sign with."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import click

from kawe.cases.batches.approving import ApprovalSigner, own_signer
from kawe.cases.session import Prepared
from kawe.cli.output.log import keep_out
from kawe.cli.shared.options import CommandContext
from kawe.domain.batch.agreements import Budget, Reach
from kawe.domain.text.texts import counted, fold, one_line, some_of
from kawe.errors import GuardRefused, KeyMissing
from kawe.settings.approvers import PASSPHRASE

_LISTED: Final = 10


def is_at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def typed(question: str) -> str:
    return str(click.prompt(question, default="", show_default=False)).strip()


def is_yes(answer: str) -> bool:
    return fold(answer) in {"yes", "y", "ae"}


def ask_agreement(
    reach: Reach, *, budget: Budget, is_live: bool, agreed: int | None, no_input: bool
) -> Budget:
    """Ask a person to agree to live acts; put those into the budget."""
    if not is_live:
        return budget
    return budget.agreed_to(agree(reach, agreed=agreed, no_input=no_input), reach.rows)


def agree(reach: Reach, *, agreed: int | None, no_input: bool) -> int:
    """Give the number that a person agrees to, or raise `GuardRefused`."""
    if reach.acts == 0:
        return 0
    if agreed is not None:
        reach.check_covered(agreed)
        return agreed
    if no_input or not is_at_terminal():
        would = reach.alone or f"This run would {reach.does}"
        raise GuardRefused(
            message=f"{would} and nobody can be asked.",
            hint=f"{reach.undone} Agree with --yes {reach.acts}{reach.otherwise}.",
        )
    for line in reach.lines():
        click.echo(line)
    return reach.agreed_to(typed(f"{reach.request}, anything else to stop"))


def is_meant(odd: str, *, no_input: bool) -> bool:
    """Ask a person to confirm something odd."""
    if no_input or not is_at_terminal():
        return False
    click.echo(odd)
    return typed("Type yes to go on, anything else to stop").casefold() == "yes"


def ask_about_missing(prepared: Prepared, *, accepts: bool, no_input: bool) -> Prepared:
    """Ask whether missing rows leave the plan; without an answer they stay."""
    number = len(prepared.plan.missing)
    if number == 0:
        return prepared
    if not accepts and not no_input and is_at_terminal():
        they = "it leaves" if number == 1 else "they leave"
        answer = typed(
            f"Type {number} if {they}: {counted(number, 'row')} will not be made or "
            "sent. Anything else keeps them as they are, and nothing is sent for them"
        )
        accepts = answer == str(number)
    return replace(prepared, plan=replace(prepared.plan, takes_out=accepts))


def ask_about_repeats(repeats: Mapping[object, str], *, no_input: bool) -> bool:
    """Ask whether rows that repeat what is there are meant; list them."""
    rows = list(dict.fromkeys(repeats.values()))
    if not rows or no_input or not is_at_terminal():
        return False
    look = counted(len(rows), "row looks", "rows look")
    listed = some_of(rows, shown=_LISTED, between="\n  ")
    click.echo(f"{look} like what is there already:\n  {listed}")
    answer = typed(
        f"Type {len(rows)} if each is another one, and goes as well. Anything else "
        "leaves them out, to correct"
    )
    return answer == str(len(rows))


def signer_of(context: CommandContext, *, can_ask: bool) -> ApprovalSigner:
    """Open the approval key, or make it.

    Raises:
        KeyMissing: It has a passphrase, and nobody can be asked.
    """
    signer, made = own_signer(
        passphrase=lambda: _passphrase(is_new=False, can_ask=can_ask),
        new_passphrase=lambda: _passphrase(is_new=True, can_ask=can_ask),
    )
    if made is not None and not context.as_json:
        click.echo(f"Your approval key is new. It lies in {one_line(str(made))}.")
    return signer


def _passphrase(*, is_new: bool, can_ask: bool) -> str:
    given = os.environ.get(PASSPHRASE)
    if given is None and can_ask and is_at_terminal():
        which = "new approval key (empty: none)" if is_new else "approval key"
        given = str(
            click.prompt(
                f"Passphrase of your {which}",
                default="",
                show_default=False,
                hide_input=True,
                confirmation_prompt=is_new,
                err=True,
            )
        )
    if given is None and not is_new:
        raise KeyMissing(
            message="Your approval key has a passphrase, and nobody can be asked.",
            hint=f"Nothing was signed. Set {PASSPHRASE}, or run it in a terminal.",
        )
    keep_out(given or None)
    return given or ""
