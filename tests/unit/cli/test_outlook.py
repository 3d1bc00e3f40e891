"""When a stage will be done, in words."""

from contextlib import nullcontext
from datetime import UTC, datetime

import pytest

from kawe.cases.outlook import Outlook, left_words
from kawe.cli.shared.progress import LineProgress

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


class Paced:
    """Implements the port `Pace`: a request takes half a minute."""

    def __init__(self, *, knows=True):
        self.asked, self.knows = 7, knows

    async def turn(self):
        return True

    def lent(self):
        return nullcontext()

    def forecast(self, requests):
        return requests * 30.0 if self.knows else None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute left"),
        (60, "about a minute left"),
        (100, "about 2 minutes left"),
        (3599, "about 60 minutes left"),
        (3600, "done at about 23:00"),
        (2 * 3600, "done at about 00:00 on 22 November"),
    ],
)
def test_what_is_left_is_said_as_people_say_it(seconds, words):
    assert left_words(seconds, now=NOW) == words


class Watch:
    """A clock that stands where it is put."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


def _outlook(pace, *, total, done, asked, seconds=8.0):
    """Follow a stage whose first thing is done with eight requests in flight."""
    watch = Watch()
    outlook = Outlook(elapsed=watch)
    if pace is not None:
        outlook.follow(pace)
    outlook.begin("Sending", total=total)
    if done:
        outlook.advance(1)
        outlook.advance(done - 1)
    if pace is not None:
        pace.asked += asked
    watch.seconds += seconds
    return outlook


def test_what_is_left_follows_from_the_requests_that_each_row_took():
    outlook = _outlook(Paced(), total=12, done=4, asked=12)
    # 8 rows left of 4 requests each.
    assert outlook.words() == "about 16 minutes left"


@pytest.mark.parametrize(
    ("total", "done", "seconds"),
    [(183, 60, 1.4), (183, 16, 60), (183, 183, 60), (183, 174, 60), (1, 1, 60)],
    ids=["first seconds", "first burst", "done", "nearly done", "one thing"],
)
def test_an_estimate_is_not_said_before_it_is_worth_something(total, done, seconds):
    outlook = _outlook(Paced(), total=total, done=done, asked=done, seconds=seconds)
    assert outlook.words() == ""


def test_an_estimate_is_taken_back_at_the_end():
    outlook = _outlook(Paced(), total=100, done=50, asked=49)
    said = outlook.words()
    outlook.advance(50)
    assert (said, outlook.words()) == ("about 25 minutes left", "")


@pytest.mark.parametrize(
    ("done", "pace"),
    [(0, Paced()), (10, Paced()), (2, Paced(knows=False)), (2, None)],
    ids=["nothing done", "all done", "nothing known", "no service"],
)
def test_where_nobody_can_tell_nothing_is_said(done, pace):
    assert _outlook(pace, total=10, done=done, asked=0).words() == ""


def test_a_line_of_progress_says_when_it_will_be_done(monkeypatch, capsys):
    monkeypatch.setattr("kawe.cli.shared.progress._EVERY_SECONDS", 0)
    monkeypatch.setattr("kawe.cases.outlook._QUIET_SECONDS", 0)
    monkeypatch.setattr("kawe.cases.outlook._OUTLOOK_SECONDS", 0)
    progress, pace = LineProgress(), Paced()
    progress.follow(pace)
    progress.begin("Sending to iwi", total=3)
    for _ in range(3):
        progress.advance()
        pace.asked += 4
    assert capsys.readouterr().err.splitlines() == [
        "Sending to iwi: 1 of 3",
        "Sending to iwi: 2 of 3, about 2 minutes left",
        "Sending to iwi: 3 of 3",
    ]
