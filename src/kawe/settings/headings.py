"""What the settings say of headings, in whatever sheet they stand.

`[columns.projects]` gives the column of a heading: `"Our heading" = "description"`,
or `false` where it is not to be read. A name that kawe knows itself comes before that,
and so does what a person said of a sheet. The kawe.toml of a folder may come from
somebody else: it says nothing of a heading that the person's own settings speak of. It
makes no column reach people, and leaves none unread, which may keep a row from them.

What a person said of sheets with the same headings, and of every sheet, is kept in a
file. What reads or writes it raises `SettingsError` where it cannot.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kawe.domain.sheet.columns import CellKind, Column, SheetKind, column_named
from kawe.domain.sheet.tables import ColumnMemory, HeadingRule, KeptReading
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold, one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.schemas.catalog import load_columns
from kawe.settings.files import write_whole
from kawe.settings.keeping import user_folder
from kawe.settings.table import Giver, Layer, Origin

_REACHING: Final = frozenset({CellKind.YES_NO, CellKind.LIST, CellKind.IDENTIFIER})


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHeading(HeadingRule):
    """One of the person's own headings."""

    origin: Origin
    is_idle: bool = False
    """It changes nothing: a folder's file leaves no column unread."""


def own_headings(layers: Sequence[Layer]) -> tuple[OwnHeading, ...]:
    """Give every heading that counts; of one heading, one word.

    Raises:
        GuardRefused: A folder's file would make a column reach people.
    """
    # What a folder says comes first, so that all others override it.
    last = sorted(layers, key=lambda each: each.origin.giver != Giver.FOLDER_FILE)
    every = (each for layer in last for each in _headings(layer))
    return tuple({(each.kind, fold(each.heading)): each for each in every}.values())


def _headings(layer: Layer) -> Iterator[OwnHeading]:
    kinds = SheetKind.declared()
    is_of_folder = layer.origin.giver is Giver.FOLDER_FILE
    whose = "this folder's kawe.toml says" if is_of_folder else "your settings say"
    for name, headings in layer.values.get("columns", {}).items():
        if name not in kinds or not isinstance(headings, dict):
            raise SettingsError(
                message=f"[columns] cannot hold {one_line(name)!r}.",
                hint=f"It holds {' and '.join(f'[columns.{each}]' for each in kinds)}.",
            )
        kind = SheetKind.named(name)
        for heading, meant in headings.items():
            column = _meant(heading, meant, kind=kind)
            if is_of_folder and column is not None:
                _refuse_reaching(column, heading, layer=layer)
            yield OwnHeading(
                kind=kind,
                heading=heading,
                field=None if column is None else column.field,
                by=f"{whose} so",
                origin=layer.origin,
                is_idle=is_of_folder and column is None,
            )


def _meant(heading: str, meant: object, *, kind: SheetKind) -> Column | None:
    columns = load_columns(kind)
    column = column_named(meant, columns) if isinstance(meant, str) else None
    if not fold(heading):
        raise SettingsError(
            message=f"[columns.{kind}] has a heading without letters: "
            f"{one_line(heading)!r}."
        )
    if column is None and meant is not False:
        raise SettingsError(
            message=f"[columns.{kind}] {one_line(heading)!r} cannot mean "
            f"{one_line(str(meant))!r}: there is no such column.",
            hint=f"Columns are: {', '.join(each.field for each in columns)}.",
        )
    return column


def _refuse_reaching(column: Column, heading: str, *, layer: Layer) -> None:
    is_message = column.kind is CellKind.LONG_TEXT and not column.required
    if column.kind in _REACHING or is_message:
        raise GuardRefused(
            message=f"{layer.origin} reads “{one_line(heading, limit=60)}” as "
            f"{column.title}, which decides what reaches people.",
            hint="The kawe.toml of a folder may come from somebody else. Take the line "
            f"out, and say it yourself: {Next.COLUMNS}, with the workbook.",
        )


_SCHEMA: Final = "kawe.columns/1"
_MOST: Final = 1_000
"""Shapes beyond these are forgotten, the oldest first."""
_BY: Final = "as you said of every sheet"


def columns_file() -> Path:
    return user_folder() / "columns.json"


def column_memory(headings: tuple[OwnHeading, ...]) -> ColumnMemory:
    """Give all that was said of columns; `headings` are those of the settings."""
    said = _read()
    ours = (
        HeadingRule(kind=SheetKind.named(kind), heading=heading, field=field, by=_BY)
        for kind, own in said["rules"].items()
        for heading, field in own.items()
    )
    every = [*(each for each in headings if not each.is_idle), *ours]
    return ColumnMemory(
        kept={shape: _kept(each) for shape, each in said["kept"].items()},
        rules={(each.kind, fold(each.heading)): each for each in every},
    )


def _kept(said: Mapping[str, Any]) -> KeptReading:
    return KeptReading(
        kind=SheetKind.named(said["kind"]),
        fields=said["fields"],
        workbook=said["workbook"],
        kept_on=date.fromisoformat(said["kept_on"]),
        addresses=said.get("addresses", {}),
    )


def keep_columns(shape: str, said: KeptReading) -> None:
    """Keep what a person said of sheets of this shape, in place of what was kept."""
    with _changing() as whole:
        _add(whole["kept"], shape, said.as_json())


def forget_columns(shape: str) -> bool:
    """Forget what was said of sheets of this shape; say whether anything was."""
    with _changing() as whole:
        return whole["kept"].pop(shape, None) is not None


def is_new_reading(shape: str, lines: Sequence[str]) -> bool:
    """Check that sheets of this shape were last shown otherwise; keep it as shown.

    Where it cannot be kept, it is new each time.
    """
    digest = sha256("\n".join(lines).encode()).hexdigest()[:16]
    with suppress(SettingsError), _changing() as whole:
        shown = whole.setdefault("shown", {})
        if shown.get(shape) == digest:
            return False
        _add(shown, shape, digest)
    return True


def keep_rule(kind: SheetKind, heading: str, field: str | None) -> None:
    """Keep what a heading means in every sheet of a kind; None: it is not read."""
    forget_rule(kind, heading)
    with _changing() as whole:
        whole["rules"].setdefault(kind.value, {})[heading] = field


def forget_rule(kind: SheetKind, heading: str) -> bool:
    """Forget a rule that `keep_rule` kept; say whether there was one."""
    with _changing() as whole:
        own = whole["rules"].get(kind.value, {})
        same = [each for each in own if fold(each) == fold(heading)]
        for each in same:
            del own[each]
    return bool(same)


def _add(kept: dict[str, Any], shape: str, said: object) -> None:
    """Add what was said last, and drop what is older than the newest so many."""
    kept.pop(shape, None)
    kept[shape] = said
    for oldest in [*kept][:-_MOST]:
        del kept[oldest]


@contextmanager
def _changing() -> Iterator[dict[str, Any]]:
    """Give what is kept, to be changed; it is written if it was."""
    whole = _read()
    before = json.dumps(whole)
    yield whole
    if json.dumps(whole) != before:
        text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
        write_whole(columns_file(), text, keeps_rights=True)


def _read() -> dict[str, Any]:
    try:
        return _checked(json.loads(columns_file().read_text("utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return {"schema": _SCHEMA, "kept": {}, "rules": {}}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise SettingsError(
            message=f"{columns_file()} is not what kawe kept there of your columns.",
            hint="Give it another name: kawe asks about your columns anew.",
        ) from None


def _checked(said: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Give it; raise one of Python's own errors for what kawe never keeps."""
    kept = [*map(_kept, said["kept"].values())]
    fields = [*said["rules"].values(), *(each.fields for each in kept)]
    fields += [each.addresses for each in kept]
    texts = [*map(SheetKind.named, said["rules"]), *(each.workbook for each in kept)]
    texts += [text for own in fields for text in own.values() if text is not None]
    texts += [*said.get("shown", {}).values()]
    if said["schema"] != _SCHEMA or not all(isinstance(each, str) for each in texts):
        raise ValueError
    return dict(said)
