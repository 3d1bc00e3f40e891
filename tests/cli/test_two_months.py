"""`kawe plan --since`: what is new, gone, postponed or renamed beside last month."""

from doubles.command import csv_row, write_csv

LAST = [csv_row(n, Latitude=f"-36.8{n}00") for n in range(1, 7)]
NOW = [
    # Another reference, and the same work.
    csv_row(1, Latitude="-36.8100", Reference="N-1"),
    csv_row(2, Latitude="-36.8200", **{"Respond by": "2030-04-15"}),
    csv_row(
        3, Latitude="-36.8300", **{"Start date": "2030-05-01", "End date": "2030-11-30"}
    ),
    csv_row(6, Latitude="-36.8600", Name="Ōtara footbridge"),
    csv_row(8, Latitude="-38.1000", Description="Bridge piers are strengthened."),
]
MOVED = "start 1 Mar 2030 → 1 May 2030, end 30 Sep 2030 → 30 Nov 2030"


def person_of_two_months(person_with, *, last=LAST):
    person = person_with(tokens=9)
    write_csv(person.folder / "june.csv", last)
    write_csv(person.folder / "july.csv", NOW)
    return person


def test_a_plan_says_what_is_different_from_last_month(person_with):
    person = person_of_two_months(person_with)
    done = person.run("plan", "july.csv", "--since", "june.csv")
    at = done.stdout.index("Beside june.csv")
    assert done.stdout[at:].splitlines()[:8] == [
        "Beside june.csv: 1 new, 2 gone, 2 postponed, 2 renamed, 0 repeated.",
        "  New: R-8 (Ōtāhuhu culvert 8)",
        "  Gone: R-4 (Ōtāhuhu culvert 4)",
        "  Gone: R-5 (Ōtāhuhu culvert 5)",
        "  Postponed: R-2 (Ōtāhuhu culvert 2): respond by 1 Apr 2030 → 15 Apr 2030",
        f"  Postponed: R-3 (Ōtāhuhu culvert 3): {MOVED}",
        "  Renamed: N-1 (Ōtāhuhu culvert 1): its reference was R-1",
        "  Renamed: R-6 (Ōtara footbridge): its name was Ōtāhuhu culvert 6",
    ]
    found = person.document("plan", "july.csv", "--since", "june.csv")["since"]
    dates = {each["reference"]: each["dates_before"] for each in found}
    names = {each["name_before"] or each["reference_before"] for each in found}
    assert [(each["reference"], each["what"]) for each in found] == [
        ("N-1", "renamed"),
        ("R-2", "postponed"),
        ("R-3", "postponed"),
        ("R-6", "renamed"),
        ("R-8", "new"),
        ("R-4", "gone"),
        ("R-5", "gone"),
    ]
    assert (dates["R-2"], dates["R-8"], names) == (
        ["2030-03-01", "2030-09-30", "2030-04-01"],
        [],
        {"Ōtāhuhu culvert 6", "R-1", None},
    )
    assert person.document("plan", "july.csv")["since"] is None


def test_a_list_of_the_past_is_compared_although_its_dates_have_gone_by(person_with):
    past = [
        csv_row(
            2,
            Latitude="-36.8200",
            **{
                "Start date": "2020-03-01",
                "End date": "2020-09-30",
                "Respond by": "2020-04-01",
            },
        )
    ]
    person = person_of_two_months(person_with, last=past)
    said = person.run("plan", "july.csv", "--since", "june.csv").stdout
    assert "Beside june.csv: 4 new, 0 gone, 1 postponed, 0 renamed, 0 repeated." in said
    assert "R-2 (Ōtāhuhu culvert 2): start 1 Mar 2020 → 1 Mar 2030" in said


def test_a_list_without_projects_is_refused_before_a_plan_is_written(person_with):
    person = person_of_two_months(person_with)
    write_csv(
        person.folder / "june.csv",
        [("Mere", "mere@example.org", "Member")],
        headings=("Name", "Email", "Role"),
    )
    done = person.run("plan", "july.csv", "--since", "june.csv", "-o", "plan.json")
    assert (done.returncode, (person.folder / "plan.json").exists()) == (2, False)
    assert "--since compares lists of projects, and one of the two has none" in (
        done.stderr
    )


def test_a_list_that_is_not_there_is_named(person_with):
    person = person_of_two_months(person_with)
    done = person.run("plan", "july.csv", "--since", "may.csv")
    assert (done.returncode, "may.csv" in done.stderr) == (5, True), done.stderr


def test_rows_without_a_reference_are_paired_by_what_they_say(person_with):
    last = [csv_row(n, Latitude=f"-36.8{n}00", Reference="") for n in (1, 2)]
    person = person_of_two_months(person_with, last=last)
    found = person.document("plan", "july.csv", "--since", "june.csv")["since"]
    assert [(each["reference"], each["what"]) for each in found] == [
        ("N-1", "repeated"),
        ("R-2", "postponed"),
        ("R-3", "new"),
        ("R-6", "new"),
        ("R-8", "new"),
    ]
