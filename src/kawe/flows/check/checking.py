"""Checking: every finding of every row at once, before anything is sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.rows.entries import KnownRow
from kawe.domain.rows.identity import is_unedited
from kawe.domain.service.service_words import OrganisationId
from kawe.domain.service.states import BEFORE_CREATE, FINISHED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.finding_groups import Problems, grouped
from kawe.domain.sheet.findings import MISSING, Finding, blocks
from kawe.domain.sheet.refs import CellRef, RowRef
from kawe.domain.sheet.tables import Table
from kawe.domain.sheet.warned import far_words, strictly
from kawe.flows.check.duplicates import mark_duplicates, swapped_columns
from kawe.flows.check.gathering import say_where_files_lie
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.repeats import (
    NOTHING_BEFORE,
    is_new,
    mark_repeats,
    moved_finding,
    references_of,
    sought,
    what_was_before,
)
from kawe.flows.check.reusing import keys_of, mark_reused
from kawe.flows.checked_rows import CheckContext, CheckedRow, attached
from kawe.flows.kinds import Inquiry, Kind
from kawe.flows.look import TeamLook
from kawe.flows.routing import Asker
from kawe.ports import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A sheet, checked."""

    # No repr: asyncio would make one of the main coroutine's result, with 700 MB
    # for 100,000 rows, and in as much time as the check itself.
    table: Table = field(repr=False)
    rows: tuple[CheckedRow, ...] = field(repr=False)
    organisations: Mapping[str, OrganisationId]
    """The team's organisations by folded name; empty when nobody asked."""
    iwi_load: IwiLoad = NO_LOAD
    """How many projects go to each iwi; empty when nobody asked."""
    sends_all: bool = False
    """Rows whose cell does not say no are to be sent."""
    new: frozenset[RowRef] = field(default=frozenset(), repr=False)
    """The rows that have no project yet."""
    look: TeamLook | None = field(default=None, repr=False)
    """What the team had when the rows were compared with it; None: nobody asked."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give every finding: the sheet's, then each row's."""
        return (
            *self.table.findings,
            *(finding for row in self.rows for finding in row.findings),
        )

    def problems(self, more: Iterable[Finding] = ()) -> Problems:
        """Group every finding, and `more`, by what they say."""
        return grouped(
            (*self.findings, *more),
            all_rows=lambda: (row.row.ref.row for row in self.rows),
        )

    @property
    def attached(self) -> list[tuple[int, Attachment]]:
        """Give the files of the right rows, each with the number of its row."""
        return attached(self.rows)

    def far_words(self, *, today: date) -> str:
        """Say of how many rows iwi have more than a year to answer; empty: of none."""
        said = (row.project for row in self.rows if row.is_valid)
        days = (project.respond_by_on for project in said if project is not None)
        return far_words(days, today=today)

    @property
    def refuses_all(self) -> bool:
        """Say whether the sheet itself is wrong, so that no row can be taken."""
        return blocks(self.table.findings)


async def check(
    table: Table,
    *,
    context: CheckContext,
    asker: Asker | None,
    journal: Journal | None = None,
) -> Checked:
    """Check a sheet.

    Without an `asker` the service is not asked. Rows that `journal` knows to be done
    with the same content cost no question. A reference that the journal knows of
    another project is an error, and so is a new row that looks like one which has a
    project and left the workbook.
    """
    kind = Kind.of(table.kind)
    read = kind.read(table, context=context)
    rows = mark_duplicates(say_where_files_lie(read, context.attachments))
    swapped = swapped_columns(rows, table)
    table = replace(table, findings=(*table.findings, *swapped))
    if blocks(table.findings):
        # The sheet itself is wrong, so none of its rows can go on.
        rows = tuple(_refused(row) for row in rows)
    if asker is None:
        naming = Naming(team={}, was_asked=False, suggester=context.suggester)
        rows = mark_organisations(rows, naming=naming)
        return Checked(
            table=table,
            rows=_strict(rows) if context.is_strict else rows,
            organisations={},
            sends_all=context.send_by_default,
            new=frozenset(row.row.ref for row in rows if is_new(row, {})),
        )
    known = await _known(rows, journal)
    look, new = None, [row.row.ref for row in rows if is_new(row, known)]
    if journal is not None:
        table, rows, look = await compare_with_before(
            table, rows, known=known, context=context, asker=asker, journal=journal
        )
    skip = _finished(rows, known)
    inquiry = Inquiry(
        context=context, asker=asker, journal=journal, known=known, skip=skip
    )
    answers = await kind.ask(rows, inquiry)
    rows = answers.rows
    return Checked(
        table=table,
        rows=_strict(rows, skip=inquiry.finished) if context.is_strict else rows,
        organisations=answers.organisations,
        iwi_load=answers.iwi_load,
        sends_all=context.send_by_default,
        new=frozenset(new),
        look=look,
    )


async def compare_with_before(
    table: Table,
    rows: tuple[CheckedRow, ...],
    *,
    known: Mapping[RowKey, KnownRow],
    context: CheckContext,
    asker: Asker,
    journal: Journal,
) -> tuple[Table, tuple[CheckedRow, ...], TeamLook | None]:
    """Compare the rows with all that the journal knows and the team has."""
    changed = await journal.find(_changed(rows, known))
    new = [row for row in rows if is_new(row, known)]
    look, before = None, NOTHING_BEFORE
    # Of purged rows only the service says what they were.
    purged = [
        row for row in rows if row.key in changed and not changed[row.key].content.name
    ]
    if new or purged:
        look = await asker.viewer(journal).look(sought([*new, *purged]))
        before = await what_was_before(
            new, known=known, look=look, journal=journal, today=context.today
        )
    if not context.accepts_references:
        were = await journal.find(known) if len(changed) > 1 else {}
        was = references_of([*were.values()], before)
        moved = moved_finding(rows, table=table, was=was)
        if moved is not None:
            found, keys = moved
            table = replace(table, findings=(*table.findings, found))
            # A row that bears another's reference is not what was sent under it.
            gone = keys | changed.keys()
            free = (replace(e, key=None) if e.key in gone else e for e in rows)
            return table, tuple(map(_refused, free)), look
    team = (
        {e.reference: e for e in look.projects.values() if e.reference} if look else {}
    )
    rows = mark_reused(rows, before=changed, team=team)
    if new:
        accepts = context.accepts_repeats
        rows = mark_repeats(rows, before=before, table=table, accepts=accepts)
    return table, rows, look


def _changed(
    rows: Sequence[CheckedRow], known: Mapping[RowKey, KnownRow]
) -> set[RowKey]:
    """Name the rows that say something else now than what the service has of them."""
    return {
        row.key
        for row in rows
        if row.key is not None
        and row.key in known
        and known[row.key].state not in BEFORE_CREATE
        and not is_unedited(known[row.key].fingerprint, row.fingerprint)
    }


def _strict(
    rows: Sequence[CheckedRow], *, skip: Collection[RowRef] = ()
) -> tuple[CheckedRow, ...]:
    """Let warnings stop their rows, but for those of `skip`, which are done."""
    return tuple(
        row if row.row.ref in skip else replace(row, findings=strictly(row.findings))
        for row in rows
    )


def _refused(row: CheckedRow) -> CheckedRow:
    """Give a row that cannot go, without what the sheet's own findings say of it."""
    return replace(
        row,
        content=None,
        partly=row.said,
        findings=tuple(
            each
            for each in row.findings
            if each.rule != MISSING or isinstance(each.where, CellRef)
        ),
    )


async def _known(
    rows: Sequence[CheckedRow], journal: Journal | None
) -> Mapping[RowKey, KnownRow]:
    if journal is None:
        return {}
    return await journal.known(keys_of(rows))


def _finished(
    rows: Sequence[CheckedRow], known: Mapping[RowKey, KnownRow]
) -> list[CheckedRow]:
    return [
        row
        for row in rows
        if row.key is not None
        and row.key in known
        and is_unedited(known[row.key].fingerprint, row.fingerprint)
        and _needs_nothing(row, known[row.key])
    ]


def _needs_nothing(row: CheckedRow, entry: KnownRow) -> bool:
    if entry.state is State.DRAFTED:
        return row.content is not None and not row.content.send
    return entry.state in FINISHED
