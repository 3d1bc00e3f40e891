"""What pages read of the journal: once, and anew as soon as it has changed."""

import os
from types import SimpleNamespace

from desk.test_month_pages import month, order, rows_of
from doubles.journal_homes import SqliteHome
from doubles.journal_values import batch, entry
from kawe.desk.gate import Visitor
from kawe.desk.runs import PageRuns
from kawe.desk.visits import DeskVisit
from kawe.settings.loading import load_settings

BEGINS_WITH = month


def test_rows_are_read_once_until_the_journal_changes(tmp_path):
    place = tmp_path / "month.journal"
    home = SqliteHome(place)
    home.begin(entry(1))
    settings = load_settings({"journal": place}, environment={}, folder=tmp_path)
    around = SimpleNamespace(settings=lambda: settings)
    read = []

    def look(key="queue"):
        visit = DeskVisit(
            visitor=Visitor(port=1), runs=runs, around=around, ids={}, query={}
        )
        return visit.once(key, lambda: read.append(key) or len(read))

    runs = PageRuns(around)
    assert [look(), look(), look("held"), look()] == [1, 1, 2, 1]
    before = place.stat()
    home.begin(entry(1, position=2))
    # As two changes within one tick of the clock of files.
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [look(), look("held"), look()] == [3, 4, 3]


def test_each_row_of_a_large_batch_is_understood_once(tmp_path):
    home = SqliteHome(tmp_path / "month.journal")
    home.begin(*(entry(number) for number in range(1, 5_001)))
    first, again = (home.ask("unfinished", batch().name) for _ in range(2))
    assert len(first) == 5_000
    pairs = zip(first, again, strict=True)
    assert all(one.content is other.content for one, other in pairs)


def test_what_a_colleague_does_is_on_every_page_at_once(desk, person):
    def outcome(reference):
        page = desk.client.get("/find", params={"q": reference}).text
        return [row[1].split()[0] for row in rows_of(page)]

    assert order(desk) == ["R-4", "R-5", "R-6", "R-7"]
    assert outcome("R-7") == ["deferred"]
    assert "R-1" in desk.get("/held")
    assert person.run("waiting", "--first", "R-7").returncode == 0
    assert order(desk) == ["R-7", "R-4", "R-5", "R-6"]
    assert person.run("waiting", "--drop", "R-7").returncode == 0
    assert order(desk) == ["R-4", "R-5", "R-6"]
    assert outcome("R-7") == ["given"]
    gone = person.run("resolve", "R-1", "--abandon", "--no-input")
    assert (gone.returncode, "No row is held." in desk.get("/held")) == (0, True)
