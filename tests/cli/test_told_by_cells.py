"""What a heading alone does not say, the cells below it do."""

import pytest

from doubles import works
from doubles.works import HEAD, checked, lay


def row(n):
    return works.row(n)[:7]


def read_as(person, text, *words):
    """Give what each heading of a table is read as; `?` marks a guess."""
    (person.folder / "list.csv").write_text(text, "utf-8")
    document = checked(person, *words, name="list.csv")
    return {
        each["heading"]: f"{each['field']}{'?' * (each['how'] == 'guess')}"
        for each in document["reading"]["columns"]
    }


@pytest.mark.parametrize(
    ("values", "field"),
    [
        (("Member", "Admin", "Standard"), "role"),
        (("Mema", "Mema", "Member"), "role"),
        (("Planner", "Engineer", "Planner"), "org_role"),
        (("Member", "Engineer", "Planner"), "org_role"),
    ],
)
def test_turanga_is_a_role_where_all_its_values_are_roles(newcomer, values, field):
    rows = [f"{e},P{n} Q,p{n}@x.nz" for n, e in enumerate(values)]
    for turanga in ("Tūranga", "Tūranga / Position", "Position"):
        text = "\n".join([f"{turanga},Ingoa,Īmēra", *rows])
        read = {turanga: field, "Ingoa": "name", "Īmēra": "email"}
        assert read_as(newcomer, text) == read


def test_turanga_stays_a_job_beside_a_column_of_roles(newcomer):
    text = "Tūranga,Ingoa,Īmēra,Role\nMember,P Q,p@x.nz,Member\n"
    assert read_as(newcomer, text)["Tūranga"] == "org_role"


def test_the_day_on_which_submissions_close_is_that_to_respond_by(newcomer):
    head = [*HEAD[:6], "Submissions open", "Submissions close"]
    lines = [head, *([*row(n)[:6], "2027-01-05", "2027-02-01"] for n in (1, 2))]
    read = read_as(newcomer, "\n".join(map(",".join, lines)))
    days = read["Submissions open"], read["Submissions close"]
    assert days == ("None", "respond_by_date?")


def test_what_speaks_of_something_else_is_not_guessed(newcomer):
    lines = [[*HEAD[:5], "Completion", "Lapse date", "Date sent", "Supplier"]]
    lines += [[*row(n)[:6], "2032-03-01", "2027-01-05", f"Firm {n}"] for n in (1, 2)]
    read = [*read_as(newcomer, "\n".join(map(",".join, lines))).values()]
    assert read[5:] == ["end_date?", "None", "None", "None"]


def projects(columns):
    rows = [",".join(map(str, [*row(n), *columns.values()])) for n in (1, 2)]
    return "\n".join([",".join([*HEAD, *columns]), *rows])


def test_of_two_unknown_texts_the_shorter_is_the_name(newcomer):
    what = "Replace culvert {} with one that is larger and plant the banks"
    rows = [[n, what.format(n), f"Culvert {n} renewal at Mill Stream"] for n in (1, 2)]
    lines = [[*HEAD[3:], "No", "Bravo", "Charlie"], *([*row(1)[3:], *e] for e in rows)]
    for order in ((0, 1), (1, 0)):
        swapped = [[*e[:-2], *(e[-2:][at] for at in order)] for e in lines]
        read = read_as(newcomer, "\n".join(",".join(map(str, e)) for e in swapped))
        assert (read["Bravo"], read["Charlie"]) == ("description?", "name?")


def test_days_that_no_heading_tells_apart_are_guessed_as_they_follow(newcomer):
    days = {"2027-02-0{}": "respond_by_date?", "2027-03-0{}": "start_date?"}
    days["2027-09-0{}"] = "end_date?"
    for order in (sorted(days), sorted(days, reverse=True)):
        head = [*HEAD[:4], "Date 1", "Date 2", "Date 3"]
        rows = [[*row(n)[:4], *(each.format(n) for each in order)] for n in (1, 2, 3)]
        read = read_as(newcomer, "\n".join(map(",".join, [head, *rows])))
        assert [read[each] for each in head[4:]] == [days[each] for each in order]


def test_where_no_column_is_the_name_the_shorter_description_may_be_it(newcomer):
    for head in (["Ref", "Proposal", *HEAD[2:]], ["Ref", "Description", "Proposal"]):
        whole = [*head, *HEAD[3:]][:7]
        cells = {each: row(1)[at] for at, each in enumerate(HEAD)}
        cells["Proposal"], cells["Description"] = "Ford 1", "A ford is put in {}."
        rows = [[cells[each].format(n) for each in whole] for n in (1, 2)]
        read = read_as(newcomer, "\n".join(map(",".join, [whole, *rows])))
        assert (read["Proposal"], read["Description"]) == ("name?", "description")


def test_a_town_and_a_cost_are_neither_name_nor_reference(newcomer):
    lines = [[*HEAD[2:], "Town", "Cost"]]
    lines += [
        [*row(n)[2:], town, f"{n}00"] for n, town in enumerate(("Levin", "Bulls"))
    ]
    read = read_as(newcomer, "\n".join(map(",".join, lines)))
    assert (read["Town"], read["Cost"]) == ("None", "None")


def test_a_second_place_is_not_that_of_an_organisation_that_is_not_there(newcomer):
    two = {"Latitude": -36.8512, "Longitude": 174.7612}
    two |= {"Latitude 2": -36.8612, "Longitude 2": 174.7712}
    read = read_as(newcomer, projects(two))
    assert [read["Latitude 2"], read["Longitude 2"]] == ["None", "None"]


def test_of_two_addresses_of_email_each_person_has_one_of_their_own(newcomer):
    people = [f"P{n} Q,pat@x.nz,p{n}@x.nz,Member" for n in (1, 2, 3)]
    for head in (
        "Name,Consultant email,PM email,Role",
        "Name,Boss email,Own email,Role",
    ):
        read = read_as(newcomer, "\n".join([head, *people]), "--kind", "invitations")
        _, shared, own, _ = head.split(",")
        assert (read[shared], read[own]) == ("None", "email?")


def test_codes_of_a_job_or_consent_are_guessed_to_be_the_reference(newcomer):
    for heading in ("Job", "Consent", "Authorisation"):
        lines = [[heading, *HEAD[1:]], *(row(n) for n in (1, 2))]
        read = read_as(newcomer, "\n".join(map(",".join, lines)))
        assert read[heading] == "reference?"


@pytest.mark.parametrize(
    ("columns", "read"),
    [
        (
            {"Engineer": "Mere Pene", "Cell": "021 555 0142", "Email": "m@x.nz"},
            ["contact_name?", "contact_phone?", "contact_email"],
        ),
        ({"Engineer": "Mere Pene"}, ["None"]),
        (
            {"Engineer": "M Pene", "Email": "m@x.nz", "Engineer email": "m@x.govt.nz"},
            ["contact_name?", "contact_email", "None"],
        ),
        (
            {"Applicant": "Mill Ltd", "Applicant phone": "06 555 0100"},
            ["organisation", "contact_phone?"],
        ),
        ({"Rāwhiti": "1692100", "Raki": "5676100"}, ["easting?", "northing?"]),
        ({"Authorisation address": "1 Mill Road"}, ["address?"]),
        ({"Words for iwi": "Kia ora koutou"}, ["message"]),
        ({"Internal notes (not for iwi)": "Ask our lawyers first"}, ["None"]),
        ({"Grid reference": "Main Street depot"}, ["None"]),
        ({"Map grid system": "NZTM"}, ["coordinate_system?"]),
        ({"Longitude": 174.7612, "Y coord": -36.8512}, ["longitude", "latitude?"]),
        ({"X coord": 174.7612, "Y coord": -36.8512}, ["easting", "northing"]),
        ({"X coord": 1764390, "Y coord": 5908600}, ["easting", "northing"]),
    ],
)
def test_a_heading_is_read_by_what_stands_below_it(newcomer, columns, read):
    found = read_as(newcomer, projects(columns), "--kind", "projects")
    assert [found[each] for each in columns] == read


def test_a_contact_that_is_not_whole_is_one_sentence(newcomer):
    text = projects({"Latitude": -36.8512, "Longitude": 174.7612, "Email": "m@x.nz"})
    (newcomer.folder / "list.csv").write_text(text, "utf-8")
    found = checked(newcomer, name="list.csv")["findings"]
    assert {(e["rule"], e["message"]) for e in found} == {
        ("contact-incomplete", "A contact is given without name and role and phone.")
    }


def test_a_link_to_a_file_is_told_from_a_name(newcomer):
    link = "https://council.sharepoint.com/:b:/r/sites/x/plan.pdf"
    text = projects({"Latitude": -36.8512, "Longitude": 174.7612, "Files": link})
    (newcomer.folder / "list.csv").write_text(text, "utf-8")
    found = checked(newcomer, name="list.csv")["findings"]
    said = "it is an address. Download the file into the files folder."
    assert [each["message"] for each in found] == [f"“{link}” cannot be used: {said}"]


@pytest.mark.parametrize(
    ("sheet", "headings"),
    [
        ("Organisations", ["Name", "Address", "Latitude", "Longitude"]),
        ("Clients", ["Client", "Postal address", "Lat", "Long"]),
        ("Applicants", ["Applicant", "Street address", "GPS latitude", "Lng"]),
        (
            "Ngā whakahaere",
            ["Whakahaere / Organisation", "Wāhitau / Address", "Ahopae", "Ahopou"],
        ),
    ],
)
def test_new_organisations_may_stand_on_a_sheet_of_the_same_workbook(
    person_with, sheet, headings
):
    person = person_with()
    head = [*works.COLUMNS, "Organisation", "Send"]
    rows = [head, [*row(1), -36.8512, 174.7612, "New Trust", "Yes"]]
    trust = ["New Trust", "1 A Street", -40.7551, 175.1512]
    lay(person, rows, **{sheet: [headings, trust]})
    done = person.document("check", "works.xlsx")
    said = f"The address of New Trust is taken from row 2 of {sheet}."
    assert (done["exit_code"], done["counts"]) == (0, {"ready": 1})
    assert said in {each["message"] for each in done["findings"]}
