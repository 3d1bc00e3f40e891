"""Acts that repeat what was done before: a person says that they are meant."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import fingerprint_of
from kawe.domain.service.states import IN_DOUBT, RowKey, State
from kawe.domain.sheet.findings import ACT_AGAIN, RowRef, Severity
from kawe.domain.text.texts import fold_name
from kawe.flows.checked_rows import Breach, CheckedRow
from kawe.flows.kinds import Inquiry
from kawe.flows.tools import all_rows
from kawe.kinds.acts.content import ActContent, act_of
from kawe.kinds.acts.deeds import MEANT, Deed
from kawe.kinds.acts.schema import quoted
from kawe.kinds.acts.table import OCCASION, ActLine, Proven
from kawe.kinds.acts.world import Projects, World
from kawe.ports import Journal

_WENT: Final = IN_DOUBT | {State.DONE}


async def earlier_acts(
    act: ActLine, journal: Journal | None
) -> Mapping[str, Sequence[Entry]]:
    """Give the rows of a journal that more may be added to, by target."""
    earlier = defaultdict[str, list[Entry]](list)
    if journal is None or (act.proof is Proven.READING and not act.adds):
        return earlier
    for entry in await all_rows(journal, lambda _: True, act.word, "acts"):
        # Of a row that was purged only its key is left.
        if (content := ActContent.of(entry.content)).cells and act_of(entry) is act:
            earlier[content.one].append(entry)
    return earlier


def before(content: ActContent, earlier: Sequence[Entry]) -> Entry | None:
    """Find what is the same but for the name by which its target is called."""
    said = {**content.said, content.field: ""}
    others = ((e, ActContent.of(e.content).said) for e in earlier)
    same = (e for e, other in others if {**other, content.field: ""} == said)
    return next(same, None)


def asked_again(
    deed: Deed, content: ActContent, world: World, *, inquiry: Inquiry
) -> Iterator[Breach]:
    """Ask about what somebody else did, and where what was sent left its row.

    Words that are nearly the same may be a correction, and of one sorted column new
    rows say what was sent. Another Occasion beside a row that was done, or in a sheet
    of its own, tells that it is meant once more; in its place, it may be a correction.
    """
    words, occasion = content.message, content.said.get(OCCASION)
    earlier = [e for e in world.earlier.get(content.one, ()) if e.state in _WENT]
    went = {e.key: ActContent.of(e.content) for e in earlier}
    beside = {other.message for key, other in went.items() if key in inquiry.known}
    others = (e for e in went.values() if occasion not in {None, e.said.get(OCCASION)})
    meant = beside | {each.message for each in others}
    same = [e for e in earlier if went[e.key].message == words]
    told = {fold_name(went[e.key].said.get(OCCASION) or "") for e in same}
    batches = {each.batch for each in inquiry.known.values()}
    is_apart = bool(same) and batches.isdisjoint(each.batch for each in same)
    is_new_round = is_apart and fold_name(occasion or "") not in told
    context = inquiry.context
    accepted: Any = {"severity": Severity.WARNING, "advice": ""}
    weight = accepted if context.choices.accepts_repeats else {}
    # Within a week a row may have been copied, also with its Occasion.
    young = str(context.today - timedelta(days=7))
    for day, each in deed.repeats:
        if (words in beside or is_new_round) and day <= young:
            yield replace(each, severity=Severity.NOTE, advice="")
        else:
            yield replace(each, **weight)
    left = {each.message for each in went.values()} - meant - {words}
    among = left | ({*deed.answers} - meant - {words})
    nearest = context.suggester.nearest(words, among=sorted(among))
    asked = [("Nearly the same was sent", each) for each in nearest]
    moved = sorted(left & world.new)
    asked += [("Another row says now what was sent", each) for each in moved]
    field = "note" if "note" in content.said else "message"
    for what, other in asked[:1]:
        said = f"{what}: {quoted(field, other)}."
        advice = f"Undo the edit here. {MEANT}"
        found = Breach(field=field, rule=ACT_AGAIN, message=said, advice=advice)
        yield replace(found, **weight)


def ask_of_sorted(rows: Sequence[CheckedRow], inquiry: Inquiry) -> Sequence[CheckedRow]:
    """Ask about new rows that give a column what others of them have there now.

    It may have been sorted alone; an Occasion tells that it is meant.
    """
    told = {row.row.ref: row for row in rows}
    is_meant = inquiry.context.choices.accepts_repeats
    for name, found in _changed(rows, inquiry).items():
        if sorted(was for was, _, _ in found) == sorted(to for _, to, _ in found):
            for _, to, ref in found:
                told[ref] = told[ref].marked(
                    name,
                    Severity.WARNING if is_meant else Severity.ERROR,
                    rule=ACT_AGAIN,
                    message=f"Another row has it now: {quoted(name, to)}.",
                    advice="" if is_meant else f"Sort whole rows. {MEANT}",
                )
    return [*told.values()]


def _changed(
    rows: Sequence[CheckedRow], inquiry: Inquiry
) -> dict[str, list[tuple[str, str, RowRef]]]:
    """Give what new rows without an Occasion change, by column: from what, to what."""
    changed = defaultdict[str, list[tuple[str, str, RowRef]]](list)
    for row in rows:
        if not row.is_valid or row.key in inquiry.known:
            continue
        content = ActContent.of(row.content)
        for name, was, to in content.changes:
            if was != to and OCCASION not in content.said:
                changed[name].append((was, to, row.row.ref))
    return changed


def spelt_as_before(
    row: CheckedRow, inquiry: Inquiry, projects: Projects
) -> CheckedRow:
    """Spell a target, but for the new name of a team, as the journal does."""
    known = row.key and inquiry.known.get(row.key)
    if row.content is None or not known:
        return row
    content = ActContent.of(row.content)
    if content.typed != known.marker and projects.has(content.typed):
        # Another reference has other capitals alone.
        return replace(row, key=RowKey(f"{known.key}:{content.typed}"))
    said = {**content.said, content.field: known.marker}
    is_same = fold_name(known.marker) == fold_name(content.typed)
    is_named = content.field != "new_name"
    return as_before(row, known.key, said) if is_same and is_named else row


def as_before(row: CheckedRow, key: RowKey, said: Mapping[str, Any]) -> CheckedRow:
    """Give a row as the journal has it, but for the bytes of its files."""
    content = replace(ActContent.of(row.content), cells=tuple(sorted(said.items())))
    take = partial(fingerprint_of, said, files=content.files)
    return replace(row, key=key, content=content, take_fingerprint=take)
