"""When faults happen, as pure counting."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from kawe_twin.faults.kinds import no_tokens
from kawe_twin.faults.wrapping import SetFault, Trigger, api_name, storage_name

ID = "024fe072-a543-478e-9763-dbb633556da1"


def held(**when):
    fault = partial(no_tokens)
    return SetFault(id=1, kind="no_tokens", fault=fault, trigger=Trigger(**when))


@given(
    nth=st.integers(1, 20),
    count=st.none() | st.integers(0, 20),
    asked=st.integers(0, 40),
)
def test_a_certain_fault_happens_from_the_nth_match_count_times(nth, count, asked):
    fault = held(nth=nth, count=count)
    drawn = [fault.draw("user_read") for _ in range(asked)]
    last = asked if count is None else min(asked, nth - 1 + count)
    assert drawn == [nth <= number <= last for number in range(1, asked + 1)]
    assert (fault.matched, fault.happened) == (asked, drawn.count(True))


@given(seed=st.integers(), probability=st.floats(0, 1))
def test_the_same_seed_gives_the_same_run(seed, probability):
    runs = [held(seed=seed, probability=probability) for _ in range(2)]
    first, second = ([run.draw("x") for _ in range(50)] for run in runs)
    assert first == second


def test_other_operations_are_neither_matched_nor_counted():
    fault = held(operations=frozenset({"project_send"}), count=1)
    drawn = [fault.draw(name) for name in ("user_read", "project_send", "user_read")]
    assert (drawn, fault.matched) == ([False, True, False], 1)


def test_operations_are_known_by_method_and_path():
    asked = [
        ("GET", "/projects"),
        ("POST", "/projects"),
        ("PUT", f"/projects/{ID}/send"),
        ("PUT", f"/projects/{ID}/notes/{ID}"),
        ("GET", "/nowhere"),
        ("GET", "/portal/"),
        ("GET", "/_twin/state"),
    ]
    assert [api_name(*one) for one in asked] == [
        "project_list",
        "project_create",
        "project_send",
        "note_edit",
        "unknown",
        None,
        None,
    ]
    assert storage_name("POST", "/uploads") == "storage_post"
    assert storage_name("GET", f"/documents/{ID}") == "storage_get"
