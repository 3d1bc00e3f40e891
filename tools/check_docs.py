"""Checks the documentation: python tools/check_docs.py [--write].

Links lead somewhere, commands can be typed as they stand, words are those of
the glossary, tables that follow from the code are in step. `--write` writes
those tables again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Final

from docs_commands import command_troubles, example_troubles
from docs_pages import Page, Trouble, read_pages
from docs_words import GLOSSARY, message_troubles, ruled_out, word_troubles
from kawe.domain.batch.runs import RowActed, RowMoved, RunBegun, RunEnded
from kawe.domain.service.states import TRANSITIONS, State
from kawe_contract.operations import OPERATIONS

ROOT: Final = Path(__file__).resolve().parents[1]
_VARIABLE: Final = re.compile(r"\bKAWE_[A-Z_]+\b")
_GENERATED: Final = re.compile(
    r"(<!-- generated: ([a-z ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL
)


def main(arguments: Sequence[str]) -> int:
    """Check everything below the project's folder; print what is wrong."""
    if "--write" in arguments:
        for page in read_pages(ROOT):
            fresh = written_again(page.text)
            if fresh != page.text:
                (ROOT / page.name).write_text(fresh, "utf-8")
    troubles = list(all_troubles(ROOT))
    for trouble in troubles:
        print(trouble)
    print(f"documentation: {len(troubles)} troubles")
    return 1 if troubles else 0


def all_troubles(root: Path) -> Iterator[Trouble]:
    """Find everything that is wrong below the project's folder `root`."""
    pages = read_pages(root)
    source = root / "src"
    never = ruled_out(next(page for page in pages if page.name == GLOSSARY))
    variables = {
        name
        for path in (*source.rglob("*.py"), root / "tools" / "build_version.py")
        for name in _VARIABLE.findall(path.read_text("utf-8"))
    }
    for page in pages:
        yield from link_troubles(page, pages, root=root)
        # What an older version took is no command line of this one.
        if page.name != "CHANGELOG.md":
            yield from command_troubles(page)
        yield from word_troubles(page, never)
        yield from variable_troubles(page, variables)
        if written_again(page.text) != page.text:
            yield Trouble(
                where=page.name,
                words="a table is not in step: python tools/check_docs.py --write",
            )
    yield from lonely_pages(pages)
    yield from example_troubles()
    yield from message_troubles(source, never)


def link_troubles(
    page: Page, pages: Sequence[Page], *, root: Path
) -> Iterator[Trouble]:
    """Find links of a page that lead nowhere."""
    by_name = {each.name: each for each in pages}
    for line in page.lines():
        for target in line.targets:
            if re.match(r"[a-z]+:", target):
                if not target.startswith("https://"):
                    yield page.trouble(line, f"{target} is not https")
                continue
            name, anchor = _resolved(page, target)
            if not (root / name).exists():
                yield page.trouble(line, f"{target} leads nowhere")
            elif anchor and anchor not in by_name[name].anchors():
                yield page.trouble(line, f"{target}: no such heading")


def lonely_pages(pages: Sequence[Page]) -> Iterator[Trouble]:
    """Find pages of docs/ that no page links to."""
    linked = {
        _resolved(page, target)[0]
        for page in pages
        for line in page.lines()
        for target in line.targets
    }
    for page in pages:
        if page.name.startswith("docs/") and page.name not in linked:
            yield Trouble(where=page.name, words="no page links to it")


def variable_troubles(page: Page, known: set[str]) -> Iterator[Trouble]:
    """Find environment variables of a page that kawe does not read."""
    for line in page.lines():
        for name in _VARIABLE.findall(line.text):
            if name not in known:
                yield page.trouble(line, f"{name} is no variable of kawe's")


def written_again(text: str) -> str:
    """Write the generated tables of a page again."""

    def fresh(found: re.Match[str]) -> str:
        return f"{found[1]}{_TABLES[found[2]]()}{found[4]}"

    return _GENERATED.sub(fresh, text)


def assumed_operations() -> str:
    """Make the table of operations whose method and path are assumed."""
    rows = [
        f"| `{each.name}` | `{each.method} {each.path}` |"
        for each in OPERATIONS.values()
        if not each.shown
    ]
    return _table("| name | method and path |", rows)


def assumed_scopes() -> str:
    """Make the table of operations whose scope is assumed."""
    rows = [
        f"| `{each.name}` | {', '.join(f'`{scope}`' for scope in each.scopes)} |"
        for each in OPERATIONS.values()
        if not each.scope_shown
    ]
    return _table("| name | scope |", rows)


def log_records() -> str:
    """Make a table for each record of the log; each field is told once."""
    told: dict[str, str] = {}
    parts = []
    for each in (RunBegun, RowActed, RowMoved, RunEnded):
        meant = {of.name: of.metadata["means"] for of in fields(each)}
        again = [name for name, means in meant.items() if told.get(name) == means]
        rows = [f"| `{name}` | {meant[name]} |" for name in meant if name not in again]
        parts.append(f"\n`{each.WHAT}`: {each.__doc__ or ''}\n")
        parts.append(_table("| field | is |", rows))
        if again:
            parts.append(f"Also {', '.join(f'`{name}`' for name in again)}.\n")
        told |= meant
    return "".join([*parts, "\n"]).replace("\n\n\n", "\n\n")


def ways_of_a_row() -> str:
    """Make the table of the states of a row, and where each may lead."""
    rows = [
        f"| `{before}` | {', '.join(f'`{each}`' for each in State if each in ways)} |"
        for before, ways in TRANSITIONS.items()
        if ways
    ]
    return _table("| from | to |", rows)


_TABLES: Final[dict[str, Callable[[], str]]] = {
    "assumed operations": assumed_operations,
    "assumed scopes": assumed_scopes,
    "log records": log_records,
    "ways of a row": ways_of_a_row,
}


def _table(heading: str, rows: Sequence[str]) -> str:
    line = "|---" * (heading.count("|") - 1) + "|"
    return "\n".join(["", heading, line, *rows, "", ""])


def _resolved(page: Page, target: str) -> tuple[str, str]:
    path, _, anchor = target.partition("#")
    if not path:
        return page.name, anchor
    parts: list[str] = []
    for part in (PurePosixPath(page.name).parent / path).parts:
        if part == "..":
            parts = parts[:-1] if parts else [".."]
        else:
            parts.append(part)
    return "/".join(parts), anchor


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
