"""What a reading needs is declared once, for every face."""

from dataclasses import fields

import click

from kawe.cli.app import kawe
from kawe.desk.next_words import BOXES
from kawe.desk.works import Choices
from kawe.domain.batch.readings import READING_OPTIONS, Reading

_BESIDE = {"workbook", "given"}
"""An argument, and what is asked for each column that a sheet lacks."""
_BY_A_SHEET = {"message"}
"""At the desk the workbook says it, on its sheet Message."""
_ONE_BY_ONE = "accepts_addresses"
"""At the desk each address has a box of its own."""


def test_every_field_of_a_reading_is_in_the_table():
    assert {each.name for each in fields(Reading)} - _BESIDE == READING_OPTIONS.keys()


def test_check_plan_and_submit_take_every_option_of_the_table():
    words = {word for each in READING_OPTIONS.values() for word in each.name.split("/")}
    taken = {name: _words_taken(name) & words for name in ("check", "plan", "submit")}
    assert taken == dict.fromkeys(taken, words)


def test_the_desk_asks_for_every_option_of_the_table():
    asked = {each.name for each in fields(Choices)}
    assert READING_OPTIONS.keys() - asked == _BY_A_SHEET
    assert [each.label for each in BOXES.values()] == [
        said.label
        for field, said in READING_OPTIONS.items()
        if Reading.__dataclass_fields__[field].default is False and field != _ONE_BY_ONE
    ]


def _words_taken(name):
    command = kawe.get_command(click.Context(kawe), name)
    flags = {
        flag.removeprefix("--")
        for each in command.params
        for flag in (*each.opts, *each.secondary_opts)
    }
    accepted = next(each for each in command.params if each.name == "accept")
    return flags | set(accepted.type.choices)
