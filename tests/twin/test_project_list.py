"""GET /projects: filters, pages and tabs."""

import pytest

from kawe_twin.serving import TwinOptions, start_twin
from twin.asking import TWO_IWI, Asker


@pytest.fixture(scope="module")
def asker(tmp_path_factory):
    """Give the live key of a twin with ten known projects, two of them sent."""
    with start_twin(TwinOptions(folder=tmp_path_factory.mktemp("list"))) as running:
        made = Asker(running.address, running.address.live_key)
        types = ["EARTHWORKS", "EMERGENCY_WORKS", "OTHER"]
        for number in range(10):
            made.create(
                name=f"Mahi {number}",
                reference=f"R-{number + 1}",
                type=types[number % 3],
                address="Manawatū" if number < 4 else "Ōtaki",
            )
        summary = {"name": "Rōpū", "address": "x", "latitude": 1, "longitude": 2}
        made.create(name="Whare", reference="W%_1", organisation=summary, **TWO_IWI)
        for project in names_and_ids(made)[:2]:
            made.send(project[1], iwi=["ngati-tauira-ki-te-upoko"])
        yield made
        made.client.close()


def names_and_ids(asker):
    page = asker.object("GET", "/projects", params={"limit": 100})
    return [(one["name"], one["id"]) for one in page["data"]]


def names(asker, **params):
    page = asker.object("GET", "/projects", params={"limit": 100, **params})
    assert page["total"] == len(page["data"])
    return [one["name"].removeprefix("Mahi ") for one in page["data"]]


def test_projects_come_newest_first_with_drafts_among_them(asker):
    assert names(asker) == ["Whare", *"9876543210"]


def test_a_list_entry_has_no_flags(asker):
    entry = asker.object("GET", "/projects")["data"][0]
    assert not [name for name in entry if name.startswith("can_")]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("manawatu", "3210"),
        ("MANAWATŪ", "3210"),
        ("R-1", "90"),
        ("r-", "9876543210"),
        ("hi 4", "4"),
        ("%", ["Whare"]),
        ("W%_1", ["Whare"]),
        ('"', []),
        ("\0\0\0", []),
        ("AND", []),
        ("a taki", []),
    ],
)
def test_a_search_looks_in_name_reference_and_address(asker, search, found):
    assert names(asker, search=search) == list(found)


def test_values_of_one_parameter_are_alternatives(asker):
    assert names(asker, type=["OTHER", "EMERGENCY_WORKS"]) == list("875421")


def test_parameters_narrow_each_other(asker):
    found = names(
        asker, type=["OTHER", "EARTHWORKS"], search="Manawatū", priority="LOW"
    )
    assert found == ["2"]


def test_status_and_priority_filter(asker):
    assert names(asker, status="NEW") == ["Whare", "9"]
    assert names(asker, status=["NEW", "DRAFT"], priority="HIGH") == list("741")


def test_an_organisation_is_found_by_its_name(asker):
    assert names(asker, organisation="rōpū") == ["Whare"]
    assert names(asker, organisation="rō") == []
    assert names(asker, organization="rōpū") == ["Whare"]


def test_a_local_authority_is_found_by_its_name(asker):
    assert len(names(asker, local_authority="Tauira District")) == 11
    assert names(asker, local_authority="Elsewhere") == []


def test_nobody_is_assigned_yet(asker):
    assert names(asker, assigned_to="024fe072-a543-478e-9763-dbb633556da1") == []


def test_tabs_are_counted_before_the_tab_is_applied(asker):
    pages = [
        asker.object("GET", "/projects", params={"active_status": tab, "status": "NEW"})
        for tab in ("all", "active", "closed", "completed")
    ]
    assert [page["total"] for page in pages] == [2, 2, 0, 0]
    counts = {"all": 2, "active": 2, "closed": 0, "completed": 0}
    assert [page["tab_counts"] for page in pages] == [counts] * 4


def test_tabs_count_the_whole_result_and_not_the_page(asker):
    page = asker.object("GET", "/projects", params={"limit": 1})
    assert (len(page["data"]), page["tab_counts"]["all"]) == (1, 11)


def test_pages_follow_each_other(asker):
    params = {"limit": 4}
    pages = [
        asker.object("GET", "/projects", params={**params, "page": page})
        for page in (1, 2, 3, 4)
    ]
    found = [one["id"] for page in pages for one in page["data"]]
    assert found == [one[1] for one in names_and_ids(asker)]
    shape = [
        (page["total"], page["page"], page["limit"], page["total_pages"])
        for page in pages
    ]
    assert shape == [(11, page, 4, 3) for page in (1, 2, 3, 4)]


def test_a_page_far_past_the_end_is_empty(asker):
    page = asker.object("GET", "/projects", params={"page": "9" * 18, "limit": 100})
    assert page["data"] == []


def test_twenty_projects_come_without_a_limit(asker):
    assert asker.object("GET", "/projects")["limit"] == 20


def test_every_parameter_outside_its_values_is_told_with_400(asker):
    wrong = {"page": "0", "limit": "101", "type": "ROAD", "status": "OPEN"}
    wrong |= {"priority": "TOP", "active_status": "open", "assigned_to": "me"}
    answers = [asker.get("/projects", params=each) for each in (wrong, {"limit": "0"})]
    said = [each.json()["message"].split("; ") for each in answers]
    assert [each.status_code for each in answers] == [400, 400]
    assert [[one.partition(" must be")[0] for one in each] for each in said] == [
        [*wrong],
        ["limit"],
    ]
