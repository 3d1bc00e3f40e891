"""Checking: every finding of every row at once, before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad, load_of
from kawe.domain.rows.content import Attachment
from kawe.domain.rows.entries import KnownRow
from kawe.domain.service.service_words import Organisation, OrganisationId
from kawe.domain.service.states import FINISHED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import Finding, blocks
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import Table
from kawe.flows.check.alike import mark_alike
from kawe.flows.check.invitation_rows import read_invitations, without_owner_findings
from kawe.flows.check.joining import mark_known_people
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.project_rows import CheckedRow, Ground, attached, read_projects
from kawe.flows.check.resemblance import mark_resemblance
from kawe.flows.check.reusing import keys_of, mark_reused
from kawe.flows.check.routing import Asker, route
from kawe.flows.scanning import read_organisations
from kawe.ports import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A sheet, checked."""

    # Unprinted: asyncio prints what a program's main coroutine gives, only to
    # throw the words away; for 100,000 rows they took 700 MB, and as long as
    # the check itself.
    table: Table = field(repr=False)
    rows: tuple[CheckedRow, ...] = field(repr=False)
    organisations: Mapping[str, OrganisationId]
    """The team's organisations by folded name; empty when nobody asked."""
    iwi_load: IwiLoad = NO_LOAD
    """How many projects go to each iwi; empty when nobody asked."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give every finding: the sheet's, then each row's."""
        return (
            *self.table.findings,
            *(finding for row in self.rows for finding in row.findings),
        )

    @property
    def attached(self) -> list[tuple[int, Attachment]]:
        """Give the files of the right rows, each with the number of its row."""
        return attached(self.rows)

    @property
    def refuses_all(self) -> bool:
        """Say whether the sheet itself is wrong, so that no row can be taken."""
        return blocks(self.table.findings)


async def check(
    table: Table,
    *,
    ground: Ground,
    asker: Asker | None,
    journal: Journal | None = None,
) -> Checked:
    """Check a sheet.

    With no `asker` nothing is asked of the service. Rows that `journal` knows
    to be done with the same content are asked about no more; a reference that
    it knows of another project is an error, and so is a new row that looks like
    one which has a project and is not in the workbook any more.

    Raises:
        ServiceError: A question could not be answered.
    """
    rows = mark_resemblance(_read(table, ground=ground))
    if blocks(table.findings):
        # The sheet itself is wrong: what its rows seem to say is not to be
        # trusted, and nothing is asked or sent for them.
        rows = tuple(replace(row, content=None) for row in rows)
    if asker is None or blocks(table.findings):
        naming = Naming(team={}, was_asked=False, suggester=ground.suggester)
        rows = mark_organisations(rows, naming=naming)
        return Checked(table=table, rows=rows, organisations={})
    known = await _known(rows, journal)
    if journal is not None:
        rows = await mark_reused(rows, known=known, journal=journal)
    skip = _finished(rows, known)
    match table.kind:
        case SheetKind.INVITATIONS:
            rows = without_owner_findings(rows, done={row.row.ref for row in skip})
            invited = _invited(rows, known)
            rows = await mark_known_people(rows, asker=asker, invited=invited)
            return Checked(table=table, rows=rows, organisations={})
        case SheetKind.PROJECTS:
            if journal is not None:
                rows = await mark_alike(
                    rows,
                    known=known,
                    journal=journal,
                    accepts=ground.accepts_alike,
                    today=ground.today,
                )
            return await _routed(table, rows, ground=ground, asker=asker, skip=skip)
        case _:
            assert_never(table.kind)


def _read(table: Table, *, ground: Ground) -> tuple[CheckedRow, ...]:
    match table.kind:
        case SheetKind.PROJECTS:
            return read_projects(table, ground=ground)
        case SheetKind.INVITATIONS:
            return read_invitations(table, ground=ground)
        case _:
            assert_never(table.kind)


async def _routed(
    table: Table,
    rows: tuple[CheckedRow, ...],
    *,
    ground: Ground,
    asker: Asker,
    skip: Sequence[CheckedRow],
) -> Checked:
    """Ask which iwi and which organisations the rows of projects mean."""
    rows = await route(rows, asker=asker, skip=skip)
    organisations = await _organisations(rows, asker=asker, skip=skip)
    rows = mark_organisations(
        rows,
        naming=Naming(team=organisations, was_asked=True, suggester=ground.suggester),
        skip={row.row.ref for row in skip},
    )
    return Checked(
        table=table,
        rows=rows,
        organisations={name: each.id for name, each in organisations.items()},
        iwi_load=_iwi_load(rows, skip=skip),
    )


def _iwi_load(rows: Sequence[CheckedRow], *, skip: Sequence[CheckedRow]) -> IwiLoad:
    done = {row.row.ref for row in skip}
    return load_of(
        (
            row.goes_to
            for row in rows
            if row.content is not None
            and row.content.send
            and row.is_valid
            and row.row.ref not in done
        ),
        finished_before=len(skip),
    )


async def _known(
    rows: Sequence[CheckedRow], journal: Journal | None
) -> Mapping[RowKey, KnownRow]:
    """Give the rows as the journal has them."""
    if journal is None:
        return {}
    return await journal.known(keys_of(rows))


def _invited(
    rows: Sequence[CheckedRow], known: Mapping[RowKey, KnownRow]
) -> set[RowRef]:
    """Name the rows whose person was asked, by us or before."""
    return {
        row.row.ref
        for row in rows
        if row.key is not None
        and row.key in known
        and known[row.key].state in {State.INVITED, State.ALREADY_THERE}
    }


def _finished(
    rows: Sequence[CheckedRow], known: Mapping[RowKey, KnownRow]
) -> list[CheckedRow]:
    """Give the rows that cost no call any more."""
    return [
        row
        for row in rows
        if row.key is not None
        and row.key in known
        and known[row.key].fingerprint == row.fingerprint
        and _needs_nothing(row, known[row.key])
    ]


def _needs_nothing(row: CheckedRow, entry: KnownRow) -> bool:
    if entry.state is State.DRAFTED:
        return row.content is not None and not row.content.send
    return entry.state in FINISHED


async def _organisations(
    rows: tuple[CheckedRow, ...], *, asker: Asker, skip: Sequence[CheckedRow]
) -> dict[str, Organisation]:
    done = {row.row.ref for row in skip}
    named = any(
        row.content is not None
        and row.content.organisation is not None
        and row.row.ref not in done
        for row in rows
    )
    return await read_organisations(asker.lookups) if named else {}
