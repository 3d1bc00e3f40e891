"""A release that waits: it looks now and then, and goes on when tokens are there."""

import pytest

from doubles.memory_scene import MemoryScene
from doubles.polling import MemoryRelease, poll_until_done
from doubles.rows import checked_projects, project
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import NotDone, Reason
from kawe.errors import JournalLocked, KeyRefused, OthersAtWork, ServiceUnreachable
from kawe.flows.wait.awaiting import Ended

AWAY = ServiceUnreachable(message="No network.")
BUSY = JournalLocked(message="In use.")
NOT_REACHED = NotDone(reason=Reason.NOT_REACHED)


def waiting_release(rows=5, **changes):
    """Give a release whose rows all wait for tokens."""
    scene = MemoryScene()
    scene.service.tokens = 0
    scene.submit(checked_projects([project(n) for n in range(rows)]))
    return MemoryRelease(scene=scene, **changes)


def buys(release, tokens):
    """Make somebody buy tokens."""

    def happen():
        release.scene.service.tokens += tokens

    return happen


def sent(release):
    return release.scene.outcomes()[Outcome.SENT]


def sends(release):
    return sorted(release.scene.service.sends.values())


def test_what_waits_goes_as_soon_as_a_look_finds_tokens():
    release = waiting_release()
    release.happens = {3: buys(release, 9)}
    assert (poll_until_done(release), sends(release), release.rounds) == (
        Ended.NOTHING_WAITS,
        [1] * 5,
        1,
    )
    assert [round(each) for each in release.looks] == [0, 10, 20, 20]


def test_tokens_that_come_in_portions_are_spent_as_they_come():
    release = waiting_release()
    # A round is followed by a look at what is left.
    release.happens = {2: buys(release, 2), 4: buys(release, 1), 6: buys(release, 9)}
    ended = poll_until_done(release)
    assert (ended, sends(release), release.rounds) == (Ended.NOTHING_WAITS, [1] * 5, 3)


@pytest.mark.parametrize(("chance", "minutes"), [(0.0, 9), (1.0, 11)])
def test_looks_are_spread_so_that_computers_do_not_ask_together(chance, minutes):
    release = waiting_release()
    release.happens = {2: buys(release, 5)}
    poll_until_done(release, chance=chance)
    assert [round(each) for each in release.looks] == [0, minutes, minutes]


def test_the_reserve_is_left_alone_and_waited_on():
    release = waiting_release(budget=Budget(balance=None, keep_reserve=3))
    release.happens = {2: buys(release, 5), 5: buys(release, 9)}
    assert (poll_until_done(release), release.rounds, release.scene.service.tokens) == (
        Ended.NOTHING_WAITS,
        2,
        9,
    )


@pytest.mark.parametrize("limit", ["agreed", "max_tokens"])
def test_what_was_agreed_to_is_the_ceiling_of_all_rounds_together(limit):
    release = waiting_release(budget=Budget(balance=None, **{limit: 3}))
    release.happens = {2: buys(release, 2), 4: buys(release, 9)}
    assert (poll_until_done(release), sent(release), release.scene.service.tokens) == (
        Ended.ALLOWANCE_USED,
        3,
        8,
    )


def test_a_network_that_is_gone_for_some_looks_ends_nothing():
    release = waiting_release()
    release.happens = {2: lambda: AWAY, 3: lambda: BUSY, 4: buys(release, 9)}
    ended = poll_until_done(release)
    said = [
        each.partition(": ")[2].partition(". ")[0] for each in release.scene.quiet.said
    ]
    assert (ended, sends(release)) == (Ended.NOTHING_WAITS, [1] * 5)
    assert [each for each in said if "5 rows" not in each and each] == [
        "the service cannot be reached",
        "another kawe is at work with this journal",
    ]


def test_a_round_that_the_network_ends_is_gone_on_with_at_the_next_look():
    release = waiting_release()
    release.scene.service.tokens = 9
    release.scene.service.script = {"send": [NOT_REACHED] * 3}
    ended = poll_until_done(release)
    assert (ended, sends(release), release.rounds) == (Ended.NOTHING_WAITS, [1] * 5, 2)


def test_a_key_that_is_refused_ends_the_waiting():
    release = waiting_release()
    release.happens = {2: lambda: KeyRefused(message="401")}
    with pytest.raises(KeyRefused):
        poll_until_done(release)


def test_a_balance_that_lies_costs_one_402_for_each_look():
    release = waiting_release()
    scene = release.scene
    no_tokens = NotDone(reason=Reason.NO_TOKENS, http_status=402)
    scene.service.tokens = 9
    scene.service.script = {"send": [no_tokens] * 4}
    before = scene.service.calls["send"]
    ended = poll_until_done(release)
    assert (ended, release.rounds, sends(release)) == (Ended.NOTHING_WAITS, 5, [1] * 5)
    assert scene.service.calls["send"] - before == 4 + 5


def test_ctrl_c_is_heard_between_two_looks():
    release = waiting_release()

    def stop():
        release.scene.halt.asked = True

    release.happens = {2: stop}
    assert (poll_until_done(release), len(release.looks)) == (Ended.STOPPED, 2)


def test_the_waiting_ends_after_the_hours_that_were_given():
    release = waiting_release()
    assert poll_until_done(release, hours=1) is Ended.TIME_UP
    assert [round(each) for each in release.looks] == [0, 10, 20, 30, 40, 50, 60]


def test_the_person_is_told_what_is_waited_for_and_when_the_next_look_is():
    release = waiting_release()
    release.happens = {2: buys(release, 9)}
    poll_until_done(release)
    assert " ".join(release.scene.quiet.said[-2:]) == (
        "22:00: 5 rows wait for tokens; the team has 0. kawe looks again at about "
        "22:10. It goes on by itself when tokens are there, and can be stopped; "
        "nothing is lost. Others can submit meanwhile."
    )


def test_others_at_work_and_what_stays_in_reserve_are_said():
    release = waiting_release(budget=Budget(balance=None, keep_reserve=3))
    release.happens = {
        2: lambda: OthersAtWork(message="1 row is with another computer."),
        3: buys(release, 9),
    }
    ended = poll_until_done(release)
    said = [each for each in release.scene.quiet.said if "looks again at" in each]
    assert (ended, said[:2]) == (
        Ended.NOTHING_WAITS,
        [
            (
                "22:00: 5 rows wait for tokens; the team has 0, and 3 stay in reserve. "
                "kawe looks again at about 22:10."
            ),
            (
                "22:10: another computer is at work on these rows. kawe looks again "
                "at about 22:20."
            ),
        ],
    )


def test_ctrl_c_is_heard_while_a_release_rests():
    release = waiting_release()
    release.scene.clock.meanwhile = release.scene.halt.ask
    assert (poll_until_done(release), sum(release.scene.clock.slept)) == (
        Ended.STOPPED,
        1.0,
    )
