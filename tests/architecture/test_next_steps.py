"""Below the faces no sentence names a command, an option or a page: `Next` does."""

import ast
import re
from collections.abc import Iterator

import pytest

from architecture.house import SOURCE, Module, modules_in
from kawe.cli.app import COMMANDS
from kawe.cli.output.next_command import OTHER_WORDS, for_everybody, in_commands
from kawe.desk.next_words import BOXES, in_pages, page_words
from kawe.domain.text.next_steps import Given, Next

_NAMED = re.compile(
    rf"\bkawe (?:{'|'.join(COMMANDS)})\b|(?<![\w-])(?:--[a-z]|-o\b)|same command"
    r"|\bpage “|“Held rows”|“Waiting for tokens”"
)
_OF_OTHERS = {
    # The options of pip, uv and scutil.
    "src/kawe/machine/installation.py: --python",
    "src/kawe/machine/installation.py: --user",
    "src/kawe/cases/doctor/examining.py: --proxy",
    # The author of a file, for programs.
    "src/kawe/workbook/templates/template.py: kawe template",
}


def test_no_sentence_below_the_faces_names_a_command_an_option_or_a_page():
    named = {
        f"{module.name}: {text}"
        for module in modules_in("src/kawe")
        if module.room not in {"cli", "desk", "__main__"}
        for text in _texts(module)
        if _NAMED.search(text)
    }
    assert named == _OF_OTHERS


def test_every_step_is_a_command_of_this_kawe_or_is_said_in_other_words():
    said = [in_commands(str(each)) for each in Next if " " not in each.value]
    typed = [line.split() for line in said if line.startswith("kawe ")]
    assert {words[1] for words in typed} <= set(COMMANDS)
    assert OTHER_WORDS.keys() <= {each.value for each in Next}


def test_what_is_given_is_an_option_at_the_command_line_and_no_option_at_the_desk():
    for each in Given:
        assert in_commands(f"use {each}") == f"use --{each.value}"
        assert "--" not in in_pages(f"use {each}")


@pytest.mark.parametrize("step", Next)
def test_what_the_desk_calls_a_command_is_the_one_of_the_step(step):
    named = re.findall(r"the command “(kawe [\w -]*\w)", in_pages(str(step)))
    assert [in_commands(str(step)).startswith(each) for each in named] == [
        True for _ in named
    ]


def test_a_page_of_the_desk_is_named_once_in_a_sentence():
    held = in_pages(f"See {Next.WAITING}, look there, then decide {Next.RESOLVE}.")
    assert held == "See the page “Held rows”, look there, then decide on that page."


def test_a_box_of_the_desk_is_said_by_its_label():
    for box in BOXES.values():
        given = Given(box.called)
        assert in_pages(f"with {given}.") == f"with “{box.label.partition(';')[0]}”."


def test_what_the_desk_names_stands_on_one_of_its_pages():
    pages = (SOURCE / "desk" / "templates").glob("*.html")
    boxes = (box.label for box in BOXES.values())
    shown = "".join((*(each.read_text("utf-8") for each in pages), *boxes)).casefold()
    words = (page_words(each, ()) for each in (*Next, *Given))
    named = {name for each in words for name in re.findall("“([^”]+)”", each)}
    lost = {each for each in named if each.casefold() not in shown}
    assert [each for each in lost if not each.startswith("kawe ")] == []


def test_a_file_that_people_keep_says_a_step_for_both_faces():
    assert for_everybody(f"Then run {Next.RELEASE('monthly')}.") == (
        "Then run kawe release monthly (at the desk: a release on the page “Waiting "
        "for tokens”)."
    )


def _texts(module: Module) -> Iterator[str]:
    """Give what a module says: the parts of its texts, but no docstring."""
    described = {
        id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)
    }
    for node in ast.walk(module.tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in described:
            yield node.value
