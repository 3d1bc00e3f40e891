"""What is wrong in a form is said at its field, on the page that it stands on."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from starlette.datastructures import FormData

from desk.test_month_pages import month
from desk.test_workbooks import sheet
from doubles.browser import Browser, in_a_browser
from doubles.command import HEADINGS, at_a_twin, csv_row
from doubles.desk import Desk, read
from kawe.desk.gate import Visitor
from kawe.desk.runs import PageRuns
from kawe.desk.visits import DeskVisit, FormRefused
from kawe_contract.headers import SANDBOX_MARK

BEGINS_WITH = month


def fault(page):
    """Give the field that a page says is wrong, why, and what stands in it."""
    said = re.findall(r'role="alert"><a href="#([^"]+)">(.*?)</a>', page.text)
    link, says = said[0]
    (at_field,) = re.findall(rf'id="{link}-wrong">.*?</span>(.*?)</p>', page.text)
    (field,) = re.findall(rf'<(?:input|select)[^>]* id="{link}"[^>]*>', page.text)
    assert (page.status_code, at_field) == (409, says)
    assert (f"{link}-wrong" in field, 'aria-invalid="true"' in field) == (True, True)
    assert "<title>Error: " in page.text
    value = re.search(r' value="([^"]*)"', field)
    return link, read(says), value and value[1]


@pytest.mark.parametrize(
    ("path", "typed", "says"),
    [
        ("/queue/count", {"most": "two"}, "Write a whole number, or nothing."),
        (
            "/queue/drop",
            {"row": "R-7", "typed": "yes"},
            "Type drop to take the row out.",
        ),
        ("/year/ask", {"what": "months", "folder": "here"}, "Write the whole path"),
        ("/year/ask", {"what": "months", "since": "soon"}, "“First day”:"),
        (
            "/year/ask",
            {"what": "audit", "since": "1/1/2026", "until": "later"},
            "“Last day”:",
        ),
        ("/works", {"workbook": ""}, "Choose a workbook."),
        (
            "/settings/keep",
            {"mode": "live", "key": "k1", "base_url": "council"},
            "is no web address.",
        ),
        (
            "/settings/keep",
            {"mode": "live", "key": "k1", "base_url": "http://127.0.0.1:9"},
            "cannot be reached.",
        ),
    ],
)
def test_a_form_that_is_refused_says_why_at_its_field(desk, path, typed, *, says):
    link, said, stands = fault(desk.post(path, **typed))
    # The field that is wrong is the last that was typed.
    field, text = list(typed.items())[-1]
    assert (link, says in said, stands or "") == (field, True, text)


def test_what_was_typed_of_settings_stays_without_the_key(desk):
    address = desk.person.twin.address
    url, key = address.api_url, address.live_key
    form = {"base_url": url, "mode": "live", "team": "Ours"}
    page = desk.post("/settings/keep", key="k1_nobody", **form)
    field, says, stands = fault(page)
    is_refused = says.startswith("The service refused the key (401).")
    assert (field, is_refused, stands) == ("key", True, None)
    stays = f'value="{url}"', 'value="Ours"', 'value="live" checked', "k1_nobody"
    assert [each in page.text for each in stays] == [True, True, True, False]
    field, says, stands = fault(desk.post("/settings/keep", key=key, **form))
    assert (field, "into “Team” on the page" in says, stands) == ("team", True, "Ours")
    mistaken = desk.post("/settings/keep", key="k1", **form | {"base_url": key})
    assert fault(mistaken)[::2] == ("base_url", url)
    assert (key in mistaken.text, "KAWE_API_KEY or" in mistaken.text) == (False, False)
    # Whoever left the page and comes back finds it as it stands.
    later = desk.settled("/settings")
    assert (later.status_code, "There is a problem" in later.text) == (200, False)


def test_of_a_form_that_is_refused_no_secret_is_kept_and_not_for_ever():
    runs = PageRuns(SimpleNamespace())
    typed = {"key": "k1", "passphrase": "p", "team": f"{SANDBOX_MARK}2", "mode": "live"}
    form = FormData({**typed, "base_url": "https://me:secret@host"})
    visitor = Visitor(port=1)
    visit = DeskVisit(
        visitor=visitor, runs=runs, around=runs, ids={}, query={"part": "2"}, form=form
    )
    led = [visit.refuse(FormRefused("No."), on="/settings") for _ in range(40)]
    assert re.fullmatch(r"/settings\?part=2&refused=\w+", led[0].headers["location"])
    kept = [dict(each["form"]) for each in runs.refusals.values()]
    assert kept == [{"mode": "live"}] * 32


def test_what_one_tab_is_told_stays_while_others_are_followed(desk):
    wrong = desk.post("/queue/count", most="two")
    desk.post("/queue/order", row="R-6", how="first")
    assert fault(desk.settled(desk.place(wrong)))[0] == "most"
    # What is put right on the page that said so is past.
    desk.client.headers["Referer"] = str(wrong.url)
    desk.post("/queue/order", row="R-6", how="back")
    del desk.client.headers["Referer"]
    assert desk.settled(desk.place(wrong)).status_code == 200


def test_the_row_whose_form_is_wrong_is_told_from_the_others(desk):
    page = desk.client.get("/held")
    row = {"row": "R-1", "at": "1-1", "decision": "abandon"}
    refused = desk.agree(page, "/held/decide", typed="yes", **row)
    assert fault(refused) == (
        "typed-1-1",
        "Type give up to give the row up. Nothing was changed.",
        "yes",
    )
    assert "<details open>" in refused.text
    row["decision"] = "adopt"
    refused = desk.agree(page, "/held/decide", project="R-1", **row)
    assert fault(refused)[::2] == ("project-1-1", "R-1")


def test_two_columns_that_cannot_be_one_are_shown_as_they_were_chosen(desk):
    own = ["File no.", "What", *HEADINGS[2:]]
    page = desk.put_in("own.csv", sheet([csv_row(1)], headings=own))
    chosen = dict.fromkeys(re.findall(r'<select id="(column[^"]+)"', page.text), "name")
    refused = desk.answers(page, **chosen)
    first = next(iter(chosen))
    assert fault(refused)[:2] == (
        first,
        "Two columns cannot both be Name. Nothing was kept.",
    )
    assert refused.text.count("selected>Name</option>") == len(chosen)


@pytest.mark.parametrize(
    ("heading", "word", "kept"),
    [("Goes out", "send", "Goes out Send"), ("Leaves", "-", "Leaves not read")],
)
def test_a_column_that_may_be_send_is_not_passed_over(desk, heading, word, *, kept):
    own = [*HEADINGS[:-1], heading]
    page = desk.put_in("out.csv", sheet([csv_row(61), csv_row(62)], headings=own))
    known = r'name="(column.[0-9]+)">.*?<option value="([a-z_]+)" selected'
    chosen = dict(re.findall(known, page.text, re.DOTALL)) | {"column.10": ""}
    field, says, _ = fault(desk.answers(page, **chosen))
    assert (field, says.partition(". ")[0]) == (
        "column.10",
        f"Say what “{heading}” is: it may be Send",
    )
    read_so = desk.answers(page, **chosen | {"column.10": word})
    assert f"{kept} as you said" in read(read_so.text)


def test_a_wrong_number_stays_and_a_new_plan_is_agreed_to_anew(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person, Desk(person) as desk:
        place = desk.place(desk.put_in("new.csv", sheet([csv_row(1)])))
        page = desk.post(f"{place}/plan", sends="all")
        mistyped = desk.agree(page, f"{place}/submit", typed="3")
        corrected = {"workbook": ("new.csv", sheet([csv_row(2)]))}
        desk.post(f"{place}/again", files=corrected)
        desk.post(f"{place}/plan", sends="all")
        changed = desk.agree(page, f"{place}/submit", typed="1")
    assert fault(mistyped)[::2] == ("typed", "3")
    (field,) = re.findall(r'<input id="typed"[^>]*>', changed.text)
    assert (changed.status_code, "value=" in field) == (409, False)
    assert "The plan was made again" in read(changed.text)


@in_a_browser
def test_the_problem_has_the_focus_and_leads_to_its_field(desk, tmp_path):
    with Browser(tmp_path / "profile") as browser:
        desk.lend_to(browser)
        browser.open(f"{desk.base}/queue")
        # A label of two lines stands beside its box, and not below it.
        assert browser.style("label:has([name=polls])", "text-indent") != "0px"
        browser.give("#most", "two")
        browser.click("form.card:has(#most) button")
        browser.wait_for_title("Error: Waiting for tokens")
        assert browser.focused() == "There is a problem"
        assert browser.barriers() == []
        browser.click('[role="alert"] a')
        assert browser.run("return document.activeElement.id") in {"most", ""}
        assert browser.run("return location.hash") == "#most"


def test_a_disk_that_takes_nothing_is_said_and_is_no_fault_of_kawe(person, tmp_path):
    person = replace(person, folder=tmp_path, environment={})
    place = tmp_path / "home/state/kawe/default/desk"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"")
    with Desk(person) as desk:
        page = desk.put_in("a.csv", b"Name")
    assert (page.status_code, "kawe's fault" in page.text) == (507, False)
    assert "kept or read. Mend that first: Not a directory." in read(page.text)
    assert "make_folder" in (tmp_path / "home/state/kawe/log/kawe.log").read_text()
