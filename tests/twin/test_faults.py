"""Lost, late, slow and cut answers, over real sockets."""

import time

import pytest

from twin.failing import ENDED, RESET


def test_a_drop_before_the_effect_resets_and_leaves_nothing(house):
    house.board.set("drop", "project_create", when="before", count=1)
    with pytest.raises(RESET):
        house.create(reference="F-1")
    assert house.line() == ("project_create", None, None, False, ["drop"])
    assert (house.projects("F-1"), house.board.ledger()[-1]["reference"]) == (0, "F-1")


def test_a_drop_after_the_effect_resets_and_the_project_is_there(house):
    house.board.set("drop", "project_create", when="after", count=1)
    with pytest.raises(RESET):
        house.create(reference="F-2")
    assert house.line() == ("project_create", 200, None, True, ["drop"])
    assert house.projects("F-2") == 1


def test_a_drop_ends_a_kept_alive_connection_as_well(house):
    house.asker.get("/user")
    house.board.set("drop", "user_read", count=1)
    with pytest.raises(RESET):
        house.asker.client.get("/user")
    assert house.asker.get("/user").status_code == 200


@pytest.mark.parametrize(("when", "count"), [("before", 0), ("after", 1)])
def test_a_5xx_comes_before_or_after_the_effect(house, when, count):
    house.board.set("server_error", "project_create", when=when, status_code=503)
    answer = house.create(reference=f"F-3-{when}")
    assert (answer.status_code, answer.json()["success"]) == (503, False)
    assert house.projects(f"F-3-{when}") == count
    assert house.line()[2:4] == (503, count == 1)


@pytest.mark.parametrize(("told", "expected"), [("drop", None), ("server_error", 504)])
def test_work_can_be_done_after_its_failure_was_told(house, told, expected):
    reference = f"F-late-{told}"
    house.board.set("late", "project_create", told=told, seconds=1.0)
    if expected is None:
        with pytest.raises(RESET):
            house.create(reference=reference)
    else:
        assert house.create(reference=reference).status_code == expected
    at_once = house.projects(reference)
    while not house.projects(reference):
        time.sleep(0.02)
    assert (at_once, house.projects(reference)) == (0, 1)
    assert house.line() == ("project_create", 200, expected, True, ["late"])


@pytest.mark.parametrize("when", ["before", "after"])
def test_latency_is_waited(house, when):
    house.board.set("latency", "user_read", seconds=0.3, when=when)
    begun = time.monotonic()
    assert house.request("GET", "/user").status_code == 200
    assert time.monotonic() - begun >= 0.3


def test_a_slow_answer_trickles_and_is_whole(house):
    house.board.set("slow", "user_read", chunk_bytes=100, seconds=0.02)
    parts = []
    with house.asker.client.stream("GET", "/user") as answer:
        parts = list(answer.iter_raw())
    assert len(parts) > 3
    assert b"".join(parts).startswith(b'{"success":true')


def test_an_answer_is_cut_at_any_byte_of_the_wire(house):
    whole = len(house.raw_answer())
    for at_byte in (0, 1, 12, 60, whole - 1):
        house.board.set("cut", "user_read", at_byte=at_byte, count=1)
        assert len(house.raw_answer()) == at_byte
    house.board.set("cut", "user_read", at_byte=whole, count=1)
    assert len(house.raw_answer()) == whole


def test_a_cut_create_has_happened(house):
    house.board.set("cut", "project_create", at_byte=200, count=1)
    with pytest.raises(ENDED):
        house.create(reference="F-4")
    assert house.projects("F-4") == 1
    assert house.line()[3] is True
