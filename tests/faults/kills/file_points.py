"""Points around files: half written, before and after they take their name."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import IO, Any

from faults.kills.clockwork import Clockwork, put_around
from kawe.domain.batch.outcomes import BatchReport
from kawe.files.receipts import TABLE, WORKBOOK
from kawe.files.saving import LIST_NAME
from kawe.workbook.results import result


class HalfWritten:
    """A file that comes by a point whenever it is written to."""

    def __init__(self, inner: IO[bytes], *, clockwork: Clockwork) -> None:
        self._inner = inner
        self._clockwork = clockwork

    def write(self, data: bytes) -> int:
        """Write, or half of it when it is time."""
        if self._clockwork.is_due("result.half-written"):
            self._inner.write(data[: len(data) // 2])
            self._inner.flush()
        self._clockwork.visit("result.half-written")
        return self._inner.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def install_file_points(clockwork: Clockwork) -> None:
    """Wrap what writes results, and what gives a file its name."""

    def write(inner: Callable[..., None]) -> Callable[..., None]:
        def written(
            report: BatchReport, files: Sequence[IO[bytes]], **words: Any
        ) -> None:
            half = [HalfWritten(file, clockwork=clockwork) for file in files]
            inner(report, half, **words)

        return written

    def replace(inner: Callable[..., None]) -> Callable[..., None]:
        def replaced(*given: Any, **words: Any) -> None:
            name = _name(str(given[1]))
            clockwork.visit(f"{name}.before-rename")
            inner(*given, **words)
            clockwork.visit(f"{name}.after-rename")

        return replaced

    put_around(result, "write_result", write)
    put_around(os, "replace", replace)


def _name(path: str) -> str:
    name = PurePath(path).name
    if name in {LIST_NAME, TABLE, WORKBOOK}:
        return "lists"
    if name.endswith(".pdf"):
        return "receipt"
    return "result" if ".result." in name else "other"
