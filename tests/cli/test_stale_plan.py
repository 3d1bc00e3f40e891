"""A plan that does not fit any more is refused before anything is sent."""

import pytest

from doubles.command import at_a_twin, csv_row, write_csv
from doubles.planned import (
    YES,
    another_key,
    change_cell,
    change_plan,
    in_the_portal,
    reseal_plan,
)

COLUMNS = "Files,Our own remarks"
CHANGED = "Changed in cells, files, iwi or draft, or too late by now: monthly!"
AGAIN = "Make the plan again with kawe plan"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Give a person with a plan of which nothing was carried out yet."""
    with at_a_twin(tmp_path_factory.mktemp("stale"), tokens=9) as person:
        (person.folder / "site.pdf").write_bytes(b"%PDF-1.4 one\n")
        path = write_csv(person.folder / "monthly.csv", [csv_row(n) for n in (1, 2, 3)])
        lines = path.read_text("utf-8-sig").splitlines()
        text = [f"{lines[0]},{COLUMNS}", f"{lines[1]},site.pdf,ours"]
        path.write_text("\n".join([*text, *(f"{each},," for each in lines[2:])]))
        done = person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet")
        assert done.returncode == 0, done.stderr
        yield person


@pytest.fixture
def person(desk):
    """Put all of it back afterwards."""
    names = ("monthly.csv", "plan.json", "site.pdf")
    kept = {name: (desk.folder / name).read_bytes() for name in names}
    yield desk
    for name, content in kept.items():
        (desk.folder / name).write_bytes(content)
    desk.key, desk.environment = None, {}


def _refused(person, *words):
    """Carry the plan out; give the code, what was said, and what was made."""
    done = person.run("submit", "plan.json", *YES, *words)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.strip(), person.state()["projects"]


def _stale(*changes):
    return _no_use(
        f"The plan is stale; nothing more is sent. {' '.join(changes)} {AGAIN}, and "
        "have it approved again if need be."
    )


def _no_use(why):
    return 2, f"kawe: {why}", []


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("End date", "2030-10-30"),
        ("Description", "Two culverts."),
        ("Description", ""),
        ("Files", "site.pdf"),
    ],
)
def test_one_cell_changed(person, heading, text):
    change_cell(person.folder / "monthly.csv", row=3, heading=heading, text=text)
    assert _refused(person) == _stale(f"{CHANGED}3.")


def test_another_reference_makes_another_row(person):
    change_cell(person.folder / "monthly.csv", row=3, heading="Reference", text="R-9")
    gone = "Gone (as the plan counts): monthly!3."
    assert _refused(person) == _stale("Not in the plan: monthly!3.", gone)


def test_a_column_was_taken_out(person):
    path = person.folder / "monthly.csv"
    text = path.read_text("utf-8").replace("Description", "Something else")
    path.write_text(text, "utf-8")
    assert _refused(person) == _stale(f"{CHANGED}2 to 4.")


def test_the_bytes_of_an_attachment_changed(person):
    (person.folder / "site.pdf").write_bytes(b"%PDF-1.4 two\n")
    assert _refused(person) == _stale(f"{CHANGED}2.")


def test_an_attachment_is_gone(person):
    (person.folder / "site.pdf").unlink()
    assert _refused(person) == _stale(f"{CHANGED}2.")


def test_a_plan_of_an_older_kawe_is_refused_with_how_to_make_it_again(person):
    path = person.folder / "plan.json"
    path.write_text(path.read_text().replace("kawe.plan/5", "kawe.plan/4"))
    why = f"The plan was made by an older kawe. {AGAIN}. Nothing was sent."
    assert _refused(person) == _no_use(why)


def test_another_key_of_the_same_team(person):
    person.key = another_key(person)
    assert _refused(person) == _stale("It was made with another key.")


def test_other_rules_for_rows(person):
    reseal_plan(person.folder / "plan.json", rules="0" * 64, kawe="9.9")
    code, said, made = _refused(person)
    is_said = "made by kawe 9.9 with other rules for rows" in said
    assert (code, is_said, made) == (2, True, [])


def test_the_plan_was_edited_by_hand(person):
    change_plan(person.folder / "plan.json", sends=99)
    why = f"The plan was changed after kawe made it. {AGAIN}. Nothing was sent."
    assert _refused(person) == _no_use(why)


def test_a_file_that_is_no_plan(person):
    (person.folder / "plan.json").write_text('{"schema": "kawe.result/1"}')
    code, said, made = _refused(person)
    assert (code, said.startswith("kawe: This is no plan"), made) == (2, True, [])


@pytest.mark.parametrize(
    "words", [("--send",), ("--update-drafts",), ("--kind", "projects")]
)
def test_what_a_plan_was_made_with_cannot_be_said_again(person, words):
    code, said, made = _refused(person, *words)
    assert (code, f"{words[0]} belongs to kawe plan" in said, made) == (2, True, [])


def test_a_column_that_kawe_does_not_read_may_change(person):
    path = person.folder / "monthly.csv"
    change_cell(path, row=2, heading="Our own remarks", text="changed")
    done = person.run("submit", "plan.json", "--yes", "2", "--no-input", "--quiet")
    said = "and 2 were agreed to" in done.stderr
    assert (done.returncode, said, person.state()["projects"]) == (2, True, [])


def test_a_draft_was_edited_in_the_portal(person_with):
    person = person_with(tokens=9, rows=(1, 2))
    person.run("submit", "monthly.csv", "--drafts-only", *YES)
    person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet")
    in_the_portal(person, "R-2", description="Theirs.")
    before = person.sends()
    assert (
        person.stderr_of("submit", "plan.json", *YES, code=2).strip(),
        person.sends(),
    ) == (_stale(f"{CHANGED}3.")[1], before)
