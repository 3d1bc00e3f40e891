"""The power goes at any moment: what left the machine is known, files are whole."""

import pytest

from doubles.failing_disk import DIE, Fault, a_person, commands, submitting, why_not
from doubles.power import Kind
from doubles.power_cases import cut_and_go_on, look_at_losses, recorded

SEED = 20261121
EXPORT = ("export", "receipts", "-o", "receipts", "--json")


@pytest.fixture(scope="module")
def born(tmp_path_factory):
    if (why := why_not()) is not None:
        pytest.skip(why)
    with commands(tmp_path_factory.mktemp("power") / "commands") as running:
        yield running


@pytest.fixture
def person(tmp_path):
    with a_person(tmp_path / "scene", rows=3) as somebody:
        yield somebody


def _look(recording, tmp_path, most=5):
    # After every fourth call; `tests/campaigns/power_loss.py` looks after each.
    scratch = tmp_path / "left"
    return look_at_losses(recording, scratch=scratch, seed=SEED, most=most, every=4)


@pytest.mark.short_campaign
def test_whatever_a_power_loss_leaves_no_request_had_left_without_its_intent(
    born, person, tmp_path
):
    recording = recorded(born, person, submitting())
    found = _look(recording, tmp_path)
    assert (recording.ended.code, found.complaints, found.states > 125) == (0, [], True)


def test_a_power_loss_leaves_the_old_result_or_the_new_one(born, person, tmp_path):
    born.run(person, submitting())
    recording = recorded(born, person, submitting())
    found = _look(recording, tmp_path)
    assert (recording.ended.code, found.complaints, found.states > 12) == (0, [], True)


def test_a_power_loss_leaves_each_exported_file_whole_or_not_at_all(
    born, person, tmp_path
):
    born.run(person, submitting())
    recording = recorded(born, person, EXPORT)
    found = _look(recording, tmp_path)
    kept = {name.rpartition(".")[2] for name in recording.new if "/receipts/" in name}
    assert (found.complaints, kept) == ([], {"csv", "jsonl", "pdf", "txt", "xlsx"})


@pytest.mark.parametrize("act", range(1, 7))
def test_the_power_goes_while_a_request_is_under_way_and_each_row_is_sent_once(
    born, person, act
):
    fault = Fault(kind=Kind.SEND, number=act, error=DIE)
    died, went_on, sends = cut_and_go_on(born, person, fault, seed=act)
    assert (died.code, went_on.code, sends) == (137, 0, (1, 1, 1)), went_on.err


@pytest.mark.parametrize("write", range(30, 300, 45))
def test_the_power_goes_in_the_middle_of_a_commit_and_each_row_is_sent_once(
    born, person, write
):
    fault = Fault(kind=Kind.WRITE, number=write, error=DIE)
    died, went_on, sends = cut_and_go_on(born, person, fault, seed=write)
    assert (died.code, went_on.code, sends) == (137, 0, (1, 1, 1)), went_on.err
