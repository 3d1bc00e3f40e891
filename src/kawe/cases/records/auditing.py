"""The statement of a period: made from all sides, and written as three files.

The workbook and the page are for people. The JSON document has the events of the
journal with their hashes as well, so that an outsider can check them without kawe.
"""

import hashlib
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import IO, Any, Final

from kawe import __version__
from kawe.cases.batches.approving import ApprovalSigner
from kawe.cases.care.removing import verify_whole
from kawe.cases.kit import Toolkit
from kawe.cases.records.exporting import receipts_folder
from kawe.cases.session import Session
from kawe.domain.batch.approvals import KEY_MARK
from kawe.domain.batch.audits import (
    PAGE_TABLES,
    TABLES,
    Audit,
    AuditFinding,
    AuditTrouble,
)
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.service.lists import ListRecord, TableOf
from kawe.domain.service.service_words import Person
from kawe.domain.text.new_zealand import NEW_ZEALAND, moment_words
from kawe.domain.text.next_steps import Given, Next, Says, said_in
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, JournalError, JournalForeign
from kawe.files.saving import save_named
from kawe.files.verifying import check_folder
from kawe.flows.audit.gathering import AuditChoice, Auditor
from kawe.flows.audit.judging import audit, in_order
from kawe.journal.history import ChainPart, chain_between
from kawe.ports import Journal

_SCHEMA: Final = "kawe.audit-statement/3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """A statement, and the parts of the journals that stand behind it."""

    audit: Audit
    chains: Mapping[str, ChainPart]
    """By where the journals lie."""
    link: str
    """Address of a project's page, with `{id}`; empty: unknown."""
    person: str
    """Who made it, as the service names the person behind the key."""

    def ends(self) -> Iterator[str]:
        """Say of each journal that was read how it ends."""
        for name, part in self.chains.items():
            seq, digest = part.head
            yield f"The journal {name} ends with event {seq:,}, hash {digest}."


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAudit:
    """A statement that was written, and where it lies."""

    audited: Audited
    workbook: Path
    sha256: str
    """Of the document."""
    is_signed: bool

    @property
    def code(self) -> ExitCode:
        """Give the exit code: whether all adds up."""
        closes = self.audited.audit.closes
        return ExitCode.DONE if closes else ExitCode.ROWS_WAIT_FOR_PERSON

    def files(self) -> dict[str, Path]:
        """Name the files."""
        named = {"result": ".xlsx", "page": ".html", "document": ".json"}
        if self.is_signed:
            named |= {"signature": ".json.sig", "public_key": ".json.pem"}
        return {name: self.workbook.with_suffix(end) for name, end in named.items()}

    def as_json(self) -> dict[str, Any]:
        """Give the document, and where the files lie."""
        audited = self.audited
        return {
            **audited.audit.as_json(audited.link),
            "journals": [
                {"journal": name, "seq": part.head[0], "hash": part.head[1]}
                for name, part in audited.chains.items()
            ],
            "document_sha256": self.sha256,
            **self.files(),
        }


def check_before(toolkit: Toolkit, path: Path) -> None:
    """Check what can be known before the service is asked; `path` is to be written."""
    from kawe.workbook.replacing import check_place  # noqa: PLC0415 (start-up)

    if not toolkit.has_journal:
        raise JournalError(
            message="There is no journal of this account on this computer, so nothing "
            "can be compared with the service.",
            hint="It begins when you submit a workbook. If you have, name it with "
            f"{Given.JOURNAL}, or restore it with {Next.JOURNAL_RESTORE}.",
        )
    check_place(path, protect=frozenset(), endings=(".xlsx",))


async def audit_period(session: Session, choice: AuditChoice) -> Audited | None:
    """Make the statement of a period; None: the person asked to stop.

    Raises:
        GuardRefused: The key is an iwi's.
    """
    if session.account.is_iwi:
        raise GuardRefused(
            message="An audit is of what a team sent, and the key is an iwi's.",
            hint=f"{Next.EXPORT('projects')} lists what you received.",
        )
    toolkit, period = session.toolkit, choice.period
    given = choice.journals or (toolkit.settings.journal_place(),)
    whole = [each.resolve() if isinstance(each, Path) else each for each in given]
    places = {one_line(str(each), limit=400): each for each in whole}
    saved = None if choice.folder is None else check_folder(choice.folder)
    async with AsyncExitStack() as opened:
        reading = {
            f"journal {name}" if len(places) > 1 else "journal": (
                await opened.enter_async_context(_reading(session, place))
            )
            for name, place in places.items()
        }
        made = await audit(
            Auditor(
                tools=session.tools,
                journals=reading,
                account=session.account,
                mode=session.mode,
                choice=choice,
                saved=saved,
                folder=None
                if choice.folder is None or saved is None
                else receipts_folder(choice.folder, is_bag=saved.is_bag),
            )
        )
    if made is None:
        return None
    faults = [one for each in places.values() for one in _altered(each)]
    begins = datetime.combine(period.since_on, time(), NEW_ZEALAND)
    ends = datetime.combine(period.until_on + timedelta(days=1), time(), NEW_ZEALAND)
    return Audited(
        audit=replace(made, findings=in_order((*made.findings, *faults))),
        chains={
            name: chain_between(place, since=begins, until=ends)
            for name, place in places.items()
        },
        link=toolkit.project_link(session.binding),
        person=_person_words(session.account.person),
    )


@asynccontextmanager
async def _reading(session: Session, place: JournalPlace) -> AsyncIterator[Journal]:
    toolkit = replace(session.toolkit, settings=session.toolkit.settings.keeping(place))
    async with toolkit.open_journal(read_only=True) as journal:
        try:
            await journal.bind(session.binding)
        except JournalForeign as foreign:
            said = f"{one_line(str(place), limit=400)}: {foreign.message}"
            raise JournalForeign(message=said, hint=foreign.hint) from foreign
        yield journal


def _altered(place: JournalPlace) -> Iterator[AuditFinding]:
    if (fault := verify_whole(place).fault) is not None:
        about = "Journal" if fault.event is None else f"Event {fault.event}"
        what = f"{one_line(fault.what)} It is in {one_line(str(place), limit=400)}."
        yield AuditFinding(trouble=AuditTrouble.JOURNAL, about=about, what=what)


def _person_words(person: Person | None) -> str:
    named = () if person is None else (one_line(person.name), one_line(person.email))
    return ", ".join(filter(None, named)) or "a person whom the service does not name"


def write_audit(
    audited: Audited, path: Path, *, signer: ApprovalSigner | None, says: Says
) -> WrittenAudit:
    """Write workbook, page and document.

    With a signer, its signature lies
    beside it, as bytes, with the public key as PEM.
    """
    from kawe.workbook.replacing import (  # noqa: PLC0415 (start-up)
        PAGE,
        proven,
        write_together,
    )

    remarks = tuple(map(says, audited.audit.remarks))
    audited = replace(audited, audit=replace(audited.audit, remarks=remarks))
    item = said_in(audited.audit.as_json(audited.link), says)
    said = {
        # A signature is of the whole text: no other text that is signed begins so.
        "schema": _SCHEMA,
        "kawe": __version__,
        "made_by": audited.person,
        "public_key": None if signer is None else KEY_MARK + signer.public_key,
        **item,
        "journals": [
            {"journal": name, **part.as_json()} for name, part in audited.chains.items()
        ],
    }
    document = json.dumps(said, indent=1).encode() + b"\n"

    def save(files: Sequence[IO[bytes]], _: object) -> None:
        _write_workbook(files[0], audited, item)
        files[1].write(proven(_page(audited, item), PAGE))
        files[2].write(document)

    written = write_together(path, save, protect=frozenset(), beside=(".html", ".json"))
    if signer is not None:
        beside = written.with_suffix(".json.sig"), written.with_suffix(".json.pem")
        save_named(beside[0], b64decode(signer.sign(document)), called="signature")
        save_named(beside[1], signer.public_pem(), called="public key")
    return WrittenAudit(
        audited=audited,
        workbook=written,
        sha256=hashlib.sha256(document).hexdigest(),
        is_signed=signer is not None,
    )


def _write_workbook(file: IO[bytes], audited: Audited, item: dict[str, Any]) -> None:
    from kawe.workbook.results.tables import list_workbook  # noqa: PLC0415 (start-up)

    made = audited.audit
    by = f"Made at {moment_words(made.written_at)} by {audited.person}."
    lines = (
        made.equation(),
        f"{made.mode.upper()}: {one_line(made.team)}. {by}",
        *audited.ends(),
        *made.remarks,
    )
    with list_workbook(
        file, title=f"Sent {made.title}", lines=lines, tables=TABLES
    ) as put:
        put(ListRecord(item=item, about={}))


def _page(audited: Audited, item: dict[str, Any]) -> str:
    from kawe.html.rendering import render  # noqa: PLC0415 (start-up)

    return render(
        "audit.html",
        audit=audited.audit,
        title=audited.audit.title,
        signer=audited.person,
        remarks=(*audited.audit.remarks, *audited.ends()),
        tables=[_shown(table, item) for table in PAGE_TABLES],
    )


def _shown(table: TableOf, item: dict[str, Any]) -> TableDoc:
    """Give a table for the page, without columns that are of no use there."""
    left_out = {"Portal", "Project id"}
    fields = tuple(each for each in table.fields if each.heading not in left_out)
    shown = replace(table, fields=fields)
    return replace(shown.doc(), rows=[*shown.rows(ListRecord(item=item, about={}))])
