"""A saved plan as JSON, and back; docs/reference/plan-files.md describes the form.

What is read may have been written by anybody: whatever is not as kawe writes
it is refused, and so is a plan whose hash is not that of what it says.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from kawe.domain.batch.iwi_load import IwiLoad, IwiShare
from kawe.domain.batch.saved_plans import (
    Action,
    PlannedFile,
    PlannedLimits,
    PlannedReading,
    PlannedRow,
    PlannedSummary,
    SavedPlan,
)
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import sha256_of
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import visible_json
from kawe.errors import PlanRefused

SCHEMA: Final = "kawe.plan/1"
_COMPACT: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
)
_READABLE: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2)
_AGAIN: Final = "Make the plan again with kawe plan. Nothing was sent."
_HEX: Final = re.compile(r"[0-9a-f]{64}")
Document: TypeAlias = dict[str, Any]


def sealed(plan: SavedPlan) -> SavedPlan:
    """Give a plan the hash of what it says."""
    return replace(plan, sha256=seal_of(document_of(plan)))


def seal_of(document: Document) -> str:
    """Hash a plan's document: all but its own hash, in canonical JSON."""
    return sha256_of({k: v for k, v in document.items() if k != "sha256"})


def plan_to_text(plan: SavedPlan) -> str:
    """Write a plan: what concerns all of it first, then each row on a line."""
    document = document_of(plan)
    rows = ",\n".join(f"    {_COMPACT.encode(row)}" for row in document.pop("rows"))
    head = _READABLE.encode(document).removesuffix("\n}")
    return visible_json(f'{head},\n  "rows": [\n{rows}\n  ]\n}}\n')


def document_of(plan: SavedPlan) -> Document:
    """Give a plan as JSON values, in NFC."""
    summary = asdict(plan.summary)
    summary["counts"] = {each.value: n for each, n in plan.summary.counts.items()}
    summary["iwi_load"] = [asdict(each) for each in plan.summary.iwi_load.shares]
    composed: Document = _composed(
        {
            "schema": SCHEMA,
            "sha256": plan.sha256,
            "author": plan.author,
            "made_at": plan.made_at.isoformat(),
            "kawe": plan.kawe,
            "rules": plan.rules,
            "salt": plan.salt,
            "account": asdict(plan.account),
            "key": plan.key_hash,
            "workbook": plan.workbook,
            "sheet": plan.sheet,
            "reading": asdict(plan.reading),
            "limits": asdict(plan.limits),
            "sends": plan.sends,
            "invites": plan.invites,
            "summary": summary,
            "rows": [asdict(row) for row in plan.rows],
        }
    )
    return composed


def plan_from_text(text: str) -> SavedPlan:
    """Read a plan.

    Raises:
        PlanRefused: It is none, or it was edited.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise _none() from trouble
    if not isinstance(document, dict) or "schema" not in document:
        raise _none()
    if document["schema"] != SCHEMA:
        raise PlanRefused(
            message=f"This is no plan that this kawe can read: it is written as "
            f"{str(document['schema'])[:40]!r}, not as {SCHEMA!r}.",
            hint=_AGAIN,
        )
    try:
        if document.get("sha256") != seal_of(document):
            raise PlanRefused(
                message="The plan was changed after kawe made it.", hint=_AGAIN
            )
        return _plan(document)
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        raise _none() from trouble


def _none() -> PlanRefused:
    return PlanRefused(message="This is no plan of kawe's.", hint=_AGAIN)


def _plan(document: Document) -> SavedPlan:
    made_at = datetime.fromisoformat(document["made_at"])
    if made_at.tzinfo is None or not _HEX.fullmatch(document["sha256"]):
        raise ValueError("no instant, or no hash")
    rows = tuple(_row(each) for each in document["rows"])
    sends, invites = _count(document["sends"]), _count(document.get("invites", 0))
    _check_sums(rows, sends=sends, invites=invites)
    return SavedPlan(
        author=_text(document["author"]),
        made_at=made_at,
        kawe=_text(document["kawe"]),
        rules=_text(document["rules"]),
        salt=_text(document["salt"]),
        account=Binding(**_texts(document["account"])),
        key_hash=_text(document["key"]),
        workbook=_text(document["workbook"]),
        sheet=_text(document["sheet"]),
        reading=_reading(document["reading"]),
        limits=_limits(document["limits"]),
        sends=sends,
        # Plans of an older kawe do not say it, and their rows have no place.
        invites=invites,
        summary=_summary(document["summary"]),
        rows=rows,
        sha256=document["sha256"],
    )


def _check_sums(rows: Sequence[PlannedRow], *, sends: int, invites: int) -> None:
    """Make sure that what a person is shown and agrees to is what the rows do."""
    if sends != sum(row.action.sends for row in rows):
        raise ValueError("its rows send another number")
    if invites > sum(row.action is Action.INVITE for row in rows):
        raise ValueError("its rows invite fewer")
    placed = [row.place for row in rows if row.place is not None]
    if len(set(placed)) != len(placed) or len({r.number for r in rows}) != len(rows):
        raise ValueError("a row, or its place, is there twice")


def _row(row: Document) -> PlannedRow:
    place = row.pop("place")
    return PlannedRow(
        number=_count(row.pop("number")),
        action=Action(row.pop("action")),
        place=None if place is None else _count(place),
        cells=_texts(row.pop("cells")),
        files=tuple(
            PlannedFile(size_bytes=_count(each.pop("size_bytes")), **_texts(each))
            for each in row.pop("files")
        ),
        iwi=tuple(_text(each) for each in row.pop("iwi")),
        **_texts(row),
    )


def _reading(reading: Document) -> PlannedReading:
    kind = SheetKind.named(reading.pop("kind"))
    sheet, root = reading.pop("sheet"), reading.pop("files_root")
    return PlannedReading(
        kind=kind,
        sheet=None if sheet is None else _text(sheet),
        files_root=None if root is None else _text(root),
        **{name: _flag(value) for name, value in reading.items()},
    )


def _limits(limits: Document) -> PlannedLimits:
    only = limits.pop("only")
    flags = {n: _flag(limits.pop(n)) for n in ("drafts_only", "update_drafts")}
    reserve = _count(limits.pop("keep_reserve"))
    counts = {n: None if v is None else _count(v) for n, v in limits.items()}
    return PlannedLimits(
        only=None if only is None else _text(only),
        keep_reserve=reserve,
        max_tokens=counts.pop("max_tokens"),
        canary=counts.pop("canary"),
        **flags,
        **_nothing(counts),
    )


def _summary(summary: Document) -> PlannedSummary:
    counts, load = summary.pop("counts"), summary.pop("iwi_load")
    balance, seconds = summary.pop("balance"), summary.pop("seconds")
    shares = (
        IwiShare(projects=_count(each.pop("projects")), **_texts(each)) for each in load
    )
    return PlannedSummary(
        counts={Action(name): _count(number) for name, number in counts.items()},
        balance=None if balance is None else _count(balance),
        seconds=None if seconds is None else float(_count(math.ceil(seconds))),
        iwi_load=IwiLoad(shares=tuple(shares)),
        **{name: _count(value) for name, value in summary.items()},
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    return {name: _text(value) for name, value in values.items()}


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("a number was expected")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false was expected")
    return value


def _nothing(values: Mapping[str, object]) -> dict[str, Any]:
    if values:
        raise TypeError("nothing more was expected")
    return {}


def _composed(value: Any) -> Any:  # noqa: ANN401 - JSON values are of many types
    match value:
        case str():
            # Names of files may hold what UTF-8 cannot.
            plain = value.encode("utf-8", "backslashreplace").decode()
            return unicodedata.normalize("NFC", plain)
        case dict():
            return {_composed(name): _composed(each) for name, each in value.items()}
        case list() | tuple():
            return [_composed(each) for each in value]
        case _:
            return value
