"""What is new as a table and in counts."""

from datetime import UTC, date, datetime

from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.watching import News, NewsKind, NextReply
from kawe.flows.watch.telling import HEADINGS, counts_of, counts_words, rows_of


def test_a_row_says_it_all_in_new_zealands_time_with_a_link():
    response = News(
        kind=NewsKind.RESPONSE,
        about="Culvert",
        project=ProjectId("7"),
        reference="R-1",
        iwi="Ngāti Tauira",
        at=datetime(2026, 11, 1, 23, 30, 5, 999, tzinfo=UTC),
        who="Hone",
        words="Kia ora.",
        documents=("a.pdf", "b.pdf"),
        status="IN_PROGRESS",
        before="NEW",
        reply=NextReply.PROBABLY_NOT,
        respond_by_on=date(2026, 12, 1),
    )
    over = News(kind=NewsKind.INVITATION_OVER, about="Mere", who="mere@x.example")
    rows = rows_of([response, over], link="https://x.example/{id}")
    assert [dict(zip(HEADINGS, row, strict=True)) for row in rows] == [
        {
            "What is new": "Response",
            "Project or person": "Culvert",
            "Reference": "R-1",
            "Iwi": "Ngāti Tauira",
            "When": datetime(2026, 11, 2, 12, 30, 5),  # noqa: DTZ001 (as Excel has it)
            "Who": "Hone",
            "What they write": "Kia ora.",
            "Documents": "a.pdf\nb.pdf",
            "Status": "New → In progress",
            "Your next response": "Probably costs a token",
            "Respond by": date(2026, 12, 1),
            "Days left or over": "",
            "Link": "https://x.example/7",
        },
        {
            **dict.fromkeys(HEADINGS, ""),
            "What is new": "Invitation has expired",
            "Project or person": "Mere",
            "When": None,
            "Who": "mere@x.example",
            "Respond by": None,
        },
    ]


def test_counts_are_said_in_the_order_in_which_people_read_them():
    kinds = [NewsKind.INVITATION_SOON, NewsKind.RESPONSE, NewsKind.RESPONSE]
    counts = counts_of(News(kind=kind, about="") for kind in kinds)
    assert counts_words(counts) == "2 responses, 1 invitation that expires soon"
    assert counts_words(counts_of([])) == "nothing is new"
