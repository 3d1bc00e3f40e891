"""The named points at which a process is killed, one list for all.

A step that changes the world has seven: before and after the commit of its
intent, its first byte on the wire, its whole request on the wire, the first of
its answer, before and after the commit of its verdict. Uploads have no intent,
since all three requests may be repeated: their verdict is the file, kept.
"""

from __future__ import annotations

from typing import Final

_COMMITS: Final = ("before-commit", "after-commit")
_ON_THE_WIRE: Final = ("first-byte", "whole-request", "answer")
_RENAMES: Final = ("before-rename", "after-rename")


def _named(name: str, moments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}.{moment}" for moment in moments)


def _act(name: str) -> tuple[str, ...]:
    return (
        *_named(f"{name}.intent", _COMMITS),
        *_named(name, _ON_THE_WIRE),
        *_named(f"{name}.verdict", _COMMITS),
    )


BATCH: Final = _named("batch", _COMMITS)
"""The rows of a workbook are taken into the journal."""
UPLOADS: Final = (
    *_named("presign", _ON_THE_WIRE),
    *_named("post", _ON_THE_WIRE),
    *_named("complete", _ON_THE_WIRE),
    *_named("file", _COMMITS),
)
CREATES: Final = (*_act("create"), *_named("move", _COMMITS))
ORGANISATIONS: Final = _act("organisation")
"""A create that carries an organisation whole."""
PAGES: Final = _named("page", ("first-byte", "answer"))
"""A page of a list, read for a scan."""
SENDS: Final = (*_act("send"), "read.answer")
INVITES: Final = _act("invite")
RESULTS: Final = ("result.half-written", *_named("result", _RENAMES))
"""After its rename, the result is written."""
RECEIPTS: Final = (
    "link.answer",
    *_named("download", ("first-byte", "answer", "half-written")),
    *_named("receipt", _RENAMES),
)
NUMBERS: Final = _named("receipt", _COMMITS)
"""The journal keeps a receipt's number, at the end of a run that has sent."""
LISTS: Final = _named("lists", _RENAMES)
"""The two lists of an export, and its workbook."""
SETTLING: Final = (
    *_named("settle.page", ("first-byte", "answer")),
    "settle.read.answer",
    "settle.team.answer",
    *_named("settle.move", _COMMITS),
)
"""While a doubt that an earlier kill left is settled by asking."""

ANY_MOMENT: Final = "any-moment"
"""Wherever the process is after so many thousandths of a second."""

DANGER: Final = ("intent.after-commit", *_ON_THE_WIRE, "verdict.before-commit")
"""Killed here, a step leaves a doubt behind."""
UNDONE: Final = ("intent.before-commit", "intent.after-commit", "first-byte")
"""Killed here, a step has not happened: it is there to be taken again."""

NAMED: Final = (
    *BATCH,
    *UPLOADS,
    *CREATES,
    *ORGANISATIONS,
    *PAGES,
    *SENDS,
    *INVITES,
    *RESULTS,
    *RECEIPTS,
    *NUMBERS,
    *LISTS,
    ANY_MOMENT,
)
"""Every point that a run which settles nothing comes by."""
