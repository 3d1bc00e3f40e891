"""Machines that share a journal on a server, in the short version."""

import pytest

from doubles.host_runs import work_through_trouble
from doubles.machine_runs import submit_through_trouble
from doubles.namespaces import HOSTS, OUTSIDE, network, why_none
from doubles.postgres import running_postgres

pytestmark = pytest.mark.short_campaign


def test_machines_that_are_killed_frozen_and_cut_off_send_each_row_once(tmp_path):
    with running_postgres() as server:
        done = submit_through_trouble(
            tmp_path, server.fresh(), rows=40, machines=3, seed=20261128
        )
    assert (done.lost, done.doubled, done.codes[0]) == (0, 0, 1)
    assert done.runs > 1


def test_a_standby_that_takes_the_place_has_all_that_was_committed():
    with running_postgres() as server:
        server.ask("CREATE TABLE kept (number int)")
        for number in range(3):
            server.ask("INSERT INTO kept VALUES (%s)", number)
            server.promote_standby()
        assert server.ask("SELECT number FROM kept") == [(0,), (1,), (2,)]


def test_hosts_that_are_killed_frozen_and_cut_off_send_each_row_once(tmp_path):
    with running_postgres() as server:
        done = work_through_trouble(
            tmp_path, server.fresh(), rows=15, machines=3, seed=20261128, accounts=5
        )
    assert (done.lost, done.doubled, done.codes[0]) == (0, 0, 3)
    assert done.runs > 1


def test_hosts_whose_links_are_cut_send_each_row_once(tmp_path):
    if why := why_none():
        pytest.skip(why)
    listening = running_postgres(listens=OUTSIDE, to=HOSTS)
    with network(3) as links, listening as server:
        done = work_through_trouble(
            tmp_path, server.fresh(), rows=40, machines=3, seed=5, links=links
        )
    assert (done.lost, done.doubled, done.codes[0]) == (0, 0, 3)
    assert done.events["unplug"] > 0
