"""kill -9 with real processes: nothing lost, nothing doubled."""

import pytest

from doubles.command import at_a_twin, csv_row, write_csv

ROWS = 24
SUBMIT = ("submit", "monthly.csv", "--yes", "99", "--no-input", "--settle", "1")


@pytest.fixture
def person(tmp_path):
    with at_a_twin(tmp_path, tokens=99, latency_ms=20) as person:
        write_csv(person.folder / "monthly.csv", [csv_row(n) for n in range(ROWS)])
        yield person


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param((3, 0), (12, 0), marks=pytest.mark.short_campaign),
        ((10, 0), (ROWS, 5)),
        pytest.param((ROWS, 2), (ROWS, 15), marks=pytest.mark.short_campaign),
        pytest.param((ROWS, 20), (ROWS, 22), marks=pytest.mark.short_campaign),
    ],
)
def test_killed_twice_and_run_again_each_row_is_sent_exactly_once(
    person, first, second
):
    for projects, sends in (first, second):
        process = person.start(*SUBMIT)
        person.kill_when(process, projects=projects, sends=sends)
    done = person.document(*SUBMIT)
    seen = person.state()["projects"]
    assert (
        done["exit_code"],
        done["rows_read"],
        done["counts"],
        len(seen),
        {each["sends"] for each in seen},
    ) == (0, ROWS, {"sent": ROWS}, ROWS, {1})


def test_a_run_after_success_makes_no_unsafe_call(person):
    person.run(*SUBMIT)
    before = person.state()["requests"]
    person.run(*SUBMIT)
    after = person.state()["requests"]
    unsafe = ("project_create", "project_send", "iwi_count")
    assert {name: after[name] for name in unsafe} == {
        name: before[name] for name in unsafe
    }
