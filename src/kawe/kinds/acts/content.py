"""What a row of any sheet of acts says, also one that kawe fetched.

A fetched row has what was so then, to be changed and submitted. Rows of one sheet that
want the same, or opposite things, of one target are refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import Attachment, Content, PlainContent
from kawe.domain.sheet.findings import Finding, RowRef, blocks
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import clean, fold_name, one_line
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.kinds import Inquiry
from kawe.kinds.acts import table
from kawe.kinds.acts.schema import moved, title_of
from kawe_contract.enums import UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ActContent(PlainContent):
    """The cells of a row by field, and what the target was found to be."""

    field: str
    """The field that names the target."""
    name: str
    """What the target is called, once it was found; until then as it was typed."""
    target_id: str = ""
    """The project that was found; empty for other targets."""
    cells: tuple[tuple[str, Any], ...] = ()
    files: tuple[Attachment, ...] = ()
    changes: tuple[tuple[str, str, str], ...] = ()
    """What was so when it was checked, and what it was to be, by field."""
    act: str = ""
    """Of which kind the row is, where its sheet mixes them."""

    @staticmethod
    def of(content: Content | None) -> "ActContent":
        """Give the content of a row of acts, as its kind made it.

        Raises:
            TypeError: It is another kind's.
        """
        if not isinstance(content, ActContent):
            raise TypeError(f"{content} is no act")
        return content

    @property
    def identified_by(self) -> tuple[str, str]:
        return self.field, "words"

    @property
    def said(self) -> dict[str, Any]:
        return dict(self.cells)

    @property
    def changed(self) -> tuple[str, ...]:
        """Give it in the words of a check."""
        real = (each for each in self.changes if each[1] != each[2])
        return tuple(f"{title_of(name)} {moved(name, *two)}" for name, *two in real)

    @property
    def typed(self) -> str:
        return str(self.said[self.field])

    @property
    def one(self) -> str:
        """Name the one target, however it was typed."""
        return self.target_id or fold_name(self.typed)

    @property
    def message(self) -> str:
        """Give what a row adds to a thread; a note that there is has an id."""
        said = self.said
        note = said.get("note") if "note_id" not in said else ""
        return clean(str(said.get("message") or note or ""))

    @property
    def turns_in(self) -> str:
        """Give the project of a response: of two of them to one, the second is free."""
        return self.target_id if "message" in self.said else ""

    @property
    def owner_words(self) -> str:
        return one_line(self.typed) if new_role(self.said) == UserRole.OWNER else ""


def new_role(said: Mapping[str, Any]) -> object:
    """Give the role that somebody is to have: none, where they are removed."""
    return None if "remove" in said else said.get("role")


def act_of(entry: Entry) -> table.ActLine:
    return table.LINES[ActContent.of(entry.content).act or entry.kind.word]


def shown_of(entry: Entry) -> dict[str, str]:
    """Give how all stood that a row is about, by the fields of columns *Was*.

    Not what a row before it may change, which takes somebody out of the team.
    """
    content = ActContent.of(entry.content)
    but = {"assignee", "members"} if content.act else ()
    return {f"{table.WAS}{n}": was for n, was, _ in content.changes if n not in but}


def act_key(word: str, said: Mapping[str, Any], *, target: str) -> RowKey:
    """Give the key of an act: another word anywhere in its row is another act."""
    named = {**said, target: fold_name(str(said[target]))}
    return RowKey(f"{word}:{sha256_of(named)}")


def said_of(row: TableRow, act: table.ActLine, more: table.More) -> dict[str, Any]:
    """Give what a row says: of a fetched one, what was changed in it.

    What is deleted must be as it was fetched in all. `more` is what it says beside its
    cells.
    """
    said = {name: cell for name, cell in row.values().items() if name != table.CALLED}
    said |= dict(more)
    if table.FETCHED not in said:
        return said
    is_end = bool({"delete", "remove"} & said.keys())
    for name in act.guarded:
        was = said.pop(f"{table.WAS}{name}", None)
        # A column that was taken out says nothing.
        now = said.get(name) if name in row.cells else was
        if now is not None:
            said[name] = now
        if is_end or name in (*table.TARGETS, *act.whole) or was != now:
            said[f"{table.WAS}{name}"] = "" if was is None else was
        else:
            said.pop(name, None)
    return said


def is_as_fetched(said: Mapping[str, Any], act: table.ActLine) -> bool:
    """Say whether nothing was changed in a fetched row."""
    left = {e for e in act.whole if said.get(e, "") == said.get(f"{table.WAS}{e}")}
    rest = {act.target, table.FETCHED, table.OCCASION, "note_id", *left}
    rest |= {f"{table.WAS}{each}" for each in {*left, *table.TARGETS}}
    return table.FETCHED in said and said.keys() <= rest


def emptied(row: TableRow, act: table.ActLine) -> Iterator[Finding]:
    """Refuse cells that were emptied, and to take something away without a column."""
    if row.value(table.FETCHED) is None:
        if act.clears and not row.cells.keys() & {*act.clears}:
            said = f"There is no column {' or '.join(map(title_of, act.clears))}."
            advice = "Add one, or give that heading to a column of yours."
            yield mark(row, act.target, rule="act-unfit", message=said, advice=advice)
        return
    if act.guarded and not any(name.startswith(table.WAS) for name in row.cells):
        why = "The sheet was fetched, and its columns Was are gone."
        advice = "Fetch it again, and make your changes there."
        yield mark(row, table.FETCHED, rule="act-unguarded", message=why, advice=advice)
        return
    for name in act.guarded:
        was, cell = row.value(f"{table.WAS}{name}"), row.cells.get(name)
        is_emptied = cell is not None and cell.value is None and not cell.shown
        if was is not None and is_emptied and name not in act.clears:
            said = "The cell was emptied, and kawe cannot take away what is there."
            advice = "Put it back as it was, or type what it is to be."
            yield mark(row, name, rule="act-emptied", message=said, advice=advice)


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
        for each in _decided(row, word, is_done=row.row.ref in inquiry.finished):
            if (other := first.setdefault(each, row)) is not row:
                twice |= {row.row.ref: other, other.row.ref: row}
    left = {**twice, **dict.fromkeys(inquiry.finished)}
    others = ((row, not blocks(row.findings) and left.get(row.row.ref)) for row in rows)
    return tuple(_twice(row, other) if other else row for row, other in others)


def _decided(row: CheckedRow, word: str, *, is_done: bool) -> set[tuple[str, ...]]:
    """Name what a row decides of its target, which one row alone may decide."""
    if row.content is None or not (content := ActContent.of(row.content)).changes:
        return set()
    act, said = table.LINES[content.act or word], content.said
    which = [str(said.get(each) or "") for each in table.WHICH]
    if act.adds and not any(which):
        more = str(said.get("all")), str(said.get(table.OCCASION))
        return {(act.word, content.target_id, fold_name(content.message), *more)}
    # A team has no other name here than the one that it is to have.
    one = "" if act.word == "team" else content.one
    # Of an act that changes other things, it is only noted how the project stands.
    decides = [n for n, _, _ in content.changes if n != "project"] or ["project"]
    names = [] if is_done else decides
    if names and True in {said.get("delete"), said.get("remove")}:
        names = [*act.fields]
    return {(content.field, one, *which, name) for name in names}


def _twice(row: CheckedRow, other: CheckedRow) -> CheckedRow:
    one, two = (ActContent.of(e.content) for e in (row, other) if e.content is not None)
    is_said = fold_name(one.message) == fold_name(two.message) != ""
    what = "the same" if is_said or one.changes == two.changes else "something else"
    return row.marked(
        one.field,
        rule="target-twice",
        message=f"Row {other.row.ref.row} asks for {what}.",
        advice="Keep one of them; what is to be done later has a sheet of its own.",
    )
