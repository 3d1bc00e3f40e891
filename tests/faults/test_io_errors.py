"""Whatever the disk refuses, the run says so, and the next one finishes."""

import errno

import pytest

from doubles.failing_disk import Fault, why_not
from doubles.io_cases import Case, complaints, error_at, trials
from doubles.power import Kind

_EACH = 8


@pytest.fixture(scope="module")
def disks(tmp_path_factory):
    if (why := why_not()) is not None:
        pytest.skip(why)
    with trials(tmp_path_factory.mktemp("disk")) as running:
        yield running


def _once(kind, number, **how):
    # One worker: then nothing at all may leave after a failed fsync.
    workers = 1 if kind is Kind.FSYNC else 8
    fault = Fault(kind=kind, number=number, error=error_at(number))
    return Case(fault=fault, workers=workers, closely=number % _EACH == 0, **how)


@pytest.mark.short_campaign
# A journal that deletes its rollback file truncates nothing. Writes, opens and fsyncs
# are many: some of them here, every one in `tests/campaigns/io_faults.py`.
@pytest.mark.parametrize(
    ("kind", "least"),
    [
        (Kind.WRITE, 8),
        (Kind.FSYNC, 5),
        (Kind.OPEN, 4),
        pytest.param(Kind.RENAME, 1, marks=pytest.mark.short_campaign),
        (Kind.FTRUNCATE, 0),
        (Kind.UNLINK, 1),
        (Kind.MKDIR, 1),
    ],
    ids=lambda each: each.name.lower() if isinstance(each, Kind) else str(each),
)
def test_any_call_that_fails_once_leaves_every_row_sent_once(disks, kind, least):
    stride = {Kind.WRITE: 6, Kind.OPEN: 3, Kind.FSYNC: 2}.get(kind, 1)
    done = disks.until_untouched(lambda at: _once(kind, at * stride - stride + 1))
    assert (complaints(done), len(done) >= least) == ([], True)


def test_a_disk_that_stays_full_or_broken_is_no_harm_once_it_is_mended(disks):
    done = disks.every(
        Case(
            fault=Fault(kind=Kind.WRITE, number=number, error=error, keeps_on=True),
            closely=False,
        )
        for error in (errno.ENOSPC, errno.EIO)
        for number in range(1, 350, 100)
    )
    assert (complaints(done), sum(each.struck for each in done) >= 6) == ([], True)


def test_a_disk_that_breaks_at_the_end_of_a_run_ends_it_as_the_journal_does(disks):
    """The result cannot be written either: that comes second."""
    faults = [
        Fault(kind=Kind.FSYNC, number=number, error=errno.EIO, keeps_on=True)
        for number in range(70, 76)
    ]
    cases = (Case(fault=each, rows=1, workers=1, closely=False) for each in faults)
    done = disks.every(cases)
    assert (complaints(done), 6 in {each.code for each in done}) == ([], True)


@pytest.mark.parametrize(
    ("kind", "stride"),
    [
        (Kind.WRITE, 50),
        pytest.param(Kind.WRITE, 7, marks=pytest.mark.short_campaign),
        (Kind.RENAME, 1),
        pytest.param(Kind.FSYNC, 1, marks=pytest.mark.short_campaign),
        pytest.param(Kind.UNLINK, 1, marks=pytest.mark.short_campaign),
    ],
)
def test_an_old_result_stays_whole_until_the_new_one_is(disks, kind, stride):
    done = disks.until_untouched(
        lambda number: _once(kind, number * stride - stride + 1, again=True)
    )
    assert (complaints(done), bool(done)) == ([], True)


@pytest.mark.parametrize(
    ("kind", "stride"),
    [
        pytest.param(Kind.OPEN, 6, marks=pytest.mark.short_campaign),
        pytest.param(Kind.FSYNC, 6, marks=pytest.mark.short_campaign),
    ],
)
def test_a_row_with_a_file_is_sent_once_whatever_call_failed(disks, kind, stride):
    done = disks.until_untouched(
        lambda number: _once(
            kind, number * stride - stride + 1, rows=1, attachment=True
        )
    )
    assert (complaints(done), bool(done)) == ([], True)
