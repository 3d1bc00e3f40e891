"""The rate limit in the headers of an answer: every form met, and none."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kawe.domain.service.windows import RateWords
from kawe.service.transport.pacing import rate_words

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
EPOCH = int(NOW.timestamp())
NAMES = [
    "retry-after",
    "date",
    "ratelimit",
    "ratelimit-policy",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "x-ratelimit-reset",
    "x-rate-limit-remaining",
]
VALUES = (
    st.text(max_size=30)
    | st.floats().map(str)
    | st.integers().map(str)
    | st.from_regex(r'("\w*"|\d{1,4})?(;[rtqw]=\d{1,20}){0,3}(, ?\d+;w=\d+)?')
)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:45 GMT"}, 45),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:45"}, 45),
        ({"retry-after": "Sat, 21 Nov 2026 22:00:45 +1300"}, 45),
        ({"retry-after": "Sat, 21 Nov 2020 09:00:45 GMT"}, 1),
        ({"retry-after": "-7"}, 1),
        ({"retry-after": "inf"}, 960),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "soon", "ratelimit-reset": "9"}, 9),
        ({"retry-after": "30", "ratelimit-reset": "9"}, 30),
        ({"ratelimit-reset": "12"}, 12),
        ({"ratelimit-reset": " 12 "}, 12),
        ({"ratelimit-reset": "0"}, 1),
        ({"ratelimit-reset": "5000"}, 960),
        ({"ratelimit-reset": str(EPOCH + 77)}, 77),
        ({"ratelimit-reset": str((EPOCH + 77) * 1000)}, 77),
        ({"ratelimit-reset": f"{EPOCH + 77}.5"}, 77.5),
        ({"ratelimit-reset": str(EPOCH - 77)}, 1),
        ({"ratelimit-reset": "1e300"}, 960),
        ({"ratelimit-reset": "-1"}, 1),
        ({"ratelimit-reset": "nan"}, None),
        ({"ratelimit-reset": "odd", "x-ratelimit-reset": "8"}, 8),
        ({"x-ratelimit-reset": "8"}, 8),
        ({"x-rate-limit-reset": "8"}, 8),
        ({"x-ratelimit-reset": "2026-11-21T09:00:45Z"}, 45),
        ({"ratelimit": "limit=100, remaining=0, reset=50"}, 50),
        ({"ratelimit": '"default";r=0;t=50'}, 50),
        ({"ratelimit": '"default";r=7'}, None),
        ({"ratelimit": '"burst";r=40;t=1, "day";r=3;t=800'}, 800),
        ({"ratelimit": "nothing known"}, None),
        ({}, None),
    ],
    ids=str,
)
def test_the_wait_is_read_from_every_form(headers, seconds):
    assert rate_words(headers, now=NOW).wait_seconds == seconds


@pytest.mark.parametrize(
    ("headers", "left"),
    [
        ({"ratelimit-remaining": "41"}, 41),
        ({"ratelimit-remaining": " 41 "}, 41),
        ({"x-ratelimit-remaining": "41"}, 41),
        ({"x-rate-limit-remaining": "41"}, 41),
        ({"ratelimit-remaining": "many", "x-ratelimit-remaining": "4"}, 4),
        ({"ratelimit": "limit=100, remaining=17, reset=50"}, 17),
        ({"ratelimit": '"default";r=17;t=50'}, 17),
        ({"ratelimit": '"burst";r=40;t=1, "day";r=3;t=800'}, 3),
        ({"ratelimit-remaining": "-1"}, None),
        ({"ratelimit-remaining": "٣"}, None),
        ({"ratelimit-remaining": "9" * 5000}, None),
        ({"ratelimit": f"r={'9' * 5000}"}, 10**12 - 1),
        ({}, None),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_left_is_read_from_every_form(headers, left):
    assert rate_words(headers, now=NOW).left == left


@pytest.mark.parametrize(
    ("headers", "window"),
    [
        ({"ratelimit-limit": "300"}, (300, None)),
        ({"x-ratelimit-limit": "300"}, (300, None)),
        ({"ratelimit-limit": "100, 100;w=60"}, (100, 60)),
        ({"ratelimit-limit": "10, 10;w=1, 1000;w=3600"}, (10, 1)),
        ({"ratelimit-limit": "1000, 10;w=1, 1000;w=3600"}, (1000, 3600)),
        ({"ratelimit-limit": "300", "ratelimit-policy": "300;w=900"}, (300, 900)),
        ({"ratelimit-policy": '"default";q=100;w=60'}, (100, 60)),
        (
            {
                "ratelimit": '"day";r=3;t=800',
                "ratelimit-policy": '"burst";q=10;w=1, "day";q=5000;w=86400',
            },
            (5000, 86400),
        ),
        ({"ratelimit": "limit=100, remaining=50, reset=5"}, (100, None)),
        ({"ratelimit-limit": "many"}, (None, None)),
    ],
    ids=str,
)
def test_the_window_is_read_from_every_form(headers, window):
    words = rate_words({"ratelimit-remaining": "1", **headers}, now=NOW)
    assert (words.limit, words.length_seconds) == window


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("Sat, 21 Nov 2026 09:00:00 GMT", 77),
        # Our clock is ten minutes behind the service's, or before it.
        ("Sat, 21 Nov 2026 09:01:07 GMT", 10),
        ("Sat, 21 Nov 2026 08:59:00 GMT", 137),
        # The service's own two clocks disagree by years.
        ("Sat, 21 Nov 2020 09:00:00 GMT", 77),
        ("yesterday", 77),
    ],
)
def test_an_epoch_is_read_against_the_date_of_the_answer(date, seconds):
    headers = {"ratelimit-reset": str(EPOCH + 77), "date": date}
    assert rate_words(headers, now=NOW).wait_seconds == seconds


def test_an_answer_that_names_no_limit_says_nothing():
    headers = {"content-type": "application/json", "date": "today"}
    assert rate_words(headers, now=NOW) == RateWords()


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_whatever_stands_in_the_headers_is_read_within_bounds(headers):
    words = rate_words(headers, now=NOW)
    wait = 1.0 if words.wait_seconds is None else words.wait_seconds
    assert (1 <= wait <= 960, (words.left or 0) >= 0, (words.limit or 0) >= 0) == (
        True,
        True,
        True,
    )
