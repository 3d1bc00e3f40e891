"""`kawe approve`: a person reads a plan and signs it with a key of their own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click

from kawe.cases import is_plan, read_plan_file
from kawe.cases.batches import approving
from kawe.cases.choices import author_of
from kawe.cli.output import printing
from kawe.cli.output.next_command import PLACE, suggested
from kawe.cli.shared.agreeing import agree, signer_of
from kawe.cli.shared.declaring import (
    argument,
    command,
    option,
    options_class,
    output,
    yes,
)
from kawe.cli.shared.options import CommandContext, PersonOptions
from kawe.domain.batch.approvals import (
    KEY_MARK,
    SignedApproval,
    fingerprint_words,
    user_words,
)
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused
from kawe.flows.plan.wording import shown_plan_lines


@options_class
class _ApproveOptions:
    plan: Path | None = argument()
    written: Path | None = output(
        "Where to write the approval; beside the plan otherwise."
    )
    shows_key: bool = option(
        "--show-key", help="Print your public key, for the settings of whoever submits."
    )
    agreed: int | None = yes("Agree to at most N rows; asked for otherwise.")
    ask: PersonOptions


@command("kawe approve plan.json · kawe approve --show-key")
def approve(options: _ApproveOptions) -> int:
    """Approve PLAN: read it, and sign it with a key of your own.

    The service is asked who you are, with your own key of the service. The
    approval is a file beside the plan; the plan stays as it is. The first
    time, kawe makes your approval key: whoever submits pins its public part
    in their settings, under [approvers.keys].
    """
    if (options.plan is None) != options.shows_key:
        raise click.UsageError("Name a plan, or ask for --show-key.")
    context = options.ask.open()
    if options.plan is None:
        return _show_key(context, options)
    return _approve(context, options, options.plan)


def _approve(context: CommandContext, options: _ApproveOptions, path: Path) -> int:
    if not is_plan(path):
        book = path if path.is_file() else "WORKBOOK"
        raise GuardRefused(
            message=f"{one_line(str(path))} is no plan, and only a plan can be "
            "approved.",
            hint=f"Make one: {suggested('plan', book, also='-o plan.json')}",
        )
    saved, file = read_plan_file(path)
    reach = approving.reach_of_approval(saved)
    account = asyncio.run(approving.who_approves(context.toolkit, saved))
    if not context.as_json:
        printing.print_lines((*shown_plan_lines(saved, path), *_waiting(saved)))
        who = user_words(account.person)
        click.echo(f"You use a key of {one_line(account.team_name)}; {who}.")
    agree(reach, agreed=options.agreed, no_input=options.ask.no_input)
    signer = signer_of(context, can_ask=not options.ask.no_input)
    signed = approving.sign_plan(
        saved, file=file, account=account, signer=signer, toolkit=context.toolkit
    )
    written = approving.write_approval(signed, plan=path, wanted=options.written)
    return context.answer(
        "approval",
        lambda: _document(signed, written=written),
        lines=[
            f"Signed with your approval key {fingerprint_words(signed.public_key)}.",
            f"The approval is {one_line(str(written))}. It belongs beside the plan.",
            f"Then they run: {suggested('submit', path, only=PLACE)}",
        ],
    )


def _waiting(saved: SavedPlan) -> Iterator[str]:
    """Name the rows that are approved and go later, with a release."""
    waits = [row for row in saved.rows if row.action.waits]
    if waits:
        yield "You approve these as well, for when there are tokens:"
    for row in waits:
        where = f"{one_line(saved.sheet)}!{row.number}"
        yield f"        {where} {one_line(row.marker, limit=60)}".rstrip()


def _document(signed: SignedApproval, *, written: Path) -> dict[str, object]:
    said = signed.statement
    return {
        "approval": str(written),
        "plan_sha256": said.plan,
        "mode": said.mode,
        "team": said.team,
        "person": said.user or None,
        "email": said.email or None,
        "sends": said.acts,
        "waits": said.waits,
        **_key_document(signed.public_key),
    }


def _key_document(public_key: str) -> dict[str, object]:
    return {
        "public_key": f"{KEY_MARK}{public_key}",
        "fingerprint": fingerprint_words(public_key),
    }


def _show_key(context: CommandContext, options: _ApproveOptions) -> int:
    name = author_of(context.settings)
    public_key = signer_of(context, can_ask=not options.ask.no_input).public_key
    return context.answer(
        "approval-key",
        lambda: {"name": name, **_key_document(public_key)},
        lines=approving.key_lines(name, public_key),
    )
