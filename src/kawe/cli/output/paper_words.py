"""Files that are not as they were saved, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from kawe.cli.output.row_words import SHOWN
from kawe.domain.service.papers import FileFinding, FileTrouble
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line

_HEADS: Final = {
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
}


def finding_lines(
    findings: Sequence[FileFinding], *, is_verbose: bool, rest: str
) -> Iterator[str]:
    """Name files by what is wrong with them; some of many, and `rest` says how all."""
    for trouble, group in groupby(findings, key=lambda each: each.trouble):
        found = list(group)
        yield f"{counted(len(found), *_HEADS[trouble])}:"
        shown = found if is_verbose else found[:SHOWN]
        for each in shown:
            name, what = one_line(each.file), one_line(each.what, limit=400)
            yield f"    {name}: {what}"
        if len(shown) < len(found):
            yield f"    and {len(found) - len(shown)} more{rest}"


def findings_document(findings: Sequence[FileFinding]) -> list[dict[str, str]]:
    return [
        {"file": each.file, "trouble": each.trouble.value, "what": each.what}
        for each in findings
    ]
