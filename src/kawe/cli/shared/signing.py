"""The approval key of whoever runs kawe, and its passphrase."""

from __future__ import annotations

import os

import click

from kawe.cases.batches.approving import ApprovalSigner, own_signer
from kawe.cli.output.log import keep_out
from kawe.cli.shared.agreeing import is_at_terminal
from kawe.cli.shared.options import CommandContext
from kawe.domain.text.texts import one_line
from kawe.errors import KeyMissing
from kawe.settings.approvers import PASSPHRASE


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
