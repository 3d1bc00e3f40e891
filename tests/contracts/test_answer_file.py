"""What checks remember for a day, in a file that nothing depends on."""

import json
import os
import stat
from datetime import timedelta

import pytest

from doubles.journal_values import NOW, later
from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import (
    IwiAnswer,
    IwiChoice,
    Organisation,
    OrganisationId,
)
from kawe.files.answers import AnswerFile, answers_beside
from kawe_places.values import Place

OURS = Binding(
    base_url="https://service.example",
    team_id="11111111-1111-4111-8111-111111111111",
    team_name="Ours",
    mode="live",
)
OTHERS = [
    {"base_url": "https://other.example"},
    {"team_id": "22222222-2222-4222-8222-222222222222"},
    {"mode": "sandbox"},
]
HERE = Place(latitude=-41.2706123, longitude=173.2840456)
ANSWER = IwiAnswer(
    choices=(IwiChoice(slug="tauira", name="Ngāti Tauira ki te Raki"),), can_select=True
)
BROWN = Organisation(id=OrganisationId("o-1"), name="J & K Brown")


def _memory(path, *, binding=OURS, now=NOW):
    return AnswerFile(path, binding=binding, since=now - timedelta(days=1), now=now)


def _kept(path, *, at=NOW):
    memory = _memory(path)
    memory.keep_iwi_answer(HERE, ANSWER, at=at)
    memory.keep_organisations([BROWN], at=at)
    memory.save()
    return path


def _known(path, **options):
    memory = _memory(path, **options)
    return memory.iwi_answers(), memory.organisations()


@pytest.fixture
def path(tmp_path):
    return answers_beside(tmp_path / "state" / "service-live.journal")


ALL = ({HERE.key(): ANSWER}, {"j k brown": BROWN})
NOTHING = ({}, {})


def test_the_next_process_knows_what_the_last_one_was_told(path):
    assert _known(_kept(path)) == ALL


def test_it_is_private_holds_no_key_and_names_nobody(path):
    _kept(path)
    text = path.read_text("utf-8")
    assert (
        stat.S_IMODE(path.stat().st_mode) & 0o077 if os.name == "posix" else 0,
        [
            word
            for word in (OURS.team_id, OURS.team_name, OURS.base_url)
            if word in text
        ],
        path.name,
    ) == (0, [], "service-live.journal.answers")


@pytest.mark.parametrize("other", OTHERS)
def test_another_account_knows_nothing_of_it(path, other):
    values = {"base_url": OURS.base_url, "team_id": OURS.team_id, "mode": OURS.mode}
    binding = Binding(team_name="Ours", **(values | other))
    assert _known(_kept(path), binding=binding) == NOTHING


@pytest.mark.parametrize(
    ("minutes", "known"), [(1440, ALL), (1441, NOTHING), (-1, NOTHING)]
)
def test_an_answer_holds_for_a_day_and_never_comes_from_the_future(
    path, minutes, known
):
    assert _known(_kept(path), now=later(minutes)) == known


def test_what_is_old_is_gone_after_the_next_save(path):
    _kept(path)
    memory = _memory(path, now=later(2_000))
    memory.keep_organisations([], at=later(2_000))
    memory.save()
    assert json.loads(path.read_text("utf-8"))["iwi"] == []


def test_of_two_organisations_with_one_name_the_first_counts(path):
    memory = _memory(path)
    memory.keep_organisations(
        [BROWN, Organisation(id=OrganisationId("o-2"), name="J K BROWN")], at=NOW
    )
    assert memory.organisations() == {"j k brown": BROWN}


def _without(key):
    return lambda document: {name: v for name, v in document.items() if name != key}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: [document],
        lambda document: document | {"schema": "kawe.answers/2"},
        lambda document: document | {"iwi": [[1, 2]]},
        lambda document: document | {"iwi": [[1, 2, 3, True, "[]"]]},
        lambda document: document | {"iwi": [["x", 2, NOW.isoformat(), True, "[]"]]},
        lambda document: document | {"iwi": [[*document["iwi"][0][:4], "{"]]},
        lambda document: document | {"organisations": [[1, "Brown"]]},
        lambda document: document | {"organisations_at": None},
        _without("account"),
        _without("organisations"),
    ],
)
def test_a_file_that_says_something_else_is_asked_again(path, spoil):
    _kept(path)
    path.write_text(json.dumps(spoil(json.loads(path.read_text("utf-8")))), "utf-8")
    assert _known(path) == NOTHING


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_a_broken_file_is_asked_again_and_replaced(path, data):
    path.parent.mkdir()
    path.write_bytes(data)
    assert (_known(path), _known(_kept(path))) == (NOTHING, ALL)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_neither_waited_for_nor_replaced(path):
    path.parent.mkdir()
    os.mkfifo(path)
    assert (_known(_kept(path)), path.is_fifo()) == (NOTHING, True)


def test_a_place_where_nothing_can_be_written_is_no_error(tmp_path):
    (tmp_path / "state").write_bytes(b"a file")
    assert _known(_kept(tmp_path / "state" / "x.answers")) == NOTHING


def test_a_huge_file_is_not_read(path):
    with _kept(path).open("ab") as file:
        file.write(b" " * 50_000_000)
    assert _known(path) == NOTHING


def test_nothing_new_writes_nothing(path):
    _memory(path).save()
    assert not path.exists()
