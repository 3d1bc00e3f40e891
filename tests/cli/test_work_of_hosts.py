"""`kawe work --database`: several hosts share the work of many accounts."""

import asyncio
import os
import shutil
import signal
from collections import Counter

import pytest

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.hosts import COUNCILS, bureau_on, sends, wait_for
from kawe.errors import StoreFault
from kawe.hosts import open_turns

AGREES = ("--yes", "99", "--no-input")
HURUNUI = ("--profile", "hurunui")
STEPS = "SELECT name FROM kawe_turns.kawe_step"
WORKERS = "SELECT 1 FROM kawe_turns.procrastinate_workers"


@pytest.fixture
def bureau(twins, tmp_path, database):
    return bureau_on(tmp_path, twins, database=database)


def detached(bureau, rows):
    """Put a run of so many sends for whichever host is free."""
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(rows)])
    bureau.run("submit", "monthly.csv", "--detach", "--profile", "hurunui", *AGREES)


def once(rows):
    return Counter({f"R-{n}": 1 for n in range(rows)})


def end(*hosts):
    for each in hosts:
        each.send_signal(signal.SIGTERM)
    return [each.wait(300) for each in hosts]


def work(bureau):
    done = bureau.run("work", "--once", "--database", f" {bureau.database} ", "--json")
    return done.returncode, bureau.said(done)


def is_there(database, table):
    return database.ask("SELECT to_regclass(%s)", table) != [(None,)]


def agreed_runs(bureau):
    found = bureau.document("status", "--profile", "hurunui").get("agreed_runs", [])
    return [(each["workbook"], each["state"], each["code"]) for each in found]


def test_each_workbook_is_submitted_once_and_put_away(bureau, twins):
    for council in COUNCILS:
        bureau.drop(council)
    all_sent = {(council, "monthly.csv"): (0, {"sent": 3}) for council in COUNCILS}
    assert work(bureau) == (0, all_sent)
    assert [sends(twin) for twin in twins.values()] == [once(3)] * 3
    assert (work(bureau), bureau.names("waimate")[0]) == ((0, {}), "done")


def test_a_detached_submit_is_carried_out_by_a_host_and_seen_from_anywhere(
    bureau, twins
):
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(5)])
    put = bureau.document(
        "submit", "monthly.csv", "--detach", "--profile", "hurunui", *AGREES
    )
    twice = bureau.run("submit", "monthly.csv", "--detach", *AGREES, *HURUNUI)
    before = sends(twins["hurunui"]), agreed_runs(bureau)
    waiting = [
        bureau.run(*words)
        for words in (
            ("status", *HURUNUI),
            ("status", "monthly.csv", *HURUNUI),
            ("status", put["name"], *HURUNUI),
            ("waiting", *HURUNUI),
            ("waiting", "--all-profiles"),
        )
    ]
    listed = bureau.document("waiting", *HURUNUI)["agreed_runs"]
    code, said = work(bureau)
    again = bureau.document("submit", "monthly.csv", "--detach", *AGREES, *HURUNUI)
    assert [
        (each.returncode, each.stdout.count(": waits for a host of kawe work"))
        for each in waiting
    ] == [(0, 1)] * 5
    back = f"kawe waiting --profile hurunui --drop {put['name']} takes it back"
    assert [back in each.stdout for each in waiting] == [True] * 5
    assert ([each["name"] for each in listed], twice.returncode) == ([put["name"]], 2)
    assert f"monthly.csv is put already, by {listed[0]['put_by']}, as the run " in (
        twice.stderr
    )
    assert (again["exit_code"], again["name"], len(agreed_runs(bureau))) == (0, "", 1)
    assert (put["exit_code"], put["agreed"], before) == (
        0,
        99,
        (Counter(), [("monthly.csv", "waits", None)]),
    )
    assert (code, said) == (0, {("hurunui", "monthly.csv"): (0, {"sent": 5})})
    assert sends(twins["hurunui"]) == once(5)
    assert agreed_runs(bureau) == [("monthly.csv", "ended", 0)]
    assert {"done/monthly.csv", "done/monthly.plan.json"} <= set(
        bureau.names("hurunui")
    )


def test_a_detached_submit_that_nobody_agreed_to_is_not_put(bureau):
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(5)])
    words = "submit", "monthly.csv", "--detach", "--profile", "hurunui", "--no-input"
    none = bureau.run(*words)
    few = bureau.run(*words, "--yes", "4")
    assert (none.returncode, few.returncode, agreed_runs(bureau)) == (2, 2, [])
    assert "This run would let a host make 5 sends, and 4 were agreed to." in " ".join(
        few.stderr.split()
    )
    assert few.stdout.startswith(f"The plan is of {bureau.folder / 'monthly.csv'}, ")


def test_what_rows_name_goes_with_a_detached_submit_whatever_became_of_it(
    bureau, twins, tmp_path
):
    """Another host has nothing of the person's computer."""
    plans, pdf = bureau.folder / "plans", b"%PDF-1.7 " + b"culvert " * 500
    plans.mkdir()
    (plans / "site.pdf").write_bytes(pdf)
    (bureau.folder / "message.txt").write_text("Kia ora, about {name}", "utf-8")
    write_csv(
        bureau.folder / "monthly.csv",
        [[*csv_row(n), "plans/site.pdf"] for n in range(2)],
        headings=[*HEADINGS, "Files"],
    )
    words = "submit", "monthly.csv", "--detach", "--profile", "hurunui", *AGREES
    bureau.run(*words, "--files", ".", "--message", "message.txt")
    for each in (bureau.folder / "monthly.csv", bureau.folder / "message.txt"):
        each.unlink()
    (plans / "site.pdf").write_bytes(b"%PDF-1.7 other")
    done, said = work(bureau)
    files = (each for each in (tmp_path / "twin-0").rglob("*") if each.is_file())
    stored = {each.read_bytes() for each in files}
    assert (done, said, sends(twins["hurunui"])) == (
        0,
        {("hurunui", "monthly.csv"): (0, {"sent": 2})},
        once(2),
    )
    assert pdf in stored
    assert list((bureau.inbox("hurunui") / "agreed").iterdir()) == []


def test_a_workbook_whose_name_is_no_text_is_put_under_one_that_is(bureau):
    name = "\udcff.csv"
    write_csv(bureau.folder / name, [csv_row(0)])
    bureau.run("submit", name, "--detach", *HURUNUI, *AGREES)
    assert work(bureau) == (0, {("hurunui", "?.csv"): (0, {"sent": 1})})


def test_a_pipe_in_the_place_of_a_plan_ends_the_run(bureau, twins):
    detached(bureau, 3)
    (plan,) = (bureau.inbox("hurunui") / "agreed").glob("*/monthly.plan.json")
    plan.unlink()
    os.mkfifo(plan)
    assert work(bureau)[0] == 2
    assert sends(twins["hurunui"]) == Counter()
    assert agreed_runs(bureau) == [("monthly.csv", "ended", 2)]


def test_a_saved_plan_that_is_stale_or_not_signed_is_refused_before_it_is_put(bureau):
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(3)])
    hurunui = "--profile", "hurunui"
    bureau.run("plan", "monthly.csv", "-o", "plan.json", *hurunui)
    write_csv(bureau.folder / "monthly.csv", [csv_row(n) for n in range(4)])
    stale = bureau.run("submit", "plan.json", "--detach", *hurunui, *AGREES)
    bureau.run("plan", "monthly.csv", "-o", "new.json", *hurunui)
    key = bureau.document("approve", "--show-key", *hurunui)["public_key"]
    bureau.change_settings(
        '[profile."hurunui"]\n',
        f'[approvers.keys]\nWiremu = "{key}"\n[profile."hurunui"]\n',
    )
    unsigned = bureau.run("submit", "new.json", "--detach", *hurunui, *AGREES)
    assert (stale.returncode, unsigned.returncode, agreed_runs(bureau)) == (2, 2, [])
    assert "The plan is stale" in stale.stderr
    assert "Another person approves it" in " ".join(unsigned.stderr.split())
    assert not (bureau.inbox("hurunui") / "agreed").exists()


def test_a_detached_submit_is_taken_back_until_a_host_begins_it(bureau, twins):
    hurunui = "--profile", "hurunui"
    detached(bureau, 3)
    (run,) = bureau.document("status", *hurunui)["agreed_runs"]
    back = bureau.document("waiting", "--drop", run["name"], *hurunui)
    left = list((bureau.inbox("hurunui") / "agreed").iterdir())
    stands, done = agreed_runs(bureau), work(bureau)
    again = bureau.run("waiting", "--drop", run["name"], *hurunui)
    assert (back["runs"], stands, done, sends(twins["hurunui"])) == (
        [run["name"]],
        [("monthly.csv", "ended", 130)],
        (0, {}),
        Counter(),
    )
    assert (again.returncode, "has begun the run" in again.stderr) == (2, True)
    assert left == []


def test_a_detached_submit_that_is_tried_again_says_why_and_holds_up_nothing(
    bureau, twins
):
    detached(bureau, 3)
    twins["hurunui"].stop()
    bureau.drop("hurunui", name="other.csv")
    code, said = work(bureau)
    (run,) = bureau.document("status", "--profile", "hurunui")["agreed_runs"]
    assert (code, said, run["state"], run["code"]) == (
        7,
        {("hurunui", "monthly.csv"): (7, {}), ("hurunui", "other.csv"): (7, {})},
        "tried again",
        None,
    )
    assert "The service cannot be reached" in run["words"]


def test_a_host_that_does_not_see_the_folder_leaves_a_run_to_others(bureau):
    detached(bureau, 3)
    shutil.move(bureau.inbox("hurunui") / "agreed", bureau.folder / "away")
    work(bureau)
    (run,) = bureau.document("status", *HURUNUI)["agreed_runs"]
    assert (run["state"], run["code"], run["words"]) == (
        "tried again",
        None,
        "This host does not see the folder of the run.",
    )


def test_a_run_whose_folder_is_gone_ends_with_a_sentence(bureau, database):
    detached(bureau, 3)
    shutil.rmtree(next((bureau.inbox("hurunui") / "agreed").iterdir()))
    first = work(bureau)
    later = "UPDATE kawe_turns.procrastinate_jobs SET attempts = 9, scheduled_at = NULL"
    database.ask(later)
    second = work(bureau)
    (run,) = bureau.document("status", *HURUNUI)["agreed_runs"]
    assert (first, second) == ((0, {}), (2, {("hurunui", "monthly.csv"): (2, {})}))
    gone = "The folder of the run is gone. Nothing more is sent."
    assert (run["state"], run["code"], run["words"]) == (
        "ended",
        2,
        f"{gone} Look into done, or submit the workbook again.",
    )


def test_a_run_whose_end_could_not_be_noted_is_told_as_it_ended(
    bureau, twins, database
):
    detached(bureau, 2)
    database.ask(
        "CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RAISE EXCEPTION ''away''; END'"
    )
    when = "away BEFORE UPDATE ON kawe_turns.kawe_run EXECUTE FUNCTION away()"
    database.ask(f"CREATE TRIGGER {when}")
    work(bureau)
    before = agreed_runs(bureau)
    database.ask("DROP TRIGGER away ON kawe_turns.kawe_run")
    now = "UPDATE procrastinate_jobs SET scheduled_at = now()"
    database.ask(f"SET search_path TO kawe_turns; {now}")
    said = work(bureau)
    assert (before, said) == (
        [("monthly.csv", "tried again", None)],
        (0, {("hurunui", "monthly.csv"): (0, {"sent": 2})}),
    )
    assert agreed_runs(bureau) == [("monthly.csv", "ended", 0)]
    assert sends(twins["hurunui"]) == once(2)
    assert "agreed" in bureau.names("hurunui")


def test_no_run_of_the_database_leads_out_of_its_folder(bureau, database):
    detached(bureau, 3)
    bureau.drop("hurunui", name="mine.csv", rows=4)
    out = """{"name": "..", "workbook": "mine.csv"}"""
    database.ask(
        "UPDATE kawe_turns.procrastinate_jobs SET attempts = 9, args = args || %s", out
    )
    before = bureau.names("hurunui")
    assert work(bureau) == (2, {("hurunui", "mine.csv"): (2, {})})
    assert bureau.names("hurunui") == before


def test_what_ended_with_rows_to_correct_lies_in_done(bureau):
    write_csv(bureau.folder / "monthly.csv", [csv_row(0), csv_row(1, Latitude="91")])
    bureau.run("submit", "monthly.csv", "--detach", *HURUNUI, *AGREES)
    assert work(bureau) == (
        3,
        {("hurunui", "monthly.csv"): (3, {"sent": 1, "to correct": 1})},
    )
    names = bureau.names("hurunui")
    assert {"done/monthly.csv", "done/monthly.result.xlsx"} <= set(names)
    assert [each for each in names if each.startswith("agreed/")] == []


def test_what_was_agreed_to_is_called_what_it_is(bureau):
    write_csv(
        bureau.folder / "team.csv",
        [["Aroha Rata", "aroha@example.org", "Member"]],
        headings=["Name", "Email", "Role"],
    )
    hurunui = "--profile", "hurunui"
    bureau.run("submit", "team.csv", "--detach", *hurunui, *AGREES)
    (run,) = bureau.document("status", *hurunui)["agreed_runs"]
    said = bureau.run("status", *hurunui).stdout
    assert (run["act"], "99 invitations: waits" in said) == ("invitation", True)


def test_a_plan_that_was_changed_after_it_was_agreed_to_sends_nothing(bureau, twins):
    detached(bureau, 5)
    (plan,) = (bureau.inbox("hurunui") / "agreed").glob("*/monthly.plan.json")
    plan.write_bytes(plan.read_bytes() + b"\n")
    code, _ = work(bureau)
    assert (code, sends(twins["hurunui"]), agreed_runs(bureau)) == (
        2,
        Counter(),
        [("monthly.csv", "ended", 2)],
    )
    assert bureau.names("hurunui") == [
        "agreed",
        "not-read",
        "not-read/monthly.csv",
        "not-read/monthly.csv.txt",
        "not-read/monthly.plan.json",
    ]


def test_a_journal_that_other_hosts_cannot_see_is_refused(bureau, database):
    bureau.change_settings(f'journal = "{database.url}"', "")
    done = bureau.run("work", "--once", "--database", database.url)
    assert done.returncode == 2
    assert "is not in the database that hands out its work" in " ".join(
        done.stderr.split()
    )


def test_two_profiles_of_one_account_share_a_journal_of_the_database(bureau, twins):
    one, other = (twins[each].address for each in ("hurunui", "waimate"))
    (bureau.folder / "waimate.key").write_text(one.live_key, "utf-8")
    bureau.change_settings(other.api_url, one.api_url)
    bureau.drop("hurunui")
    bureau.drop("waimate", first=2)
    told = bureau.run("work", "--once", "--database", bureau.database).stdout
    shared = f"{bureau.database}#hurunui"
    bureau.change_settings(bureau.database, shared)
    code, _ = work(bureau)
    detached = bureau.drop("waimate", first=4).rename(bureau.folder / "monthly.csv")
    words = "submit", detached.name, "--detach", "--profile", "waimate", *AGREES
    put = bureau.run(*words).returncode
    assert (f'write journal = "{shared}" into both' in told, code) == (True, 0)
    assert (put, work(bureau)[0], sends(twins["hurunui"])) == (0, 0, once(7))


def test_a_database_that_does_not_answer_is_said_with_the_reason(bureau, database):
    nowhere = "postgresql://kawe@127.0.0.1:9/kawe"
    bureau.change_settings(database.url, nowhere)
    done = bureau.run("work", "--once", "--database", nowhere)
    said = " ".join(done.stderr.split())
    assert (done.returncode, "Connection refused" in said) == (6, True)


def as_clerk(bureau, database, *limits):
    """Let hosts be another user of the server, whose name is given."""
    clerk = f"clerk_{database.database}"
    database.ask(" ".join(("CREATE ROLE", clerk, "LOGIN", *limits)))
    bureau.change_settings("kawe@", f"{clerk}@")
    bureau.environment["DATABASE"] = database.url.replace("kawe@", f"{clerk}@")
    return clerk


def test_hosts_whose_database_user_may_make_nothing_say_what_to_run(bureau, database):
    write_csv(bureau.folder / "monthly.csv", [csv_row(1)])
    clerk = as_clerk(bureau, database)
    put = bureau.run("submit", "monthly.csv", "--detach", *HURUNUI, *AGREES)
    work = bureau.run("work", "--once", "--database", bureau.database)
    grant = f"server run: GRANT CREATE ON DATABASE {database.database} TO {clerk};"
    assert [
        (each.returncode, each.stdout, grant in " ".join(each.stderr.split()))
        for each in (put, work)
    ] == [(6, "", True)] * 2


def test_a_fault_of_the_database_is_told_without_its_statements(database):
    async def divide():
        async with open_turns(database.url) as turns:
            await turns._do("DO $$ BEGIN PERFORM 1 / 0; END $$")

    with pytest.raises(StoreFault, match=r"failed: division by zero\. Look"):
        asyncio.run(divide())


@pytest.mark.short_campaign
def test_a_host_that_is_given_no_connection_says_so_and_goes_on_later(
    bureau, twins, database
):
    clerk = as_clerk(bureau, database, "CONNECTION LIMIT 1")
    database.ask(f"GRANT CREATE ON DATABASE {database.database} TO {clerk}")
    host, said = bureau.host("one"), bureau.folder / "one.errors.txt"
    ended = "The database that hands out the work failed: it ended a connection"
    wait_for(lambda: ended in " ".join(said.read_text("utf-8").split()))
    database.ask(f"ALTER ROLE {clerk} CONNECTION LIMIT -1")
    bureau.drop("hurunui")
    wait_for(lambda: sends(twins["hurunui"]) == once(3))
    assert end(host) == [0]


def test_a_profile_whose_key_is_gone_keeps_no_other_waiting(bureau, twins):
    (bureau.folder / "hurunui.key").unlink()
    for council in ("hurunui", "waimate"):
        bureau.drop(council)
    assert work(bureau) == (
        2,
        {("hurunui", "hurunui"): (2, {}), ("waimate", "monthly.csv"): (0, {"sent": 3})},
    )
    assert sends(twins["waimate"]) == once(3)
    assert bureau.names("hurunui") == ["monthly.csv"]


def test_a_run_whose_profile_left_the_settings_is_told_by_a_host(bureau, twins):
    detached(bureau, 3)
    bureau.change_settings('"hurunui"]', '"other"]')
    told = bureau.stderr_of("work", "--once", "--database", bureau.database)
    bureau.change_settings('"other"]', '"hurunui"]')
    assert ("profile hurunui has no folder" in told, work(bureau)[0]) == (True, 0)
    assert sends(twins["hurunui"]) == once(3)


def test_a_database_that_no_journal_is_in_is_not_asked(bureau):
    nowhere = "postgresql://kawe:pw-7f3a@127.0.0.1:9/kawe"
    done = bureau.run("work", "--once", "--database", nowhere)
    assert (done.returncode, "pw-7f3a" in done.stdout + done.stderr) == (2, False)
    assert "has a password in it" in done.stderr


@pytest.mark.short_campaign
def test_another_host_goes_on_where_one_was_killed(bureau, twins):
    detached(bureau, 12)
    first = bureau.host("one")
    wait_for(lambda: sends(twins["hurunui"]).total() >= 2)
    first.kill()
    first.wait()
    second = bureau.host("two")
    wait_for(lambda: agreed_runs(bureau) == [("monthly.csv", "ended", 0)])
    assert (end(second), sends(twins["hurunui"])) == ([0], once(12))


def test_a_host_that_sleeps_between_two_statements_keeps_none_of_the_others_waiting(
    database,
):
    seen = []

    async def sleep():
        async with open_turns(database.url) as turns:
            await turns.migrate()
            async with turns._app.connector.pool.connection() as db:
                await db.execute("INSERT INTO kawe_step VALUES ('begun')")
                seen.extend(database.ask(f"{STEPS} WHERE name = 'begun'"))

    asyncio.run(sleep())
    assert seen == [("begun",)]


@pytest.mark.short_campaign
def test_no_other_host_takes_over_from_one_that_only_sleeps(bureau, twins):
    detached(bureau, 60)
    first = bureau.host("one")
    wait_for(lambda: sends(twins["hurunui"]).total() >= 2)
    first.send_signal(signal.SIGSTOP)
    second = bureau.host("two")
    wait_for(lambda: agreed_runs(bureau) == [("monthly.csv", "tried again", None)])
    asleep = sends(twins["hurunui"]).total()
    first.send_signal(signal.SIGCONT)
    wait_for(lambda: agreed_runs(bureau) == [("monthly.csv", "ended", 0)])
    assert (end(first, second), asleep < 60) == ([0, 0], True)
    assert sends(twins["hurunui"]) == once(60)


def test_hosts_restarted_one_after_the_other_look_at_once(bureau, twins, database):
    for council in COUNCILS:
        bureau.drop(council, rows=3)
    hosts = [bureau.host(each, every=86_400) for each in ("one", "two")]
    for n in range(2):
        wait_for(lambda: sum(sends(each).total() for each in twins.values()) > 0)
        assert end(hosts[n]) == [0]
        hosts[n] = bureau.host(f"again-{n}", every=86_400)
    wait_for(lambda: all(sends(each) == once(3) for each in twins.values()))
    wait_for(lambda: len(database.ask(WORKERS)) == 2)
    assert end(*hosts) == [0, 0]


def test_hosts_go_on_after_the_database_was_away(bureau, twins, database):
    host = bureau.host("one")
    wait_for(lambda: is_there(database, "kawe_turns.procrastinate_workers"))
    wait_for(lambda: database.ask(WORKERS))
    database.restart()
    bureau.drop("hurunui")
    wait_for(lambda: sends(twins["hurunui"]) == once(3))
    assert end(host) == [0]


def test_what_is_new_is_looked_for_by_one_of_the_hosts(bureau):
    bureau.change_settings("yes = 3 }", "yes = 3, watch = 1 }")
    host = bureau.host("one")
    wait_for((bureau.inbox("hurunui") / ".kawe-watch.json").exists)
    assert end(host) == [0]


def test_the_work_of_a_newer_kawe_is_left_alone(bureau, database):
    work(bureau)
    database.ask("INSERT INTO kawe_turns.kawe_step VALUES ('kawe 99')")
    assert "made the step kawe 99, which this" in bureau.stderr_of(
        "work", "--once", "--database", bureau.database, code=6
    )


def test_older_hosts_are_stopped_before_the_tables_change(bureau, database):
    work(bureau)
    database.ask("DROP TABLE kawe_turns.kawe_run")
    database.ask("DELETE FROM kawe_turns.kawe_step WHERE name LIKE 'kawe %%'")
    database.ask("INSERT INTO kawe_turns.procrastinate_workers DEFAULT VALUES")
    refused = bureau.run("work", "--once", "--database", bureau.database)
    database.ask("DELETE FROM kawe_turns.procrastinate_workers")
    assert (refused.returncode, work(bureau)) == (6, (0, {}))
