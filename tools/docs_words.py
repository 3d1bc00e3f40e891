"""The words of the documentation and of kawe's messages.

Spelling is New Zealand's; macrons are there and composed (NFC); the words that
the glossary rules out appear nowhere.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_pages import Page, Trouble, table_rows

GLOSSARY: Final = "docs/glossary.md"
RULED_OUT: Final = "Words that appear nowhere"

# What is written otherwise in New Zealand. Stems: every ending is meant.
_SPELLING: Final = {
    r"organiz\w*": "organis…",
    r"recogniz\w*": "recognis…",
    r"realiz\w*": "realis…",
    r"summariz\w*": "summaris…",
    r"authoriz\w*": "authoris…",
    r"initializ\w*": "initialis…",
    r"normaliz\w*": "normalis…",
    r"analyz\w*": "analys…",
    r"colors?": "colour",
    r"behaviors?": "behaviour",
    r"neighbor\w*": "neighbour…",
    r"favor\w*": "favour…",
    r"honor\w*": "honour…",
    r"centers?": "centre",
    r"meters?": "metre",
    r"cancel(?:ed|ing)": "cancell…",
    r"label(?:ed|ing)": "labell…",
    r"fulfill?s?": "fulfil",
    r"gray": "grey",
    r"Maori": "Māori",
    r"Ngati": "Ngāti",
    r"whanau": "whānau",
    r"Pakeha": "Pākehā",
    r"reo Maori": "reo Māori",
    r"Taupo": "Taupō",
    r"Whangarei": "Whangārei",
    r"Wanaka": "Wānaka",
}
# Other people's names for their things stay as they are.
_NAMES_OF_OTHERS: Final = (
    "Merge & Center",
    "XML Spreadsheet 2003",
    "urn:schemas-microsoft-com:office:spreadsheet",
)
_CLICK: Final = frozenset({"command", "group"})
_SENTENCE: Final = re.compile(r"\S+\s+\S+")


def ruled_out(glossary: Page) -> dict[str, str]:
    """Read the words that the glossary rules out, and what to say instead."""
    return {
        word.strip(): cells[1]
        for cells in table_rows(glossary.section(RULED_OUT))
        for word in cells[0].split(",")
    }


def word_troubles(page: Page, never: dict[str, str]) -> Iterator[Trouble]:
    """Find words of a page that are spelt wrongly or ruled out."""
    if page.text != unicodedata.normalize("NFC", page.text):
        yield Trouble(where=page.name, words="a macron is not composed (NFC)")
    excused = {line.number for line in page.section(RULED_OUT) if page.name == GLOSSARY}
    for line in page.lines():
        if line.number not in excused:
            for words in wrong_words(line.prose, never):
                yield page.trouble(line, words)


def message_troubles(source: Path, never: dict[str, str]) -> Iterator[Trouble]:
    """Find such words in what kawe says to people."""
    for path in sorted(source.rglob("*.py")):
        where = path.relative_to(source.parent).as_posix()
        for number, text in messages(ast.parse(path.read_text("utf-8"))):
            for words in wrong_words(text, never):
                yield Trouble(where=f"{where}:{number}", words=words)
    for path in sorted(source.rglob("columns.json")):
        where = path.relative_to(source.parent).as_posix()
        for text in _hints(json.loads(path.read_text("utf-8"))):
            for words in wrong_words(text, never):
                yield Trouble(where=where, words=words)


def wrong_words(text: str, never: dict[str, str]) -> Iterator[str]:
    """Say what is wrong with the words of a text."""
    if text != unicodedata.normalize("NFC", text):
        yield f"a macron is not composed (NFC) in {text[:40]!r}"
    for name in _NAMES_OF_OTHERS:
        text = text.replace(name, "")
    for pattern, right in _SPELLING.items():
        for found in re.finditer(rf"\b{pattern}\b", text, re.IGNORECASE):
            yield f"{found[0]!r} is written {right}"
    for word, right in never.items():
        stem = word.removesuffix("s")
        found_word = re.search(rf"\b{re.escape(stem)}s?\b", text, re.IGNORECASE)
        if found_word is not None:
            yield f"{found_word[0]!r} is a word that we never use; say {right}"


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Give the sentences of a module that a person may read, with their lines.

    Docstrings are for programmers, but for those of commands, which are help.
    """
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(
            map(_is_click, node.decorator_list)
        ):
            yield node.lineno, ast.get_docstring(node) or ""
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
            and _SENTENCE.search(node.value)
        ):
            yield node.lineno, node.value


def _is_click(decorator: ast.expr) -> bool:
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(call, ast.Attribute) and call.attr in _CLICK


def _hints(value: object) -> Iterator[str]:
    # Synonyms are the words of other people, and theirs are not ours to mend.
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in {"hint", "title", "example"} and isinstance(inner, str):
                yield inner
            else:
                yield from _hints(inner)
