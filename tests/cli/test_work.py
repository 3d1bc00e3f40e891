"""`kawe work`: what people put into folders is submitted, for many accounts."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from openpyxl import Workbook

from doubles.approving import APPROVER, open_office
from doubles.at_the_twin import new_key
from doubles.command import HEADINGS, csv_row, write_csv
from doubles.hosts import (
    COUNCILS,
    as_if_long_ago,
    bureau_on,
    sends,
    started_twins,
    wait_for,
)
from doubles.switchboard import Switchboard
from doubles.typed_commands import command_line


@pytest.fixture
def bureau(twins, tmp_path):
    return bureau_on(tmp_path, twins)


ONCE = Counter({"R-0": 1, "R-1": 1, "R-2": 1})


def test_each_workbook_is_submitted_for_its_account_and_put_away(bureau, twins):
    for council in COUNCILS:
        bureau.drop(council)
    code, said = bureau.work()
    assert (code, said) == (
        0,
        {(council, "monthly.csv"): (0, {"sent": 3}) for council in COUNCILS},
    )
    assert [sends(twin) for twin in twins.values()] == [ONCE] * 3
    endings = ("csv", "result.csv", "result.html", "result.json", "result.xlsx")
    assert bureau.names("waimate") == [
        "done",
        *(f"done/monthly.{each}" for each in endings),
    ]
    assert bureau.work() == (0, {})


def test_a_workbook_with_more_than_was_agreed_to_stays_and_sends_nothing(bureau, twins):
    bureau.drop("hurunui", rows=4)
    bureau.drop("waimate")
    code, said = bureau.work()
    again = bureau.work()
    assert (code, said[("hurunui", "monthly.csv")], again) == (2, (2, {}), (0, {}))
    assert (sends(twins["hurunui"]), sends(twins["waimate"])) == (Counter(), ONCE)
    assert bureau.names("hurunui") == ["monthly.csv"]
    bureau.drop("hurunui", rows=3)
    assert bureau.work()[1] == {("hurunui", "monthly.csv"): (0, {"sent": 3})}


@pytest.mark.parametrize("name", ["broken.xlsx", "old.xls", "binary.xlsb", "open.ods"])
def test_what_cannot_be_read_is_put_aside_with_the_reason_each_time(bureau, name):
    stem, _, ending = name.partition(".")
    for kept in (name, f"{stem} (2).{ending}"):
        path = bureau.drop("hurunui", name=name)
        path.write_bytes(b"PK\x03\x04 no workbook")
        as_if_long_ago(path)
        code, said = bureau.work()
        reason = bureau.inbox("hurunui") / "not-read" / f"{kept}.txt"
        assert (code, said) == (5, {("hurunui", name): (5, {})})
        assert name in reason.read_text("utf-8")
    assert bureau.work() == (0, {})


def test_what_a_slow_share_has_brought_in_part_is_read_again(bureau, twins):
    whole = bureau.drop("hurunui").rename(bureau.folder / "whole.csv")
    path = bureau.inbox("hurunui") / "monthly.csv"
    path.write_bytes(b"")
    before = bureau.work(), bureau.names("hurunui")
    shutil.copy(whole, path)
    assert before == ((5, {("hurunui", "monthly.csv"): (5, {})}), ["monthly.csv"])
    assert (bureau.work()[0], sends(twins["hurunui"])) == (0, ONCE)


def test_a_text_file_with_tabs_is_a_workbook_too(bureau, twins):
    path = bureau.drop("hurunui", name="monthly.tsv")
    path.write_text(path.read_text("utf-8").replace(",", "\t"), "utf-8")
    as_if_long_ago(path)
    assert bureau.work() == (0, {("hurunui", "monthly.tsv"): (0, {"sent": 3})})
    assert sends(twins["hurunui"]) == ONCE


def test_the_reason_says_what_to_do_in_words_of_commands(bureau):
    rows = [list(HEADINGS), csv_row(1)]
    path = bureau.inbox("hurunui") / "two.xlsx"
    path.parent.mkdir(parents=True)
    book = Workbook()
    for sheet in (book.active, book.create_sheet("South")):
        for row in rows:
            sheet.append(row)
    book.save(path)
    as_if_long_ago(path)
    done = bureau.run("work", "--once")
    reason = (bureau.inbox("hurunui") / "not-read" / "two.xlsx.txt").read_text("utf-8")
    told = (
        "“two.xlsx” has several sheets that could be meant: “Sheet”, “South”. Name one "
        "with --sheet (at the desk: “Sheet”); check, plan and submit take every list "
        "with --all-sheets."
    )
    assert (done.returncode, reason) == (5, f"{told}\n")
    assert f"hurunui: two.xlsx: {told} It lies at " in " ".join(done.stdout.split())


def test_rows_to_correct_stay_until_the_workbook_has_changed(bureau, twins):
    bureau.drop("waimate", Latitude="91")
    first, second = bureau.work(), bureau.work()
    told = bureau.run("work", "--once").stdout
    bureau.drop("waimate", rows=0)
    empty = bureau.run("work", "--once").stdout
    bureau.drop("waimate")
    assert (first[0], second, bureau.work()[0]) == (3, (0, {}), 0)
    assert told == "No workbook was waiting, or none has changed since its last run.\n"
    assert "monthly.csv: There are no rows below the headings" in empty
    assert sends(twins["waimate"]) == ONCE


def test_a_workbook_is_put_away_once_its_rows_no_longer_wait(bureau, twins):
    bureau.change_settings("settle = 3", "settle = 3\nkeep_reserve = 98")
    bureau.drop("hurunui")
    first, second = bureau.work(), bureau.work()
    said = {("hurunui", "monthly.csv"): (4, {"sent": 1, "deferred": 2})}
    assert (first, second) == ((4, said), (0, {}))
    agrees = "--yes", "2", "--no-input"
    bureau.run("release", "--profile", "hurunui", "--keep-reserve", "0", *agrees)
    assert bureau.work() == (0, {("hurunui", "monthly.csv"): (0, {})})
    assert sends(twins["hurunui"]) == ONCE
    assert bureau.names("hurunui")[1] == "done/monthly.csv"


def test_a_waiting_workbook_whose_batch_is_unknown_is_said_once(bureau, twins):
    bureau.change_settings("settle = 3", "settle = 3\nkeep_reserve = 98")
    bureau.drop("hurunui")
    bureau.work()
    (journal,) = (bureau.folder / "home" / "state").rglob("hurunui/*.journal")
    journal.rename(journal.with_suffix(".aside"))
    other = write_csv(bureau.folder / "other.csv", [csv_row(7)])
    bureau.run("submit", other.name, "--profile", "hurunui", "--drafts-only")
    first, second = bureau.work(), bureau.work()
    assert (first, second) == ((2, {("hurunui", "monthly.csv"): (2, {})}), (0, {}))
    assert sends(twins["hurunui"]) == Counter({"R-0": 1, "R-1": 0, "R-2": 0, "R-7": 0})


@pytest.fixture
def office(bureau, twins, tmp_path):
    """Give an office whose plan of five sends lies beside its workbook."""
    made = open_office(tmp_path, twins["hurunui"])
    made.make_plan(rows=5)
    bureau.inbox("hurunui").mkdir(parents=True)
    for name, there in (("monthly.csv", "monthly.csv"), ("plan.json", PLAN)):
        shutil.copy(made.mere.folder / name, bureau.inbox("hurunui") / there)
    as_if_long_ago(bureau.inbox("hurunui") / "monthly.csv")
    return made


PLAN, APPROVAL = "monthly.plan.json", "monthly.plan.approval.json"


def pin(bureau, office):
    pinned = f'[profile."hurunui".approvers.keys]\n"{APPROVER}" = "{office.key}"\n'
    bureau.change_settings('[profile."waimate"]', f'{pinned}[profile."waimate"]')


def test_a_signed_plan_beside_the_workbook_is_the_agreement(bureau, twins, office):
    pin(bureau, office)
    unsigned, said_once = bureau.work(), bureau.work()
    office.approve()
    shutil.copy(office.approval, bureau.inbox("hurunui") / APPROVAL)
    assert (unsigned, said_once, bureau.work()) == (
        (2, {("hurunui", "monthly.csv"): (2, {})}),
        (0, {}),
        (0, {("hurunui", "monthly.csv"): (0, {"sent": 5})}),
    )
    assert sends(twins["hurunui"]) == Counter({f"R-{n}": 1 for n in range(5)})
    assert {"done/monthly.csv", f"done/{PLAN}", f"done/{APPROVAL}"} <= set(
        bureau.names("hurunui")
    )


@pytest.mark.usefixtures("office")
def test_a_plan_that_nobody_has_to_sign_needs_the_number_as_well(bureau, twins):
    too_many = bureau.work()
    bureau.change_settings("yes = 3", "yes = 5")
    assert (too_many[0], bureau.work()) == (
        2,
        (0, {("hurunui", "monthly.csv"): (0, {"sent": 5})}),
    )
    assert sends(twins["hurunui"]).total() == 5


@pytest.mark.usefixtures("office")
def test_a_plan_of_another_workbook_sends_nothing(bureau, twins):
    bureau.drop("hurunui", rows=2)
    bureau.change_settings("yes = 3", "yes = 5")
    code, said = bureau.work()
    assert (code, said) == (2, {("hurunui", "monthly.csv"): (2, {})})
    assert sends(twins["hurunui"]) == Counter()


def test_a_look_that_hosts_alone_take_is_said_to_be_taken_by_nobody(bureau):
    bureau.change_settings("yes = 3 }", "yes = 3, watch = 10 }")
    assert bureau.run("work", "--once").stderr == (
        "kawe: watch holds with --database alone. Without it, kawe watch looks.\n"
    )


def test_what_is_no_workbook_of_the_folder_is_said_once(bureau):
    inbox = bureau.drop("hurunui", rows=4).parent
    (inbox / "May").mkdir()
    for name in ("brief.docx", "site.pdf", "May/monthly.csv", ".hidden", "x.json"):
        (inbox / name).write_bytes(b"")
    os.mkfifo(inbox / "pipe.csv")
    (inbox / "link.csv").symlink_to(inbox / "monthly.csv")
    said = [bureau.run("work", "--once").stdout for _ in range(2)]
    (inbox / "more.pdf").write_bytes(b"")
    said.append(bureau.run("work", "--once").stdout)
    words = "hurunui: hurunui: Left, being open or no workbooks here: "
    assert [words in each for each in said] == [True, False, True]
    left = "May/, brief.docx, link.csv, pipe.csv, site.pdf"
    assert f"{words}{left}. It lies at {inbox}\n" in said[0]
    assert said[2] == f"{words}more.pdf. It lies at {inbox}\n"


def test_two_profiles_with_one_journal_take_turns(bureau, twins):
    one, other = (twins[each].address for each in ("hurunui", "waimate"))
    shutil.copy(bureau.folder / "hurunui.key", bureau.folder / "waimate.key")
    bureau.change_settings(other.api_url, one.api_url)
    for council in ("hurunui", "waimate"):
        kept = f'[profile."{council}"]\n'
        bureau.change_settings(kept, f'{kept}journal = "{bureau.folder}/one.journal"\n')
    bureau.drop("hurunui")
    bureau.drop("waimate", first=3, name="other.csv")
    code, said = bureau.work()
    assert (code, [code for code, _ in said.values()]) == (0, [0, 0])


@pytest.mark.parametrize("is_same", [True, False])
def test_of_two_profiles_of_one_account_with_two_journals_one_alone_is_worked_for(
    bureau, twins, is_same
):
    one, other = (twins[each].address for each in ("hurunui", "waimate"))
    key = one.live_key if is_same else new_key(one)
    (bureau.folder / "waimate.key").write_text(key, "utf-8")
    bureau.change_settings(other.api_url, one.api_url)
    for council in ("hurunui", "waimate"):
        bureau.drop(council)
    done = bureau.run("work", "--once")
    told, left = done.stdout, [*map(bureau.names, ("hurunui", "waimate"))]
    assert (done.returncode, sends(twins["hurunui"])) == (2, ONCE)
    assert ["monthly.csv"] in left
    assert "and has a journal of its own, which does not know what that one did" in told
    # What it says to write lets both be worked for.
    (shared,) = set(re.findall(r'journal = "[^"]+"', told))
    for council in ("hurunui", "waimate"):
        kept = f'[profile."{council}"]\n'
        bureau.change_settings(kept, f"{kept}{shared}\n")
    assert (bureau.work()[0], sends(twins["hurunui"])) == (0, ONCE)


def test_a_corrected_key_is_tried_at_once_and_known_by_a_random_mark(bureau, twins):
    bureau.change_settings("settle = 3", 'mode = "live"\nsettle = 3')
    key, address = bureau.folder / "hurunui.key", twins["hurunui"].address
    key.write_text(address.sandbox_key, "utf-8")
    bureau.drop("hurunui")
    refused, said_once = bureau.work(), bureau.work()
    key.write_text(address.live_key, "utf-8")
    assert (refused[0], said_once, bureau.work()[0]) == (2, (0, {}), 0)
    memory = bureau.inbox("hurunui") / ".kawe-work.json"
    mark, digest = json.loads(memory.read_bytes())["key"]
    assert (sends(twins["hurunui"]), len(mark), len(digest)) == (ONCE, 32, 4)


def test_the_same_content_under_another_name_is_done_and_not_run(bureau, twins):
    done = bureau.drop("hurunui")
    copied = bureau.folder / "kept.csv"
    shutil.copy(done, copied)
    bureau.work()
    path = bureau.inbox("hurunui") / "again.csv"
    shutil.copy(copied, path)
    as_if_long_ago(path)
    assert bureau.work() == (0, {("hurunui", "again.csv"): (0, {})})
    assert sends(twins["hurunui"]) == ONCE
    assert bureau.names("hurunui")[1] == "done/again.csv"


def test_what_was_too_much_goes_once_the_number_is_higher(bureau, twins):
    bureau.drop("hurunui", rows=4)
    bureau.work()
    bureau.change_settings("yes = 3", "yes = 4")
    code, said = bureau.work()
    assert (code, said) == (0, {("hurunui", "monthly.csv"): (0, {"sent": 4})})
    assert sends(twins["hurunui"]).total() == 4


def test_what_was_done_for_one_account_is_sent_for_another(bureau, twins):
    kept = bureau.folder / "kept.csv"
    shutil.copy2(bureau.drop("hurunui"), kept)
    bureau.work()
    one, other = (twins[each].address for each in ("hurunui", "waimate"))
    (bureau.folder / "hurunui.key").write_text(other.live_key, "utf-8")
    bureau.change_settings(one.api_url, other.api_url)
    shutil.copy2(kept, bureau.inbox("hurunui") / "monthly.csv")
    assert bureau.work() == (0, {("hurunui", "monthly.csv"): (0, {"sent": 3})})
    assert (sends(twins["hurunui"]), sends(twins["waimate"])) == (ONCE, ONCE)


def test_a_profile_whose_key_is_gone_keeps_no_other_waiting(bureau, twins):
    (bureau.folder / "hurunui.key").unlink()
    bureau.drop("hurunui")
    bureau.drop("waimate")
    code, said = bureau.work()
    assert (code, said[("hurunui", "monthly.csv")]) == (2, (2, {}))
    assert (sends(twins["waimate"]), bureau.names("hurunui")) == (ONCE, ["monthly.csv"])


@pytest.mark.parametrize(
    ("lock", "program"),
    [("~$monthly.csv", "Excel"), (".~lock.monthly.csv#", "LibreOffice")],
)
def test_a_file_that_is_open_elsewhere_waits_and_is_named_each_time(
    bureau, lock, program
):
    """A lock may stay behind where the program crashed."""
    bureau.drop("waimate")
    place = as_if_long_ago(write_csv(bureau.inbox("waimate") / lock, []))
    as_if_long_ago(write_csv(bureau.inbox("waimate") / "._apple.csv", []))
    said = [bureau.run("work", "--once").stdout for _ in range(2)]
    place.rename(bureau.folder / "lock")
    bureau.drop("waimate", Latitude="91")
    bureau.work()
    (bureau.folder / "lock").rename(place)
    said.append(bureau.run("work", "--once").stdout)
    words = f"Left, being open or no workbooks here: monthly.csv (open in {program})."
    assert [words in each for each in said] == [True, False, True]


def test_what_lies_in_the_place_of_the_memory_keeps_no_workbook_waiting(bureau, twins):
    councils = dict(zip(COUNCILS, ("5", '{"passed over": 5}', ""), strict=True))
    for council, kept in councils.items():
        memory = bureau.drop(council).with_name(".kawe-work.json")
        memory.write_text(kept) if kept else os.mkfifo(memory)
    assert bureau.work()[0] == 0
    assert [sends(twin) for twin in twins.values()] == [ONCE] * 3


def test_a_list_that_was_not_read_and_a_result_of_nothing_here_are_named(bureau):
    inbox = bureau.inbox("hurunui")
    inbox.mkdir(parents=True)
    book = Workbook()
    book.active.title = "Projects"
    people = book.create_sheet("People")
    for line in (HEADINGS, csv_row(0)):
        book.active.append(line)
    for line in (("Name", "Email", "Role"), ("Ana", "ana@example.org", "Member")):
        people.append(line)
    for name in ("year.xlsx", "june.result.xlsx"):
        book.save(inbox / name)
        as_if_long_ago(inbox / name)
    left, done = json.loads(bureau.run("work", "--once", "--json").stdout)["workbooks"]
    assert left["words"].endswith("no workbooks here: june.result.xlsx")
    assert done["words"].startswith("1 sent; Not read: “People”")


def test_a_pipe_in_the_place_of_an_approval_keeps_no_other_waiting(bureau, twins):
    inbox = bureau.drop("hurunui").parent
    (inbox / PLAN).write_text("{}")
    os.mkfifo(inbox / APPROVAL)
    bureau.drop("waimate")
    code, said = bureau.work()
    assert (code, said[("hurunui", "monthly.csv")]) == (2, (2, {}))
    assert sends(twins["waimate"]) == ONCE


def test_results_of_workbooks_that_differ_in_their_ending_alone_stay_apart(bureau):
    bureau.drop("hurunui", name="a.csv")
    other = bureau.drop("hurunui", name="a.tsv", first=3)
    other.write_text(other.read_text("utf-8").replace(",", "\t"), "utf-8")
    as_if_long_ago(other)
    (bureau.inbox("hurunui") / "done").mkdir()
    says = '{"schema": "kawe.result", "workbook": "a.tsv"\n}'
    (bureau.inbox("hurunui") / "done" / "of-a.json").write_text(says, "utf-8")
    assert bureau.work()[0] == 0
    results = {f"done/a{each}.result.xlsx" for each in ("", " (2)")}
    assert {"done/a.tsv", *results} <= set(bureau.names("hurunui"))


def test_a_file_that_is_still_written_waits_whatever_its_clock_says(bureau, twins):
    path, ahead = bureau.drop("hurunui"), time.time() + 9
    os.utime(bureau.drop("waimate"), (ahead, ahead))
    # In a process of its own: the one of the test may have no turn for seconds.
    script = 'while :; do printf " " >> "$0"; sleep 0.1; done'
    with subprocess.Popen(["sh", "-c", script, path]) as writing:
        wait_for(lambda: path.read_bytes().endswith(b" "))
        said = bureau.work()
        writing.kill()
    assert said == (0, {("waimate", "monthly.csv"): (0, {"sent": 3})})
    assert sends(twins["hurunui"]) == Counter()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", ""])
def test_a_text_that_may_be_cut_off_waits_while_it_is_young(bureau, twins, encoding):
    path = bureau.drop("hurunui")
    whole = path.read_text("utf-8")
    # A copy comes in blocks, one of which may end where a line does.
    block = whole.encode()[:80].ljust(4095) + b"\n"
    path.write_bytes(whole[:-9].encode(encoding) if encoding else block)
    (said,) = bureau.document("work", "--once")["workbooks"]
    path.write_text(whole, encoding or "utf-8")
    assert "monthly.csv (as cut off: more may come)" in said["words"]
    assert (bureau.work()[0], sends(twins["hurunui"])) == (0, ONCE)


def test_a_text_whose_last_line_never_ends_is_read_once_it_is_old(bureau, twins):
    path = bureau.drop("hurunui")
    path.write_text(path.read_text("utf-8").rstrip(), "utf-8")
    as_if_long_ago(path)
    assert (bureau.work()[0], sends(twins["hurunui"])) == (0, ONCE)


def test_a_folder_that_cannot_be_used_keeps_no_other_waiting(bureau, twins):
    bureau.drop("waimate")
    bureau.inbox("hurunui").write_bytes(b"")
    bureau.drop("ōpōtiki")
    (bureau.inbox("ōpōtiki") / "done").write_bytes(b"")
    code, said = bureau.work()
    assert (code, said) == (
        5,
        {
            ("hurunui", "hurunui"): (5, {}),
            ("ōpōtiki", "monthly.csv"): (5, {"sent": 3}),
            ("waimate", "monthly.csv"): (0, {"sent": 3}),
        },
    )
    assert [sends(twin) for twin in twins.values()] == [Counter(), ONCE, ONCE]
    assert (
        "done before, so nothing was run. It could not be put into done: "
        in " ".join(bureau.run("work", "--once").stdout.split())
    )


def test_a_name_that_is_no_text_is_a_name(bureau, twins):
    path = bureau.drop("hurunui")
    path.rename(os.fsdecode(os.fsencode(path.parent) + b"/m\xff.csv"))
    code, _ = bureau.work()
    assert (code, sends(twins["hurunui"])) == (0, ONCE)


def test_a_workbook_is_taken_up_again_once_the_settings_are_right(bureau, twins):
    bureau.change_settings("settle = 3", 'mode = "sandbox"\nsettle = 3')
    bureau.drop("hurunui")
    wrong, said_once = bureau.work(), bureau.work()
    bureau.change_settings('mode = "sandbox"\n', "")
    assert (wrong, said_once, bureau.work()) == (
        (2, {("hurunui", "monthly.csv"): (2, {})}),
        (0, {}),
        (0, {("hurunui", "monthly.csv"): (0, {"sent": 3})}),
    )
    assert sends(twins["hurunui"]) == ONCE


@pytest.mark.short_campaign
def test_a_slow_account_keeps_the_later_workbooks_of_others_not_waiting(tmp_path):
    with started_twins(tmp_path, faults=True) as twins:
        bureau = bureau_on(tmp_path, twins)
        board = Switchboard(twins["hurunui"].address)
        board.set("latency", "user_read", seconds=6)
        bureau.drop("hurunui")
        for n, name in enumerate(("a.csv", "b.csv")):
            bureau.drop("waimate", name=name, first=9 * n)
        code, said = bureau.work()
    assert (code, [name for _, name in said]) == (0, ["a.csv", "b.csv", "monthly.csv"])


def test_one_account_in_trouble_keeps_no_other_waiting(bureau, twins):
    twins["hurunui"].stop()
    for council in COUNCILS:
        bureau.drop(council)
    code, said = bureau.work()
    assert (code, said[("hurunui", "monthly.csv")][0]) == (7, 7)
    assert (sends(twins["waimate"]), sends(twins["ōpōtiki"])) == (ONCE, ONCE)
    assert bureau.names("hurunui") == ["monthly.csv"]


@pytest.mark.short_campaign
def test_what_is_tried_again_is_told_once_while_it_stays_so(bureau, twins):
    twins["hurunui"].stop()
    bureau.drop("hurunui")
    process = subprocess.Popen(
        command_line("work", "--every", "5"),
        cwd=bureau.folder,
        env=bureau.surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    time.sleep(13)
    process.terminate()
    told, _ = process.communicate(timeout=60)
    assert told.count("hurunui: monthly.csv: The service cannot be reached") == 1


def test_work_that_was_killed_goes_on_and_sends_nothing_twice(bureau, twins):
    for council in COUNCILS:
        bureau.drop(council)
    process = bureau.start("work", "--once", "--accounts", "1")
    bureau.kill_when(process, projects=3, sends=1)
    code, _ = bureau.work()
    assert (code, [sends(twin) for twin in twins.values()]) == (0, [ONCE] * 3)


@pytest.mark.parametrize("words", [("work",), ("watch", "--profile", "hurunui")])
def test_what_goes_on_ends_well_when_it_is_stopped_while_it_starts(bureau, words):
    process = subprocess.Popen(
        command_line(*words),
        cwd=bureau.folder,
        env=bureau.surroundings(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not hears_termination(process.pid):
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def hears_termination(pid):
    """Say whether a process does something else than to die of SIGTERM."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    (caught,) = (e.split()[1] for e in status.splitlines() if e.startswith("SigCgt"))
    return bool(int(caught, 16) >> signal.SIGTERM - 1 & 1)


@pytest.mark.parametrize(
    "case",
    [
        ("", {}, "No profile of your settings has a folder of work."),
        ("work = { yes = 3 }", {}, "has no folder with its whole path."),
        ('work = { folder = "~nobody-at-all/in" }', {}, "has no folder with its whole"),
        ('work = { folder = "in", yes = 3 }', {}, "has no folder with its whole path."),
        ('work = { folder = "/in", yes = -1 }', {}, "is a number of 0 or more."),
        ('work = { folder = "/in", all = 1 }', {}, "cannot hold 'all'"),
        (
            'work = { folder = "/in" }\n[profile.b]\nwork = { folder = "/in" }',
            {},
            "Two profiles have the folder /in.",
        ),
        (
            'work = { folder = "/in" }\n[profile.b]\nwork = { folder = "/in/done/b" }',
            {},
            "The folder /in/done/b of the profile b lies in done of another profile",
        ),
        ("", {"KAWE_PROFILE": "b"}, "KAWE_PROFILE would hold for the accounts of all"),
    ],
)
def test_settings_that_do_not_fit_are_refused(bureau, case):
    settings, variables, said = case
    bureau.write_settings(settings)
    bureau.environment.update(variables)
    assert said in " ".join(bureau.stderr_of("work", "--once", code=2).split())


def test_the_settings_of_a_folder_let_nothing_leave(bureau):
    (bureau.folder / "kawe.toml").write_text('work = { folder = "/in" }', "utf-8")
    done = bureau.run("doctor")
    assert "what leaves without a person" in done.stdout + done.stderr
