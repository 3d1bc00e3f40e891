"""Whole lives of workbooks in simulated time, every fault drawn from one seed."""

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from faults.people.campaign import SIDE_BY_SIDE, WITH_HABITS, PeopleCampaign
from faults.people.habits import HABITS
from faults.people.person import DEEDS
from faults.simulation.campaign import Campaign
from faults.simulation.life import POINTS
from faults.simulation.weather import Fault
from kawe.ports import Acts

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = os.cpu_count() or 1
KEPT = {"doubled": 0, "lost": 0, "broken": []}
KEPT_BY_PEOPLE = KEPT | {"unsaid": 0, "claimed": 0}
SELDOM = {"before a file is kept", "after a file is kept"}
"""Few rows have files: the long campaign ends at these, and so do the kills."""
PEOPLE_DO = {*DEEDS, "set the clock", "edited a draft", "sent a draft", "bought tokens"}


def promises(findings):
    return {name: getattr(findings, name) for name in KEPT}


def test_thousands_of_rows_are_each_sent_once_and_none_is_lost():
    findings = Campaign(seed=1, rows=1_000, processes=PROCESSES).run()
    assert (promises(findings), findings.held_for_faults <= 2) == (KEPT, True)


@pytest.mark.short_campaign
def test_tens_of_thousands_of_rows_are_each_sent_once_and_none_is_lost():
    campaign = Campaign(seed=1, rows=14_000, processes=PROCESSES)
    findings = campaign.run()
    assert (
        promises(findings),
        findings.held_for_faults / findings.rows <= 0.001,
        set(POINTS) - set(findings.ends) - SELDOM,
        set(Fault) - {Fault.NONE} - set(findings.struck),
    ) == (KEPT, True, set(), set())


@pytest.mark.short_campaign
def test_bad_weather_meddling_colleagues_and_lost_journals_double_and_lose_nothing():
    findings = Campaign(
        seed=900_000,
        rows=2_500,
        least_faults=5,
        most_faults=20,
        oddities_percent=100,
        processes=PROCESSES,
    ).run()
    assert promises(findings) == KEPT


def people(about, rows):
    campaign = PeopleCampaign(seed=1, rows=rows, about=about, processes=PROCESSES)
    findings = campaign.run()
    told = {"unsaid": findings.unsaid, "claimed": findings.claimed}
    return findings, promises(findings) | told


@pytest.mark.short_campaign
def test_people_at_several_computers_double_lose_and_leave_nothing_unsaid():
    findings, kept = people(SIDE_BY_SIDE, 300)
    assert (
        kept,
        findings.held_for_faults / findings.rows <= 0.001,
        PEOPLE_DO - set(findings.others),
    ) == (KEPT_BY_PEOPLE, True, set())


@pytest.mark.short_campaign
def test_months_in_which_rows_come_back_double_lose_and_call_nothing_falsely_sent():
    findings, kept = people(WITH_HABITS, 600)
    assert (kept, set(HABITS) - set(findings.others)) == (KEPT_BY_PEOPLE, set())


@pytest.mark.parametrize(
    ("seed", "more"),
    [
        pytest.param(7, [], id="wire", marks=pytest.mark.short_campaign),
        pytest.param(128, [], id="http", marks=pytest.mark.short_campaign),
        pytest.param(8, ["--people"], id="people", marks=pytest.mark.short_campaign),
        pytest.param(39, ["--people"], id="months"),
    ],
)
def test_a_seed_gives_the_same_run_byte_for_byte_in_another_process(seed, more):
    first, second = (replayed(seed, hash_seed, more) for hash_seed in ("1", "2"))
    assert (first == second, first.endswith(b"every promise was kept\n")) == (
        True,
        True,
    )


def replayed(seed, hash_seed, more):
    command = [sys.executable, "-m", "campaigns.simulate", "--seed", str(seed)]
    return subprocess.run(
        [*command, "--replay", *more, "--faults", "10"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "tests", "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
    ).stdout


@pytest.mark.short_campaign
def test_without_the_settle_window_late_sends_would_be_doubled():
    # That nothing is doubled with the window, the other campaigns show.
    hasty = Campaign(
        seed=1, rows=500, least_faults=20, most_faults=20, settle_seconds=1
    ).run()
    assert hasty.doubled > 0


@dataclass(frozen=True, kw_only=True)
class RetryingActs:
    """Does what kawe must never do: it takes the interface's word on a 5xx."""

    inner: Acts

    async def create_draft(self, body):
        return await self.inner.create_draft(body)

    async def send(self, project, body):
        verdict = await self.inner.send(project, body)
        if verdict.http_status is not None and verdict.http_status >= 500:
            return await self.inner.send(project, body)
        return verdict


def retrying(service):
    return replace(service, acts=RetryingActs(inner=service.acts))


def test_a_retried_500_would_be_seen():
    findings = Campaign(
        seed=1, rows=500, least_faults=20, most_faults=20, wrap=retrying
    ).run()
    assert findings.doubled > 0
