"""Kill -9 of the desk at work: nothing is sent twice, and nothing is lost."""

import re
from contextlib import contextmanager

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read
from doubles.hosts import wait_for
from doubles.switchboard import Switchboard

ROWS = 12


@contextmanager
def officer(place, *, tokens):
    """Give somebody with twelve rows to send, one after the other."""
    with at_a_twin(place, tokens=tokens, faults=True) as person:
        person.write_settings("settle = 1\nworkers = 1")
        write_csv(person.folder / "monthly.csv", map(csv_row, range(1, ROWS + 1)))
        yield person


def test_a_release_goes_on_after_the_desk_was_killed(tmp_path):
    with officer(tmp_path, tokens=0) as person:
        person.run("submit", "monthly.csv", "--yes", str(ROWS), "--no-input")
        person.twin.buy_tokens(50)
        with Desk(person) as desk:
            asked = desk.post("/queue/count", most="")
            assert f"Type {ROWS} to send" in read(asked.text)
            _kill_in(desk, asked, "/queue/release")
        with Desk(person) as desk:
            queue, standing = desk.get("/queue"), desk.get("/batches")
            _repeat(desk, ask="/queue/count", agree="/queue/release")
            after = desk.get("/batches")
            person.run("journal", "purge", "--older-than", "0")
            desk.post("/batch/write", name="monthly")
            # The name that is left of its path says no folder.
            assert f"They lie in {person.folder} " in desk.get("/batch?name=monthly")
        assert re.search("wait for tokens|in doubt|the run stopped before", queue)
        assert "This batch is not finished" in standing
        assert f"{ROWS} sent" in after
        assert [*person.sends_of_each().values()] == [1] * ROWS


@pytest.mark.short_campaign
def test_a_submit_goes_on_after_the_desk_was_killed(tmp_path):
    with officer(tmp_path, tokens=50) as person:
        content = (person.folder / "monthly.csv").read_bytes()
        with Desk(person) as desk:
            place = desk.place(desk.put_in("monthly.csv", content))
            _kill_in(desk, desk.post(f"{place}/plan", sends="all"), f"{place}/submit")
        with Desk(person) as desk:
            standing = desk.get("/batches")
            counted = read(desk.post("/queue/count", most="").text)
            _repeat(desk, ask=f"{place}/plan", agree=f"{place}/submit")
            after = desk.get("/batches")
        assert "This batch is not finished" in standing
        assert re.search(r"\d+ rows wait[,.]", counted), counted
        assert f"{ROWS} sent" in after
        assert [*person.sends_of_each().values()] == [1] * ROWS


def test_a_colleague_at_work_is_named_with_their_workbook_and_how_far_it_is(tmp_path):
    with officer(tmp_path, tokens=50) as person, Desk(person) as desk:
        _board(person).set("latency", "project_send", seconds=3, nth=3)
        run = person.start("submit", "monthly.csv", "--yes", str(ROWS), "--no-input")
        wait_for(lambda: person.sends() == 2)
        at = ("/batches", "/queue", "/batch?name=monthly", "/at-work")
        pages = [desk.client.get(each).text for each in at]
        run.kill()
        run.wait()
        page, said = pages[-1], read(pages[-1])
        # What is in flight is in doubt once its run has ended.
        assert [each for each in pages if "in doubt" in each] == []
        assert "1 row is in doubt besides" in desk.get("/queue")
        assert "1 in doubt" in desk.get("/batches")
        assert re.search(
            r"monthly\.csv mere submits it since \d\d:\d\d on [^.]+\. So far: "
            r"(\d sent )?\d+ ",
            said,
        ), said
        # It is brought up to date, with a script and without.
        assert 'id="theirs" data-live' in page
        assert "<noscript><meta" in page
        assert "Nobody works with this journal now." in desk.get("/at-work")


def _kill_in(desk, page, path):
    """Agree to all rows; kill the desk once the first is sent, and the next is late."""
    board = _board(desk.person)
    board.set("latency", "project_send", seconds=0.4, nth=3)
    (shown,) = SHOWN.findall(page.text)
    form = {"form_token": desk.form_token(), "typed": str(ROWS), "sha256": shown}
    desk.client.post(path, data=form, follow_redirects=False)
    wait_for(desk.person.sends)
    desk.process.kill()
    desk.process.wait()
    board.clear()
    assert 0 < desk.person.sends() < ROWS


def _board(person):
    return Switchboard(person.twin.address)


def _repeat(desk, *, ask, agree):
    """Agree to what is asked until nothing is: a send in doubt is settled first."""
    for _ in range(3):
        asked = desk.post(ask, most="", sends="all")
        number = re.search(r"Type (\d+) to send", read(asked.text))
        hidden = re.search(r'name="typed" value="(\d+)"', asked.text)
        found = number or hidden
        if found is None:
            return
        desk.agree(asked, agree, typed=found[1])
