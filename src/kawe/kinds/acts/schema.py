"""The row schema of each kind of act, and what its rows may say under *Do*."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kawe.kinds.acts.table import (
    CALLED,
    COLUMNS,
    FETCHED,
    LINES,
    OCCASION,
    TARGETS,
    WAS,
    More,
    column,
    title_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What one word under *Do* means."""

    kind: str
    more: More
    """What it says beside the cells."""
    others: tuple[str, ...]
    """What people call the same."""


def _words_of(table: str) -> Iterator[tuple[str, Word]]:
    """Read lines of word | kind | what it says besides | what people call it."""
    for line in table.strip().splitlines():
        word, kind, more, others = (each.strip() for each in line.split("|"))
        field, _, value = more.partition(" ")
        said = ((field, value or True),) if field else ()
        yield word, Word(kind=kind, more=said, others=tuple(others.split("; ")))


WORDS: Final[Mapping[str, Word]] = dict(
    _words_of("""
close               | closures      |           | Close project
reopen              | reopenings    |           | Re-open; Open again
change              | changes       |           | Change project; Update; Edit
assign              | assignments   |           | Assign to; Allocate
note                | notes         |           | Write note; Add note
delete note         | notes         | delete    | Remove note
report              | reports       |           | Ask for report; Get report
complete            | completions   |           | Complete project
respond             | responses     |           | Answer; Reply; Send response
change role         | members       |           | Role
remove member       | members       | remove    | Remove; Revoke
resend              | resends       | do resend | Invite again; Send again
expire              | resends       | do expire | Cancel invitation
change group        | groups        |           | Make group; New group; Update group
delete group        | groups        | delete    | Remove group
change organisation | organisations |           | Update organisation; Edit organisation
delete organisation | organisations | delete    | Remove organisation
rename team         | team          |           | Rename the team; Change team name
""")
)


def words_of(kind: str) -> Mapping[str, Word]:
    """Give what may stand under *Do* in a sheet of one kind, or of all."""
    return {n: each for n, each in WORDS.items() if kind in {"acts", each.kind}}


def _do(kind: str) -> dict[str, Any]:
    """Make the column *Do*: one chooses from its words."""
    words = words_of(kind)
    aliases = {word: each.others for word, each in words.items()}
    first = next(iter(words))
    if kind in LINES and (verb := LINES[kind].verb) not in words:
        aliases[first] = (*aliases[first], verb)
    choice = {"kind": "choice", "choices": [*words], "aliases": aliases}
    return {**COLUMNS["do"], **choice, "example": first}


def _guard(of: str) -> dict[str, Any]:
    """Make the column that says what a cell was when it was last seen."""
    title = title_of(of)
    hint = (
        f"Leave it as it is, or type what {title} was when you last saw it: "
        "where it has changed since, the row is held."
    )
    if of in TARGETS:
        return column(hint, "open", title="Was", is_fetched=True)
    gone, said = {"words", "parts", "like"}, COLUMNS[of].items()
    kept = {name: each for name, each in said if name not in gone}
    words = {"title": f"Was {title}", "hint": hint, "is_fetched": True}
    return {**kept, **words, "synonyms": [f"{title} before", f"Old {title}"]}


def schema_of(
    word: str, fields: Iterable[str], *, required: Sequence[str], guarded: Iterable[str]
) -> dict[str, Any]:
    """Make the row schema of a kind; what only a fetched sheet has comes last."""
    names = (*fields, OCCASION, CALLED)
    columns = {
        **{each: COLUMNS[each] for each in names},
        **({"do": _do(word)} if "do" in names else {}),
        **{f"{WAS}{each}": _guard(each) for each in guarded},
        FETCHED: COLUMNS[FETCHED],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kawe:row:{word}",
        "title": f"One row of a sheet of {word}, as read",
        "type": "object",
        "required": [*required],
        "properties": {name: each["rules"] for name, each in columns.items()},
        "x-kawe": {"sources": {}, "columns": columns},
    }
