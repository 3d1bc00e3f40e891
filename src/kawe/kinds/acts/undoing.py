"""The row that puts an act back as it was, where there is one."""

from dataclasses import dataclass

from kawe.kinds.acts.content import ActContent
from kawe.kinds.acts.facts import Facts
from kawe.kinds.acts.table import (
    LINES,
    OCCASION,
    TARGETS,
    WAS,
    WHICH,
    ActLine,
    title_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverse:
    """What puts an act back, and what does not come back."""

    row: Facts
    """By field; its guards say what the act left: what has changed since is held."""
    why: str = ""
    """Why not all comes back, or nothing."""
    left: str = ""
    """The cells that stay, where others come back."""


def put_back(act: ActLine, content: ActContent, *, batch: str) -> Reverse:
    """Give the row that puts an act back, as far as one does."""
    if why := _why_not(act, content):
        return Reverse(row={}, why=why)
    was, now = _sides(content)
    target, occasion = act.target, {OCCASION: f"undo {batch}"}
    if act.undone_as != act.word:
        do = LINES[act.undone_as].verb
        guard = {f"{WAS}{target}": now[target]}
        return Reverse(row={**occasion, target: content.typed, "do": do, **guard})
    if _is_made(act, was):
        return Reverse(row={**occasion, target: now[target], "delete": "Yes"})
    said = content.said
    kept = {name: str(said[name]) for name in WHICH if said.get(name)}
    lost = [n for n, before in was.items() if now[n] and not before]
    lost = [name for name in lost if name not in {*act.whole}.intersection(act.clears)]
    fields = {n: e for n, e in was.items() if n not in TARGETS and n not in lost}
    guarded = {*act.guarded}.intersection(now).difference(TARGETS, lost)
    guards = {f"{WAS}{name}": now[name] for name in guarded}
    row = {**occasion, **kept, **fields, **guards, **_named(act, content)}
    titles = ", ".join(map(title_of, lost))
    return Reverse(
        row=row if fields else {},
        why="there was nothing before, and a cell cannot be emptied" if lost else "",
        left=titles if fields else "",
    )


def _sides(content: ActContent) -> tuple[Facts, Facts]:
    before = {name: was for name, was, _ in content.changes}
    return before, {name: now for name, _, now in content.changes}


def _is_made(act: ActLine, was: Facts) -> bool:
    return was.get(act.target) == "" and "delete" in act.fields


def _why_not(act: ActLine, content: ActContent) -> str:
    """Say why nothing puts an act back; empty: something does."""
    if not act.undone_as:
        return "nothing takes it back"
    if not content.changes:
        return "it was not noted how it was before"
    if gone := [each for each in ("delete", "remove") if content.said.get(each)]:
        return f"what was {gone[0]}d does not come back"
    if act.adds and not any(_sides(content)[0].values()):
        return "a note is deleted in a sheet of notes that was fetched"
    return ""


def _named(act: ActLine, content: ActContent) -> Facts:
    """Name the target as it is called now, and as what it was called."""
    was, now = _sides(content)
    target = act.target
    if target == "new_name":
        return {}
    if "new_reference" in now:
        return {target: content.target_id}
    if target in now and target not in TARGETS:
        is_same = was[target] == now[target]
        return {target: now[target]} | ({} if is_same else {"new_name": was[target]})
    return {target: now.get("new_name", content.typed)}
