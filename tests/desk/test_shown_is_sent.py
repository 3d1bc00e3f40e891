"""What goes to iwi is what the page showed, or nothing: in two tabs, and after Back."""

import html
import re
import time
from contextlib import contextmanager

from desk.test_workbooks import sheet
from doubles.acts_office import Office
from doubles.approving import open_office
from doubles.at_the_twin import projects_of, with_key
from doubles.command import at_a_twin, csv_row, write_csv
from doubles.desk import SHOWN, Desk, read
from kawe_twin.serving import TwinOptions, start_twin

YES = ("--yes", "9", "--no-input", "--settle", "1")
DAYS = "start_date", "end_date", "respond_by_date"
PEOPLE = "Name", "Email", "Role"
AGAIN = "The plan was made again at "
ORDER = "The order has changed since, or others were counted. Nothing was sent: "


@contextmanager
def queue(folder, *, rows, tokens):
    """Give a desk and the rows that wait, once so many tokens are there."""
    with at_a_twin(folder, tokens=0) as person:
        write_csv(person.folder / "monthly.csv", map(csv_row, range(1, rows + 1)))
        assert person.run("submit", "monthly.csv", *YES).returncode == 4
        for _ in range(tokens):
            person.twin.buy_tokens(1)
        with Desk(person) as desk:
            yield desk


def sent(person):
    """Name the projects that the service put before iwi, and how often."""
    projects = person.state()["projects"]
    return {each["reference"]: each["sends"] for each in projects if each["sends"]}


def alert(page):
    """Give the one sentence that says why a form was not followed."""
    (said,) = re.findall(r'role="alert">(.*?)</p>', page.text, re.DOTALL)
    return read(said)


def first_to_go(page):
    return re.findall(r"<li>(\S+) \(", page.text)


def planned(desk, place, *, rows):
    """Put a workbook in again, and make its plan; give the page."""
    desk.post(f"{place}/again", files={"workbook": ("two.csv", sheet(rows))})
    return desk.post(f"{place}/plan", sends="all")


def test_a_plan_of_another_tab_is_not_carried_out_in_its_place(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person, Desk(person) as desk:
        place = desk.place(desk.put_in("two.csv", sheet([csv_row(1), csv_row(2)])))
        one = desk.post(f"{place}/plan", sends="all")
        other = planned(desk, place, rows=[csv_row(3), csv_row(4)])
        assert "Type 2 to send 2 projects" in read(one.text)

        refused = desk.agree(one, f"{place}/submit", typed="2")

        assert (refused.status_code, sent(person)) == (409, {})
        said = alert(refused)
        assert said.startswith(AGAIN)
        assert said.endswith("here is the new one. Nothing was sent now.")
        assert "R-3" in refused.text
        assert "R-1" not in refused.text
        assert "2 sent" in read(desk.agree(other, f"{place}/submit", typed="2").text)
        assert sent(person) == {"R-3": 1, "R-4": 1}


def test_a_release_of_another_tab_is_not_done_in_its_place(tmp_path):
    with queue(tmp_path, rows=4, tokens=2) as desk:
        one = desk.post("/queue/count", most="")
        for row in ("R-3", "R-4"):
            desk.post("/queue/order", row=row, how="first")
        other = desk.post("/queue/count", most="")
        assert (first_to_go(one), {*first_to_go(other)}) == (
            ["R-1", "R-2"],
            {"R-3", "R-4"},
        )

        refused = desk.agree(one, "/queue/release", typed="2")

        assert (refused.status_code, sent(desk.person)) == (409, {})
        assert alert(refused) == f"{ORDER}these would go now."
        assert first_to_go(refused) == first_to_go(other)
        desk.agree(refused, "/queue/release", typed="2")
        assert sent(desk.person) == {"R-3": 1, "R-4": 1}


def test_a_release_that_the_back_button_shows_sends_no_other_row(tmp_path):
    with queue(tmp_path, rows=3, tokens=1) as desk:
        counted = desk.post("/queue/count", most="")
        desk.post("/queue/order", row="R-3", how="first")

        refused = desk.agree(counted, "/queue/release", typed="1")

        assert (refused.status_code, sent(desk.person)) == (409, {})
        assert alert(refused) == f"{ORDER}this is the order now."


def test_an_order_of_a_colleague_lets_the_rows_go_that_were_agreed_to(tmp_path):
    with queue(tmp_path, rows=3, tokens=2) as desk:
        counted = desk.post("/queue/count", most="2")
        done = desk.person.run("waiting", "--first", "R-3")
        desk.person.twin.buy_tokens(5)

        desk.agree(counted, "/queue/release", typed="2")

        assert (done.returncode, first_to_go(counted)) == (0, ["R-1", "R-2"])
        assert sent(desk.person) == {"R-1": 1, "R-2": 1}


def test_rows_that_a_colleague_released_are_not_made_up_for_by_others(tmp_path):
    with queue(tmp_path, rows=3, tokens=9) as desk:
        counted = desk.post("/queue/count", most="1")
        desk.person.run("release", "--max-tokens", "1", *YES)
        assert sent(desk.person) == {"R-1": 1}

        said = read(desk.agree(counted, "/queue/release", typed="1").text)

        assert "None of the rows that you agreed to waits any more." in said
        assert sent(desk.person) == {"R-1": 1}


def test_a_form_that_does_not_say_what_it_showed_is_refused(tmp_path):
    with queue(tmp_path, rows=2, tokens=5) as desk:
        place = desk.place(desk.put_in("new.csv", sheet([csv_row(9)])))
        desk.post(f"{place}/plan", sends="all")
        plan = desk.post(f"{place}/submit", typed="1")
        desk.post("/queue/count", most="")
        release = desk.post("/queue/release", typed="2")

        assert (plan.status_code, release.status_code) == (409, 409)
        assert alert(plan).startswith(AGAIN)
        assert alert(release).startswith(ORDER)
        assert sent(desk.person) == {}


def test_what_goes_to_no_iwi_is_confirmed_by_name_and_by_what_was_changed(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person:
        office = Office(person)
        closures = person.folder / office.sheet("closures", {"Project": "R-1"})
        people = sheet([["Hēmi", "h@x.org", "Member"]], headings=PEOPLE)
        told = []
        with Desk(person) as desk:
            for name, content in (
                ("closures.xlsx", closures.read_bytes()),
                ("people.csv", people),
            ):
                checked = desk.put_in(name, content)
                assert "0 to correct" not in checked.text
                place = desk.place(checked)
                page = desk.post(f"{place}/plan", sends="all")
                result = desk.agree(page, f"{place}/submit", typed="1").text
                told.append(read(result.partition('aria-label="What was sent"')[2]))
    assert [each.partition(" When ")[0].lstrip("> ") for each in told] == [
        "1 done Which Ōtāhuhu culvert 1, R-1: Project “open” → “closed”.",
        "1 invited Which Hēmi, h@x.org",
    ]


def test_a_plan_that_was_carried_out_is_history_without_a_form(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person:
        with Desk(person) as desk:
            place = desk.place(desk.put_in("two.csv", sheet([csv_row(1), csv_row(2)])))
            page = desk.post(f"{place}/plan", sends="all")
            typo = read(desk.agree(page, f"{place}/submit", typed="3").text)
            after_typo = desk.settled(f"{place}/plan").text
            desk.agree(page, f"{place}/submit", typed="2")
            past = desk.get(place)
            assert "2 rows of sheet two were checked. That was before the" in past
            assert "Next: plan" not in past
        with Desk(person) as desk:
            over = desk.settled(f"{place}/plan")
            result = desk.settled(f"{place}/result").text
            (link,) = re.findall(r'<a href="[^"]*(/batch/result[^"]*)" target=', result)
            opened = desk.client.get(link.replace("&amp;", "&"))

        told = read(result.partition('aria-label="What was sent"')[2])
        assert re.match(
            r".?>? ?2 sent To Ngāti Tauira ki te Raki \(2\) When \S.* \(NZ time\) "
            r"Receipts \w\S+ , \w\S+ Save the receipts Open the result ",
            told,
        ), told
        assert opened.headers["content-disposition"].startswith("inline")
        assert "Stopped: another number was typed." in typo
        assert "I mean this account" not in after_typo
        assert (f"{place}/submit" in after_typo, f"{place}/submit" in over.text) == (
            True,
            False,
        )
        (said,) = re.findall(r'<p class="notice">(This .*?)</p>', over.text)
        assert re.fullmatch(r"This plan was carried out at .*: 2 of 2 sent\.", said), (
            said
        )
        assert csv_row(1)[1] in read(over.text)


def test_a_plan_older_than_its_workbook_is_history(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person, Desk(person) as desk:
        place = desk.place(desk.put_in("two.csv", sheet([csv_row(1)])))
        page = desk.post(f"{place}/plan", sends="all")
        desk.post(
            f"{place}/again", files={"workbook": ("two.csv", sheet([csv_row(2)]))}
        )

        shown = desk.settled(f"{place}/plan")
        refused = desk.agree(page, f"{place}/submit", typed="1")

        assert "after this plan. Make the plan again." in read(shown.text)
        assert (refused.status_code, sent(person)) == (409, {})


def _held_for_other_words(person, name, *numbers):
    """Submit rows of which another journal has made drafts with other words."""
    path, rows = person.folder / name, [csv_row(n) for n in numbers]
    write_csv(path, rows)
    away = ("--drafts-only", "--no-input", "--journal", "away.journal")
    person.run("submit", name, *away)
    for row in rows:
        row[2] = "Other words."
    write_csv(path, rows)
    assert person.run("submit", name, *YES).returncode == 4


def test_held_rows_of_another_tab_are_not_decided_about_in_their_place(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person:
        _held_for_other_words(person, "monthly.csv", 1, 2)
        with Desk(person) as desk:
            page = desk.client.get("/held")
            (why,) = re.findall(r'name="why" value="(.*?)"', page.text)
            one = person.run("resolve", "R-1", "--abandon")
            _held_for_other_words(person, "weekly.csv", 3)
            word = {"why": html.unescape(why), "decision": "abandon", "reason": "No."}

            refused = desk.agree(page, "/held/decide-all", typed="2", **word)

            held = {each["reference"] for each in person.document("waiting")["held"]}
            said = "held otherwise than the page showed"
            assert (one.returncode, refused.status_code) == (0, 409)
            assert (held, said in read(refused.text)) == ({"R-2", "R-3"}, True)
            desk.agree(desk.client.get("/held"), "/held/decide-all", typed="2", **word)
            assert person.document("waiting")["held"] == []


def test_a_draft_that_a_colleague_changed_goes_as_it_stands_by_one_button(tmp_path):
    with queue(tmp_path, rows=1, tokens=1) as desk:
        ((draft,), person) = projects_of(desk.person.twin.address), desk.person
        days = {name: draft[name][:10] for name in DAYS}
        with with_key(person.twin.address) as colleague:
            colleague.put(f"/projects/{draft['id']}", json={"name": "Ōrewa", **days})
        desk.agree(desk.post("/queue/count"), "/queue/release", typed="1")
        page = desk.client.get("/held")
        assert (sent(person), "Take it as it stands" in page.text) == ({}, True)
        (own,) = re.findall(r'name="project" value="(.*?)"', page.text)
        adopted = {"row": "ref:R-1", "decision": "adopt", "project": own}
        desk.agree(page, "/held/decide", **adopted)
        person.run("submit", "monthly.csv", *YES)
        (project,) = person.state()["projects"]
    assert (project["name"], project["sends"]) == ("Ōrewa", 1)


def test_one_batch_is_released_and_waits_until_tokens_are_bought(tmp_path):
    with at_a_twin(tmp_path, tokens=0) as person:
        for name, rows in (("one.csv", (1, 2)), ("two.csv", (3, 4))):
            write_csv(person.folder / name, map(csv_row, rows))
            assert person.run("submit", name, *YES).returncode == 4
        with Desk(person) as desk:
            page = desk.client.get("/queue?batch=two").text
            assert "all batches 2 of one 2 of two" in read(page)
            assert "Release the rows of two" in read(page)
            wrong = desk.post("/queue/count?batch=two", most="x")
            back = desk.post("/queue/order?batch=two", row="R-3", how="back")
            for each in (wrong, back):
                assert "Release the rows of two" in read(each.text)
            asked = desk.post("/queue/count?batch=two", most="", polls="yes")
            assert "Type 2 to send 2 projects to iwi" in read(asked.text)
            (shown,) = SHOWN.findall(asked.text)
            form = {"form_token": desk.form_token(), "typed": "2", "sha256": shown}
            at_work = read(desk.client.post("/queue/release", data=form).text)
            for _ in range(100):
                if "kawe looks again at about" in at_work:
                    break
                time.sleep(0.1)
                at_work = read(desk.client.get("/at-work").text)
            assert "2 rows wait for tokens; the team has 0." in at_work
            assert "Ctrl-C" not in at_work
            desk.client.post("/at-work/stop", data=form)
            assert "Nothing was sent: the rows wait as they did." in desk.get("/job")

            person.twin.buy_tokens(10)
            asked = desk.post("/queue/count?batch=two", most="", polls="yes")
            desk.agree(asked, "/queue/release", typed="2")
        assert sent(person) == {"R-3": 1, "R-4": 1}


def test_a_plan_that_another_person_signed_is_carried_out(tmp_path):
    options = TwinOptions(folder=tmp_path / "twin", rate_limit=100_000, tokens=9)
    with start_twin(options) as twin:
        office = open_office(tmp_path, twin)
        with Desk(office.mere) as desk:
            place = desk.place(desk.put_in("two.csv", sheet([csv_row(1)])))
            page = desk.post(f"{place}/plan", sends="all")
            unsigned = desk.agree(page, f"{place}/submit", typed="1")
            file = desk.client.get(f"{place}/plan/file")
            before = sent(office.mere)
            (office.wiremu.folder / "plan.json").write_bytes(file.content)
            signed = office.wiremu.run("approve", "plan.json", "--yes", "1")
            approval = (office.wiremu.folder / "plan.approval.json").read_bytes()

            wrong = desk.post(f"{place}/approval", files={"approval": ("a", b"{}")})
            added = desk.post(f"{place}/approval", files={"approval": ("a", approval)})
            done = desk.agree(added, f"{place}/submit", typed="1")

        assert (signed.returncode, before) == (0, {})
        assert "Your settings want 1 signed approval" in read(unsigned.text)
        assert "That is no approval of this plan." in alert(wrong)
        assert "kawe.plan.approval.json lies beside the plan." in read(added.text)
        assert "1 sent" in read(done.text)
        assert sent(office.mere) == {"R-1": 1}


def test_a_plan_above_the_ceiling_says_so_before_anybody_agrees(tmp_path):
    with at_a_twin(tmp_path, tokens=9) as person:
        person.write_settings("per_iwi_month = 1\n")
        with Desk(person) as desk:
            place = desk.place(desk.put_in("two.csv", sheet([csv_row(1), csv_row(2)])))
            shown = desk.post(f"{place}/plan", sends="all")
            assert "NOTHING WILL BE SENT. Ngāti Tauira ki te Raki would get 2" in read(
                shown.text
            )
            refused = desk.agree(shown, f"{place}/submit", typed="2")
            assert "and per_iwi_month is 1." in read(refused.text)
        assert sent(person) == {}
