"""What `Notifier` promises, for a program and for apprise."""

import os
import sys
from datetime import UTC, datetime

import pytest

from doubles.listeners import Program, webhook
from kawe.domain.text.notices import Notice, NoticeKind
from kawe.notices import Notifier, channels_to

NAP = f"{sys.executable} -c 'import time; time.sleep(600)'"


def _notice(headline):
    return Notice(
        kind=NoticeKind.CLOSING,
        command="submit",
        headline=headline,
        sentences=("Tēnā koe.",),
        at=datetime(2026, 7, 1, tzinfo=UTC),
    )


def _notifier(**targets):
    return Notifier(channels_to(environment=os.environ, **targets))


@pytest.fixture(params=["program", "apprise"])
def told(request, tmp_path):
    """Give a notifier with one target, and what that has heard."""
    if request.param == "program":
        program = Program(folder=tmp_path)
        yield _notifier(command=program.command), program.heard
    else:
        with webhook() as (address, heard):
            yield _notifier(addresses=(address,)), lambda: heard


def test_each_notice_is_heard_once_and_in_full(told):
    notifier, heard = told
    notifier.start(_notice("done"))
    assert (notifier.finish(), [(t, s.strip()) for t, s in heard().messages]) == (
        (),
        [("kawe submit: done", "Tēnā koe.")],
    )


def test_several_may_be_under_way_at_once(told):
    notifier, heard = told
    notifier.start(_notice("one"))
    notifier.start(_notice("two"))
    assert (notifier.finish(), sorted(heard().titles)) == (
        (),
        ["kawe submit: one", "kawe submit: two"],
    )


def test_what_was_told_is_not_told_again(told):
    notifier, heard = told
    notifier.start(_notice("done"))
    notifier.finish()
    assert (notifier.finish(), len(heard().titles)) == ((), 1)


def test_nobody_is_told_of_nothing(told):
    notifier, heard = told
    assert (notifier.finish(), heard().titles) == ((), [])


def test_a_trouble_is_said_once():
    notifier = _notifier(command="no-such-program-here")
    notifier.start(_notice("done"))
    assert [len(notifier.finish()), len(notifier.finish())] == [1, 0]


def test_what_takes_too_long_is_ended_with_all_that_it_started():
    shell = f'sh -c "{NAP.replace(chr(39), chr(92) + chr(34))} & wait"'
    notifier = _notifier(command=shell, within_seconds=0.2)
    notifier.start(_notice("done"))
    (trouble,) = notifier.finish()
    assert trouble.endswith("it took longer than 0.2 seconds.")


def test_what_is_abandoned_is_not_waited_for():
    notifier = _notifier(command=NAP)
    notifier.start(_notice("done"))
    notifier.abandon()
    assert notifier.finish() == ()


def test_a_program_that_reads_nothing_and_writes_much_is_no_trouble():
    notifier = _notifier(command=f"{sys.executable} -c \"print('x' * 1_000_000)\"")
    notifier.start(_notice("done"))
    assert notifier.finish() == ()
