"""The row that puts an act back as it was, where there is one."""

from kawe.kinds.acts.content import ActContent
from kawe.kinds.acts.deeds import Facts
from kawe.kinds.acts.table import LINES, OCCASION, TARGETS, WAS, WHICH, ActLine


def put_back(act: ActLine, content: ActContent, *, batch: str) -> Facts | str:
    """Give the row that puts an act back, by field; or why there is none.

    Its guards say what the act left: what has changed since is held.
    """
    if why := _why_not(act, content):
        return why
    was, now = _sides(content)
    target, occasion = act.target, {OCCASION: f"undo {batch}"}
    if act.undone_as != act.word:
        do = LINES[act.undone_as].verb
        guard = {f"{WAS}{target}": now[target]}
        return {**occasion, target: content.typed, "do": do, **guard}
    if _is_made(act, was):
        return {**occasion, target: now[target], "delete": "Yes"}
    said = content.said
    kept = {name: str(said[name]) for name in WHICH if said.get(name)}
    fields = {name: before for name, before in was.items() if name not in TARGETS}
    guarded = {*act.guarded}.intersection(now) - TARGETS
    guards = {f"{WAS}{name}": now[name] for name in guarded}
    return {**occasion, **kept, **fields, **guards, **_named(act, content)}


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
    was, now = _sides(content)
    if act.adds and not any(was.values()):
        return "a note is deleted in a sheet of notes that was fetched"
    lost = {name for name, before in was.items() if not before and now[name]}
    if not _is_made(act, was) and lost - {*act.whole}.intersection(act.clears):
        return "there was nothing before, and a cell cannot be emptied"
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
