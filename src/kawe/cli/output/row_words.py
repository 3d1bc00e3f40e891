"""Rows and files in words: those of one kind together, some of many named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.domain.service.papers import FileFinding, FileTrouble
from kawe.domain.text.texts import counted, one_line

SHOWN: Final = 20
"""How many rows are named when nobody asks for all."""
_REASONS: Final = 6


def row_lines(rows: Iterable[RowReport], *, rest: str) -> Iterator[str]:
    """Say why rows stand as they do: each reason once, with the rows that it is about.

    At most `SHOWN` rows are named, of few reasons; `rest` says where the others are.
    """
    alike: dict[tuple[Outcome, str], list[RowReport]] = {}
    for row in rows:
        alike.setdefault((row.outcome, _why(row)), []).append(row)
    left, more = SHOWN, sum(map(len, alike.values()))
    shown = list(alike.items())[:_REASONS]
    for after, ((outcome, why), group) in zip(
        reversed(range(len(shown))), shown, strict=True
    ):
        # Each reason that is said has at least one of its rows.
        named = group[: left - after]
        yield f"{counted(len(group), 'row')} {outcome}: {why}".removesuffix(" ")
        yield from (f"    {called(row)}" for row in named)
        left -= len(named)
        more -= len(named)
    if more:
        yield f"… and {counted(more, 'more row')}{rest}"


def called(row: RowReport) -> str:
    """Name a row by its reference and name, and say where it stands.

    A row that could not be read is named by its first cells.
    """
    reference, name = row.reference or "", row.name
    if not (reference or name):
        cells = (str(each).strip() for each in row.raw if each is not None)
        reference, name, *_ = (*filter(None, cells), "", "")
    shown = one_line(reference, limit=40)
    if name:
        said = one_line(name, limit=80)
        shown = f"{shown} ({said})" if shown else said
    where = one_line(str(row.where), limit=60)
    return f"{shown}, {where}" if shown else where


def _why(row: RowReport) -> str:
    if row.outcome is Outcome.DEFERRED and row.turn is not None:
        # What to do about tokens is said of all of them at once.
        return ""
    words = row.what_to_do
    for name in (row.name, row.reference):
        if name:
            words = words.replace(name, "…")
    return one_line(words, limit=400)


def _head(trouble: FileTrouble) -> tuple[str, str]:
    return {
        FileTrouble.ALTERED: (
            "file ALTERED since it was saved",
            "files ALTERED since they were saved",
        ),
        FileTrouble.MISSING: ("file missing", "files missing"),
        FileTrouble.EXTRA: ("extra file", "extra files"),
        FileTrouble.REPLACED: ("file replaced", "files replaced"),
        FileTrouble.UNLISTED: ("file not listed any more", "files not listed any more"),
        FileTrouble.UNREADABLE: (
            "file that cannot be compared",
            "files that cannot be compared",
        ),
    }[trouble]


def finding_lines(
    findings: Sequence[FileFinding], *, is_verbose: bool, rest: str
) -> Iterator[str]:
    """Name files by what is wrong with them; some of many, and `rest` says how all."""
    for trouble, group in groupby(findings, key=lambda each: each.trouble):
        found = list(group)
        yield f"{counted(len(found), *_head(trouble))}:"
        shown = found if is_verbose else found[:SHOWN]
        for each in shown:
            name, what = one_line(each.file), one_line(each.what, limit=400)
            yield f"    {name}: {what}"
        if len(shown) < len(found):
            yield f"    and {len(found) - len(shown)} more{rest}"
