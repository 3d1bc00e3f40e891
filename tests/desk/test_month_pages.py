"""What waits, what is held, and what was done: the pages beside the workbooks."""

import re
import socket
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.consulted import Consulted
from doubles.desk import Desk, read
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.journal.store.lock import WriterLock

YES = ("--yes", "9", "--no-input", "--settle", "1")


@contextmanager
def month(folder):
    """Give somebody with rows that are sent, wait, are held, and are to correct."""
    with at_a_twin(folder, tokens=2) as person:
        sheet = person.folder / "monthly.csv"
        write_csv(sheet, [csv_row(1)])
        colleague = ("--journal", "colleague.journal")
        person.run("submit", sheet.name, "--drafts-only", "--no-input", *colleague)
        changed = csv_row(1, Description="Other words.")
        write_csv(sheet, [changed, *map(csv_row, range(2, 8)), csv_row(8, Name="")])
        assert person.run("submit", sheet.name, *YES).returncode == 4
        yield person


BEGINS_WITH = month


def rows_of(page: str) -> list[list[str]]:
    """Give the cells of every row of the tables of a page."""
    rows = re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2], re.DOTALL)
    cell = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL)
    return [[read(each) for each in cell.findall(row)] for row in rows]


def order(desk) -> list[str]:
    return [row[1] for row in rows_of(desk.client.get("/queue").text)]


def notices(page: str) -> list[str]:
    found = re.findall(r'<(\w+) class="notice[^"]*">(.*?)</\1>', page, re.DOTALL)
    return [read(words) for _, words in found]


def test_every_page_says_whose_it_is_and_what_waits(desk):
    for path in ("/", "/batches", "/queue", "/held", "/year", "/settings", "/at-work"):
        said = read(desk.client.get(path).text)
        assert "LIVE Kaunihera o Tauira (twin) A twin on this computer" in said
        assert "Waiting for tokens 4 Held rows 1" in said


def test_a_batch_shows_each_row_with_its_outcome_and_its_page_in_the_portal(desk):
    page = desk.client.get("/batch", params={"name": "monthly"}).text
    rows = rows_of(page)
    outcomes = ["held", "sent", "sent", *["deferred"] * 4]
    assert [(row[1], re.split(r" \d", row[3])[0]) for row in rows] == [
        *((f"R-{n}", outcome) for n, outcome in enumerate(outcomes, start=1)),
        ("", "to correct"),
    ]
    assert [row[4] for row in rows[:-1]] == ["Ngāti Tauira ki te Raki"] * 7
    links = re.findall(r'<td><a href="([^"]+)" rel="noreferrer">open', page)
    ids = {p["reference"]: p["id"] for p in desk.person.state()["projects"]}
    base = f"{desk.person.twin.address.api_url}/portal/projects"
    assert sorted(links) == sorted(f"{base}/{ids[f'R-{n}']}" for n in range(2, 8))
    shown = {"name": "monthly", "outcome": "sent"}
    sent = rows_of(desk.client.get("/batch", params=shown).text)
    assert [row[1] for row in sent] == ["R-2", "R-3"]
    # Of a run, people are told no id and no code.
    (ran,) = re.findall(r"<li>(.*) row", page.partition("<h2>Runs</h2>")[2])
    assert re.sub("^.* 20[0-9]{2}", "", ran) == ", by mere, in less than two minutes: 8"


def test_the_result_of_a_batch_comes_down_and_is_written_again(desk):
    place = desk.person.folder / "monthly.result.csv"
    query = {"name": "monthly", "as": "csv"}
    assert desk.client.get("/batch/result", params=query).content == place.read_bytes()
    for each in desk.person.folder.glob("monthly.result.*"):
        each.unlink()
    assert desk.client.get("/batch/result", params=query).status_code == 404
    desk.post("/batch/write", name="monthly")
    assert place.is_file()


@pytest.mark.parametrize(
    ("path", "status_code", "says"),
    [
        ("/batch?name=none", 404, "There is no such batch."),
        ("/batch/result?name=monthly&as=../x", 404, "There is no such file any more."),
        ("/works/none", 404, "The desk has no such workbook any more."),
        ("/batchs", 404, "The address is wrong, or it is that of a button"),
        ("/queue/order", 405, "The address is wrong, or it is that of a button"),
    ],
)
def test_what_is_not_there_is_said(desk, path, status_code, *, says):
    answer = desk.client.get(path)
    (title,) = re.findall(r"<h1>(.*)</h1>", answer.text)
    assert (answer.status_code, title) == (status_code, "There is no such page")
    assert says in answer.text


def test_receipts_are_saved_where_the_person_says_and_open_from_the_page(desk):
    folder = desk.person.folder / "receipts of 2030"
    refused = desk.post("/year/ask", what="receipts", folder="receipts")
    assert (refused.status_code, "whole path" in read(refused.text)) == (409, True)
    saved = desk.post("/year/ask", what="receipts", folder=str(folder))
    sends = desk.person.sends()
    assert f"{sends} receipts are saved, {sends} of them new." in read(saved.text)
    names = sorted(each.name for each in folder.glob("*.pdf"))
    (folder / names[-1]).write_bytes(b"%PDF-1.7 altered")
    again = read(desk.post("/year/ask", what="receipts", folder=str(folder)).text)
    assert f"{sends} receipts are saved, 1 of them new." in again
    assert f"{names[-1]}: " in again.partition("Look for answers")[0]
    assert len(names) == sends
    opened = desk.client.get("/year/file", params={"name": names[0]})
    assert opened.content == (folder / names[0]).read_bytes()
    assert opened.headers["content-disposition"].startswith("attachment")
    (folder / "of others.html").write_text("<p>not of kawe</p>")
    for name in ("../monthly.csv", "of others.html", str(Path.home())):
        assert desk.client.get("/year/file", params={"name": name}).status_code == 404
    for n in range(100):
        (folder / f"{n}.pdf").touch()
    most = f"These are the newest 100 of {sends + 101} files."
    assert most in desk.get("/year")


def test_news_comes_first_and_what_a_page_has_no_room_for_is_counted(tmp_path):
    soon = datetime.now(NEW_ZEALAND).date() + timedelta(2)
    with (
        at_a_twin(tmp_path, tokens=102) as person,
        Desk(person) as desk,
        closing(Consulted(person.twin)) as others,
    ):
        first, *_ = others.send(101, name="Bridge", respond_by_date="2020-01-20")
        late = read(desk.post("/year/ask", what="answers").text)
        row = csv_row(1, **{"Respond by": str(soon), "Description": "A weir."})
        write_csv(person.folder / "due.csv", [row])
        assert person.run("submit", "due.csv", *YES).returncode == 0
        others.respond(first, "We ask for a hui.")
        news = read(desk.post("/year/ask", what="answers").text)
    assert "101 projects: 101 projects that are late." in late
    assert late.partition("And 1 more.")[0].count("Late, no answer: ") == 100
    assert news.index("Response: Bridge") < news.index("Respond by is near")


def test_another_kawe_at_work_is_named(desk):
    (journal,) = (desk.person.folder / "home" / "state").glob("kawe/*/*.journal")
    with closing(WriterLock(journal)):
        said = read(desk.client.get("/at-work").text)
        refused = desk.post("/queue/order", row="R-6", how="first")
    assert f"The journal is in use by another kawe on {socket.gethostname()}, " in said
    assert "NZ time. You can look at everything." in said
    in_use = "The journal is in use by another kawe. Wait until it has finished."
    assert (refused.status_code, in_use in refused.text) == (409, True)
    assert [e for e in (str(journal.parent), "process") if e in refused.text] == []
    # Whoever is killed leaves its name behind.
    journal.with_name(f"{journal.name}.holder").write_text("{}", "utf-8")
    assert "Nobody works with this journal now." in desk.get("/at-work")


def _puts_a_row_first_and_back(desk):
    assert order(desk) == ["R-4", "R-5", "R-6", "R-7"]
    desk.post("/queue/order", row="R-6", how="first")
    assert order(desk) == ["R-6", "R-4", "R-5", "R-7"]
    desk.post("/queue/order", row="R-6", how="back")
    assert order(desk) == ["R-4", "R-5", "R-6", "R-7"]


def _drops_a_row(desk):
    asked = desk.client.get("/queue/drop", params={"row": "R-7"})
    assert "Type drop to take it out" in read(asked.text)
    refused = desk.post("/queue/drop", row="R-7", typed="yes")
    assert (refused.status_code, order(desk)[-1]) == (409, "R-7")
    done = desk.post("/queue/drop", row="R-7", typed="drop")
    # Back leads to the rows that still wait.
    back = desk.client.get("/queue/drop", params={"row": "R-7"})
    assert (back.status_code, desk.place(back)) == (200, "/queue")
    assert notices(done.text) == [
        (
            "R-7 (Ōtāhuhu culvert 7) waits no more: kawe does not send it. Its draft "
            "stays with the service; in the portal a person can send it or remove it. "
            "3 rows still wait."
        )
    ]
    assert order(desk) == ["R-4", "R-5", "R-6"]


def _releases_two(desk):
    person = desk.person
    nothing = read(desk.post("/queue/count", most="").text)
    assert "There is nothing that can go now: the team has no token" in nothing
    person.twin.buy_tokens(5)
    assert " tokens are needed; the team had 0 at " in desk.get("/queue")
    before = person.sends()
    asked = desk.post("/queue/count", most="2")
    assert "2 projects to iwi Sending cannot be undone. Release" in read(asked.text)
    refused = desk.agree(asked, "/queue/release", typed="3")
    assert (refused.status_code, person.sends() - before) == (409, 0)
    assert "4 sent" in read(desk.agree(asked, "/queue/release", typed="2").text)
    assert (person.sends() - before, order(desk)) == (2, ["R-6"])
    again = desk.agree(asked, "/queue/release", typed="2")
    assert (again.status_code, person.sends() - before) == (409, 2)
    said = "The order has changed since, or others were counted. Nothing was sent: "
    assert said in read(again.text)


def _decides_about_the_held_row(desk):
    shown = desk.client.get("/held")
    page, said = shown.text, read(shown.text)
    decide = partial(desk.agree, shown, "/held/decide", row="R-1")
    assert (
        "The service already has a project with the reference R-1 that differs from "
        "the row in description: “Ōtāhuhu culvert 1”, a draft."
    ) in said
    assert "kawe has asked for no draft and no send of it." in said
    assert "Search in the portal for R-1" in said
    assert rows_of(page) == [["description", "A culvert is replaced.", "Other words."]]
    refused = decide(decision="abandon", typed="yes")
    assert (refused.status_code, "1 row is held" in desk.get("/held")) == (409, True)
    wrong = decide(decision="adopt", project="R-1")
    assert "That is not a project" in read(wrong.text)
    project = re.search(r'name="project" value="([^"]+)"', page)
    assert project is not None
    done = decide(decision="adopt", project=project[1])
    assert notices(done.text) == [
        (
            "R-1 is no longer held. Its project is “Ōtāhuhu culvert 1”, a draft. It "
            "differs from the row in description, and goes to iwi as it stands in the "
            "service. Submit its workbook again to let it go on."
        ),
        "No row is held.",
    ]


def test_rows_are_ordered_dropped_released_and_decided_about(tmp_path):
    with month(tmp_path) as person, Desk(person) as desk:
        _puts_a_row_first_and_back(desk)
        _drops_a_row(desk)
        _releases_two(desk)
        _decides_about_the_held_row(desk)


def test_waiting_rows_are_shown_by_batch_and_by_reason(desk):
    def shown(**query):
        return [row[1] for row in rows_of(desk.client.get("/queue", params=query).text)]

    assert shown(why="the run had no token for it", batch="monthly") == order(desk)
    assert shown(why="no token was left", batch="monthly") == []
    assert shown(part="2") == order(desk)


def test_a_row_is_found_from_every_page_by_reference_name_or_number(desk):
    for words in ("R-2", "culvert 2", "row 3"):
        page = desk.client.get("/find", params={"q": words}).text
        ((row, outcome, *_, batch),) = rows_of(page)
        assert (row, outcome, batch) == (
            "R-2 Ōtāhuhu culvert 2",
            "sent",
            "monthly , monthly!3",
        )
    for words, why in (("XX-9", ""), ("vu", "Of a name, type 3 letters or more.")):
        nothing = read(desk.client.get("/find", params={"q": words}).text)
        assert f"this journal is “{words}”. {why}" in nothing
    assert f'action="{desk.door}/find"' in desk.client.get("/queue").text


def test_answers_months_audit_and_lists_are_asked_for_and_opened(desk):
    first = read(desk.post("/year/ask", what="answers").text)
    assert "projects: kawe knows now how they stand." in first
    again = read(desk.post("/year/ask", what="answers").text)
    assert "projects: nothing is new." in again
    months = desk.post("/year/ask", what="months", since="1/1/2026")
    (name,) = re.findall(r">(months [^<]+html)<", months.text)
    page = desk.client.get("/year/file", params={"name": name})
    assert page.headers["content-disposition"].startswith("inline")
    # It has its own policy within, and here an origin of its own.
    assert page.headers["content-security-policy"] == (
        "sandbox allow-scripts; frame-ancestors 'none'"
    )
    audited = read(desk.post("/year/ask", what="audit").text)
    assert "2 receipts = 2 tokens used by sends. The statement closes." in audited
    assert re.search(r"Written .*audit \S+ to \S+\.html", audited)
    given = read(desk.post("/year/ask", what="audit", opening="7").text)
    assert "The statement does NOT close: 1 exception." in given
    listed = read(desk.post("/year/ask", what="projects").text)
    assert "projects are saved: the list is complete." in listed
    assert re.search(r"projects 20\S+\.xlsx", listed)
    assert desk.post("/year/ask", what="months", since="soon").status_code == 409
    assert desk.client.get("/year/file?name=../work.json").status_code == 404
