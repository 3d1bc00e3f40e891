"""Five hundred rows and a hundred and twenty tokens, from the command line.

The twin says what was sent, what was created, and what was asked of it.
"""

from datetime import date, timedelta

import pytest

from doubles.command import csv_row, write_csv
from twin.visiting import Visitor

ROWS, TOKENS = 500, 120
PACKS = (50,) * 8
FIRST_DAY = date(2030, 1, 14)


def _respond_by(number):
    """Give days that neither follow the order of the sheet nor are all different."""
    return FIRST_DAY + timedelta(days=number * 7 % 50)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=TOKENS)
    rows = [
        csv_row(n, **{"Respond by": _respond_by(n).isoformat()}) for n in range(ROWS)
    ]
    write_csv(person.folder / "monthly.csv", rows)
    return person


def _reality(person):
    """Give who was sent, what was asked of the twin, and how many drafts it made."""
    state = person.state()
    sends = {each["reference"]: each["sends"] for each in state["projects"]}
    assert set(sends.values()) <= {0, 1}
    asked = {
        name: state["requests"][name] for name in ("project_create", "project_send")
    }
    return {name for name, count in sends.items() if count}, asked, len(sends)


def _buy_on_the_portal(person, packs):
    visitor = Visitor(person.twin)
    visitor.sign_in()
    (team,) = (
        each["id"]
        for each in person.state()["accounts"]
        if each["name"] == "Kaunihera o Tauira (twin)"
    )
    for pack in packs:
        visitor.follow(visitor.post(f"/portal/accounts/{team}/tokens", quantity=pack))
    visitor.client.close()


@pytest.mark.short_campaign
def test_the_most_urgent_of_500_rows_get_120_tokens_and_the_others_go_once_bought(
    person,
):
    order = [f"R-{n}" for n in sorted(range(ROWS), key=lambda n: (_respond_by(n), n))]
    submitted = person.run("submit", "monthly.csv", "--yes", f"{TOKENS}", "-q")
    # No answer was a 402: the balance was known, so none was asked for. The 400 is
    # the question whether the key may send.
    assert (submitted.returncode, *_reality(person)) == (
        4,
        set(order[:TOKENS]),
        {"project_create": {"200": ROWS}, "project_send": {"200": TOKENS, "400": 1}},
        ROWS,
    )
    queue = person.document("waiting")
    assert [each["reference"] for each in queue["rows"]] == order[TOKENS:]
    assert (queue["tokens_needed"], tuple(queue["packs"])) == (ROWS - TOKENS, PACKS)
    _buy_on_the_portal(person, PACKS)
    released = person.run("release", "--yes", f"{ROWS - TOKENS}", "-q")
    assert (released.returncode, *_reality(person)) == (
        0,
        set(order),
        {"project_create": {"200": ROWS}, "project_send": {"200": ROWS, "400": 2}},
        ROWS,
    )
