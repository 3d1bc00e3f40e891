"""`kawe approve`: a person signs a plan, and without that nothing is sent."""

import json
import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from doubles.approving import APPROVER, another, key_of, open_office
from doubles.command import csv_row, write_csv
from doubles.planned import YES, change_cell
from doubles.terminal import Terminal
from kawe_twin.serving import TwinOptions, start_twin

WANTS = (
    "Your settings want 1 signed approval, and nobody approved it so that it counts."
)
WAY = "Nothing was sent. Another person approves it with their own key: kawe approve"


@pytest.fixture
def office_with(tmp_path):
    """Give a function that starts a twin and opens an office before it."""
    started = []

    def start(**options):
        twin = start_twin(
            TwinOptions(folder=tmp_path / "twin", **{"rate_limit": 100_000, **options})
        )
        started.append(twin)
        return open_office(tmp_path, twin)

    yield start
    for twin in started:
        twin.stop()


@contextmanager
def approved_office(folder, rows):
    options = TwinOptions(folder=folder / "twin", rate_limit=100_000, tokens=9)
    with start_twin(options) as twin:
        office = open_office(folder, twin)
        office.make_plan(rows=rows)
        office.approve()
        yield office


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Give an office whose plan is approved, and of which nothing is ever sent."""
    with approved_office(tmp_path_factory.mktemp("office"), 3) as office:
        yield office


@pytest.fixture
def office(shared):
    """Put plan, approval, settings and workbook back afterwards."""
    paths = [
        shared.plan,
        shared.approval,
        shared.mere.folder / "monthly.csv",
        shared.mere.folder / "home" / "config" / "kawe" / "kawe.toml",
    ]
    kept = {path: path.read_bytes() for path in paths}
    yield shared
    for path in shared.mere.folder.glob("*.approval*.json"):
        path.unlink()
    for path, content in kept.items():
        path.write_bytes(content)
    assert shared.mere.state()["projects"] == []


def test_an_approved_plan_is_sent_and_everybody_reads_who_approved_it(office_with):
    office = office_with(tokens=9)
    office.make_plan()
    before = office.plan.read_bytes()
    office.approve()
    done = office.mere.run("submit", "plan.json", *YES)
    told = [office.mere.run(*w) for w in (("status", "monthly"), ("status", "--write"))]
    result = json.loads((office.mere.folder / "monthly.result.json").read_text())
    words = (
        "Wiremu Tauira approved the plan that Mere made, with 3 sends, at ",
        "signed with the key ",
        "and the service names Wiremu Tauira, wiremu@tauira.example.",
    )
    screens = [done.stdout, *(each.stdout for each in told), str(result["remarks"])]
    assert (
        done.returncode,
        office.mere.sends(),
        office.plan.read_bytes() == before,
        [[word in screen for word in words] for screen in screens],
        office.mere.run("journal", "verify").returncode,
    ) == (0, 3, True, [[True] * 3] * 4, 0)


def _nothing_there(office):
    office.approval.unlink()
    return f"{WANTS} {WAY}"


def _plan_by_one_byte(office):
    office.plan.write_bytes(office.plan.read_bytes() + b"\n")
    return (
        "plan.approval.json does not count: the file of the plan is not the one that "
        "was approved, byte for byte."
    )


def _approval_by_one_byte(office):
    text = office.approval.read_text()
    office.approval.write_text(text.replace('"acts": 3', '"acts": 2'))
    return "does not count: its signature is wrong: it was changed after it was signed."


def _of_another_plan(office):
    office.make_plan()
    return "does not count: it approves another plan."


def _not_pinned(office):
    person = another(office, "Hemi")
    office.pin(Hemi=person.document("approve", "--show-key")["public_key"])
    return "is not among the [approvers] of your settings."


def _by_whoever_submits(office):
    office.pin(Mere=office.mere.document("approve", "--show-key")["public_key"])
    office.approval.unlink()
    office.approve(by=office.mere)
    return ", and you submit."


def _with_the_same_key_of_the_service(office):
    person = another(office, "Nikau", key=office.mere.twin.address.live_key)
    office.pin(Nikau=person.document("approve", "--show-key")["public_key"])
    office.approve(by=person)
    return "the service names the same person behind the key of the approval and behind"


def _twice_by_one_person(office):
    person = another(office, "Rangi")
    key = person.document("approve", "--show-key")["public_key"]
    office.pin(more="require = 2\n", **{APPROVER: office.key, "Rangi": key})
    first = office.approval.read_bytes()
    office.approve(by=person)
    office.approval.with_name("plan.approval-2.json").write_bytes(first)
    return (
        "Your settings want 2 signed approvals, and 1 person approved it so that it "
        "counts. One of them does not count: it is by the same person as another."
    )


def _of_the_sandbox(office):
    office.mere.key, kept = office.mere.twin.address.test_key, office.plan.read_bytes()
    office.make_plan()
    key = key_of(office.mere.twin, "wiremu@tauira.example", sandbox=True)
    office.approve(by=another(office, "Sandra", key=key))
    office.pin(Sandra=_key_in(office.approval))
    office.plan.write_bytes(kept)
    office.mere.key = None
    return "does not count: it is for sandbox, and this run is live."


def _key_in(approval):
    return f"ed25519:{json.loads(approval.read_text())['public_key']}"


@pytest.mark.parametrize(
    "meddle",
    [
        _nothing_there,
        _plan_by_one_byte,
        _approval_by_one_byte,
        _of_another_plan,
        _not_pinned,
        _by_whoever_submits,
        _with_the_same_key_of_the_service,
        _twice_by_one_person,
        _of_the_sandbox,
    ],
)
def test_an_approval_that_does_not_count_sends_nothing(office, meddle):
    said = meddle(office)
    code, words = office.submit()
    assert (code, said in words, WAY in words, words) == (2, True, True, words)


def test_a_workbook_by_itself_is_refused_and_the_way_is_said(office):
    assert office.mere.stderr_of("submit", "monthly.csv", *YES, code=2) == (
        "kawe: The settings want a signed approval for every live send, and a "
        "workbook by itself has none. Nothing was sent. Make a plan: kawe plan "
        "monthly.csv -o plan.json; another person runs: kawe approve plan.json; "
        "then: kawe submit plan.json\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("submit", "plan.json", "--approved-by", APPROVER),
        ("submit", "monthly.csv", f"--approved-by={APPROVER}"),
        ("release", "--approved-by", APPROVER),
    ],
)
def test_a_typed_name_is_refused_and_the_way_is_said(office, words):
    assert office.mere.stderr_of(*words, *YES, code=2).splitlines()[-1] == (
        "Error: A typed name approves nothing any more: leave --approved-by out, "
        "and let the other person sign the plan with kawe approve plan.json."
    )


def test_the_rule_of_the_second_person_is_about_the_author_too(office):
    office.pin()
    path = office.mere.folder / "home" / "config" / "kawe" / "kawe.toml"
    text = path.read_text().replace("Mere", APPROVER)
    path.write_text(f'approval = "second_person"\n{text}')
    office.make_plan()
    office.approve()
    code, words = office.submit()
    said = (
        "kawe: The plan of Wiremu Tauira was approved by nobody else. Nothing was "
        "sent. Somebody else than its author must sign it."
    )
    assert (code, words) == (2, said)


def test_a_changed_row_needs_a_new_approval(office):
    path = office.mere.folder / "monthly.csv"
    change_cell(path, row=2, heading="Name", text="Another name")
    code, words = office.submit()
    assert (code, "or too late by now: monthly!2." in words) == (2, True)


def test_a_folder_cannot_say_whose_approval_counts(office):
    near = office.mere.folder / "kawe.toml"
    near.write_text("[approvers]\nallow_own = true\n")
    code, words = office.submit()
    near.unlink()
    assert (code, "says whose approval counts ([approvers])" in words) == (2, True)


def test_two_persons_of_two_approve(office_with):
    office = office_with(tokens=9)
    key = key_of(office.mere.twin, "marama@tauira.example")
    marama = another(office, "Marama", key=key)
    pinned = marama.document("approve", "--show-key")["public_key"]
    office.pin(more="require = 2\n", **{APPROVER: office.key, "Marama": pinned})
    office.make_plan()
    office.approve(by=marama)
    alone = office.submit()
    office.approval.rename(office.approval.with_name("plan.approval-2.json"))
    office.approve()
    code, _ = office.submit()
    told = office.mere.run("status", "--write").stdout
    assert (
        (alone[0], "1 person approved it so that it counts" in alone[1]),
        (code, office.mere.sends()),
        [f"{name} approved the plan" in told for name in (APPROVER, "Marama")],
    ) == ((2, True), (0, 3), [True, True])


def test_a_killed_run_goes_on_with_the_approval_that_the_journal_has(office_with):
    office = office_with(tokens=9, latency_ms=40)
    office.make_plan(rows=4)
    office.approve()
    started = office.mere.start("submit", "plan.json", *YES, "--workers", "1")
    office.mere.kill_when(started, projects=1, sends=0)
    left = 4 - office.mere.sends()
    office.approval.unlink()
    code, words = office.submit("--settle", "0.1")
    assert (left > 0, code, words, office.mere.sends()) == (True, 0, "", 4)


def test_what_waits_is_released_as_it_was_approved_and_nothing_else(office_with):
    office = office_with(tokens=3)
    office.mere.write_settings("")
    rows = [csv_row(n, Reference=f"B-{n}") for n in range(5)]
    write_csv(office.mere.folder / "before.csv", rows)
    office.mere.run("submit", "before.csv", "--max-tokens", "1", *YES)
    office.pin()
    office.make_plan(name="A")
    office.approve()
    first, _ = office.submit()
    office.approval.unlink()
    office.mere.twin.buy_tokens(20)
    everything = [office.mere.run("release", *w, *YES) for w in ((), ("--wait",))]
    sent = office.mere.sends()
    approved = office.mere.run("release", "monthly", *YES)
    said = (
        "4 rows that wait have no signed approval that counts: B-1, B-2, B-3 and 1 more"
    )
    assert (
        (first, sent),
        [(each.returncode, said in each.stderr) for each in everything],
        (approved.returncode, office.mere.sends()),
    ) == ((4, 3), [(2, True)] * 2, (0, 4))


def test_a_typed_name_of_before_is_still_shown_and_the_journal_is_whole(finished):
    journal = next((finished.mere.folder / "home" / "state").rglob("*.journal"))
    kept = journal.read_bytes()
    typed = (
        "INSERT INTO approval SELECT 'release:0', batch, author, 'Aroha', 2, at, '', "
        "'', '' FROM approval"
    )
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute(typed)
    verified = finished.mere.run("journal", "verify")
    told = finished.mere.run("status", "--write").stdout
    journal.write_bytes(kept)
    assert (verified.returncode, verified.stdout.splitlines()[0][:20]) == (
        0,
        "The journal is whole",
    )
    assert "Aroha approved the release that Mere made, with 2 sends, at" in told
    assert "typed, not proven" in told


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE approval SET approved_by = 'Rangi'", "of Rangi is not what was"),
        ("UPDATE approval SET sends = 9", "Tauira is not what was written."),
        ("DELETE FROM approval", "tells of is not there, or was changed."),
    ],
)
def test_a_journal_whose_approvals_were_changed_is_not_whole(finished, change, said):
    journal = next((finished.mere.folder / "home" / "state").rglob("*.journal"))
    kept = journal.read_bytes()
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute(change)
    done = finished.mere.run("journal", "verify")
    journal.write_bytes(kept)
    assert (done.returncode, said in done.stdout) == (6, True)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Give an office whose approved plan was sent."""
    with approved_office(tmp_path_factory.mktemp("finished"), 1) as office:
        assert office.submit()[0] == 0
        yield office


def test_a_sandbox_reaches_nobody_and_needs_no_approval(office_with):
    office = office_with(tokens=9)
    office.mere.key = office.mere.twin.address.test_key
    done = office.mere.run("submit", "plan.json", *YES)
    office.make_plan()
    assert (done.returncode, office.submit()[0]) == (2, 0)


def test_people_are_invited_with_a_signed_approval_alone(office_with):
    office = office_with()
    text = "Name,Email,Role\nHana,hana@example.org,Member\n"
    (office.mere.folder / "people.csv").write_text(text)
    office.mere.run("plan", "people.csv", "-o", "plan.json", "-q")
    without = office.submit()
    said = office.approve()
    code, _ = office.submit()
    told = office.mere.run("status", "--write").stdout
    assert (
        (without[0], WANTS in without[1], said["sends"], code),
        len(office.mere.state()["invitations"]),
        "approved the plan that Mere made, with 1 invitation, at" in told,
    ) == ((2, True, 1, 0), 1, True)


# ------------------------------------------------------------- approving itself


def _plan_for(office, person=None):
    person = person or office.wiremu
    shutil.copy(office.plan, person.folder / "plan.json")
    return person


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("approve", "plan.json", "--no-input"),
            "You would approve 3 sends and nobody can be asked.",
        ),
        (
            ("approve", "plan.json", "--yes", "2", "--no-input"),
            "You would approve 3 sends, and 2 were agreed to.",
        ),
        (
            ("approve", "plan.json", "--base-url", "http://127.0.0.1:1"),
            "and yours is http://127.0.0.1:1. Nothing was signed.",
        ),
        (("approve", "monthly.csv"), "monthly.csv is no plan, and only a plan can be"),
        (("approve",), "Name a plan, or ask for --show-key."),
    ],
)
def test_what_cannot_be_approved_is_refused_and_signed_by_nobody(office, words, said):
    person = _plan_for(office)
    assert (
        said in " ".join(person.stderr_of(*words, code=2).split()),
        [*person.folder.glob("*.approval*")],
    ) == (True, [])


def test_an_approval_never_takes_the_place_of_a_plan(office):
    person = _plan_for(office)
    done = person.run("approve", "plan.json", "--yes", "9", "-o", "plan.json")
    is_same = (person.folder / "plan.json").read_bytes() == office.plan.read_bytes()
    said = "plan.json is there, and it is no approval. Nothing was written."
    assert (done.returncode, said in done.stderr, is_same) == (5, True, True)


@pytest.mark.parametrize("key", ["test_key", "sandbox_key"])
def test_a_key_of_another_mode_or_team_cannot_approve(office, key):
    person = _plan_for(office)
    own, person.key = person.key, getattr(person.twin.address, key)
    done = person.run("approve", "plan.json", "--yes", "9")
    person.key = own
    assert (
        done.returncode,
        "and yours is sandbox. Nothing was signed." in done.stderr,
    ) == (2, True)


def test_a_plan_that_reaches_nobody_needs_no_approval(office):
    office.make_plan("--drafts-only")
    assert "reaches nobody, so it needs no" in _plan_for(office).stderr_of(
        "approve", "plan.json", "--yes", "9", code=2
    )


def test_the_approver_sees_the_plan_and_types_the_number_and_a_passphrase(office):
    person = another(office, "Anahera")
    terminal = Terminal(_plan_for(office, person), "approve", "plan.json")
    terminal.answer("Type 3 to approve 3 sends, anything else to stop", "3")
    for question in ("key (empty: none)", "Repeat for confirmation"):
        terminal.answer(question, "Kia ora ā")
    shown = (
        "LIVE: Kaunihera o Tauira (twin), 9 tokens",
        "The order of sends:",
        "the service names Wiremu Tauira, wiremu@tauira.example.",
        "The approval is plan.approval.json.",
    )
    assert (terminal.end(), [words in terminal.screen for words in shown]) == (
        0,
        [True] * 4,
    )
    key = next((person.folder / "home" / "config").rglob("approval-key.json"))
    asked = [
        person.run("approve", "plan.json", "--yes", "9", "--no-input"),
        *(_with_passphrase(person, word) for word in ("another", "Kia ora ā")),
    ]
    assert (
        oct(key.stat().st_mode & 0o777),
        "ENCRYPTED" in key.read_text(),
        "Kia ora" in terminal.screen,
        [(each.returncode, *_ends(each.stderr)) for each in asked],
        sorted(path.name for path in person.folder.glob("plan.*")),
    ) == (
        "0o600",
        True,
        False,
        [
            (2, "Set KAWE_APPROVAL_PASSPHRASE, or run it in a terminal."),
            (2, "Nothing was signed. Try again with the right passphrase."),
            (0,),
        ],
        ["plan.approval-2.json", "plan.approval.json", "plan.json"],
    )


def _with_passphrase(person, word):
    person.environment = {"KAWE_APPROVAL_PASSPHRASE": word}
    return person.run("approve", "plan.json", "--yes", "9", "--no-input")


def _ends(words):
    known = (
        "Set KAWE_APPROVAL_PASSPHRASE, or run it in a terminal.",
        "Nothing was signed. Try again with the right passphrase.",
    )
    return tuple(each for each in known if words.strip().endswith(each))


def test_a_key_that_others_can_read_signs_nothing(office):
    person = another(office, "Tama")
    person.run("approve", "--show-key")
    key: Path = next((person.folder / "home" / "config").rglob("approval-key.json"))
    os.chmod(key, 0o644)  # noqa: PTH101 - as an administrator would
    done = person.run("approve", "--show-key")
    assert (done.returncode, "Others can read the key file" in done.stderr) == (2, True)


def test_another_message_than_was_approved_is_not_released(office_with):
    office = office_with(tokens=1)
    path = office.mere.folder / "monthly.csv"
    office.make_plan()
    office.approve()
    office.submit()
    before = office.mere.sends()
    lines = path.read_text("utf-8-sig").splitlines()
    with_message = [f"{lines[0]},Message", *(f"{each},Pay us." for each in lines[1:])]
    path.write_text("\n".join(with_message), "utf-8-sig")
    office.mere.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    office.mere.twin.buy_tokens(20)
    done = office.mere.run("release", *YES)
    assert (before, done.returncode, office.mere.sends()) == (1, 2, 1), done.stdout
