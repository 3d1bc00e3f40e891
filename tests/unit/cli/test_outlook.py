"""When a stage will be done, in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kawe.cli.shared.progress import LineProgress, Outlook, left_words

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


class Paced:
    """Implements the port `Pace`: a request takes half a minute."""

    def __init__(self, *, knows=True):
        self.asked, self.knows = 7, knows

    async def turn(self):
        return True

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


def test_what_is_left_follows_from_the_requests_that_each_row_took():
    outlook, pace = Outlook(), Paced()
    outlook.follow(pace)
    outlook.begin(total=10)
    outlook.advance(2)
    pace.asked += 8
    # 8 rows left of 4 requests each.
    assert outlook.words() == "about 16 minutes left"


@pytest.mark.parametrize(
    ("done", "pace"),
    [(0, Paced()), (10, Paced()), (2, Paced(knows=False)), (2, None)],
    ids=["nothing done", "all done", "nothing known", "no service"],
)
def test_where_nobody_can_tell_nothing_is_said(done, pace):
    outlook = Outlook()
    if pace is not None:
        outlook.follow(pace)
    outlook.begin(total=10)
    outlook.advance(done)
    assert outlook.words() == ""


def test_a_line_of_progress_says_when_it_will_be_done(monkeypatch, capsys):
    monkeypatch.setattr("kawe.cli.shared.progress._EVERY_SECONDS", 0)
    progress, pace = LineProgress(), Paced()
    progress.follow(pace)
    progress.begin("Sending to iwi", total=3)
    pace.asked += 4
    for _ in range(3):
        progress.advance()
    assert capsys.readouterr().err.splitlines() == [
        "Sending to iwi: 1 of 3, about 4 minutes left",
        "Sending to iwi: 2 of 3, about 4 minutes left",
        "Sending to iwi: 3 of 3",
    ]
