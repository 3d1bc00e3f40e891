import pytest

from kawe.domain.batch.sending import Sending, ready_json
from kawe.domain.text.next_steps import Given

LOUD = "NOTHING WILL BE SENT. 0 of"
DRAFTS = f"{Given.DRAFTS_ONLY} was given. Leave it out to send."
NO_COLUMN = f"no column says so. Add a column Send, or use {Given.SEND}."


def test_ready_rows_are_two_counts():
    sending = Sending(heading="Send", asked=30, quiet=4)
    assert (list(sending.lines()), sending.ready_to_send, sending.ready_to_draft) == (
        ["34 ready: 30 to be sent, 4 to be kept as drafts."],
        30,
        4,
    )


def test_where_only_drafts_are_made_no_row_is_ready_to_be_sent():
    sending = Sending(heading="Send", asked=30, quiet=4, drafts_only=True)
    assert list(sending.lines()) == [
        "34 ready: 0 to be sent, 34 to be kept as drafts.",
        f"{LOUD} 34 will be sent to iwi: {DRAFTS}",
    ]


@pytest.mark.parametrize(
    ("sending", "why"),
    [
        (Sending(quiet=34), f"34 will be sent to iwi: {NO_COLUMN}"),
        (Sending(kept=34), f"34 will be sent to iwi: {NO_COLUMN}"),
        (Sending(quiet=1, sent=5), f"1 will be sent to iwi: {NO_COLUMN}"),
        (
            Sending(heading="Notify?", quiet=2, says_no=("P!C2",)),
            (
                "2 will be sent to iwi: in the column “Notify?” the rows say no, or "
                f"nothing. Write Yes to send, or use {Given.SEND} for every row whose "
                "cell is empty."
            ),
        ),
        (
            Sending(heading="Send", quiet=1),
            (
                "1 will be sent to iwi: in the column “Send” the row says nothing. "
                f"Write Yes to send, or use {Given.SEND} for every row whose cell "
                "is empty."
            ),
        ),
        (
            Sending(heading="Send", quiet=1, kept=1, says_no=("P!C2", "P!C3")),
            (
                "2 will be sent to iwi: in the column “Send” the rows say no. Write "
                "Yes to send."
            ),
        ),
    ],
)
def test_that_nothing_will_be_sent_is_said_loudly_with_the_reason(sending, why):
    assert list(sending.remarks()) == [f"{LOUD} {why}"]


def test_after_the_run_it_is_said_of_what_was():
    assert list(Sending(quiet=5).remarks(is_over=True)) == [
        f"NOTHING WAS SENT. 0 of 5 were sent to iwi: {NO_COLUMN}"
    ]


@pytest.mark.parametrize(
    "sending", [Sending(), Sending(kept=3, sent=30), Sending(asked=1, quiet=33)]
)
def test_nothing_is_said_loudly_where_rows_go_or_went_or_there_are_none(sending):
    assert list(sending.remarks()) == []


def test_cells_that_say_no_to_all_being_sent_are_named():
    cells = tuple(f"P!C{row}" for row in range(2, 24))
    sending = Sending(heading="Send", sends_all=True, asked=1, quiet=22, says_no=cells)
    assert list(sending.remarks()) == [
        (
            "22 cells say no, and their rows are not sent: "
            f"{', '.join(cells[:20])} and 2 more."
        )
    ]


def test_how_a_draft_is_sent_depends_on_the_sheet():
    assert [Sending().way(), Sending(heading="Go\x1b?").way()] == [
        f"Nothing; to send it, add a column Send, or use {Given.SEND}.",
        "Nothing; to send it, write Yes in the column “Go?”, and submit again.",
    ]


def test_documents_have_both_counts_or_say_that_they_are_not_known():
    assert [ready_json(Sending(asked=2, quiet=1)), ready_json(None)] == [
        {"ready_to_send": 2, "ready_to_draft": 1},
        {"ready_to_send": None, "ready_to_draft": None},
    ]


def test_where_no_row_is_ready_nothing_is_counted():
    assert list(Sending(heading="Send").lines()) == []
