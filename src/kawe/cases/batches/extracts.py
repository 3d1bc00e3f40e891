"""Files that a person may have beside the result: rows to correct, and a map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final

from kawe.cases.batches.ending import Closing
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given, Says
from kawe.domain.text.texts import one_line
from kawe.errors import ResultNotWritable
from kawe.schemas.catalog import load_columns
from kawe.workbook.replacing import check_place
from kawe.workbook.results.csv_json import ENDINGS, write_map

_FAILED_ENDINGS: Final = (".xlsx", ".csv")
_RESULT_ENDINGS: Final = (".xlsx", ".xlsm", ".csv", ".html", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracts:
    """Where the files of one sheet go; None: it was not asked for."""

    failed: Path | None
    geojson: Path | None
    workbook: Path
    """The person's own, never written over."""
    result: Path
    """The workbook of the result."""
    run: str

    def check(self) -> None:
        """Check, before any request, that they can be written.

        Raises:
            ResultNotWritable: One cannot, or is the workbook or a file of the result.
        """
        protect = frozenset({self.workbook})
        if self.failed is not None:
            self._check_differs(self.failed)
            check_place(self.failed, protect=protect, endings=_FAILED_ENDINGS)
        if self.geojson is not None:
            check_place(self.geojson, protect=protect, endings=ENDINGS)

    def write(self, closing: Closing, *, says: Says) -> Closing:
        """Write those that were asked for; say where each is."""
        report = closing.report.said(says)
        protect = frozenset({self.workbook})
        failed, geojson = self.failed, self.geojson
        if failed is not None:
            from kawe.workbook.failing import write_failing  # noqa: PLC0415 (start-up)

            failed = write_failing(
                report,
                failed,
                columns=load_columns(SheetKind.named(report.kind)),
                protect=protect,
                run=self.run,
            )
        if geojson is not None:
            geojson = write_map(report, geojson, protect=protect)
        return replace(closing, failed=failed, geojson=geojson)

    def _check_differs(self, failed: Path) -> None:
        """Check that no file of the rows to correct is the workbook or the result."""
        theirs = {
            "your workbook": [self.workbook],
            "the result": [*map(self.result.with_suffix, _RESULT_ENDINGS)],
        }
        for what, others in theirs.items():
            files = [failed.with_suffix(each) for each in (*_FAILED_ENDINGS, ".json")]
            for one, other in product(files, others):
                if _is_same(one, other):
                    raise ResultNotWritable(
                        message=f"{Given.FAILED} {one_line(failed.name)} would be "
                        f"written over {what}: {one_line(one.name)}.",
                        hint=f"Choose another name with {Given.FAILED}. Nothing was "
                        "done.",
                    )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()
