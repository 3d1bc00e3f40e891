"""Kill -9 of the desk within a release: nothing is sent twice, and nothing is lost."""

from __future__ import annotations

import re
import time

from doubles.command import Person, csv_row, write_csv
from doubles.desk import Desk, read
from kawe.twin.serving import TwinOptions, start_twin

ROWS = 12


def test_a_release_goes_on_after_the_desk_was_killed(tmp_path):
    options = TwinOptions(folder=tmp_path / "twin", rate_limit=100_000, tokens=0)
    (tmp_path / "person").mkdir()
    with start_twin(options) as twin:
        person = Person(folder=tmp_path / "person", twin=twin)
        person.write_settings("settle = 1\nworkers = 1")
        write_csv(person.folder / "monthly.csv", map(csv_row, range(1, ROWS + 1)))
        person.run("submit", "monthly.csv", "--yes", str(ROWS), "--no-input")
        twin.buy_tokens(50)
        with Desk(person) as desk:
            _kill_in_a_release(desk)
        sent = person.sends()
        assert 0 < sent < ROWS
        with Desk(person) as desk:
            queue, standing = desk.get("/queue"), desk.get("/batches")
            _release_all(desk)
            after = desk.get("/batches")
        assert "wait for tokens" in queue or "in doubt" in queue
        assert "This batch is not finished" in standing
        assert f"{ROWS} sent" in after
        assert [each["sends"] for each in person.state()["projects"]] == [1] * ROWS


def _kill_in_a_release(desk):
    assert f"Type {ROWS} to send" in read(desk.post("/queue/count", most="").text)
    form = {"form_token": desk.form_token(), "typed": str(ROWS)}
    desk.client.post("/queue/release", data=form, follow_redirects=False)
    deadline = time.monotonic() + 30
    while not desk.person.sends() and time.monotonic() < deadline:
        time.sleep(0.005)
    desk.process.kill()
    desk.process.wait()


def _release_all(desk):
    """Release until nothing waits: a send in doubt is asked about first."""
    for _ in range(3):
        asked = desk.post("/queue/count", most="")
        typed = re.search(r'name="typed".* (?:data-number|value)="(\d+)"', asked.text)
        if typed is None:
            return
        desk.post("/queue/release", typed=typed[1])
