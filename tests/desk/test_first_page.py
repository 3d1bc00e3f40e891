"""The first page: workbooks come with their attachments, and wrong ones go again."""

import re

import pytest

from desk.test_month_pages import rows_of
from desk.test_shown_is_sent import alert
from doubles.command import HEADINGS, at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read
from kawe.cases.kinds import KINDS

PDF = b"%PDF-1.7\n%%EOF\n"
PLANS = "Make the plan"
LISTED = "Workbooks of before"


def book(*rows, headings=HEADINGS):
    return "\n".join(map(",".join, (headings, *rows))).encode("utf-8-sig")


@pytest.fixture
def own(tmp_path):
    """Give a desk, before a service that nobody else has sent anything to."""
    options = "--journal", str(tmp_path / "own.journal")
    with at_a_twin(tmp_path) as person, Desk(person, options=options) as desk:
        yield desk


@pytest.fixture
def slow(tmp_path):
    """Give a desk before a service that takes its time."""
    with at_a_twin(tmp_path, latency_ms=100) as person:
        person.write_settings("workers = 1")
        with Desk(person) as desk:
            yield desk


def put(desk, *files):
    return desk.post("/works", files=[("workbook", each) for each in files])


def test_a_workbook_comes_with_its_attachments(own):
    rows = book([*csv_row(1), "a/map.pdf"], headings=[*HEADINGS, "Files"])
    checked = put(own, ("map.pdf", PDF), ("monthly.csv", rows), ("more.pdf", PDF))
    assert "1 found 0 missing 1 of no row that is ready" in read(checked.text)
    # The service has said whose key it is.
    assert "LIVE Kaunihera o Tauira (twin) A twin on" in read(checked.text)


def test_more_files_than_a_form_takes_are_refused_in_plain_words(own):
    files = [("attachments", (f"{number}.pdf", PDF)) for number in range(501)]
    place = own.place(put(own, ("monthly.csv", book(csv_row(1)))))
    refused = own.post(f"{place}/files", files=files)
    says = "at most 500 files, and no very long text. Nothing was kept. Add the files"
    assert (refused.status_code, says in read(refused.text)) == (400, True)
    assert "0 found" not in own.get(place)


def test_of_several_workbooks_none_is_taken(own):
    refused = put(own, ("may.csv", book()), ("map.pdf", PDF), ("june.xlsx", PDF))
    assert alert(refused) == (
        "Put in one workbook with its attachments; these are several: may.csv, "
        "june.xlsx. Nothing was done."
    )
    assert LISTED not in own.get("/")


def test_attachments_that_only_their_folders_tell_apart_are_refused(own):
    rows = book([*csv_row(1), "a/map.pdf"], headings=[*HEADINGS, "Files"])
    refused = put(own, ("monthly.csv", rows), ("map.pdf", PDF), ("MAP.pdf", PDF))
    assert alert(refused).startswith("Several of these files are called map.pdf. Leave")
    assert LISTED not in own.get("/")


def test_what_was_put_in_by_mistake_is_taken_out_with_its_copy(own, tmp_path):
    wrong = put(own, ("rates.pdf", PDF))
    offered = "Take it out of the list", "Put another workbook in"
    never = "Check without the service", "Try again", "Check it again"
    assert [each for each in (*offered, *never) if each in wrong.text] == [*offered]
    copies = [*tmp_path.rglob("rates.pdf")]
    left = own.post(f"{own.place(wrong)}/remove")
    assert (len(copies), [*tmp_path.rglob("rates.pdf")]) == (1, [])
    assert (own.place(left), LISTED in left.text) == ("/", False)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "No row is checked yet Look, and check"),
        ([csv_row(1, Name="")], "Not submitted here yet Correct rows"),
        ([csv_row(1), csv_row(2, Name="")], f"Not submitted here yet {PLANS}"),
    ],
)
def test_the_first_page_leads_to_what_a_workbook_is_ready_for(own, *, rows, says):
    put(own, ("rows.csv", book(*rows)))
    with Desk(own.person, options=own.options) as again:
        assert [says in each.get("/") for each in (own, again)] == [True, True]
    put(own, ("rates.pdf", PDF))
    assert "rates.pdf" in own.get("/").partition("No row is checked yet")[0]


def test_drafts_that_are_to_be_sent_are_left_and_their_workbook_stays(own):
    place = own.place(put(own, ("drafts.csv", book(csv_row(330)))))
    assert "Take drafts.csv out of the list" in own.client.get("/").text
    own.agree(own.post(f"{place}/plan", sends="drafts"), f"{place}/submit")
    assert "Take drafts.csv out of the list" not in own.client.get("/").text
    refused = own.post(f"{place}/remove")
    assert alert(refused) == "drafts.csv stays: rows of it were submitted."
    assert "drafts.csv" in own.get("/")
    assert "This batch is not finished: 1 row is left." in own.get("/batches")
    assert "This plan was carried out" in own.get(f"{place}/plan")
    said = own.get("/batch?name=drafts")
    assert "submit the workbook without “Make drafts only, send nothing”" in said


def test_a_workbook_that_is_checked_again_is_told_of_as_it_is_now(own):
    rows = book(csv_row(331), csv_row(332, Name=""))
    place = own.place(put(own, ("now.csv", rows)))
    own.agree(own.post(f"{place}/plan", sends="drafts"), f"{place}/submit")
    right = {"workbook": ("now.csv", book(csv_row(331), csv_row(332)))}
    said = read(own.post(f"{place}/again", files=right).text)
    assert "1 row is to correct in the workbook" in own.get("/batches")
    assert ("Nothing is wrong." in said, "to correct in the" in said) == (True, False)


def test_what_could_not_be_read_is_saved_otherwise_and_put_in_again(own):
    refused = put(own, ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000)))
    assert "save it as .xlsx" in read(refused.text)
    saved = {"workbook": ("old.csv", book(csv_row(333)))}
    again = own.post(f"{own.place(refused)}/again", files=saved)
    assert "1 row of sheet old was checked" in read(again.text)


def test_nothing_is_put_in_or_taken_out_while_the_desk_is_at_work(slow):
    place = slow.place(put(slow, ("many.csv", book(*map(csv_row, range(100, 130))))))
    form = {"form_token": slow.form_token(), "sends": "drafts"}
    for act in ("plan", "submit"):
        (form["sha256"],) = SHOWN.findall(slow.settled(f"{place}/plan").text) or [""]
        for _ in range(2):
            # A double click leads to what its first half began.
            led = slow.client.post(f"{place}/{act}", data=form)
            assert slow.place(led) == "/job"
    for path in ("/works", f"{place}/remove"):
        refused = slow.client.post(
            path, data=form, files={"workbook": ("other.csv", book(csv_row(9)))}
        )
        assert alert(refused).startswith("The desk is at work on something else.")
        assert "other.csv" not in refused.text
    assert "30 draft" in read(slow.settled(f"{place}/result").text)
    assert "This plan was carried out at" in (said := slow.get(f"{place}/plan"))
    assert "of 0 done" not in said


def test_an_empty_workbook_comes_from_the_first_page_where_no_heading_is_known(own):
    form = book(["red", "7"], headings=["Colour", "Weight"])
    said = read(put(own, ("form.csv", form)).text)
    assert "Make an empty workbook with “An empty workbook” on the first page" in said
    # What the advice names stands on the page, and is not folded away.
    page = own.client.get(own.place(put(own, ("form.csv", form)))).text
    assert ('name="sheet"' in page, "<details open><summary>More" in page) == (
        True,
        True,
    )
    assert re.findall(r'/template\?kind=(\w+)">', own.client.get("/").text) == [*KINDS]
    for name in ("projects", "invitations", "closures"):
        given = own.client.get("/template", params={"kind": name})
        assert given.headers["content-disposition"].endswith(f'"{name}.xlsx"')
        checked = put(own, (f"{name}.xlsx", given.content))
        assert "no rows" in read(checked.text), read(checked.text)


def test_a_column_that_is_guessed_is_not_asked_for_as_missing(own):
    people = book(
        ["Hēmi", "hemi@example.org", "Member"], headings=["Who", "Mail", "Rights"]
    )
    asked = put(own, ("people.csv", people))
    lacks = "The sheet has no column “Role”."
    assert "How kawe reads your columns" in read(asked.text)
    # A guess that is taken back leaves the column open, and then it is asked for.
    words = {"column.1": "name", "column.2": "email", "column.3": ""}
    without = own.answers(asked, **words)
    assert [lacks in read(each.text) for each in (asked, without)] == [False, True]


def test_a_list_of_people_is_asked_for_nothing_of_projects(own):
    rows = (
        ["Hēmi", "hemi@example.org", "Member"],
        ["Mere", "mere@example.org", "Member"],
    )
    people = book(*rows, headings=["Name", "Email", "Role"])
    place = own.place(put(own, ("team.csv", people)))
    of_projects = "Folder of the attachments", "Table of addresses"
    assert [each in own.get(place) for each in of_projects] == [False, False]
    planned = own.post(f"{place}/plan", sends="all")
    # No column stands empty: people have no iwi and no files.
    columns = re.findall(r'<th scope="col">(.*?)</th>', planned.text)
    assert columns == ["Row", "Name", "What is done"]
    said = read(own.agree(planned, f"{place}/submit", typed="2").text)
    assert ("2 invited" in said, "Put in another workbook" in said) == (True, True)
    assert "Save the receipts" not in said
    # A workbook that is done says so on its result, and not over a new check.
    done = "Nothing is left to do about any row."
    pages = own.get("/batches"), own.get(place)
    assert [done in each for each in pages] == [True, False]


def test_where_no_column_says_send_one_button_says_it_for_every_row(own):
    bare = [each for each in HEADINGS if each != "Send"]
    row = dict(zip(HEADINGS, csv_row(300), strict=True))
    checked = put(own, ("bare.csv", book([row[each] for each in bare], headings=bare)))
    place, button = own.place(checked), "Send every row that is ready: check again so"
    assert "NOTHING WILL BE SENT." in read(checked.text)
    assert button in read(checked.text)
    again = own.post(f"{place}/sheet", send_by_default="yes")
    assert "NOTHING WILL BE SENT." not in again.text
    assert button not in again.text
    planned = read(own.post(f"{place}/plan", sends="all").text)
    assert "Type 1 to send 1 project to iwi" in planned


def test_a_row_without_reference_and_name_is_found_by_its_place(own):
    wrong = csv_row(312, Name="A <culvert>", **{"Start date": "soon"})
    rows = [csv_row(310), csv_row(311, Reference="", Name=""), wrong]
    place = own.place(put(own, ("nameless.csv", book(*rows))))
    own.agree(own.post(f"{place}/plan", sends="drafts"), f"{place}/submit")
    page = own.client.get("/find", params={"q": "row 3"}).text
    assert '<th scope="row">nameless!3</th>' in page
    for words in ("row 4", "R-312", "culvert"):
        page = own.client.get("/find", params={"q": words}).text
        assert '<th scope="row">R-312 A &lt;culvert&gt;</th>' in page
    page = own.client.get("/find", params={"q": "nameless"}).text
    assert ["4", "", "R-312 A <culvert>"] in [each[:3] for each in rows_of(page)]


def test_what_is_so_now_is_fetched_and_put_in_again(own):
    says = own.post("/fetch", kind="members").text
    assert "Save members.xlsx : it has 3 rows of what is so now." in read(says)
    checked = put(
        own,
        ("members.xlsx", own.client.get("/template?kind=members&fetched=yes").content),
    )
    assert "3 rows of sheet Members were checked" in read(checked.text)
    assert "3 already there No row is ready to be submitted." in read(checked.text)
    says = read(own.post("/fetch", kind="groups").text)
    assert "nothing for a sheet of groups now. What is new goes into an empty" in says


def test_every_row_that_a_search_finds_is_on_one_of_its_pages(own):
    rows = [csv_row(each, Name=f"Weir {each}") for each in range(400, 520)]
    place = own.place(put(own, ("weirs.csv", book(*rows))))
    own.agree(own.post(f"{place}/plan", sends="drafts"), f"{place}/submit")
    first = own.client.get("/find", params={"q": "weir"}).text
    assert "Rows 1 to 100 of 120. Later rows" in read(first)
    later = own.client.get("/find?q=weir&part=2").text
    found = {each for each in range(400, 520) if f">R-{each} Weir {each}<" in later}
    assert found == {*range(500, 520)}


def test_a_workbook_that_a_terminal_submits_too_stays_known_as_submitted(tmp_path):
    rows = [csv_row(1), csv_row(2)]
    with at_a_twin(tmp_path, tokens=1) as person, Desk(person) as desk:
        place = desk.place(desk.put_in("monthly.csv", book(*rows)))
        page = desk.post(f"{place}/plan", sends="all")
        desk.agree(page, f"{place}/submit", typed="1")
        write_csv(person.folder / "monthly.csv", rows)
        person.run("submit", "monthly.csv", "--yes", "1", "--no-input")
        first, result = desk.get("/"), desk.get(f"{place}/result")
        kept = desk.post(f"{place}/remove")
    assert "1 sent 1 deferred Release what waits for tokens" in first
    assert "was not submitted here yet" not in result
    assert (kept.status_code, "rows of it were submitted" in kept.text) == (409, True)


def test_a_workbook_that_a_terminal_submits_after_its_check_is_known_at_once(own):
    rows = [csv_row(each) for each in (61, 62, 63)]
    place = own.place(put(own, ("later.csv", book(*rows))))
    # Some of it was put right meanwhile, in the file that the terminal reads.
    write_csv(own.person.folder / "later.csv", [*rows[:2], csv_row(63, Name="Weir")])
    own.person.run("submit", "later.csv", "--drafts-only", "--no-input", *own.options)
    first, plan = own.get("/"), own.get(f"{place}/result")
    assert ("Not submitted here yet" in first, "3 drafted Go on" in first) == (
        False,
        True,
    )
    assert "was not submitted here yet" not in plan


def test_a_workbook_that_a_terminal_alone_submitted_stands_as_it_stands(own):
    path = own.person.folder / "elsewhere.csv"
    write_csv(path, [csv_row(71), csv_row(72, Latitude="-36.9"), csv_row(73, Name="")])
    own.person.run("submit", path.name, "--yes", "2", "--no-input", *own.options)
    place = own.place(put(own, (path.name, path.read_bytes())))
    first, result = own.get("/"), own.get(f"{place}/result")
    assert "2 sent 1 to correct Correct rows" in first
    assert ("was not submitted here yet" in result, "2 sent" in result) == (False, True)
    # Another workbook in its place belongs to no batch.
    other = {"workbook": (path.name, book(csv_row(81, Latitude="-37.9")))}
    own.post(f"{place}/again", files=other)
    assert f"Not submitted here yet {PLANS}" in own.get("/")
