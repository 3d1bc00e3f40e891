"""A workbook at the desk: checked, asked about, corrected, planned, submitted."""

import csv
import io
import os
import re
from contextlib import closing

import openpyxl
import pytest

from doubles.command import HEADINGS, at_a_twin, csv_row
from doubles.consulted import Consulted
from doubles.desk import Desk, read
from doubles.payloads import MARK, PAYLOADS, assert_html_is_inert


def sheet(rows, *, headings=HEADINGS):
    text = io.StringIO()
    csv.writer(text).writerows([headings, *rows])
    return text.getvalue().encode("utf-8-sig", "replace")


def test_a_workbook_goes_from_the_drop_to_its_result(desk, person):
    before = person.sends()
    checked = desk.put_in("monthly.csv", sheet([csv_row(n) for n in range(4)]))
    place = desk.place(checked)
    assert "4 rows of sheet monthly were checked" in read(checked.text)
    planned = desk.post(f"{place}/plan", sends="all")
    said = read(planned.text)
    assert "LIVE" in said
    assert "3 will be created and sent to iwi" in said
    assert "1 will be created, and wait for a token" in said
    # A row shows what iwi will read of it; one that waits for a token tells nobody.
    told = "Description A culvert is replaced. Start date Friday 1 March 2030 End date "
    assert said.count(f"Type Earthworks {told}") == 4
    assert "Respond by Monday 1 April 2030 Message A culvert is replaced." in said
    refused = read(desk.agree(planned, f"{place}/submit", typed="4").text)
    assert "Stopped: another number was typed." in refused
    assert person.sends() == before
    said = read(desk.agree(planned, f"{place}/submit", typed="3").text)
    assert "3 sent" in said
    assert "1 deferred" in said
    assert "4 rows were read, and 4 outcomes found: all here." in said
    assert person.sends() == before + 3
    first = desk.client.get("/").text
    assert "3 sent 1 deferred" in " ".join(read(first).split())
    assert f'<a href="{desk.door}/queue">Release what waits for tokens</a>' in first
    assert "kawe saw answers" not in first
    desk.post("/year/ask", what="answers")
    # Other tests send at this desk too.
    told = r"answers to 0 of \d projects; 0 without one are late or soon will be\. Look"
    assert re.search(told, desk.get("/"))
    (project,) = (
        e["id"] for e in person.state()["projects"] if e["reference"] == "R-2"
    )
    with closing(Consulted(person.twin)) as iwi:
        iwi.respond(project, "We have no concern.")
    desk.post("/year/ask", what="answers")
    assert "kawe saw answers to 1 of " in desk.get("/")
    book = desk.client.get(f"{place}/file", params={"name": "monthly.result.xlsx"})
    assert (book.status_code, book.content[:2]) == (200, b"PK")
    next(person.folder.glob("home/state/**/workbook/monthly.result.html")).unlink()
    assert "3 sent To" in desk.get(f"{place}/result")


def test_a_corrected_workbook_takes_the_place_of_the_one_before(desk):
    wrong = [csv_row(20), csv_row(21, Name=""), csv_row(22, Latitude="36.85")]
    checked = desk.put_in("works.csv", sheet(wrong))
    place, said = desk.place(checked), read(checked.text)
    assert "1 ready 2 to correct" in said
    assert "works!B3 error Name Name is missing. Type the project's name" in said
    assert "with “Accept the one place that mistyped coordinates can mean”" in said
    other = desk.post(f"{place}/again", files={"workbook": ("works.xlsx", b"PK")})
    said = other.status_code, "Nothing was changed." in read(other.text)
    assert said == (409, True)
    right = [csv_row(20), csv_row(21), csv_row(22, Latitude="36.85")]
    again = desk.post(f"{place}/again", files={"workbook": ("w.csv", sheet(right))})
    said = desk.place(again), "2 ready 1 to correct" in read(again.text)
    assert said == (place, True)
    ticked = desk.post(f"{place}/check", accepts_coordinates="yes")
    assert "3 ready" in read(ticked.text)
    assert '"accepts_coordinates" value="yes" checked' in ticked.text
    # The place is taken with a warning, and so its row is left out again.
    strict = desk.post(f"{place}/check", accepts_coordinates="yes", is_strict="yes")
    assert "2 ready" in read(strict.text)


def test_notes_that_differ_in_a_value_alone_stand_together(desk):
    days = ["47546", "47547", "47547", "47548"]
    rows = [csv_row(n, **{"Start date": day}) for n, day in enumerate(days, 70)]
    page = desk.put_in("days.csv", sheet(rows)).text
    notes = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)[0]
    assert read(notes) == (
        "days!E2 note Start date “47546” 47546 read as 4 Mar 2030. 2 more like this "
        "days!E3 (rows 3 and 4): 47547 read as 5 Mar 2030. "
        "days!E5: 47548 read as 6 Mar 2030."
    )


@pytest.fixture
def nothing_kept(tmp_path):
    """Give somebody who was asked about no heading yet, with a desk."""
    with at_a_twin(tmp_path) as person, Desk(person) as desk:
        yield person, desk


def test_headings_are_asked_about_and_the_answers_are_kept(nothing_kept):
    person, desk = nothing_kept
    headings = [*HEADINGS]
    headings[3] = "Kind of work"
    headings[6] = "Reply date"
    asked = desk.put_in("own.csv", sheet([csv_row(30)], headings=headings))
    place, said = desk.place(asked), read(asked.text)
    assert "How kawe reads your columns" in said
    assert "No row is checked before you answer." in said
    both = {"column.4": "type", "column.7": "type"}
    twice = desk.answers(asked, **chosen(asked.text) | both)
    said = twice.status_code, "cannot both be Type." in read(twice.text)
    assert said == (409, True)
    answers = {"column.4": "type", "column.7": "respond_by_date"}
    checked = read(desk.answers(asked, **chosen(asked.text) | answers).text)
    assert "1 row of sheet own was checked" in checked
    assert "Kind of work Type as you said" in checked
    assert "“kind of work” → Type" in person.run("columns").stdout
    changed = desk.post(f"{place}/columns")
    again = desk.answers(changed, **chosen(changed.text) | {"column.4": ""})
    assert "The sheet has no column “Type”." in read(again.text)
    # Another tab, or Back, answers nothing of another workbook.
    headings[3] = "Category of work"
    other = {"workbook": ("own.csv", sheet([csv_row(30)], headings=headings))}
    assert "Category of work" in desk.post(f"{place}/again", files=other).text
    late = desk.answers(changed, **chosen(changed.text) | answers)
    late_words = "These columns are not asked about any more. Nothing was kept"
    assert (late.status_code, late_words in read(late.text)) == (409, True)
    person.run("columns", "--always", "Lodged=")
    kept = desk.client.get("/settings").text
    said = read(kept.partition('id="columns"')[2])
    assert "In sheets like own.csv, a list of projects" in said
    assert "“reply date” → Respond by" in said
    assert "Every list of projects: “Lodged” → not read" in said
    (shape,) = re.findall(r'name="shape" value="([^"]+)"', kept)
    assert "“reply date”" not in desk.post("/settings/forget", shape=shape).text
    desk.post("/settings/forget", heading="Lodged")
    assert "Nothing: every heading" in read(desk.client.get("/settings").text)
    assert "Nothing is kept yet." in person.run("columns").stdout


def chosen(page):
    """Give what a browser sends of a table that nobody touched."""
    selects = re.findall(r'name="(column\.\d+)">(.*?)</select>', page, re.DOTALL)
    found = {}
    for name, options in selects:
        value = re.search(r'value="([^"]*)" selected', options)
        found[name] = value[1] if value else ""
    return found


def test_one_sheet_of_several_is_chosen(desk):
    book = openpyxl.Workbook()
    for name, number in (("North", 40), ("South", 41)):
        page = book.create_sheet(name)
        page.append(HEADINGS)
        page.append(csv_row(number))
    book.save(kept := io.BytesIO())
    asked = desk.put_in('"two".xlsx', kept.getvalue())
    said = read(asked.text)
    assert "All workbooks _two_.xlsx" in said
    assert ("--" in said, "North South Read this sheet" in said) == (False, True)
    checked = read(desk.post(f"{desk.place(asked)}/sheet", sheet="South").text)
    assert "1 row of sheet South was checked" in checked
    place = desk.place(asked)
    for name, left in (("South", "yet of North. Choose the next sheet"), ("North", "")):
        desk.post(f"{place}/sheet", sheet=name)
        planned = desk.post(f"{place}/plan", sends="drafts")
        assert left in read(desk.agree(planned, f"{place}/submit").text)
    assert "North: 1 drafted South: 1 drafted Go on" in desk.get("/")


def test_one_table_of_several_on_a_sheet_is_chosen(desk):
    book = openpyxl.Workbook()
    page = book.active
    turned = [HEADINGS[1], HEADINGS[0], *HEADINGS[2:]]
    for each in (HEADINGS, csv_row(42), [], turned):
        page.append(each)
    for number in (43, 44):
        reference, name, *others = csv_row(number)
        page.append([name, reference, *others])
    kept = io.BytesIO()
    book.save(kept)
    asked = desk.put_in("tables.xlsx", kept.getvalue())
    said, place = read(asked.text), desk.place(asked)
    assert "Which table is to be read?" in said
    assert ("--" in said, "A4 with rows 5 and 6" in said) == (False, True)
    checked = desk.post(f"{place}/sheet", table="A4").text
    assert "2 rows of sheet Sheet were checked" in read(checked)
    assert "Not read: the table at A1 with row 2" in read(checked)
    assert "--table" not in read(checked)
    other = desk.post(f"{place}/check", table="A1").text
    assert "1 row of sheet Sheet was checked" in read(other)


def test_a_table_of_addresses_gives_the_places_of_rows_without_coordinates(desk):
    headings = [*HEADINGS, "Address"]
    row = [*csv_row(55, Latitude="", Longitude=""), "12 School Road"]
    asked = desk.put_in("addresses.csv", sheet([row], headings=headings))
    place, said = desk.place(asked), read(asked.text)
    assert ("1 to correct" in said, "--places" in said) == (True, False)
    table = sheet(
        [["12 School Road", "-36.85", "174.76"]],
        headings=["Full address", "Latitude", "Longitude"],
    )
    found = desk.post(f"{place}/places", files={"places": ("../linz.csv", table)})
    assert "1 ready" in read(found.text)
    assert "linz.csv is used." in read(found.text)
    assert "1 will be created" in read(desk.post(f"{place}/plan", sends="drafts").text)
    wrong = desk.post(f"{place}/places", files={"places": ("no.csv", b"a,b\n1,2\n")})
    assert "“Table of addresses”: " in read(wrong.text)
    assert "1 to correct" in read(desk.post(f"{place}/places").text)


def test_each_near_address_is_ticked_by_itself_and_kept(desk):
    headings, near = [*HEADINGS, "Address"], ("12 Scool Road", "7 Hut Road")
    rows = [
        [*csv_row(n, Latitude="", Longitude=""), address]
        for n, address in enumerate(near, start=56)
    ]
    place = desk.place(desk.put_in("near.csv", sheet(rows, headings=headings)))
    table = sheet(
        [["12 School Road", "-36.85", "174.76"], ["7 Hutt Road", "-36.86", "174.77"]],
        headings=["Full address", "Latitude", "Longitude"],
    )
    found = desk.post(f"{place}/places", files={"places": ("linz.csv", table)})
    school = "Row 2: 12 Scool Road → 12 School Road"
    hutt = "Row 3: 7 Hut Road → 7 Hutt Road"
    assert [line in read(found.text) for line in (school, hutt)] == [True, True]
    assert "Accept the only near address" not in read(found.text)
    assert "a tick under “Addresses that may be meant”" in read(found.text)
    again = read(desk.post(f"{place}/check", accepts_addresses="yes").text)
    assert [line in again for line in (school, hutt)] == [True, True]
    none = desk.post(f"{place}/addresses", near="Row 3: 7 Hut Road → 9 Other Road")
    assert none.status_code == 409
    one = read(desk.post(f"{place}/addresses", near=school).text)
    assert ("1 ready" in one, "1 to correct" in one) == (True, True)
    assert (school in one, hutt in one) == (False, True)
    both = read(desk.post(f"{place}/addresses", near=[hutt]).text)
    assert ("2 ready" in both, "Addresses that may be meant" in both) == (True, False)


def test_attachments_are_found_where_the_person_says(desk, tmp_path):
    (tmp_path / "drawing.pdf").write_bytes(b"%PDF-1.7\n%%EOF\n")
    headings = [*HEADINGS, "Files"]
    rows = [[*csv_row(50), "drawing.pdf"]]
    missing = desk.put_in("files.csv", sheet(rows, headings=headings))
    place = desk.place(missing)
    assert "1 to correct" in read(missing.text)
    alone = "Nothing is wrong but the attachments that are missing."
    assert alone in read(missing.text)
    nowhere = desk.post(f"{place}/check", files_root=str(tmp_path / "none"))
    assert nowhere.status_code == 409
    found = desk.post(f"{place}/check", files_root=f'"{tmp_path}"')
    assert "1 ready" in read(found.text)
    drawing = ("../drawing.pdf", b"%PDF-1.7\n%%EOF\n")
    added = desk.post(f"{place}/files", files={"attachments": drawing})
    assert "1 ready" in read(added.text)
    assert "1 found 0 missing 0 of no row that is ready" in read(added.text)
    planned = read(desk.post(f"{place}/plan", sends="drafts").text)
    assert "1 file will be uploaded" in planned
    assert "Nobody is reached by this: no number has to be typed." in planned


def test_added_files_go_where_rows_name_them_and_join_those_of_a_folder(
    desk, person, tmp_path
):
    folder = tmp_path / "attachments" / "plans"
    folder.mkdir(parents=True)
    pdf = b"%PDF-1.7\n%%EOF\n"
    (folder / "one.pdf").write_bytes(pdf)
    (folder / "two.pdf").write_bytes(pdf + b"2")
    names = "attachments/plans/*.pdf", "attachments/photos/face.pdf; a/x.pdf; b/x.pdf"
    names += (r"S:\Projects\Ōmāpere\rākau.pdf; https://a.nz/:b:/r/map%201.pdf?web=1",)
    rows = [[*csv_row(70 + at), name] for at, name in enumerate(names)]
    put = desk.put_in("tray.csv", sheet(rows, headings=[*HEADINGS, "Files"]))
    place, said = desk.place(put), read(put.text)
    assert "0 found 6 missing 0 of no row that is ready" in said
    assert "desk/127.0.0.1" not in said.partition("What was found")[2]

    def add(*names):
        files = [("attachments", (name, pdf + name.encode())) for name in names]
        return read(desk.post(f"{place}/files", files=files).text)

    # Which of two rows is meant by x.pdf, nobody can tell.
    assert "0 found 5 missing 2 of no row that is ready" in add("face.pdf", "x.pdf")
    assert "2 found 3 missing 2 of no row" in add("rākau.pdf", "map 1.pdf")
    joined = desk.post(f"{place}/check", files_root=str(tmp_path))
    assert "4 found 2 missing 2 of no row that is ready" in read(joined.text)
    # The copy of a file follows its original, and an added one counts in a pattern.
    changed = pdf + b"changed"
    (folder / "one.pdf").write_bytes(changed)
    os.utime(folder / "one.pdf", (2**31, 2**31))
    desk.post(f"{place}/check", files_root=str(tmp_path))
    (copy,) = person.folder.glob("home/state/**/files/attachments/plans/one.pdf")
    assert copy.read_bytes() == changed


def test_a_plan_needs_the_second_person_that_the_settings_want(desk, person):
    # What it uses is bought: the other tests count on three tokens.
    person.twin.buy_tokens(1)
    settings = person.write_settings('approval = "second_person"\n')
    place = desk.place(desk.put_in("second.csv", sheet([csv_row(60)])))
    wanted = "Your settings want the plan signed by another"
    drafts = desk.post(f"{place}/plan", sends="drafts")
    planned = desk.post(f"{place}/plan", sends="all")
    assert [wanted in read(each.text) for each in (drafts, planned)] == [False, True]
    before = person.sends()
    act = f"{place}/submit"
    own = desk.agree(planned, act, typed="1")
    hint = "The other person is shown theirs by their desk, once they have signed"
    assert ("and name nobody's key" in read(own.text), hint in read(own.text)) == (
        True,
        True,
    )
    assert person.sends() == before
    # What was in the way then is no news to whoever comes back.
    later = desk.get(f"{place}/result")
    assert ("nobody's key" in later, "was not submitted here yet" in later) == (
        False,
        True,
    )
    settings.unlink()
    assert "1 sent" in read(desk.agree(planned, act, typed="1").text)
    again = desk.agree(planned, act, typed="1")
    carried_out = "This plan was carried out at" in read(again.text)
    assert (again.status_code, carried_out, person.sends()) == (409, True, before + 1)


def test_what_cannot_be_read_is_said_without_a_command(desk):
    broken = read(desk.put_in("broken.xlsx", b"PK nothing").text)
    assert "1 Check" in broken
    assert ("kawe " in broken.replace("kawe desk", ""), "Traceback" in broken) == (
        False,
        False,
    )
    none = desk.post("/works")
    assert (none.status_code, "Choose a workbook." in read(none.text)) == (409, True)
    assert desk.client.get("/works/20260101-000000-aaaaaa").status_code == 404


def test_texts_that_mean_harm_stay_text_at_every_step(desk):
    rows = [
        csv_row(100 + at, Name=text, Description=text, Type=text if at % 2 else "Other")
        for at, text in enumerate(PAYLOADS)
    ]
    headings = [*HEADINGS, *PAYLOADS]
    for row in rows:
        row.extend(PAYLOADS)
    name = "<img src=x onerror=alert(1)>.csv"
    checked = desk.put_in(name, sheet(rows, headings=headings))
    place = desk.place(checked)
    pages = [checked, desk.post(f"{place}/headings", skip="yes")]
    pages += [desk.post(f"{place}/plan", sends="drafts"), desk.post(f"{place}/submit")]
    pages += [desk.client.get("/"), desk.client.get(f"{place}/file?name={MARK}")]
    for page in pages:
        assert_html_is_inert(page.text)
    assert MARK in pages[1].text
