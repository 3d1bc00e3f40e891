"""Saved plans on the disk (docs/reference/plan-files.md).

A file may come from anybody: kawe accepts a plan only with the right hash, and without
anything that kawe does not write.

Each signed approval is a file of its own beside the plan: `plan.approval.json` belongs
to `plan.json`, and `plan.approval-2.json` is a second one. The file of the plan never
changes.
"""

import hashlib
import json
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass, replace
from datetime import datetime
from functools import cache
from glob import escape
from itertools import count
from pathlib import Path
from types import UnionType
from typing import Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from kawe.domain.batch.approvals import SignedApproval, approval_from_text
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.rows.identity import canonical, sha256_of
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line, visible_json
from kawe.errors import PlanRefused, ResultNotWritable
from kawe.files.saving import save_named

SCHEMA: Final = "kawe.plan/5"
_COMPACT: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
)
_READABLE: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2)
_AGAIN: Final = f"Make the plan again with {Next.PLAN}. Nothing was sent."
_MOST_BYTES: Final = 256 * 2**20
_HEAD_BYTES: Final = 64
_BEGINNING: Final = b'{\n  "schema": "kawe.plan/'
_JSON: Final = {tuple: list, Mapping: dict, int: int, float: float, bool: bool}
"""The types that are not text in JSON."""
_NO_PLAN: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
Document: TypeAlias = dict[str, Any]


def is_plan(path: Path) -> bool:
    """Check that a file is a plan, by name or beginning."""
    try:
        if path.exists() and not path.is_file():
            # A pipe would block.
            return False
        if path.suffix.lower() == ".json":
            return True
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).lstrip().startswith(b'{\n  "schema": "kawe.')
    except OSError:
        return False


def write_plan(plan: SavedPlan, path: Path) -> None:
    """Write a plan that only its owner can read."""
    save_named(path, plan_to_text(plan).encode(), called="plan")


def read_plan(path: Path) -> SavedPlan:
    return read_plan_file(path)[0]


def read_plan_file(path: Path) -> tuple[SavedPlan, str]:
    """Read a plan; give the SHA-256 of its file too.

    Raises:
        PlanRefused: It cannot be read, is none, or was edited.
    """
    shown = one_line(str(path))
    try:
        if path.exists() and not path.is_file():
            # A pipe would block.
            hint = "Name the file of a plan."
            raise PlanRefused(message=f"{shown} is no file.", hint=hint)
        if path.stat().st_size > _MOST_BYTES:
            raise PlanRefused(message=f"{shown} is too large for a plan.")
        content = path.read_bytes()
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise PlanRefused(
            message=f"The plan {shown} cannot be read.",
            hint=f"Check its name, or make it with {Next.SAVE_PLAN}.",
        ) from trouble
    return plan_from_text(text), hashlib.sha256(content).hexdigest()


def plan_document(path: Path) -> tuple[Document, bool] | None:
    """Give a plan of any kawe and whether it is as it was made; None: it is none."""
    try:
        with path.open("rb") as file:
            if not file.read(_HEAD_BYTES).startswith(_BEGINNING):
                return None
        if path.stat().st_size > _MOST_BYTES:
            return None
        document = json.loads(path.read_text(encoding="utf-8"))
        return document, document["sha256"] == seal_of(document)
    except (OSError, *_NO_PLAN):
        return None


def sealed(plan: SavedPlan) -> SavedPlan:
    return replace(plan, sha256=seal_of(document_of(plan)))


def seal_of(document: Document) -> str:
    """Hash a plan's document without its hash, as canonical JSON."""
    return sha256_of({k: v for k, v in document.items() if k != "sha256"})


def plan_to_text(plan: SavedPlan) -> str:
    """Write a plan: the head first, then each row on a line."""
    document = document_of(plan)
    rows = ",\n".join(f"    {_COMPACT.encode(row)}" for row in document.pop("rows"))
    head = _READABLE.encode(document).removesuffix("\n}")
    return visible_json(f'{head},\n  "rows": [\n{rows}\n  ]\n}}\n')


def document_of(plan: SavedPlan) -> Document:
    """Give a plan as JSON values, in NFC."""
    head = {"schema": SCHEMA, "sha256": plan.sha256, "totals": plan.totals}
    document: Document = _plain(head | asdict(plan))
    return document


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON values are of many types
    match value:
        case str() | Path():
            # File names may not be valid UTF-8.
            text = str(value).encode("utf-8", "backslashreplace").decode()
            return unicodedata.normalize("NFC", text)
        case datetime():
            return value.isoformat()
        case dict():
            return {_plain(name): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def plan_from_text(text: str) -> SavedPlan:
    """Read a plan.

    Raises:
        PlanRefused: It is none, or it was edited.
    """
    try:
        document = json.loads(text)
        if (schema := document["schema"]) != SCHEMA:
            raise PlanRefused(message=_other(schema), hint=_AGAIN)
        if document["sha256"] != seal_of(document):
            raise PlanRefused(
                message="The plan was changed after kawe made it.", hint=_AGAIN
            )
        return _plan(document)
    except _NO_PLAN as trouble:
        raise PlanRefused(
            message="This is no plan of kawe's.", hint=_AGAIN
        ) from trouble


def _other(schema: object) -> str:
    if schema in {"kawe.plan/1", "kawe.plan/2", "kawe.plan/3", "kawe.plan/4"}:
        return "The plan was made by an older kawe."
    return (
        f"This is no plan that this kawe can read: it is written as "
        f"{str(schema)[:40]!r}, not as {SCHEMA!r}."
    )


def _plan(document: Document) -> SavedPlan:
    said = {k: v for k, v in document.items() if k not in {"schema", "totals"}}
    plan: SavedPlan = _typed(SavedPlan, said)
    totals = canonical(document["totals"])
    # The totals that a person sees must be those of the rows.
    if plan.made_at.tzinfo is None or totals != canonical(plan.totals):
        raise ValueError("no instant, or its rows do something else")
    places = [row.place for row in plan.in_order]
    numbers = {row.number for row in plan.rows}
    if places != [*range(1, plan.acts + 1)] or len(numbers) != len(plan.rows):
        raise ValueError("a row, or its place, is missing or there twice")
    return plan


_MADE_BY: Final[dict[Any, Callable[[str], Any]]] = {
    datetime: datetime.fromisoformat,
    SheetKind: SheetKind.named,
}


def _typed(kind: Any, value: Any) -> Any:  # noqa: ANN401 - all that a plan is made of
    """Convert a JSON value to a type of the plan."""
    if kind is str and isinstance(value, str):
        return value
    origin, parts = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return None if value is None else _typed(parts[0], value)
    if is_dataclass(kind):
        return _made(kind, value)
    written_as: Any = _JSON.get(origin or kind, str)
    if type(value) is not written_as:
        raise TypeError("a value of another type was expected")
    if origin is tuple:
        return tuple(_typed(parts[0], each) for each in value)
    if origin is Mapping:
        return {name: _typed(parts[1], each) for name, each in value.items()}
    if kind in (int, float) and not 0 <= value < math.inf:
        raise ValueError("a number of things, or of seconds, was expected")
    return _MADE_BY.get(kind, kind)(value)


_hints: Final = cache(get_type_hints)


def _made(kind: Any, value: Any) -> Any:  # noqa: ANN401 - same
    hints = _hints(kind)
    # An earlier build did not know every field: those that came since have a default.
    if value.keys() - hints.keys():
        raise TypeError("other fields were expected")
    return kind(**{name: _typed(hints[name], each) for name, each in value.items()})


_MOST_APPROVAL_BYTES: Final = 64 * 1024
_MOST_APPROVALS: Final = 50


def write_approval(signed: SignedApproval, *, plan: Path, wanted: Path | None) -> Path:
    """Write an approval that only its owner can read, and give its name.

    It replaces no file, unless `wanted` names an approval.

    Raises:
        ResultNotWritable: It cannot be written there.
    """
    path = wanted or next(each for each in _approval_names(plan) if not each.exists())
    if path.exists() and read_approval(path) is None:
        raise ResultNotWritable(
            message=f"{one_line(str(path))} is there, and it is no approval.",
            hint="Nothing was written. Choose another name.",
        )
    save_named(path, signed.to_text().encode(), called="approval")
    return path


def approval_files(plan: Path) -> list[Path]:
    """List the approvals that lie beside a plan."""
    found = plan.parent.glob(f"{escape(plan.stem)}.approval*.json")
    return sorted(found)[:_MOST_APPROVALS]


def read_approval(path: Path) -> SignedApproval | None:
    """Read an approval; None: it is none, or not as kawe wrote it."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_APPROVAL_BYTES:
            return None
        return approval_from_text(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError):
        return None


def _approval_names(plan: Path) -> Iterator[Path]:
    for number in count(1):
        nth = "" if number == 1 else f"-{number}"
        yield plan.with_name(f"{plan.stem}.approval{nth}.json")
