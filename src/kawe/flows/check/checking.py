"""Checking: every finding of every row at once, before anything is sent.

Some findings need several rows: duplicate rows, references that are nearly equal, names
that make receipts ambiguous (a receipt has the project's name and not its id), files
that several rows name, and columns of days that stand in each other's place. Missing
files that lie together in another folder are one thing to correct.
"""

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Self, TypeAlias

from kawe.domain.batch.sending import NO_LOAD, IwiLoad
from kawe.domain.rows.entries import KnownRow
from kawe.domain.rows.identity import is_unedited, whole_duplicate_key
from kawe.domain.service.service_words import OrganisationId
from kawe.domain.service.states import BEFORE_CREATE, FINISHED, RowKey, State
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import (
    FILE_MISSING,
    MISSING,
    ROW_AGAIN,
    ROW_OFF,
    CellRef,
    Finding,
    Problems,
    Remark,
    RowRef,
    Severity,
    blocks,
    far_words,
    grouped,
    strictly,
)
from kawe.domain.sheet.tables import Table
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, near_reference, one_line, some_of
from kawe.flows.check import repeats
from kawe.flows.check.naming import Naming, mark_organisations
from kawe.flows.check.reusing import keys_of, mark_reused
from kawe.flows.checked_rows import CheckContext, CheckedRow, agreeing, attached
from kawe.flows.kinds import Inquiry, Kind
from kawe.flows.look import TeamLook, look_at_team, sought_by
from kawe.flows.routing import Asker
from kawe.ports import Attachments, Journal


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
    finished: frozenset[RowRef] = field(default=frozenset(), repr=False)
    """The rows for which nothing is left to do."""
    look: TeamLook | None = field(default=None, repr=False)
    """What the team had when the rows were compared with it; None: nobody asked."""

    def without_rows(self) -> Self:
        """Give what was found without each row, which the plan has from now on."""
        table, none = replace(self.table, rows=()), frozenset[RowRef]()
        return replace(self, table=table, rows=(), new=none, finished=none, look=None)

    @property
    def findings(self) -> tuple[Finding, ...]:
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
        return attached(self.rows)

    def far_words(self, *, today: date) -> str:
        """Say of how many rows iwi have more than a year to answer; empty: of none."""
        left = (row for row in self.rows if row.row.ref not in self.finished)
        said = (row.project for row in left if row.is_valid)
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
    rows = kind.read(table, context=context)
    rows = mark_duplicates(say_where_files_lie(rows, context.attachments))
    table = replace(table, findings=(*table.findings, *swapped_columns(rows, table)))
    if blocks(table.findings):
        # The sheet itself is wrong, so none of its rows can go on.
        rows = tuple(_refused(row) for row in rows)
    if asker is None:
        naming = Naming(team={}, was_asked=False, suggester=context.suggester)
        rows = mark_organisations(rows, naming=naming)
        return Checked(
            table=table,
            rows=_strict(rows, context),
            organisations={},
            sends_all=context.choices.send_by_default,
            new=frozenset(row.row.ref for row in rows if repeats.is_new(row, {})),
        )
    known = {} if journal is None else await journal.known(keys_of(rows))
    look, new = None, [row.row.ref for row in rows if repeats.is_new(row, known)]
    if journal is not None:
        table, rows, look = await compare_with_before(
            table, rows, known=known, context=context, asker=asker, journal=journal
        )
    skip = [row for row in rows if _is_finished(row, known)]
    inquiry = Inquiry(
        context=context, asker=asker, journal=journal, known=known, skip=skip
    )
    answers = await kind.ask(rows, inquiry)
    rows = answers.rows
    return Checked(
        table=table,
        rows=_strict(rows, context, inquiry.finished),
        organisations=answers.organisations,
        iwi_load=answers.iwi_load,
        sends_all=context.choices.send_by_default,
        new=frozenset(new),
        finished=inquiry.finished,
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
    changed = await journal.find(
        {
            row.key
            for row in rows
            if row.key is not None
            and row.key in known
            and known[row.key].state not in BEFORE_CREATE
            and not is_unedited(known[row.key].fingerprint, row.fingerprint)
        }
    )
    new = [row for row in rows if repeats.is_new(row, known)]
    look, before = None, repeats.NOTHING_BEFORE
    # Of purged rows only the service says what they were.
    purged = [
        row for row in rows if row.key in changed and not changed[row.key].content.name
    ]
    if new or purged:
        look = await look_at_team(
            asker.tools,
            sought_by([(e.marker, e.project) for e in (*new, *purged) if e.project]),
            journal=journal,
            keeps=asker.keeps,
        )
        before = await repeats.what_was_before(
            new, known=known, look=look, journal=journal, today=context.today
        )
    if not context.choices.accepts_references:
        were = await journal.find(known) if len(changed) > 1 else {}
        was = repeats.references_of([*were.values()], before)
        if (moved := repeats.moved_finding(rows, table=table, was=was)) is not None:
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
        accepts = context.choices.accepts_repeats
        rows = repeats.mark_repeats(rows, before=before, table=table, accepts=accepts)
    return table, rows, look


def _strict(
    rows: Sequence[CheckedRow], context: CheckContext, skip: Collection[RowRef] = ()
) -> tuple[CheckedRow, ...]:
    """Let warnings, or that a row is off, stop rows but for `skip`, which are done."""
    rule = "" if context.choices.is_strict else ROW_OFF
    stops = not (rule and context.choices.accepts_off)
    return tuple(
        replace(row, findings=strictly(row.findings, rule=rule))
        if stops and row.findings and row.row.ref not in skip
        else row
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


def _is_finished(row: CheckedRow, known: Mapping[RowKey, KnownRow]) -> bool:
    """Say whether nothing is left to do for a row as it stands."""
    entry = None if row.key is None else known.get(row.key)
    if entry is None or not is_unedited(entry.fingerprint, row.fingerprint):
        return False
    if entry.state is State.DRAFTED:
        return row.content is not None and not row.content.send
    return entry.state in FINISHED


_LISTED: Final = 5
_SHOWN: Final = 3
_MOSTLY: Final = 9
"""So many times as often as the right way round, it is no mistake of single rows."""
_Parts: TypeAlias = Callable[[CheckedRow], Iterable[Hashable]]
"""Gives what must agree, for a rule, in another row."""
_Rule: TypeAlias = Callable[[CheckedRow, Sequence[CheckedRow]], CheckedRow]
"""Makes the finding of a row about the others of its group."""


def mark_duplicates(rows: Iterable[CheckedRow]) -> tuple[CheckedRow, ...]:
    """Add the findings that need several rows; only duplicate rows are refused.

    A duplicate row gets no second finding for its name or reference.
    """
    checked = list(rows)
    # Those that are one row twice have one name, and few rows share theirs.
    named = [each for group in agreeing(checked, _name) for each in group]
    for parts, rule in _RULES:
        among = named if parts in (_duplicate_key, _name) else range(len(checked))
        for indices in agreeing([checked[each] for each in among], parts):
            _mark(checked, [among[each] for each in indices], rule=rule)
    return tuple(checked)


def swapped_columns(rows: Iterable[CheckedRow], table: Table) -> Iterator[Finding]:
    """Find two columns of days that stand in each other's place, in every row.

    Works of one day say nothing; one row among right ones is a mistake of that row.
    """
    said = [each for row in rows if (each := row.project) is not None]
    days = [(each.start_on, each.end_on, each.respond_by_on) for each in said]
    turned = sum(_is_after(start, end) for start, end, _ in days)
    right = sum(_is_after(end, start) for start, end, _ in days)
    # An end that is read as the day to respond by is after the start.
    responds = sum(_is_after(a, b) and _is_after(by, a) for a, b, by in days)
    field = "respond_by_date" if 2 * responds > turned else "start_date"
    first, last = table.heading_of(field), table.heading_of("end_date")
    if first is None or last is None or turned == 0 or turned < _MOSTLY * right:
        return
    every = "every row" if right == 0 else f"{turned} of {turned + right} rows"
    what = "the start" if field == "start_date" else "the day to respond by"
    where = RowRef(sheet=table.sheet, row=table.heading_row).cell(first.column)
    yield Remark(
        rule="columns-swapped",
        message=f"In {every} {what}, “{one_line(first.text, limit=60)}”, is after "
        f"the end, “{one_line(last.text, limit=60)}”: the two columns are swapped.",
        advice="Nothing of the sheet goes on. Give each column its right heading, or "
        f"say which is which: {Next.COLUMNS}, with the workbook.",
    ).at(where, heading=first.text)


def _is_after(first: date | None, second: date | None) -> bool:
    return first is not None and second is not None and first > second


def _mark(checked: list[CheckedRow], indices: Sequence[int], *, rule: _Rule) -> None:
    # Only the first few are named: a thousand rows would list a million.
    first = indices[: _LISTED + 1]
    for index in indices:
        others = [checked[other] for other in first if other != index][:_LISTED]
        checked[index] = rule(checked[index], others)


def _duplicate_key(each: CheckedRow) -> Iterable[Hashable]:
    said = each.project
    parts = None if said is None else whole_duplicate_key(said)
    return () if parts is None else (parts,)


def _reference(each: CheckedRow) -> Iterable[Hashable]:
    written = None if _is_twice(each) else _written(each)
    return () if written is None else (near_reference(written),)


def _name(each: CheckedRow) -> Iterable[Hashable]:
    said = None if _is_twice(each) else each.project
    return () if said is None or said.name is None else (fold_name(said.name),)


def _files(each: CheckedRow) -> Iterable[Hashable]:
    return () if each.said is None else {f.sha256 for f in each.said.files}


def _is_twice(each: CheckedRow) -> bool:
    return bool(each.findings) and any(f.rule == "row-twice" for f in each.findings)


def _same_key(each: CheckedRow, others: Sequence[CheckedRow]) -> CheckedRow:
    if each.said is None:
        return each
    field, same = each.said.identified_by
    if each.project is None and _say_the_same(each, others):
        # Whoever stands on two rows is asked once.
        first = min(row.row.ref.row for row in (each, *others))
        if each.row.ref.row == first:
            return each
        return each.marked(
            field,
            Severity.NOTE,
            rule=ROW_AGAIN,
            message=f"The same {same} as in row {first}; it counts once.",
        )
    return _twice(each, others, field=field, same=same)


def _say_the_same(each: CheckedRow, others: Sequence[CheckedRow]) -> bool:
    """Check that rows differ in nothing that decides what the service is asked."""
    kept = {None if row.said is None else row.said.once_by for row in (each, *others)}
    return len(kept) == 1 and kept.isdisjoint({None, ""})


def _same_duplicate_key(each: CheckedRow, others: Sequence[CheckedRow]) -> CheckedRow:
    same = "name, place and dates"
    return each if _is_twice(each) else _twice(each, others, field="name", same=same)


def _twice(
    each: CheckedRow, others: Sequence[CheckedRow], *, field: str, same: str
) -> CheckedRow:
    rows = some_of([str(e.row.ref.row) for e in others], shown=_SHOWN)
    return each.marked(
        field,
        rule="row-twice",
        message=f"The same row stands in row {rows} as well (same {same})"
        f"{_differing(each, others, but=field)}.",
        advice="Keep one of them, or tell them apart.",
    )


def _differing(each: CheckedRow, others: Sequence[CheckedRow], *, but: str) -> str:
    """Name the columns in which rows differ that should be one."""
    names = [
        one_line(cell.heading, limit=40)
        for field, cell in each.row.cells.items()
        if field != but and any(o.row.value(field) != cell.value for o in others)
    ]
    return f", with another {some_of(names, shown=_SHOWN)}" if names else ""


def _near_reference(each: CheckedRow, others: Sequence[CheckedRow]) -> CheckedRow:
    named = "; ".join(
        f"{other.row.where('reference')} “{one_line(_written(other) or '', limit=60)}”"
        for other in others
    )
    return each.marked(
        "reference",
        Severity.WARNING,
        rule="reference-near",
        message=f"The reference is nearly that of {named}.",
        advice="Check that they are different projects, and which spelling is right.",
    )


def _same_name(each: CheckedRow, others: Sequence[CheckedRow]) -> CheckedRow:
    named = ", ".join(str(other.row.where("name")) for other in others)
    return each.marked(
        "name",
        Severity.WARNING,
        rule="name-repeated",
        message=f"The same project name stands in {named}, and receipts carry the "
        "name alone.",
        advice="Give each project a name of its own, so that its receipt can be told.",
    )


def _same_file(each: CheckedRow, others: Sequence[CheckedRow]) -> CheckedRow:
    named = ", ".join(str(other.row.where("files")) for other in others)
    return each.marked(
        "files",
        Severity.NOTE,
        rule="file-on-several-rows",
        message=f"The same file is attached in {named}; each project gets its own "
        "copy.",
    )


def _written(each: CheckedRow) -> str | None:
    return None if each.project is None else each.project.reference


_RULES: Final[tuple[tuple[_Parts, _Rule], ...]] = (
    (lambda each: () if each.key is None else (each.key,), _same_key),
    (_duplicate_key, _same_duplicate_key),
    # Only then is it known which rows are there twice.
    (_reference, _near_reference),
    (_name, _same_name),
    (_files, _same_file),
)


def say_where_files_lie(
    rows: tuple[CheckedRow, ...], attachments: Attachments
) -> tuple[CheckedRow, ...]:
    """Say the same at every missing file, where one folder has them all."""
    if (words := attachments.lie_together()) is None:
        return rows
    message, advice = words

    def said(each: Finding) -> Finding:
        is_missing = each.rule == FILE_MISSING
        return replace(each, message=message, advice=advice) if is_missing else each

    return tuple(replace(e, findings=tuple(map(said, e.findings))) for e in rows)
