"""How columns were read is said in a few lines, however many there are."""

from __future__ import annotations

from kawe.cli.shared.read_words import read_as_lines
from kawe.domain.sheet.read_as import NO_COLUMNS, ReadAs, ReadColumn, UnreadColumn
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns

COLUMNS = load_columns(PROJECTS)
NAME = ReadColumn(column=1, heading="NAME *", means=COLUMNS[1])


def unread(number, **more):
    return UnreadColumn(column=number, heading=f"Extra {number}", **more)


def test_of_no_sheet_nothing_is_said():
    assert list(read_as_lines(NO_COLUMNS)) == []
    assert NO_COLUMNS.as_json() == {}


def test_of_many_columns_the_doubtful_come_first_and_the_rest_is_counted():
    many = [unread(number) for number in range(2, 40)]
    many.append(unread(40, nearest=COLUMNS[:2]))
    lines = list(read_as_lines(ReadAs(columns=(NAME,), unread=tuple(many))))
    first = [f"“Extra {number}”" for number in range(2, 16)]
    doubtful = "Not read: “Extra 40” (is it Reference or Name?)"
    assert lines == [
        "Read as: 1 column under its own name.",
        f"{doubtful}; {'; '.join(first)}; and 24 more.",
        'To have one read: rename it, or kawe teach "HEADING" "COLUMN".',
    ]


def test_what_a_heading_says_is_shown_on_one_line_and_cut():
    odd = UnreadColumn(column=2, heading="a\x1b[31m\n" + "b" * 100)
    (_, line) = read_as_lines(ReadAs(columns=(NAME,), unread=(odd,)))
    assert line == f"Not read: “a[31m {'b' * 53}…”."
