"""A receipt belongs to a send where that is certain, and to nobody else."""

from datetime import UTC, datetime, timedelta

import pytest

from kawe.domain.service.papers import NamedSend, sends_by_receipt, unsure_names
from kawe.domain.service.service_words import DocumentId, Receipt

NOON = datetime(2026, 10, 5, 12, tzinfo=UTC)


def at(minutes):
    return None if minutes is None else NOON + timedelta(minutes=minutes)


def send(key, minutes, *, number=None, logged=None):
    return NamedSend(
        id=key,
        name="Weir",
        sent_at=at(minutes),
        logged_at=at(logged),
        receipt_number=number,
    )


def receipt(key, minutes):
    return Receipt(
        id=key,
        document_id=DocumentId(key),
        project_name="Weir",
        receipt_number=f"KR-{key}",
        submission_number=f"KS-{key}",
        created_at=at(minutes),
    )


@pytest.mark.parametrize(
    ("sends", "receipts", "found"),
    [
        pytest.param([send("a", 0)], [receipt("1", 900)], {"1": "a"}, id="one"),
        pytest.param(
            [send("a", 0), send("b", 180)],
            [receipt("1", 180.1), receipt("2", 0.1)],
            {"1": "b", "2": "a"},
            id="hours apart",
        ),
        pytest.param(
            [send("a", 0), send("b", 0.01)],
            [receipt("1", 0.01), receipt("2", 0)],
            {},
            id="within a second",
        ),
        pytest.param(
            [send("a", 0), send("b", None)],
            [receipt("1", 0), receipt("2", 180)],
            {},
            id="one without a time",
        ),
        pytest.param(
            [send("a", 0), send("b", 180)],
            [receipt("1", 180)],
            {"1": "b"},
            id="one receipt is lost",
        ),
        pytest.param(
            [send("a", 0, number="KR-1"), send("b", 0.01)],
            [receipt("1", 0), receipt("2", 0)],
            {"1": "a", "2": "b"},
            id="a number is known",
        ),
        pytest.param(
            [send("a", 0, logged=0.5), send("b", 0.01, logged=0.51)],
            [receipt("1", 0.51), receipt("2", 0.5)],
            {"1": "b", "2": "a"},
            id="at one instant, as the log has it",
        ),
        pytest.param(
            [send("a", 0, logged=0.5), send("b", 0.01)],
            [receipt("1", 900), receipt("2", 0.5)],
            {"1": "b", "2": "a"},
            id="one by the log, and one is left",
        ),
        pytest.param(
            [send("a", 0, logged=0), send("b", 0, logged=0)],
            [receipt("1", 0), receipt("2", 0)],
            {},
            id="all at one instant",
        ),
        pytest.param(
            [send("a", 0), send("b", 60)],
            [receipt("1", 30), receipt("2", 300)],
            {},
            id="far from each",
        ),
    ],
)
def test_a_receipt_belongs_to_the_send_that_is_certainly_its_own(
    sends, receipts, found
):
    assert sends_by_receipt(sends, receipts) == found
    unsure = {"Weir"} if len(found) < min(len(sends), len(receipts)) else set()
    assert unsure_names(sends, receipts, found) == unsure
