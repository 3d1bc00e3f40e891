"""A second person looks at a plan at their own desk, and signs it there."""

import re
from contextlib import contextmanager

import pytest

from desk.test_shown_is_sent import alert, sent
from doubles.approving import APPROVER, another, open_office
from doubles.browser import Browser, in_a_browser
from doubles.command import HEADINGS, csv_row
from doubles.desk import Desk, read
from kawe_twin.serving import TwinOptions, start_twin

MAP = b"%PDF-1.4 a map"


@contextmanager
def office(folder, *, tokens=9):
    """Give two persons, and the plan that one of them made at her desk."""
    options = TwinOptions(folder=folder / "twin", rate_limit=100_000, tokens=tokens)
    with start_twin(options) as twin:
        yield open_office(folder, twin)


def book(*rows):
    """Give a workbook whose rows name an attachment in a folder."""
    lines = [[*HEADINGS, "Files"], *([*each, "maps/culvert map.pdf"] for each in rows)]
    return "\n".join(map(",".join, lines)).encode("utf-8-sig")


def rows_shown(page):
    """Give what the page of a plan says of each row, with what iwi will read."""
    table = re.search(r'aria-label="Rows of the plan".*?</table>', page, re.DOTALL)
    assert table is not None
    return read(table[0])


def planned(desk, content):
    """Put a workbook and its map in; give the place, the page, and the plan."""
    place = desk.place(desk.put_in("two.csv", content))
    desk.post(f"{place}/files", files={"attachments": ("culvert map.pdf", MAP)})
    page = desk.post(f"{place}/plan", sends="all")
    return place, page, desk.client.get(f"{place}/plan/file").content


def handed(plan, content, *, name="two (1).csv", papers=MAP):
    """Give what the second person drops: names as their browser made them."""
    files = [("two.plan.json", plan), (name, content), ("culvert map.pdf", papers)]
    return [("workbook", each) for each in files]


def test_what_is_signed_at_a_second_desk_is_what_the_first_shows_and_sends(tmp_path):
    content = book(csv_row(1), csv_row(2, Name="Ōmāpere whare"))
    with office(tmp_path, tokens=1) as both, Desk(both.mere) as hers:
        place, page, plan = planned(hers, content)
        with Desk(both.wiremu) as his:
            seen = his.post("/works", files=handed(plan, content))
            at = his.place(seen).removesuffix("/plan")
            wrong = his.agree(seen, f"{at}/sign", typed="1")
            theirs = his.agree(seen, f"{at}/submit", typed="1")
            signed = his.agree(seen, f"{at}/sign", typed="2")
            approval = his.client.get(f"{at}/approval")
            listed = his.get("/")
        before = sent(both.mere)
        files = {"approval": ("two.approval.json", approval.content)}
        added = hers.post(f"{place}/approval", files=files)
        done = read(hers.agree(added, f"{place}/submit", typed="1").text)
        after = sent(both.mere)
    assert rows_shown(seen.text) == rows_shown(page.text)
    assert "Ōmāpere whare" in rows_shown(seen.text)
    assert "Type 2 to approve 1 send and 1 row that will wait for tokens" in (
        read(seen.text)
    )
    assert "Carry out the plan" not in seen.text
    assert alert(wrong).startswith("Stopped: another number was typed.")
    assert alert(theirs) == "Sign it; Mere carries it out. Nothing was sent."
    said = read(signed.text)
    assert "You have signed this plan. Give Mere the approval ." in said
    assert "Team not known yet" not in said
    assert f'"{APPROVER}" = "{both.key}"' in said
    assert "You have signed it Give the approval" in listed
    assert approval.headers["content-disposition"].endswith(
        "two%20%281%29.approval.json"
    )
    assert (before, "1 sent" in done, after) == ({}, True, {"R-1": 1})


@in_a_browser
def test_a_plan_that_is_dropped_where_workbooks_go_says_what_it_is(tmp_path):
    content = book(csv_row(1))
    files = {"two.plan.json": b"", "two.csv": content, "culvert map.pdf": MAP}
    with office(tmp_path) as both, Desk(both.mere) as hers:
        _, _, files["two.plan.json"] = planned(hers, content)
        for name, each in files.items():
            (tmp_path / name).write_bytes(each)
        with (
            Desk(both.wiremu, opens=False) as his,
            Browser(tmp_path / "profile", with_scripts=False) as browser,
        ):
            his.open_in(browser)
            browser.drop("#workbook", tmp_path / "two.plan.json")
            browser.click("main form button")
            alone = browser.wait_for_text("#workbook-wrong")
            browser.drop("#workbook", *(tmp_path / name for name in files))
            browser.click("main form button")
            browser.wait_for_title("Plan of two.csv")
            asked = browser.wait_for_text("label[for=typed]")
    assert alone.endswith(
        "This is a plan that somebody else made. To sign it, choose it together with "
        "its workbook, two.csv, and the attachments. Nothing was done."
    )
    assert asked == "Type 1 to approve 1 send"


@pytest.mark.parametrize(
    ("words", "papers", "says"),
    [
        ("Other words.", MAP, "two!2"),
        ("A culvert is replaced.", b"%PDF-1.4 another map", "two!2 and 3"),
    ],
)
def test_a_workbook_or_map_that_is_not_of_the_plan_cannot_be_signed(
    tmp_path, words, *, papers, says
):
    with office(tmp_path) as both, Desk(both.mere) as hers:
        _, page, plan = planned(hers, book(csv_row(1), csv_row(2)))
        with Desk(both.wiremu) as his:
            other = book(csv_row(1, Description=words), csv_row(2))
            seen = his.post("/works", files=handed(plan, other, papers=papers))
            at = his.place(seen).removesuffix("/plan")
            refused = his.agree(page, f"{at}/sign", typed="2")
            gone = his.client.get(f"{at}/approval")
    assert "The workbook or its attachments are not as this plan has them." in (
        read(seen.text)
    )
    assert f"Changed in cells, files, iwi or draft, or too late by now: {says}." in (
        read(seen.text)
    )
    assert "Sign the plan" not in seen.text
    assert alert(refused).endswith("Nothing was signed.")
    assert gone.status_code == 404


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([("a.json", b"\xff{}")], "This is no plan of kawe's."),
        (None, "This is a plan that somebody else made. To sign it, choose it"),
    ],
)
def test_what_is_no_plan_with_its_workbook_is_refused_at_the_field(
    tmp_path, files, says
):
    with office(tmp_path) as both:
        both.make_plan()
        given = files or [("plan.json", both.plan.read_bytes())]
        with Desk(both.wiremu) as his:
            page = his.post("/works", files=[("workbook", each) for each in given])
            listed = his.get("/")
    assert (page.status_code, alert(page).startswith(says)) == (409, True)
    assert 'id="workbook-wrong"' in page.text
    assert "Workbooks of before" not in listed


def test_a_key_is_made_at_the_first_signature_and_opened_with_its_passphrase(tmp_path):
    content = book(csv_row(1))
    with office(tmp_path) as both, Desk(both.mere) as hers:
        _, _, plan = planned(hers, content)
        rangi = another(both, "rangi")
        with Desk(rangi) as his:
            seen = his.post("/works", files=handed(plan, content))
            at = his.place(seen).removesuffix("/plan")
            words = ("first words", "other words", "first words")
            pages = [
                read(his.agree(seen, f"{at}/sign", typed="1", passphrase=each).text)
                for each in words
            ]
        log = (rangi.folder / "home/state/kawe/log/kawe.log").read_text()
    has_signed = ["You have signed this plan." in each for each in pages]
    assert has_signed == [True, True, True]
    assert ["the passphrase is wrong" in each for each in pages] == [False, True, False]
    assert "other words" not in log
