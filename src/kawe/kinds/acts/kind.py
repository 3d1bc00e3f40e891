"""The kinds of sheet whose rows are acts: each is made from one line of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.identity import fingerprint_of
from kawe.domain.service.states import FINISHED
from kawe.domain.service.verdicts import RowKey, Step
from kawe.domain.sheet.content import Attachment, Content
from kawe.domain.sheet.findings import ACT_CHANGES, ACT_IS_SO, Finding, Severity, blocks
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.flows.checked_rows import (
    CheckContext,
    CheckedRow,
    attachments_of,
    schema_findings,
)
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission
from kawe.flows.marking import mark
from kawe.flows.submit.submitting import in_rounds
from kawe.kinds.acts.columns import schema_of
from kawe.kinds.acts.content import ActContent, act_key
from kawe.kinds.acts.deed import Deed, Facts, Said
from kawe.kinds.acts.doing import Doer, deed_of
from kawe.kinds.acts.fetched import (
    FETCHABLE,
    emptied,
    fetched_rows,
    is_as_fetched,
    parts_of,
    said_of,
)
from kawe.kinds.acts.table import TABLE, ActLine, Proven
from kawe.kinds.acts.targets import Projects, find_projects
from kawe.kinds.acts.world import OF_PROJECT, Unfit, World, read_world, some_names
from kawe.ports import Lookups
from kawe.schemas.catalog import load_columns
from kawe_contract.enums import UserRole


class ActsKind(Kind):
    """Rows that name a target each, and what is to be done with it."""

    package = "kawe.kinds.acts"
    content = ActContent
    done = Outcome.DONE.value
    known_rules = frozenset({ACT_IS_SO})
    marker = "Target"
    needs_its_name = True
    is_real_in_sandbox = True
    line: ClassVar[ActLine]

    def content_of(self, values: dict[str, Any]) -> Content:
        """Read a content back: JSON knows no pairs."""
        cells = tuple((name, value) for name, value in values["cells"])
        files = tuple(map(Attachment.of_json, values.get("files", ())))
        return ActContent(**{**values, "cells": cells, "files": files})

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        return tuple(self._read(row, context) for row in table.rows)

    def _read(self, row: TableRow, context: CheckContext) -> CheckedRow:
        said = said_of(row, self.line)
        files, about = attachments_of(row, context.attachments)
        found = (
            *about,
            *row.findings,
            *schema_findings(row, kind=self, checker=context.checker),
            *_owner_findings(row, said, context),
            *emptied(row, self.line),
        )
        if blocks(found):
            return CheckedRow(row=row, findings=found)
        target = self.line.target
        if is_as_fetched(said, self.line):
            found = *found, self._so(row, "It is as it was fetched")
        content = ActContent(
            field=target,
            name=str(said[target]),
            cells=tuple(sorted(said.items())),
            files=files,
        )
        return CheckedRow(
            row=row,
            findings=found,
            key=act_key(self.word, said, target=target),
            content=content,
            marker=content.name,
            take_fingerprint=partial(fingerprint_of, said),
        )

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Find the targets, and say of each row what it changes, cell by cell."""
        tools = inquiry.asker.tools
        world = World(account=await tools.lookups.account())
        named = [ActContent.of(e.content).typed for e in rows if e.content is not None]
        is_of_project = self.line.target == "project"
        projects = await find_projects(named if is_of_project else (), inquiry)
        told = []
        for row in rows:
            if _is_known(row):
                told.append(row)
                continue
            found = self._found(row, projects=projects, inquiry=inquiry)
            checked, world = await self._told(found, world, inquiry)
            told.append(checked)
        return Answers(rows=_once_each(told))

    def _found(
        self, row: CheckedRow, *, projects: Projects, inquiry: Inquiry
    ) -> CheckedRow:
        """Find the project of a row that names one."""
        if row.content is None or self.line.target != "project":
            return row
        content = ActContent.of(row.content)
        try:
            target = projects.find(content.typed, column=content.field)
        except Unfit as trouble:
            return self._unfit(row, trouble, inquiry)
        return replace(row, content=replace(content, target_id=target))

    async def _told(
        self, row: CheckedRow, world: World, inquiry: Inquiry
    ) -> tuple[CheckedRow, World]:
        """Give a row with what is said of it, and what may be kept of the world."""
        if row.content is None or blocks(row.findings):
            return row, world
        content = ActContent.of(row.content)
        try:
            whole = await read_world(
                inquiry.asker.tools.lookups,
                world,
                self.line.reads,
                project=content.target_id,
            )
            shared = {n: e for n, e in whole.parts.items() if n not in OF_PROJECT}
            world = replace(world, parts=shared)
            deed = deed_of(self.line, content.said, whole)
        except Unfit as trouble:
            return self._unfit(row, trouble, inquiry), world
        named = replace(content, name=whole.called(content.typed, self.line.target))
        return self._changes(replace(row, content=named), deed, inquiry), world

    def _unfit(self, row: CheckedRow, trouble: Unfit, inquiry: Inquiry) -> CheckedRow:
        if row.row.ref in inquiry.finished:
            return row
        name = str(row.row.value(trouble.field) or "")
        suggest = inquiry.context.suggester.misspelt
        near = suggest(name, among=trouble.among) or trouble.among
        meant = some_names(near)
        advice = f"There is {meant}. {trouble.advice}" if meant else trouble.advice
        words = trouble.message, advice
        return _refused(row, words, field=trouble.field, rule=trouble.rule)

    def _changes(self, row: CheckedRow, deed: Deed, inquiry: Inquiry) -> CheckedRow:
        """Say what is changed: from what, to what."""
        if row.row.ref in inquiry.finished:
            is_undone = self.line.proof is Proven.READING and not deed.is_so
            return self._undone(row, inquiry) if is_undone else row
        if deed.is_so:
            return row.with_findings(
                self._so(row.row, f"It is {self.line.done} already")
            )
        return row.with_findings(*self._notes(row.row, deed))

    def _notes(self, row: TableRow, deed: Deed) -> Iterator[Finding]:
        """Say of each cell what is changed, in the words that people choose from."""
        choices = {each.field: each.choices for each in load_columns(self)}
        for name, values in deed.changed.items():
            labels = {each.value: each.label for each in choices.get(name, ())}
            was, to = (_shown(labels.get(each, each)) for each in values)
            words = f"{was} → {to}.", ""
            yield mark(row, name, severity=Severity.NOTE, rule=ACT_CHANGES, words=words)

    def _so(self, row: TableRow, what: str) -> Finding:
        words = f"{what}; nothing is asked for.", ""
        target = self.line.target
        return mark(row, target, severity=Severity.NOTE, rule=ACT_IS_SO, words=words)

    def _undone(self, row: CheckedRow, inquiry: Inquiry) -> CheckedRow:
        known = None if row.key is None else inquiry.known.get(row.key)
        if known is None or known.state not in FINISHED:
            return row
        is_not = f"is not {self.line.done} any more; kawe does nothing twice."
        once_more = "To do it once more, type a word such as the month under Occasion."
        words = f"This was done before, and it {is_not}", once_more
        return row.with_findings(
            mark(
                row.row,
                self.line.target,
                severity=Severity.WARNING,
                rule="act-undone",
                words=words,
            )
        )

    async def fetch(self, lookups: Lookups, *, at: str) -> list[Facts]:
        """Give what is so now: a row for each target, by field."""
        world = World(account=await lookups.account())
        world = await read_world(lookups, world, parts_of(self.line), project="")
        return [*fetched_rows(self.line, world, at=at)]

    async def submit(self, submission: Submission) -> None:
        """Do every act once, and settle what is in doubt."""
        doer = Doer(act=self.line, run=submission.run)
        await in_rounds(submission, settle=doer.settle, act=doer.do)


def _is_known(row: CheckedRow) -> bool:
    """Say whether the row itself says that nothing is asked for."""
    return any(each.rule == ACT_IS_SO for each in row.findings)


def _owner_findings(
    row: TableRow, said: Said, context: CheckContext
) -> Iterator[Finding]:
    if said.get("role") == UserRole.OWNER and not context.allows_owners:
        yield mark(
            row,
            "role",
            severity=Severity.ERROR,
            rule="owner-not-allowed",
            words=(
                "An owner may remove people, buy tokens and manage keys.",
                f"Choose Member; or, if an owner is meant, add {Given.ALLOW_OWNER}.",
            ),
        )


def _refused(
    row: CheckedRow, words: tuple[str, str], *, field: str, rule: str
) -> CheckedRow:
    found = mark(row.row, field, severity=Severity.ERROR, rule=rule, words=words)
    return row.with_findings(found)


def _shown(value: str) -> str:
    return f"“{one_line(value, limit=80)}”" if value else "empty"


def _once_each(rows: list[CheckedRow]) -> tuple[CheckedRow, ...]:
    """Refuse rows that ask for one act on one project, named in two ways."""
    acts = [_act_of(row) for row in rows]
    often = {each for each, times in Counter(acts).items() if each and times > 1}
    words = "Another row asks for the same on this project.", "Keep one of them."
    return tuple(
        _refused(row, words, field="project", rule="target-twice")
        if act in often and not blocks(row.findings)
        else row
        for row, act in zip(rows, acts, strict=True)
    )


def _act_of(row: CheckedRow) -> RowKey | None:
    """Name the act by the project that was found; None where none was."""
    if row.content is None or not (found := ActContent.of(row.content)).target_id:
        return None
    said = {**found.said, found.field: found.target_id}
    return act_key("", said, target=found.field)


def _kind_of(act: ActLine) -> ActsKind:
    one, many = act.targets
    said = {
        "line": act,
        "word": act.word,
        "sheet_names": frozenset({act.word}),
        "own_schema": schema_of(
            act.word, act.fields, required=act.required, guarded=act.guarded
        ),
        "guide": _guide(act),
        "steps": {Step(act.step): (act.needs, "to do so")},
        "one": f"a {act.one}",
        "act": act.one,
        "listed": f"{many} to {act.verb}",
        "will": f"be {act.done}",
        "acts": (f"{one} to {act.verb}", f"{many} to {act.verb}"),
        "does": (f"{act.verb} {{count}}", one, many),
        "undone": f"Nothing was {act.done}.",
        "there": _there(act),
        "is_counted": act.is_counted,
        "is_for_iwi": act.is_for_iwi,
        "shows_marker": act.target != "person",
    }
    made: type[ActsKind] = type(f"{act.word.capitalize()}Kind", (ActsKind,), said)
    return made()


def _there(act: ActLine) -> tuple[str, str]:
    if act.word in FETCHABLE:
        return "so already, or left as fetched", "It was so already, or left so."
    return f"{act.done} already", f"It was {act.done} already."


def _guide(act: ActLine) -> tuple[str, ...]:
    one, many = act.targets
    book, back = f"{act.word}.xlsx", f"Undone by {act.undone_by}."
    back = back if act.undone_by else "That cannot be undone."
    submit = f"The {many} are {act.done}, each by one request. {back}"
    fill = f"Fill in one row for each {one} that you want to {act.verb}, on the sheet"
    return (
        f"{fill} {act.word.capitalize()}. Click on a cell to see what it wants.",
        f"Check it: {Next.CHECK(book)}. kawe shows what changes, from what to what.",
        f"Submit it: {Next.SUBMIT(book)}. {submit}",
        "You can submit the same workbook again at any time: nothing is done twice.",
    )


ACTS: Final = tuple(_kind_of(act) for act in TABLE)
