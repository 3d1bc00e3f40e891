"""The query string of a list."""

import pytest

from kawe_contract.operations import OPERATIONS
from kawe_twin.calls.call import Query, read_query

PROJECTS = OPERATIONS["project_list"]
RECEIPTS = OPERATIONS["receipt_list"]


def test_repeated_values_are_all_kept_and_empty_text_asks_for_nothing():
    given = {"type": ["OTHER", "EARTHWORKS"], "search": [""], "page": ["2"]}
    query, problems = read_query(given, operation=PROJECTS)
    assert (query, problems) == (Query(page=2, limit=20, given=given), [])
    assert query.last("search") == ""


@pytest.mark.parametrize(
    "given",
    [
        {"organisation": ["Ours"]},
        {"organization": ["Ours"]},
        {"organisation": ["Ours"], "organization": ["Theirs"]},
        {"organization": ["Theirs", "Ours"]},
    ],
)
def test_a_parameter_may_be_spelt_the_american_way(given):
    query, _ = read_query(given, operation=PROJECTS)
    assert (query.limit, query.last("organisation")) == (20, "Ours")


def test_parameters_of_other_operations_are_ignored():
    given = {"type": ["NOT_A_TYPE"], "status": ["?"]}
    assert read_query(given, operation=RECEIPTS) == (Query(limit=10), [])


@pytest.mark.parametrize("page", ["-1", "1.0", "１", "1_0", " 1", "9" * 19, "x"])
def test_a_page_is_a_plain_whole_number(page):
    _, problems = read_query({"page": [page]}, operation=PROJECTS)
    assert [problem.path for problem in problems] == ["page"]


@pytest.mark.parametrize(
    "name",
    ["page", "limit", "type", "status", "priority", "assigned_to", "active_status"],
)
def test_a_parameter_without_a_value_is_no_number_choice_or_id(name):
    _, problems = read_query({name: [""]}, operation=PROJECTS)
    assert [problem.path for problem in problems] == [name]
