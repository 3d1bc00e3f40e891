"""Rows that wait for a person: they are listed, and the person decides."""

import asyncio
from datetime import UTC, datetime

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.planned import in_the_portal
from kawe.domain.service.states import Intent, State, Step, Unknown
from kawe.domain.text.new_zealand import moment_words
from kawe.journal.journal import StoreJournal

YES = ("--yes", "9", "--no-input", "--settle", "0.2")
WHY = (
    "The service already has a project with the reference R-1 that differs from the "
    "row in description: “Ōtāhuhu culvert 1”, a draft."
)
AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
NOBODY = "00000000-0000-4000-8000-000000000000"


def _write(person, **changes):
    write_csv(person.folder / "monthly.csv", [csv_row(1, **changes), csv_row(2)])


@pytest.fixture
def person(person_with):
    """Give a person whose colleague made another draft of R-1 before."""
    return _with_another_draft(person_with(tokens=9))


@pytest.fixture(scope="module")
def undecided(tmp_path_factory):
    """Give the same person to tests that decide nothing."""
    with at_a_twin(tmp_path_factory.mktemp("undecided"), tokens=9) as person:
        yield _with_another_draft(person)


def _with_another_draft(person):
    _write(person)
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input", *colleague)
    _write(person, Description="Other words.")
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    return person


def _draft(person):
    """Give the id of the colleague's draft."""
    return next(
        each["id"] for each in person.state()["projects"] if each["reference"] == "R-1"
    )


def _link(person):
    return f"{person.twin.address.api_url}/portal/projects/{_draft(person)}"


def _since(person, *words):
    since = person.document("waiting", *words)["held"][0]["since"]
    return moment_words(datetime.fromisoformat(since))


def test_held_lists_the_row_with_its_reason_and_what_can_be_decided(undecided):
    person = undecided
    since = _since(person)
    done = person.run("waiting")
    assert (done.returncode, done.stderr, done.stdout.splitlines()) == (
        4,
        "",
        [
            "R-1 (Ōtāhuhu culvert 1), monthly!2 of batch monthly",
            f"  Why it is held: {WHY}",
            f"  Since {since} (NZ time)",
            "  By this journal, kawe has asked for no draft and no send of it.",
            (
                "  In the service: “Ōtāhuhu culvert 1”, a draft; its PROJECT-ID is "
                f"{_draft(person)}"
            ),
            f"    {_link(person)}",
            "Search for R-1 in the portal, then one of:",
            "    kawe resolve R-1 --adopt PROJECT-ID   it is this project",
            "    kawe resolve R-1 --retry              ask again, then go on",
            "    kawe resolve R-1 --abandon            do nothing more",
        ],
    )


NOTHING = {
    "schema": "kawe.waiting/1",
    "exit_code": 0,
    "tokens_needed": 0,
    "packs": [],
    "in_doubt": [],
    "warning": "",
    "rows": [],
    "no_longer_in_workbook": [],
    "agreed_runs": [],
    "held": [],
}


def test_held_gives_the_same_as_a_document(undecided):
    person = undecided
    document = person.document("waiting")
    del document["held"][0]["since"]
    assert document == {
        **NOTHING,
        "exit_code": 4,
        "held": [
            {
                "reference": "R-1",
                "name": "Ōtāhuhu culvert 1",
                "batch": "monthly",
                "sheet": "monthly",
                "row": 2,
                "why": WHY,
                "project_id": None,
                "there_before": [],
                "choices": ["adopt", "retry", "abandon"],
                "in_the_service": [
                    {
                        "project_id": _draft(person),
                        "words": "“Ōtāhuhu culvert 1”, a draft",
                        "link": _link(person),
                    }
                ],
                "attempts": [],
            }
        ],
    }


def test_a_row_that_came_as_far_as_a_draft_shows_its_project_and_attempts(person):
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", *YES, *colleague)
    (attempt,) = person.document("waiting", *colleague)["held"][0]["attempts"]
    begun = moment_words(datetime.fromisoformat(attempt["begun_at"]))
    lines = person.run("waiting", *colleague).stdout.splitlines()
    assert lines[3:5] == [
        f"  {begun}: asked for the draft; the service did it",
        f"  Its project: {_draft(person)}",
    ]
    assert (attempt["step"], attempt["verdict"], attempt["http_status"]) == (
        "create",
        "done",
        200,
    )


def test_rows_that_are_held_for_one_reason_share_it_and_the_choices(person_with):
    person = person_with(tokens=9)
    _write(person)
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    changed = [csv_row(n, Description="Other words.") for n in (1, 2)]
    write_csv(person.folder / "monthly.csv", changed)
    submitted = person.run("submit", "monthly.csv", *YES).stdout
    held = person.run("waiting").stdout
    reason = "The row was changed after its draft was made"
    assert (submitted.count(reason), held.count(reason), held.count("--abandon")) == (
        1,
        1,
        1,
    )
    assert held.splitlines()[0] == "2 rows are held for one reason:"
    assert held.splitlines()[-6:] == [
        "    kawe resolve ROW --adopt PROJECT-ID   it is this project",
        "    kawe resolve ROW --retry              ask again, then go on",
        "    kawe resolve ROW --abandon            do nothing more",
        "    kawe submit WORKBOOK --update-drafts   let the drafts say what the",
        "                                           workbook says now (the rows)",
        "One decision about many: kawe resolve --all --retry --reason WORDS",
    ]
    choices = [row["choices"][3:] for row in person.document("waiting")["held"]]
    assert choices == [["update-drafts"]] * 2


async def _lose_answers(path):
    """Let R-1 be asked for twice in vain, as lost answers and a kill leave it."""
    journal = StoreJournal.open(path)
    (row,) = [each for each in await journal.entries("monthly") if each.marker == "R-1"]
    for attempt in (1, 2):
        intent = Intent(
            row=row.key,
            step=Step.CREATE,
            attempt=attempt,
            body_sha256="0" * 64,
            begun_at=AT,
            known_projects=(NOBODY,),
        )
        await journal.move(row.key, State.FILES_READY, at=AT)
        await journal.note([intent])
        if attempt == 1:
            await journal.conclude(intent, Unknown(detail="the line went dead"), at=AT)
        await journal.move(row.key, State.HELD, at=AT, reason="A person must look.")
    await journal.aclose()


def test_what_was_asked_and_never_answered_is_told_in_words_and_in_nz_time(person):
    asyncio.run(_lose_answers(next(person.folder.rglob("home/**/*.journal"))))
    lines = person.run("waiting").stdout.splitlines()
    asked = "  22:00 on 21 November 2026: asked for the draft;"
    assert lines[1:6] == [
        "  Why it is held: A person must look.",
        "  Since 22:00 on 21 November 2026 (NZ time)",
        (f"{asked} no clear answer came; it may have happened (the line went dead)"),
        f"{asked} kawe stopped before an answer came; it may have happened",
        f"  Projects that had its reference before: {NOBODY}",
    ]


def test_a_batch_is_named_by_the_beginning_of_its_name(person):
    found = person.document("waiting", "month")["held"]
    assert [each["reference"] for each in found] == ["R-1"]


def test_held_asks_the_service_nothing(person):
    person.twin.stop()
    assert person.stdout_of("waiting", code=4).count("Why it is held: ") == 1


def test_before_the_first_submit_no_row_is_held(person_with):
    person = person_with(tokens=9)
    assert (
        person.stdout_of("waiting")
        == "No row waits: none for tokens, none for a person, none in doubt.\n"
    )
    assert person.document("waiting") == NOTHING


def test_an_adopted_draft_goes_to_iwi_as_it_stands_with_the_next_submit(person):
    decided = person.run("resolve", "R-1", "--adopt", _draft(person))
    before = person.sends_of_each()
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, decided.stdout) == (
        0,
        (
            "R-1 is no longer held.\n"
            "Its project is “Ōtāhuhu culvert 1”, a draft.\n"
            "It differs from the row in description, and goes to iwi as it stands in "
            "the service.\n"
            "Submit its workbook again to let it go on.\n"
        ),
    )
    assert (before, done.returncode, person.sends_of_each()) == (
        {"R-1": 0, "R-2": 1},
        0,
        {"R-1": 1, "R-2": 1},
    )


@pytest.mark.parametrize("shown", ["{}", "https://portal.example/projects/{}/?tab=1"])
def test_an_adopted_project_is_named_with_what_differs(person, shown):
    decided = person.document("resolve", "R-1", "--adopt", shown.format(_draft(person)))
    assert decided == {
        "schema": "kawe.resolve/1",
        "exit_code": 0,
        "reference": "R-1",
        "outcome": "unfinished",
        "adopted": {
            "project_id": _draft(person),
            "name": "Ōtāhuhu culvert 1",
            "sent": False,
            "differs": ["description"],
        },
    }


@pytest.mark.parametrize("journal", [(), ("--journal", "third.journal")])
def test_the_project_of_another_reference_is_not_adopted(person, journal):
    if journal:
        # For a journal that does not know R-2, its reference alone says whose it is.
        csv_file = write_csv(person.folder / "alone.csv", [csv_row(1)])
        _ = csv_file.write_text(
            csv_file.read_text("utf-8-sig").replace("culvert 1", "bridge"), "utf-8-sig"
        )
        person.run("submit", "alone.csv", *YES, *journal)
    before = person.sends_of_each()
    (other,) = (e["id"] for e in person.state()["projects"] if e["reference"] == "R-2")
    done = person.run("resolve", "R-1", "--adopt", other, *journal)
    assert (done.returncode, done.stdout, person.sends_of_each()) == (2, "", before)
    begins = "That project is" if journal else "Another row of this journal has that"
    assert done.stderr.startswith(f"kawe: {begins}")
    assert "R-2 (“Ōtāhuhu culvert 2”)" in done.stderr


def test_a_retried_row_goes_on_when_it_says_what_the_draft_says(person):
    decided = person.run("resolve", "R-1", "--retry")
    _write(person)
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, done.returncode, person.sends_of_each()) == (
        0,
        0,
        {"R-1": 1, "R-2": 1},
    )


def test_a_retried_row_that_still_differs_is_held_again(person):
    person.run("resolve", "R-1", "--retry")
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, person.document("waiting")["held"][0]["why"]) == (4, WHY)


def test_whoever_retries_a_draft_that_was_changed_hears_that_it_is_held_again(
    person_with,
):
    person = person_with(tokens=9)
    _write(person)
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    in_the_portal(person, "R-1", description="Theirs.")
    person.run("submit", "monthly.csv", *YES)
    assert person.run("resolve", "R-1", "--retry").stdout == (
        "R-1 is no longer held.\n"
        "Its draft says something else than the row in description. Let both say the "
        "same, or the next submit holds the row again; --adopt would send the draft as "
        "it stands.\n"
        "Submit its workbook again to let it go on.\n"
    )
    again = person.run("submit", "monthly.csv", *YES)
    adopted = person.run("resolve", "R-1", "--adopt", _draft(person))
    person.run("submit", "monthly.csv", *YES)
    assert (again.returncode, adopted.returncode, person.sends_of_each()) == (
        4,
        0,
        {"R-1": 1, "R-2": 1},
    )


def test_a_retried_row_goes_as_its_draft_stands_while_the_edit_stands(person):
    # For the colleague it is a row that was edited after its draft.
    colleague = ("--journal", "colleague.journal")
    held = person.run("submit", "monthly.csv", *YES, *colleague)
    decided = person.run("resolve", "R-1", "--retry", *colleague)
    done = person.run("submit", "monthly.csv", *YES, *colleague)
    assert decided.stdout == (
        "R-1 is no longer held.\n"
        "Its draft goes as it stands in the service; what the workbook says now is not "
        "applied.\n"
        "Submit its workbook again to let it go on.\n"
    )
    assert (held.returncode, done.returncode, person.sends_of_each()["R-1"]) == (
        4,
        0,
        1,
    )


def test_an_abandoned_row_is_left_alone_by_every_later_run(person):
    decided = person.run("resolve", "R-1", "--abandon")
    held = person.run("waiting")
    done = person.run("submit", "monthly.csv", *YES)
    assert (decided.returncode, decided.stdout) == (
        0,
        "R-1 is no longer held; it is given up.\n",
    )
    assert (held.returncode, done.returncode, person.sends_of_each()) == (
        0,
        0,
        {"R-1": 0, "R-2": 1},
    )


def test_a_decision_is_given_as_a_document(person):
    assert person.document("resolve", "R-1", "--abandon") == {
        "schema": "kawe.resolve/1",
        "exit_code": 0,
        "reference": "R-1",
        "outcome": "given up",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("R-1",), "Choose one of --adopt, --retry and --abandon."),
        (("R-1", "--retry", "--abandon"), "Choose one of --adopt, --retry"),
        (("R-1", "--adopt", NOBODY, "--retry"), "Choose one of --adopt, --retry"),
        (("R-1", "--adopt", "R-2"), "'R-2' is not a project's id. --adopt takes"),
        (("R-1", "--adopt", NOBODY[:8]), "is not a project's id. --adopt takes"),
        (("R-1", "--adopt", NOBODY), "does not show that project to this key"),
        (("R-9", "--retry"), "No held row is called R-9."),
        (("R-2", "--retry"), "Such rows are: R-1."),
        (("--retry",), "Name one ROW, or say --all"),
    ],
    ids=" ".join,
)
def test_a_decision_that_cannot_be_carried_out_is_code_2_and_changes_nothing(
    undecided, words, said
):
    before = undecided.document("waiting")
    done = undecided.run("resolve", *words)
    assert (done.returncode, said in done.stderr, done.stdout) == (2, True, "")
    assert undecided.document("waiting") == before


def test_a_decision_waits_until_the_service_can_be_asked(person):
    person.twin.stop()
    assert "cannot be reached" in person.stderr_of("resolve", "R-1", "--retry", code=7)
    assert person.run("waiting").returncode == 4


@pytest.fixture
def many(person_with):
    """Give a person with three rows that are held for one reason, and one more."""
    return _with_many(person_with(tokens=9))


@pytest.fixture(scope="module")
def many_undecided(tmp_path_factory):
    """Give the same person to tests that decide nothing."""
    with at_a_twin(tmp_path_factory.mktemp("many"), tokens=9) as person:
        yield _with_many(person)


def _with_many(person):
    path = person.folder / "monthly.csv"
    rows = [csv_row(n) for n in range(4)]
    write_csv(path, rows)
    colleague = ("--journal", "colleague.journal")
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input", *colleague)
    for row in rows[:3]:
        row[2] = "Other words."
    rows[3][1] = "Another name"
    write_csv(path, rows)
    assert person.run("submit", "monthly.csv", *YES).returncode == 4
    return person


WHY_ALL = ("--reason", "They are ours.", "--held-for", "in description")


def test_many_held_rows_are_listed_by_reason_before_one_word_decides(many):
    project_ids = {each["reference"]: each["id"] for each in many.state()["projects"]}
    assert many.stdout_of(
        "resolve", "--all", "--adopt-named", *WHY_ALL, "--yes", "3"
    ).splitlines() == [
        (
            "3 rows are held: The service already has a project with the "
            "reference … that differs from the row in description."
        ),
        *[
            f"  R-{n} (Ōtāhuhu culvert {n}): project {project_ids[f'R-{n}']}"
            for n in range(3)
        ],
        "3 rows are no longer held; 0 stay so.",
        "These are taken as they stand in the service, though their rows differ:",
        "  R-0, R-1, R-2: in description",
        "Submit their workbooks again to let them go on.",
    ]
    left = [each["reference"] for each in many.document("waiting")["held"]]
    after = many.run("submit", "monthly.csv", *YES)
    assert (left, after.returncode, many.sends()) == (["R-3"], 4, 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--retry",), '--all wants a reason: --reason "WORDS"'),
        (("--retry", *WHY_ALL), "Agree with --yes 3."),
        (("--retry", *WHY_ALL, "--yes", "2"), "and 2 were agreed to"),
        (("--adopt", NOBODY, *WHY_ALL), "say --adopt-named in place of --adopt"),
        (("R-1", "--retry", *WHY_ALL), "Name one ROW, or say --all."),
    ],
    ids=" ".join,
)
def test_nothing_is_decided_about_many_rows_unless_it_was_agreed_to(
    many_undecided, words, said
):
    before = many_undecided.document("waiting")
    assert said in many_undecided.stderr_of("resolve", "--all", *words, code=2)
    assert many_undecided.document("waiting") == before
