"""How a sheet is read, as a program gets it, and what a person's word changes."""

import pytest

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.tables import NO_COLUMNS, Heading, How, ReadAs


def field(name, *, reaches=False):
    return Column(
        field=name.lower(),
        title=name,
        kind=CellKind.TEXT,
        hint="",
        example="",
        reaches=reaches,
    )


NAME, SEND, SITE = (
    field("Name", reaches=True),
    field("Send", reaches=True),
    field("Site"),
)
UNREAD = Heading(
    column=28,
    text="Works",
    key="works",
    others=(SITE,),
    values=("Bridge\nat Ōtaki", "x" * 30, "Culvert"),
)
TITLE = Heading(column=1, text="Title", key="title", how=How.NAME, means=NAME)
GUESS = Heading(column=2, text="Go", key="go", how=How.GUESS, means=SEND, why="cells")


def test_a_sheet_says_to_programs_how_each_column_is_read():
    made = ReadAs(every=(TITLE, UNREAD), heading_rows=(1,), template=3)
    assert made.as_json() == {
        "reading": {
            "columns": [
                {
                    "column": "A",
                    "heading": "Title",
                    "how": "name",
                    "field": "name",
                    "may_be": [],
                    "values": [],
                },
                {
                    "column": "AB",
                    "heading": "Works",
                    "how": "unread",
                    "field": None,
                    "may_be": ["site"],
                    "values": ["Bridge\nat Ōtaki", "x" * 30, "Culvert"],
                },
            ],
            "needs_answer": False,
            "heading_rows": [1],
            "template": 3,
        }
    }


def test_where_no_sheet_was_read_nothing_is_said():
    assert NO_COLUMNS.as_json() == {}


def test_a_column_shows_its_values_short_and_on_one_line():
    assert UNREAD.holds == f"Bridge at Ōtaki, {'x' * 23}…, Culvert"


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (TITLE, "“Title” → Name (known name)"),
        (GUESS, "“Go” → not read; is it Send? (guess by cells)"),
        (UNREAD, "“Works” → not read (may be Site)"),
        (
            Heading(column=3, text="", key="C", values=("x",)),
            "column C, which has no heading → not read",
        ),
        (
            Heading(column=3, text="a\x1b[31m\n" + "b" * 100, key="a", how=How.KEPT),
            f"“a[31m {'b' * 53}…” → not read (as you said)",
        ),
    ],
)
def test_a_column_is_said_in_a_few_words(column, words):
    assert str(column) == words


def test_only_what_decides_what_reaches_people_needs_an_answer():
    assert [each.needs_answer for each in (TITLE, GUESS, UNREAD)] == [
        False,
        True,
        False,
    ]


def test_a_person_s_word_takes_a_column_from_another_one():
    read_as = ReadAs(every=(TITLE, GUESS, UNREAD)).with_word(28, NAME)
    assert [(e.text, e.how, e.means) for e in read_as.every] == [
        ("Title", How.KEPT, None),
        ("Go", How.GUESS, SEND),
        ("Works", How.KEPT, NAME),
    ]
    assert read_as.needs_answer


def test_what_is_kept_is_all_that_no_name_says_by_itself():
    read_as = ReadAs(every=(TITLE, GUESS, UNREAD))
    assert read_as.kept_fields(takes_guesses=True) == {"go": "send", "works": None}
    assert read_as.with_word(28, SITE).kept_fields(takes_guesses=False) == {
        "works": "site"
    }


def test_columns_under_their_own_names_are_counted():
    own = Heading(column=3, text="name", key="name", how=How.NAME, means=NAME)
    assert [*ReadAs(every=(own, TITLE, UNREAD)).lines()] == [
        "“Title” → Name (known name)",
        "“Works” → not read (may be Site)",
        "1 column under its own name",
    ]
