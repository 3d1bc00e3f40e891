"""Files beside the result that a person may ask for: rows to correct, and a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kawe.cases import SheetToRead, Toolkit
from kawe.cases.batches.extracts import Extracts
from kawe.cases.sheets import plain_label, result_place_of
from kawe.cli.output.next_command import PLACE, suggested
from kawe.cli.output.next_words import for_everybody
from kawe.cli.shared.declaring import option, options_class, rare
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.text.counts import counted

_OF_ROWS: Final = PLACE | {
    *("kind", "files_root", "send_by_default", "is_strict", "accept", "role"),
    *("allows_owners", "places"),
}
"""The options that hold for some of the rows as for all of them."""


@options_class
class ExtractOptions:
    """Which files a command writes beside the result."""

    failed: Path | None = option(
        "--failed",
        metavar="FILE",
        help="Write the rows to correct, alone, to FILE (.xlsx or .csv): correct them "
        "there, and submit it.",
    )
    geojson: Path | None = rare(
        "--geojson",
        metavar="FILE",
        help="Write the rows as a map for GIS programs to FILE (.geojson).",
    )

    def placed(
        self, toolkit: Toolkit, each: SheetToRead, *, result: Path, every: bool
    ) -> Extracts:
        """Say where the files of one sheet go, and check that they can be written.

        Of `every` sheet of several, each has its label in its name.

        Raises:
            ResultNotWritable: One cannot, or is the workbook or a file of `result`.
        """
        label = each.label if every else ""
        return self.of_batch(toolkit, each.reading.workbook, result=result, label=label)

    def of_batch(
        self, toolkit: Toolkit, workbook: Path, *, result: Path, label: str = ""
    ) -> Extracts:
        """Say where the files of one batch go, as `placed` does."""
        extracts = Extracts(
            failed=_labelled(self.failed, label),
            geojson=_labelled(self.geojson, label),
            workbook=workbook,
            result=result,
            run=toolkit.run.id,
        )
        extracts.check()
        return extracts

    def of_batches(
        self, toolkit: Toolkit, batches: Sequence[Batch], *, among: Sequence[Batch]
    ) -> Mapping[BatchName, Extracts]:
        """Say where the files of each of `batches` go, as `placed` does.

        Of several, each has its name in its name. `among` are all batches.
        """
        return {
            each.name: self.of_batch(
                toolkit,
                Path(each.workbook),
                result=result_place_of(each, among=among),
                label=plain_label(each.name) if len(batches) > 1 else "",
            )
            for each in batches
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenExtracts:
    """The files that were written."""

    failed: Path | None
    geojson: Path | None
    to_correct: int

    def lines(self) -> Iterator[str]:
        """Say where they are, and what to do with them."""
        if self.failed is not None and self.to_correct:
            rows = counted(self.to_correct, "row to correct is", "rows to correct are")
            submit = suggested("submit", self.failed, only=_OF_ROWS)
            yield f"{rows} alone in {self.failed}"
            yield f"Correct there, then: {submit}"
        elif self.failed is not None:
            yield f"No row is to correct: {self.failed} has none."
        if self.geojson is not None:
            yield f"For maps: {self.geojson}"

    def as_json(self) -> dict[str, Any]:
        """Give the files that were asked for, for the document of a command."""
        files = {"result_failed": self.failed, "result_geojson": self.geojson}
        return {name: str(path) for name, path in files.items() if path is not None}


NO_EXTRACTS: Final = WrittenExtracts(failed=None, geojson=None, to_correct=0)


def write_extracts(extracts: Extracts, report: BatchReport) -> WrittenExtracts:
    """Write the files that were asked for.

    Raises:
        ResultNotWritable: One could not be written under any name.
    """
    failed, geojson = extracts.write(report.said(for_everybody))
    wrong = len(report.to_correct())
    return WrittenExtracts(failed=failed, geojson=geojson, to_correct=wrong)


def _labelled(path: Path | None, label: str) -> Path | None:
    if path is None or not label:
        return path
    return path.with_name(f"{path.stem}.{label}{path.suffix}")
