"""`kawe audit`: what was sent in a period, from every side, in one statement."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from kawe.cases.records import auditing
from kawe.cases.records.reporting import period_of
from kawe.cli.output.exit import say
from kawe.cli.shared.agreeing import signer_of
from kawe.cli.shared.declaring import command, option, options_class, output
from kawe.cli.shared.options import DayOptions, PersonOptions
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.texts import counted, one_line
from kawe.flows.audit.gathering import AuditChoice

_SHOWN: Final = 20


@options_class
class _AuditOptions:
    days: DayOptions
    folder: Path | None = option(
        "--folder",
        is_folder=True,
        help="Compare these saved receipts too: what kawe export receipts wrote.",
    )
    written: Path | None = output(
        "Workbook to write (.xlsx); a page and a document go beside it.",
        metavar="FILE",
        is_folder=False,
    )
    draft_days: int = option(
        "--drafts-older-than",
        type=click.IntRange(1),
        default=30,
        metavar="DAYS",
        help="A draft that is older is an exception.",
    )
    opening: int | None = option(
        "--opening",
        type=click.IntRange(0),
        metavar="N",
        help="Tokens that the team got without an invoice, so that all add up.",
    )
    signs: bool = option("--sign", help="Sign the document with your approval key.")
    ask: PersonOptions


@command("kawe audit --since 1/10/2026 --until 31/10/2026 --folder receipts")
def audit(options: _AuditOptions) -> int:
    """State what was sent between two days of New Zealand, and what does not fit.

    kawe compares its journal, the projects of the service and their logs, the
    receipts, the invoices, and the receipts that you saved. Sent, receipts and
    tokens of sends must be equal, and each response that used a token is listed
    beside them; each exception is named, and ends the command with code 4. Give
    --journal once for each computer that sends for the team. It
    writes a workbook, a page, and a document that anybody can check
    without kawe. It changes nothing.
    """
    days = options.days
    if days.since is None:
        raise click.UsageError(
            "Say from which day: --since DAY, as --since 1/10/2026. --until is today "
            "if you leave it out."
        )
    context = options.ask.open()
    period = period_of(context.toolkit, since=days.since, until=days.until)
    context.own_journal()
    name = f"kawe audit {period.since_on} to {period.until_on}.xlsx"
    path = options.written or Path.cwd() / name
    auditing.check_before(context.toolkit, path)
    can_ask = not options.ask.no_input
    signer = signer_of(context, can_ask=can_ask) if options.signs else None
    choice = AuditChoice(
        period=period,
        folder=options.folder,
        draft_days=options.draft_days,
        opening=options.opening,
        journals=tuple(map(context.settings.place_at, options.ask.service.journals)),
    )
    audited = context.at_service(
        lambda session: auditing.audit_period(session, choice), read_only=True
    )
    if audited is None:
        say("kawe: stopped. Nothing was written.")
        return ExitCode.INTERRUPTED
    says = context.toolkit.says
    written = auditing.write_audit(audited, path, signer=signer, says=says)
    return context.answer(
        "audit",
        written.as_json,
        code=written.code,
        lines=_lines(written, is_verbose=context.verbose),
    )


def _lines(written: "auditing.WrittenAudit", *, is_verbose: bool) -> Iterator[str]:
    made = written.audited.audit
    yield f"{made.title}, {one_line(made.team)}, {made.mode}:"
    yield made.equation()
    yield from made.remarks
    yield from written.audited.ends()
    shown = made.findings if is_verbose else made.findings[:_SHOWN]
    for each in shown:
        about = one_line(each.about, limit=100)
        what = one_line(each.what, limit=600)
        yield f"  {each.trouble.capitalize()}: {about}: {what}"
    if len(shown) < len(made.findings):
        more = counted(len(made.findings) - len(shown), "exception")
        yield f"  {more} more: the workbook has all."
    for name, place in written.files().items():
        called = "workbook" if name == "result" else name.replace("_", " ")
        yield f"{called.capitalize()}: {one_line(str(place), limit=1000)}"
    yield f"SHA-256 of the document: {written.sha256}"
