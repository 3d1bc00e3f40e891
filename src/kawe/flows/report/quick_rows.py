"""The reports of the rows of a quick check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.domain.service.places import Place
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.texts import clean
from kawe.flows.checked_rows import RIGHT, QuickCheck


class QuickRows(Sequence[RowReport]):
    """The reports of the rows of a quick check, made anew at each iteration."""

    def __init__(self, checked: QuickCheck) -> None:
        self._checked = checked
        head = checked.head
        fields = [h.means.field if h.means else "" for h in head.headings]
        self._at = {field: at for at, field in reversed([*enumerate(fields)])}
        self._files: dict[int, tuple[Attachment, ...]] = {}
        for number, file in checked.attached:
            self._files[number] = (*self._files.get(number, ()), file)

    def __len__(self) -> int:
        return self._checked.rows_read

    def __iter__(self) -> Iterator[RowReport]:
        sheet, notable = self._checked.head.sheet, self._checked.notable
        for number, raw in self._checked.sheet.raw_rows():
            standing = notable.get(number, RIGHT)
            is_valid = standing.is_valid
            yield RowReport(
                where=RowRef(sheet=sheet, row=number),
                raw=raw,
                outcome=Outcome.READY if is_valid else Outcome.INVALID,
                what_to_do="" if is_valid else first_advice(standing.findings),
                name=self._name(raw) if is_valid else "",
                place=self._place(raw) if is_valid else None,
                findings=standing.findings,
                files=self._files.get(number, ()),
            )

    @overload
    def __getitem__(self, index: int) -> RowReport: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[RowReport]: ...
    def __getitem__(self, index: int | slice) -> RowReport | Sequence[RowReport]:
        return tuple(self)[index]

    def _name(self, raw: Sequence[RawValue]) -> str:
        name = self._said(raw, "name")
        return " ".join(clean(str(name)).split()) if name is not None else ""

    def _place(self, raw: Sequence[RawValue]) -> Place | None:
        """Give a place that is typed as two numbers; reading others takes too long."""
        north, east = self._said(raw, "latitude"), self._said(raw, "longitude")
        if isinstance(north, float) and isinstance(east, float):
            return Place(latitude=north, longitude=east)
        return None

    def _said(self, raw: Sequence[RawValue], field: str) -> RawValue:
        at = self._at.get(field)
        return None if at is None else raw[at]


def first_advice(findings: Sequence[Finding]) -> str:
    """Say what to do about a row that cannot be submitted."""
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        return "The sheet itself must be corrected first; kawe check says how."
    first = f"{errors[0].message} {errors[0].advice}".strip()
    more = len(errors) - 1
    return first if more == 0 else f"{first} ({more} more, see Problems.)"
