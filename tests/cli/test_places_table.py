"""Addresses without coordinates: a link to a map, and a table of places."""

import json
from dataclasses import replace

import pytest
from openpyxl import load_workbook

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.machine import AskedToStop
from doubles.terminal import Terminal
from kawe.cases.kit import NoProgress, Toolkit
from kawe.domain.batch.readings import Reading
from kawe.settings.values import Settings
from unit.workbook.books import book

YES = ("--yes", "9", "--no-input")
WITH_ADDRESS = (*HEADINGS, "Address")
LINZ = ("WKT", "address_id", "full_address", "shape_X", "shape_Y", "gd2000_xcoord")
HOSTILE = '=HYPERLINK("http://evil.example/?a=1&b=2#x")\u202e ' + "ā" * 300
CONTACT = ("Contact name", "Contact role", "Phone")
AROHA = ("Aroha", "Planner", "021 555 0142")
SEARCH = "https://www.google.com/maps/search/?api=1&query="


def write(person, *addresses, name="monthly.csv", **changes):
    rows = [
        [*csv_row(n, Latitude="", Longitude="", **changes), address]
        for n, address in enumerate(addresses, start=1)
    ]
    return write_csv(person.folder / name, rows, headings=WITH_ADDRESS)


def write_places(person, *rows, headings=("Full address", "Latitude", "Longitude")):
    return write_csv(person.folder / "places.csv", rows, headings=headings)


def findings(person, *arguments):
    """Give where each thing was first found, and what was said, by rule."""
    done = person.run("check", *arguments, "--json")
    return {
        each["rule"]: (each["where"], each["message"])
        for each in reversed(json.loads(done.stdout)["findings"])
    }


def test_an_address_alone_has_a_link_to_a_map_where_its_row_is_to_correct(person):
    write(person, "12 School Road, Ōtāhuhu", HOSTILE, "")
    done = person.run("submit", "monthly.csv", *YES, "--failed", "wrong.xlsx")
    links = []
    for path, sheet in (("monthly.result.xlsx", "monthly"), ("wrong.xlsx", "monthly")):
        rows = load_workbook(person.folder / path)[sheet].iter_rows()
        links.append(
            [c.hyperlink.target for r in rows for c in r if c.value == "Find on a map"]
        )
    advice = json.loads((person.folder / "wrong.json").read_text("utf-8"))["rows"]

    assert done.returncode == 3
    assert links[0] == links[1]
    assert links[0][0] == SEARCH + "12%20School%20Road%2C%20%C5%8Ct%C4%81huhu"
    assert links[0][1].startswith(SEARCH + "%3DHYPERLINK%28%22http%3A%2F%2Fevil")
    assert len(links[0]) == 2
    assert len(links[0][1]) < 1_000
    assert links[0][1].isascii()
    assert "\u202e".encode().hex() not in links[0][1].lower()
    assert ["--places FILE" in each["what_to_do"] for each in advice] == [
        True,
        True,
        False,
    ]


def test_a_table_of_addresses_gives_places_and_only_to_those_it_has(person):
    write(
        person,
        "12 School St., Otahuhu",
        "12 School Street, Papakura",
        "12 School Street, Papatoetoe",
        "3 Rātā Road",
        "",
    )
    write_places(
        person,
        ["12 School Street, Ōtāhuhu", "-36.9478", "174.8454"],
        ["12 School Street, Papatoetoes", "-36.9478", "174.8454"],
        ["3 Rata Rd", "-36.9478", "174.8454"],
        ["3 Rātā Road", "-36.9999", "174.8454"],
        ["No place", "", ""],
    )

    assert findings(person, "monthly.csv", "--places", "places.csv") == {
        "place-from-table": ("monthly!K2", "The place is taken from places.csv row 2."),
        "address-near": (
            "monthly!K4",
            (
                "places.csv has no such address. Did you mean “12 School Street, "
                "Papatoetoes” (row 3)?"
            ),
        ),
        "address-twice": (
            "monthly!K5",
            "places.csv has two places for this address: rows 4 and 5.",
        ),
        "place-needed": ("monthly!H3", "The row is to be sent but says no place."),
    }


def near_ones(person):
    """Write three addresses: one that is there, one near to it, one near to two."""
    write(person, "12 School Road, Gore", "12 Schol Rd, Gore", "7 Mian St")
    write_places(
        person,
        ["12 School Road, Gore", "-36.9478", "174.8454"],
        ["7 Main Street, Gore", "-36.9478", "174.8454"],
        ["7 Main Street, Winton", "-36.9999", "174.8454"],
    )
    return "monthly.csv", "--places", "places.csv"


def test_the_only_near_address_is_taken_where_a_person_accepts_it(person):
    words = near_ones(person)
    asked = person.run("check", *words)
    person.run("submit", *words, *YES)
    unaccepted = sorted(person.sends_of_each())
    accepted = findings(person, *words, "--accept", "addresses")
    person.run("submit", *words, *YES, "--accept", "addresses")

    assert asked.returncode == 3
    assert "or run again with --accept addresses." in asked.stdout
    assert unaccepted == ["R-1"]
    assert accepted["place-from-near"] == (
        "monthly!K3",
        "The place is taken from places.csv row 2, “12 School Road, Gore”.",
    )
    assert accepted["address-near"][0] == "monthly!K4"
    assert sorted(person.sends_of_each()) == ["R-1", "R-2"]


def many_near(person, *more):
    """Write four addresses that are near to one each, two of them the same."""
    write(person, "12 Schol Rd", "3 Mian St", "12 Schol Rd", "5 Quey St", *more)
    write_places(
        person,
        ["12 School Road", "-36.9478", "174.8454"],
        ["3 Main Street", "-36.9478", "174.8454"],
        ["5 Quay Street", "-36.9478", "174.8454"],
    )
    return "monthly.csv", "--places", "places.csv"


@pytest.mark.parametrize(
    ("answer", "rows"),
    [
        ("", []),
        ("no", []),
        ("4", []),
        ("2 or so", []),
        ("yes", ["R-1", "R-2", "R-3", "R-4"]),
        ("2-3", ["R-2", "R-4"]),
        ("1, 3", ["R-1", "R-3", "R-4"]),
    ],
)
def test_near_addresses_are_taken_all_none_or_by_number(person, answer, rows):
    terminal = Terminal(person, "submit", *many_near(person))
    terminal.answer("anything else takes none of them", answer)
    if rows:
        terminal.answer(f"Type {len(rows)} to send", str(len(rows)))
    terminal.end()

    assert "1  Rows 2 and 4: 12 Schol Rd → 12 School Road" in terminal.screen
    assert "3  Row 5: 5 Quey St → 5 Quay Street" in terminal.screen
    assert sorted(person.sends_of_each()) == rows


def test_an_address_that_was_confirmed_is_not_asked_about_again(person):
    terminal = Terminal(person, "check", *many_near(person), "--offline")
    terminal.answer("anything else takes none of them", "1")
    terminal.end()
    again = Terminal(person, "check", *many_near(person, "9 Far Away"), "--offline")
    again.answer("anything else takes none of them", "")
    again.end()
    found = findings(person, *many_near(person), "--offline")
    kept = person.run("columns").stdout
    person.run("columns", "monthly.csv", "--forget")
    forgotten = findings(person, *many_near(person), "--offline")

    assert "1 address: Kept for sheets with these headings" in terminal.screen
    assert "Schol Rd →" not in again.screen
    assert "1  Row 3: 3 Mian St → 3 Main Street" in again.screen
    assert found["place-from-table"] == (
        "monthly!K2",
        "The place is taken from places.csv row 2, “12 School Road”, as you said.",
    )
    assert "Address “12 schol road” → “12 school road”" in kept
    assert "place-from-table" not in forgotten


def test_what_is_said_of_columns_later_leaves_the_confirmed_addresses(person):
    terminal = Terminal(person, "check", *many_near(person), "--offline")
    terminal.answer("anything else takes none of them", "1")
    terminal.end()
    person.run("columns", "monthly.csv", "--set", "Name=Description")

    kept = person.run("columns").stdout
    assert "“name” → Description" in kept
    assert "Address “12 schol road” → “12 school road”" in kept


def test_a_question_reads_the_workbook_and_the_table_of_places_once(person):
    write(person, "12 School Rd")
    write_places(person, ["12 School Road", "-36.9478", "174.8454"])
    reading = Reading(
        workbook=person.folder / "monthly.csv", places=person.folder / "places.csv"
    )
    toolkit = Toolkit(
        settings=Settings(base_url="http://127.0.0.1:9", key="k"),
        progress=NoProgress(),
        halt=AskedToStop(),
    )
    asked = toolkit.read(reading).rows[0]
    read = toolkit.afresh().read(replace(reading, given={"phase": "Lodged"})).rows[0]
    write_places(person, ["12 School Road", "-36.9999", "174.8454"])
    changed = toolkit.read(reading).rows[0]

    # The same objects, which nothing that is read anew has.
    assert asked.raw is read.raw
    assert asked.value("latitude") is read.value("latitude")
    assert changed.value("latitude") == "-36.9999"


def test_a_plan_keeps_that_near_addresses_were_accepted(person):
    terminal = Terminal(person, "plan", *near_ones(person), "-o", "plan.json")
    terminal.answer("anything else takes none of them", "yes")
    terminal.end()
    person.run("submit", "plan.json", *YES)
    assert sorted(person.sends_of_each()) == ["R-1", "R-2"]


def test_the_columns_of_one_address_are_joined_for_the_table_of_addresses(person):
    headings = (*HEADINGS, "Address", "Suburb", "Town")
    rows = [
        ["12 Main St", "Ōtāhuhu", "Auckland"],
        ["12 Main St", "Otahuhu", ""],
        ["9 Quay St., Napier South", "Napier South", "Napier"],
        ["14 Main Street", "Ōtāhuhu", "Auckland"],
        ["16 Mian Street", "", ""],
        ["12 Otahuhu Road", "Ōtāhuhu", ""],
        ["14 Main Street", "", ""],
        ["7 Hill Rd", "Ōtāhuhu", ""],
    ]
    cells = [
        [*csv_row(n, Latitude="", Longitude=""), *each]
        for n, each in enumerate(rows, start=1)
    ]
    write_csv(person.folder / "monthly.csv", cells, headings=headings)
    here = ("-36.9478", "174.8454")
    places = [
        ("12 Main Street, Ōtāhuhu, Auckland", *here),
        ("14 Main Street, Ōtāhuhu, Auckland 1062", *here),
        ("14 Main Street, Papakura", *here),
        ("12 Otahuhu Road, Otahuhu", *here),
        ("9 Quay Street, Napier South, Napier", *here),
        ("16 Main Street, Papakura", *here),
        ("7 Hill Road, Otahuhu, Auckland", *here),
        ("7 Hill Road, Otahuhu, Dargaville", *here),
    ]
    write_places(person, *places)
    done = person.document("check", "monthly.csv", "--places", "places.csv")
    said = {
        int(each["where"].rpartition("!K")[2]): each["message"]
        for each in done["findings"]
        if "!K" in each["where"]
    }
    missing, row = "places.csv has no such address. Did you mean", "The place is taken"
    first = "“14 Main Street, Ōtāhuhu, Auckland 1062” (row 3)"
    hill = "“7 Hill Road, Otahuhu, {}” (row {})"
    hill = f"{hill.format('Auckland', 8)} or {hill.format('Dargaville', 9)}"
    # What is found in one row of the list is said of all rows together.
    assert done["counts"] == {"ready": 5, "to correct": 3}
    assert said == {
        2: f"{row} from places.csv row 2.",
        4: f"{row} from places.csv row 6.",
        5: f"{row} from places.csv row 3.",
        6: f"{missing} “16 Main Street, Papakura” (row 7)?",
        7: f"{row} from places.csv row 5.",
        8: f"{missing} {first} or “14 Main Street, Papakura” (row 4)?",
        9: f"{missing} {hill}?",
    }


def test_the_table_of_addresses_may_have_several_columns_of_one_address(person):
    write(person, "12 Main St, Ōtāhuhu", "12 Main St, Papakura")
    write_places(
        person,
        ["12 Main Street", "Ōtāhuhu", "-36.9478", "174.8454"],
        ["12 Main Street", "Papakura", "-37.0646", "174.9439"],
        headings=("Address", "Suburb", "Latitude", "Longitude"),
    )
    done = person.document("check", "monthly.csv", "--places", "places.csv")
    assert [e["message"] for e in done["findings"] if "!K" in e["where"]] == [
        "The place is taken from places.csv row 2.",
        "The place is taken from places.csv row 3.",
    ]


def test_a_street_of_a_list_without_towns_is_not_taken_for_that_of_a_town(person):
    rows = [
        [*csv_row(n, Latitude="", Longitude=""), "12 High Street", town]
        for n, town in ((1, "Carterton"), (2, ""))
    ]
    write_csv(person.folder / "monthly.csv", rows, headings=(*WITH_ADDRESS, "Town"))
    write_places(person, ["12 High Street", "-40.9512", "175.6512"])
    done = person.document("check", "monthly.csv", "--places", "places.csv")
    assert [e["message"] for e in done["findings"] if "!K" in e["where"]] == [
        "places.csv has no such address. Did you mean “12 High Street” (row 2)?",
        "The place is taken from places.csv row 2.",
    ]


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        (("Address", "Easting", "Northing"), ["1 A Rd", "1764390", "5908600"]),
        (
            LINZ,
            [
                *("POINT (174.8454 -36.9478)", "7", "1 A Rd", "174.8454", "-36.9478"),
                "174.8454",
            ],
        ),
        (
            ("WKT", "full_address", "gd2000_xcoord", "gd2000_ycoord"),
            ["POINT (174.8454 -36.9478)", "1 A Rd", "174.8454", "-36.9478"],
        ),
        (("WKT", "full_address"), ["POINT (174.8454 -36.9478)", "1 A Rd"]),
        (
            ("full_address", "gd2000_xcoord", "gd2000_ycoord"),
            ["1 A Rd", "174.8454", "-36.9478"],
        ),
    ],
)
def test_linz_addresses_and_metres_are_read(person, headings, row):
    write(person, "1 A Road")
    write_places(person, row, headings=headings)
    done = person.run("submit", "monthly.csv", *YES, "--places", "places.csv")

    (project,) = person.state()["projects"]
    assert (done.returncode, project["sends"]) == (0, 1)


def test_a_plan_keeps_the_table_and_is_stale_when_the_place_changes(person):
    write(person, "1 A Road")
    write_places(person, ["1 A Rd", "-36.9478", "174.8454"])
    planned = person.run(
        "plan", "monthly.csv", "--places", "places.csv", "-o", "plan.json"
    )
    kept = json.loads((person.folder / "plan.json").read_text("utf-8"))["reading"]
    write_places(person, ["1 A Rd", "-36.9999", "174.8454"])
    stale = person.run("submit", "plan.json", *YES)
    write_places(person, ["1 A Rd", "-36.9478", "174.8454"])
    done = person.run("submit", "plan.json", *YES)

    assert planned.returncode == 0
    assert kept["places"] == str((person.folder / "places.csv").resolve())
    assert stale.returncode != 0
    assert "The plan is stale" in stale.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "--places: There is no"),
        (b"", "--places: "),
        (b"Name,Phone\nA,1\n", "--places: kawe found no headings that it knows"),
        (b"Address,Latitude\n1 A Road,\n", ""),
        (
            b"Address,CRS\n1 A Road,NZTM\n",
            "--places: places.csv has no columns of addresses and coordinates.",
        ),
    ],
)
def test_a_table_that_is_none_is_refused_in_one_sentence(person, content, said):
    write(person, "1 A Road")
    if content is not None:
        (person.folder / "places.csv").write_bytes(content)
    done = person.run("check", "monthly.csv", "--places", "places.csv")

    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "template" not in done.stderr


def test_people_have_no_places(person):
    rows = [["Aroha", "aroha@example.org", "Member"]]
    write_csv(person.folder / "team.csv", rows, headings=("Name", "Email", "Role"))
    write_places(person, ["1 A Rd", "-36.9478", "174.8454"])
    done = person.run("check", "team.csv", "--places", "places.csv")

    assert "--places changes nothing for a sheet of invitations." in done.stderr
    assert done.returncode == 0


def test_a_sheet_of_organisations_completes_the_new_ones(person):
    headings = [*HEADINGS, "Client"]
    rows = [
        [*csv_row(1), "Kāpehu Ltd"],
        [*csv_row(2), "KAPEHU LTD"],
        [*csv_row(3), "Nobody Ltd"],
    ]
    sheets = {
        "Projects": [headings, *rows],
        "Clients": [
            ["Name", "Address", "Town", "Lat", "Long", *CONTACT],
            ["Kapehu Ltd", "1 A Road", "Hāwera", -39.59, 174.28, *AROHA],
        ],
    }
    (person.folder / "jobs.xlsx").write_bytes(book(sheets))
    found = findings(person, "jobs.xlsx")
    every = person.document("check", "jobs.xlsx", "--all-sheets")
    done = person.run("submit", "jobs.xlsx", *YES)
    state = person.state()

    assert found == {
        "contact-shared": (
            "Projects!K2",
            "The contact is taken from row 2 of Clients.",
        ),
        "organisation-shared": (
            "Projects!K2",
            "The address of Kāpehu Ltd is taken from row 2 of Clients.",
        ),
        "organisation-new": (
            "Projects!K4",
            (
                "The team has no organisation of this name, and a new one needs "
                "an address, a latitude and a longitude."
            ),
        ),
    }
    assert "organisations of the projects" in json.dumps(every)
    assert done.returncode == 3
    assert sorted(each["reference"] for each in state["projects"]) == ["R-1", "R-2"]


def test_an_organisation_that_its_sheet_has_in_part_is_said_with_its_row(person):
    rows = [[*csv_row(1), "Whole Ltd"], [*csv_row(2), "Part Ltd"]]
    sheets = {
        "Projects": [[*HEADINGS, "Client"], *rows],
        "Clients": [
            ["Client", "Street", "Town", "Lat", "Long"],
            ["Whole Ltd", "1 A Road", "Hāwera", -39.59, 174.28],
            ["Part Ltd", "2 A Road", "Hāwera", None, None],
        ],
    }
    (person.folder / "jobs.xlsx").write_bytes(book(sheets))
    found = findings(person, "jobs.xlsx")

    assert found["organisation-shared"] == (
        "Projects!K2",
        "The address of Whole Ltd is taken from row 2 of Clients.",
    )
    assert found["organisation-partly"] == (
        "Projects!K3",
        "Row 3 of Clients has no address or no place that kawe can read.",
    )


def test_a_sheet_of_clients_that_holds_projects_or_nothing_stops_nothing(person):
    project = [*csv_row(1), "A Ltd"]
    books = {
        "one.xlsx": {"Readme": [["Read me"]], "Clients": [HEADINGS, csv_row(1)]},
        "two.xlsx": {
            "Projects": [[*HEADINGS, "Client"], project, [*csv_row(2), "A Ltd"]],
            "Clients": [["Just names"], ["A Ltd"]],
        },
    }
    for name, sheets in books.items():
        (person.folder / name).write_bytes(book(sheets))
    read = [person.document("check", name, "--offline")["rows_read"] for name in books]

    assert read == [1, 2]


def test_a_sheet_of_organisations_with_two_tables_is_not_left_out_in_silence(person):
    table = [["Name", "Address", "Lat", "Long", *CONTACT]]
    table += [["A Ltd", "1 A Road", -39.59, 174.28, *AROHA]]
    turned = [[*each[1::-1], *each[2:]] for each in table]
    sheets = {
        "Projects": [[*HEADINGS, "Client"], [*csv_row(1), "A Ltd"]],
        "Clients": [*table, [], *turned],
    }
    (person.folder / "jobs.xlsx").write_bytes(book(sheets))
    done = person.run("submit", "jobs.xlsx", *YES)

    assert "Sheet “Clients” has 2 tables: " in done.stderr
    assert "Keep one table of organisations there, and move the others." in done.stderr
    assert (done.returncode, person.state()["projects"]) == (5, [])


def test_a_list_with_the_parts_of_an_address_in_columns_is_read(person):
    headings = ("address_number", "address_number_suffix", "road_name")
    headings += ("suburb_locality", "town_city", "gd2000_xcoord", "gd2000_ycoord")
    here = ("174.8454", "-36.9478")
    write_places(
        person,
        ["12", "", "School Road", "Ōtāhuhu", "Auckland", *here],
        ["14", "A", "School Road", "Ōtāhuhu", "Auckland", *here],
        ["16", "", "School Road", "Ōtāhuhu", "Auckland", *here],
        headings=headings,
    )
    said = "12 School Rd, Ōtāhuhu, Auckland", "14 School Rd, Ōtāhuhu, Auckland"
    write(person, *said, "16 School Rode")
    found = person.document("check", "monthly.csv", "--places", "places.csv")
    assert {
        each["where"]: each["message"]
        for each in found["findings"]
        if each["rule"] in {"place-from-table", "address-near"}
    } == {
        "monthly!K2": "The place is taken from places.csv row 2.",
        "monthly!K4": "places.csv has no such address. Did you mean “16 School Road, "
        "Ōtāhuhu, Auckland” (row 4)?",
    }
