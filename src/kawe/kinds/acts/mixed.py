"""The sheet that mixes kinds of acts: each row says under *Do* of which kind it is.

A row is taken as one of its kind, and handed to that kind.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Final

from kawe.domain.service.states import Step
from kawe.domain.sheet.content import Content
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.texts import fold, one_line
from kawe.flows.checked_rows import CheckContext, CheckedRow, mark, schema_findings
from kawe.flows.kinds import Answers, Inquiry, guide_of
from kawe.kinds.acts.content import ActContent, each_once
from kawe.kinds.acts.deeds import STANDS
from kawe.kinds.acts.facts import Reverse
from kawe.kinds.acts.kind import ACTS, ActsKind
from kawe.kinds.acts.schema import WORDS, schema_of
from kawe.kinds.acts.table import CALLED, FETCHED, LINES, OCCASION, WAS, More

_KINDS: Final = {each.word: each for each in ACTS}
_MIXED_AS: Final = {
    "assignee": "person",
    "group_description": "description",
    # "Email" alone names a person.
    "email": "organisation_email",
}
"""Fields of a kind that a mixed sheet has under another name."""
_LEFT: Final = frozenset({"do", "remove", "delete"})
"""What the word under *Do* says."""
_OF_ALL: Final = frozenset({"do", OCCASION, CALLED, FETCHED})


@cache
def _fields_of(kind: str) -> Mapping[str, str]:
    """Give the fields of a kind by what a mixed sheet calls them."""
    fields = (*LINES[kind].fields, OCCASION)
    own = {_MIXED_AS.get(each, each): each for each in fields if each not in _LEFT}
    # How any target stood is said by the one column Was.
    apart = {**_MIXED_AS, "assignee": "assignee", "person": "project"}
    return own | {f"{WAS}{apart.get(e, e)}": f"{WAS}{e}" for e in LINES[kind].guarded}


def _schema() -> dict[str, Any]:
    named = dict.fromkeys(field for kind in LINES for field in _fields_of(kind))
    first = ("do", "project", "person")
    own = [each for each in named if not each.startswith(WAS)]
    fields = [*first, *(e for e in own if e not in {*first, OCCASION})]
    guarded = [each.removeprefix(WAS) for each in named if each.startswith(WAS)]
    schema = schema_of("acts", fields, required=("do",), guarded=guarded)
    taken: set[str] = set()
    columns = schema["x-kawe"]["columns"]
    for name, said in columns.items():
        # A heading that two columns have is left to the first.
        own = [each for each in said.get("synonyms", ()) if fold(each) not in taken]
        taken.update(map(fold, own))
        columns[name] = {**said, "synonyms": own}
    return schema


class MixedKind(ActsKind):
    """Rows of several kinds of acts."""

    word = "acts"
    verb = "do"
    sheet_names = frozenset({"acts"})
    is_told_by_cells = True
    own_schema = _schema()
    guide = guide_of(
        word,
        "Fill in one row for each act, on the sheet Acts. Choose under Do what it is, "
        "and fill in what that takes.",
        submit="The acts are done in the order of the rows, each by one request.",
    )
    steps: ClassVar[Mapping[Step, tuple[str, str]]] = {}
    one, act, acts = "an act", "act", ("act to do", "acts to do")
    listed, will = "acts to do", "be done"
    does = ("do {count}", "act", "acts")
    undone = "Nothing was done."
    there = ("so already", "It was so already.")
    is_for_iwi = True

    def read_row(
        self, row: TableRow, context: CheckContext, _: More = ()
    ) -> CheckedRow:
        """Check a row as one of its kind."""
        word = WORDS.get(str(row.value("do")))
        if word is None:
            wrong = schema_findings(row, kind=self, context=context)
            return CheckedRow(row=row, findings=(*row.findings, *wrong))
        read = _KINDS[word.kind].read_row(_as_of(row, word.kind), context, word.more)
        own = replace(read, row=row).with_findings(*_idle(row, word.kind))
        if own.content is None:
            return own
        return replace(own, content=replace(ActContent.of(own.content), act=word.kind))

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Let each kind ask for its rows, and look at them together."""
        told, by_kind = list(rows), defaultdict[str, list[int]](list)
        for at, row in enumerate(rows):
            if row.content is not None:
                by_kind[ActContent.of(row.content).act].append(at)
        for kind, places in by_kind.items():
            asked = [replace(rows[at], row=_as_of(rows[at].row, kind)) for at in places]
            answers = await _KINDS[kind].told(asked, inquiry)
            for at, row in zip(places, answers, strict=True):
                told[at] = replace(row, row=rows[at].row)
        once = each_once(told, word=self.word, inquiry=inquiry)
        return Answers(rows=tuple(_by_then(once)))

    def costs_of(self, content: Content) -> str:
        return LINES[ActContent.of(content).act].costs

    def put_back(self, content: Content, *, batch: str) -> tuple[str, Reverse]:
        """Let the kind of the row say how it is put back."""
        return _KINDS[ActContent.of(content).act].put_back(content, batch=batch)


def _by_then(rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
    """Say of each row how its project stands when the rows before it are done."""
    stands: dict[str, str] = {}
    for row in rows:
        if row.content is None or not row.is_valid:
            yield row
            continue
        content = ActContent.of(row.content)
        told = {name: two for name, *two in content.changes}
        if two := told.get("project"):
            now = stands.get(content.target_id, two[0])
            told["project"] = [now, now if len({*two}) == 1 else two[1]]
            if told["project"][1] in STANDS.values():
                stands[content.target_id] = told["project"][1]
        changes = tuple((name, was, to) for name, (was, to) in told.items())
        yield replace(row, content=replace(content, changes=changes))


def _as_of(row: TableRow, kind: str) -> TableRow:
    """Give a row with the cells that its kind has, under its own names."""
    fields = _fields_of(kind)
    cells = {fields[name]: cell for name, cell in row.cells.items() if name in fields}
    return TableRow(ref=row.ref, cells=cells, raw=row.raw, findings=row.findings)


def _idle(row: TableRow, kind: str) -> Iterator[Finding]:
    """Refuse cells that the act of a row has no use for."""
    do = one_line(row.cells["do"].shown)
    for name in row.values().keys() - _fields_of(kind).keys() - _OF_ALL:
        heading = one_line(row.cells[name].heading)
        yield mark(
            row,
            name,
            rule="act-idle",
            message=f"“{do}” has no use for {heading}.",
            advice="Empty the cell, or choose another word under Do.",
        )


MIXED: Final = MixedKind()
