"""Rows that were checked, findings at the right cell, and what checking needs."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from typing import Final, Generic, TypeVar

from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.rows.entries import Line
from kawe.domain.service.service_words import IwiChoice, ProjectId
from kawe.domain.service.states import Fingerprint, RowKey
from kawe.domain.sheet.columns import OwnCheck, SheetKind
from kawe.domain.sheet.content import Attachment, Content, ProjectSaid, Said
from kawe.domain.sheet.findings import Finding, Remark, Severity, blocks
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.new_zealand import day_of
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.wording import Wording, fields_in
from kawe.ports import Attachments, Places, RowChecker, Suggester, WorkingDays
from kawe_contract.enums import UserRole
from kawe_places.values import CellValue, PlaceRemark


def mark(
    row: TableRow,
    field: str,
    severity: Severity = Severity.ERROR,
    *,
    rule: str,
    message: str,
    advice: str = "",
) -> Finding:
    """Make a finding on the cell of `field`, or on the row where it has none."""
    cell = row.cells.get(field)
    return Finding(
        where=row.where(field),
        severity=severity,
        rule=rule,
        heading="" if cell is None else cell.heading,
        value="" if cell is None else cell.shown,
        message=message,
        advice=advice,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach(Remark):
    """One rule that a row breaks."""

    field: str

    def on(self, row: TableRow) -> Finding:
        return mark(row, **asdict(self))


OWN_RULE: Final = "own-check"
_SUMMER: Final = 60
OWNER_RULE: Final = "owner-not-allowed"


def owner_findings(
    row: TableRow, role: object, context: "CheckContext"
) -> tuple[Finding, ...]:
    """Refuse an owner of whom nobody said that one is meant.

    What an owner may do is in the interface, Authentication, 9.
    """
    if role != UserRole.OWNER or context.choices.allows_owners:
        return ()
    found = mark(
        row,
        "role",
        rule=OWNER_RULE,
        message="An owner may remove people, buy tokens and manage keys.",
        advice=f"Choose Member; or, if an owner is meant, add {Given.ALLOW_OWNER}.",
    )
    return (found,)


def mark_place(
    row: TableRow, remark: PlaceRemark, *, refused: bool, prefix: str = ""
) -> Finding:
    """Make the finding of a remark about a place."""
    severity, advice = Severity.WARNING, remark.advice
    if remark.is_note:
        severity = Severity.NOTE
    if remark.is_suggestion:
        advice = (
            f"{advice.removesuffix('.')}; or {Next.AGAIN} with "
            f"{Given.ACCEPT_COORDINATES}."
        )
    return mark(
        row,
        prefix + remark.field,
        Severity.ERROR if refused else severity,
        rule=remark.rule,
        message=remark.message,
        advice=advice,
    )


def was_unreadable(row: TableRow, field: str) -> bool:
    """Say whether the cell of `field` has a value that could not be read.

    It has a finding already; "is missing" would be a second, wrong one.
    """
    cell = row.cells.get(field)
    return cell is not None and cell.value is None and cell.shown != ""


T = TypeVar("T")


class Once(Generic[T]):
    """Takes the fingerprint of a content when it is first asked for.

    Most checks need none. It takes a quarter of the memory of a partial.
    """

    __slots__ = ("_of", "_take", "_taken")

    def __init__(self, take: Callable[[T], Fingerprint], of: T) -> None:
        self._take, self._of = take, of
        self._taken: Fingerprint | None = None

    def __call__(self) -> Fingerprint:
        if self._taken is None:
            self._taken = self._take(self._of)
        return self._taken


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow:
    """One row, everything found about it, and what it says."""

    row: TableRow
    findings: tuple[Finding, ...]
    key: RowKey | None = None
    """None where its cells do not say which row it is."""
    content: Content | None = None
    """What it says, where its own cells have no mistakes."""
    partly: Said | None = None
    """What it says as far as it can be read, where they have."""
    marker: str = ""
    """What the service will know it by."""
    take_fingerprint: Callable[[], Fingerprint] | None = field(
        default=None, compare=False, repr=False
    )
    """Of what it said before iwi names became slugs: it follows from the row alone."""
    goes_to: tuple[IwiChoice, ...] = ()
    """The iwi that would be asked, whoever chose them; empty until the service was."""
    repeats: frozenset[ProjectId] = frozenset()
    """The projects that it likely repeats, as they were listed for a person."""

    @property
    def is_valid(self) -> bool:
        return self.content is not None and not blocks(self.findings)

    @property
    def wants_send(self) -> bool:
        """Say whether it is valid, and its workbook asks for a send."""
        return self.content is not None and self.content.send and self.is_valid

    @property
    def fingerprint(self) -> Fingerprint | None:
        return self.take_fingerprint and self.take_fingerprint()

    @property
    def said(self) -> Said | None:
        """Give what it says, as far as it can be read: every check looks at that."""
        return self.partly if self.content is None else self.content

    @property
    def project(self) -> ProjectSaid | None:
        """Give what it says of its project; None where it says nothing of one."""
        said = self.said
        return None if said is None else said.project

    def with_findings(self, *findings: Finding) -> "CheckedRow":
        """Give the row with more findings."""
        if not findings:
            return self
        return replace(self, findings=(*self.findings, *findings))

    def marked(
        self, field: str, severity: Severity = Severity.ERROR, /, **said: str
    ) -> "CheckedRow":
        """Give the row with one more finding, as `mark` makes it."""
        return self.with_findings(mark(self.row, field, severity, **said))

    def line(self, key: RowKey | None, *findings: Finding) -> Line:
        """Give the row as the journal keeps it, with more findings."""
        return Line(
            where=self.row.ref,
            raw=self.row.raw,
            findings=(*self.findings, *findings),
            row=key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """What checking needs beside the rows."""

    checker: RowChecker
    places: Places
    attachments: Attachments
    working_days: WorkingDays
    suggester: Suggester
    today: date
    choices: ReadingChoices
    given: Mapping[str, str] = field(default_factory=dict)
    """By field, the value of rows that have none."""
    organisations: Sequence[TableRow] = ()
    """The rows of the sheet that lists organisations, if there is one."""
    wording: Wording | None = None
    """The message of rows that have none of their own."""
    own_checks: Sequence[OwnCheck] = ()
    """What the settings want of columns."""


def attached(rows: Iterable[CheckedRow]) -> list[tuple[int, Attachment]]:
    return [
        (row.row.ref.row, file)
        for row in rows
        if row.is_valid and row.content is not None
        for file in row.content.files
    ]


def attachments_of(
    row: TableRow, attachments: Attachments
) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
    """Find the files that a row names, and say what is wrong with them."""
    if (cell := row.cells.get("files")) is None or not isinstance(cell.value, list):
        return (), ()
    return attachments.find(cell.value, where=cell.ref, heading=cell.heading)


def schema_findings(
    row: TableRow,
    *,
    kind: SheetKind,
    context: CheckContext,
    values: Mapping[str, CellValue] | None = None,
) -> tuple[Finding, ...]:
    """Check one row against its schema and the settings; `values` its cells mean."""
    values = row.values() if values is None else values
    found = [
        mark(row, field, rule=rule, message=message, advice=advice)
        for field, rule, message, advice in context.checker.problems(kind, values)
        if not was_unreadable(row, field)
    ]
    for each in (own for own in context.own_checks if own.kind == kind):
        cell, value = row.cells.get(each.field), values.get(each.field)
        shown = "" if cell is None else cell.shown
        too_soon = each.working_days and _is_too_soon(each, value, context)
        if too_soon or each.is_broken(value, shown):
            severity = Severity.WARNING if each.warns else Severity.ERROR
            own = mark(row, each.field, severity, rule=OWN_RULE, message=each.says)
            found.append(own)
    for name in fields_in(values.get("message", ""))[:1]:
        said = f"{{{name}}} leaves as it stands: a row's own message is not filled in."
        told = {"rule": "own-fields", "message": said, "advice": "Type the words."}
        found.append(mark(row, "message", Severity.WARNING, **told))
    return tuple(found)


def _is_too_soon(check: OwnCheck, value: CellValue, context: CheckContext) -> bool:
    if (day := day_of(str(value))) is None:
        return False
    # Days are counted one by one: of a far one, only that it is far enough.
    far = context.today + timedelta(days=2 * check.working_days + _SUMMER)
    until = context.working_days.until(min(day, far), today=context.today)
    return until < check.working_days


def agreeing(
    rows: Sequence[T], parts: Callable[[T], Iterable[Hashable]], *, least: int = 2
) -> Iterator[list[int]]:
    """Give the indices of rows that agree in one of their `parts`."""
    first: dict[Hashable, int] = {}
    groups: dict[Hashable, dict[int, None]] = {}
    for index, row in enumerate(rows):
        for part in parts(row):
            # Most parts stand in one row, and need no group.
            if (found := first.setdefault(part, index)) != index:
                groups.setdefault(part, {found: None})[index] = None
    agreed = sorted(map(list, groups.values()))
    return (indices for indices in agreed if len(indices) >= least)
