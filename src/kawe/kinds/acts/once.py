"""Rows of one sheet that want the same, or opposite things, of one target."""

from collections.abc import Sequence

from kawe.domain.sheet.findings import Finding, RowRef, Severity, blocks
from kawe.domain.text.texts import fold_name
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.kinds import Inquiry
from kawe.kinds.acts.content import ActContent, act_key
from kawe.kinds.acts.table import LINES, WHICH


def each_once(
    rows: Sequence[CheckedRow], *, word: str, inquiry: Inquiry
) -> tuple[CheckedRow, ...]:
    """Refuse all of such rows: nobody knows which is meant.

    What was done is no trouble, unless it would be added once more: a row that wants
    something else of its target now came later.
    """
    first: dict[tuple[str, ...], CheckedRow] = {}
    twice: dict[RowRef, CheckedRow] = {}
    for row in rows:
        is_done = row.row.ref in inquiry.finished
        for each in _decided(row, word, is_done=is_done):
            other = first.setdefault(each, row)
            if other is not row:
                twice |= {row.row.ref: other, other.row.ref: row}
    for ref in inquiry.finished:
        twice.pop(ref, None)
    return tuple(
        row.with_findings(_twice(row, twice[row.row.ref]))
        if row.row.ref in twice and not blocks(row.findings)
        else row
        for row in rows
    )


def _decided(row: CheckedRow, word: str, *, is_done: bool) -> set[tuple[str, ...]]:
    """Name what a row decides of its target, which one row alone may decide."""
    if row.content is None or not (content := ActContent.of(row.content)).changes:
        return set()
    act, said = LINES[content.act or word], content.said
    which = [str(said.get(each) or "") for each in WHICH]
    if act.adds and not any(which):
        named = {**said, content.field: content.target_id}
        return {(act_key(act.word, named, target=content.field),)}
    # A team has no other name here than the one that it is to have.
    one = content.target_id or fold_name("" if act.word == "team" else content.typed)
    names = () if is_done else [name for name, _, _ in content.changes]
    return {(content.field, one, *which, name) for name in names}


def _twice(row: CheckedRow, other: CheckedRow) -> Finding:
    one, two = (ActContent.of(e.content) for e in (row, other) if e.content is not None)
    what = "the same" if one.changes == two.changes else "something else"
    return mark(
        row.row,
        one.field,
        Severity.ERROR,
        rule="target-twice",
        message=f"Row {other.row.ref.row} asks for {what}.",
        advice="Keep one of them; what is to be done later has a sheet of its own.",
    )
