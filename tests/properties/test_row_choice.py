"""What is typed after --only and --max-errors, whatever it is."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from kawe.domain.text.row_choice import RowChoice, read_allowance, read_row_choice
from kawe.errors import SettingsError

NUMBERS = st.integers(min_value=1, max_value=2_000)
RANGES = st.tuples(NUMBERS, NUMBERS).map(lambda pair: (min(pair), max(pair)))
REFERENCES = st.from_regex(r"[A-Z]{1,3}-\d{1,4}", fullmatch=True)


def _typed(choice):
    parts = [f"{a}" if a == b else f"{a}-{b}" for a, b in choice.ranges]
    return " , ".join([*parts, *choice.references])


@given(
    st.builds(
        RowChoice,
        ranges=st.lists(RANGES, min_size=1, max_size=8).map(tuple),
        references=st.lists(REFERENCES, max_size=8).map(tuple),
    ),
    NUMBERS,
)
def test_a_choice_survives_being_typed_and_has_what_lies_in_a_range(choice, number):
    read = read_row_choice(_typed(choice))
    assert (read, read.has(number, None)) == (
        choice,
        any(number in range(a, b + 1) for a, b in choice.ranges),
    )


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_in_words(text):
    for read in (read_row_choice, read_allowance):
        with suppress(SettingsError):
            assert read(text) is not None


@given(st.integers(0, 10**6), st.integers(0, 100))
def test_a_share_never_allows_more_rows_than_there_are(rows, percent):
    assert 0 <= read_allowance(f"{percent}%").of(rows) <= rows
