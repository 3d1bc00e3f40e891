"""What holds of the domain's values whatever people type."""

import unicodedata
from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kawe.domain.batch.agreements import Budget, packs_covering
from kawe.domain.rows.identity import (
    draft_body,
    marker_of,
    project_fingerprint,
    project_key,
)
from kawe.domain.sheet.content import (
    Attachment,
    Contact,
    OrganisationContent,
    ProjectContent,
)
from kawe.domain.text.texts import clean, fold, fold_name, one_line
from kawe.journal.records import content_from_json, content_to_json
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.invitations.kind import InvitationContent
from kawe.kinds.projects import PROJECTS
from kawe_contract.limits import TOKEN_PACKS
from kawe_places.values import Place
from kawe_xlsx.cells import column_letters

anything = st.text(alphabet=st.characters(), max_size=40)
"""Any text at all, halves of characters among it."""
typed = anything.map(clean)
optional = st.none() | typed
days = st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 1, 1))
places = st.builds(
    Place,
    latitude=st.floats(-90, 90, allow_nan=False),
    longitude=st.floats(-180, 180, allow_nan=False),
)
attachments = st.builds(
    Attachment,
    path=anything.filter(lambda text: "\0" not in text).map(Path),
    name=typed,
    mime_type=typed,
    size_bytes=st.integers(1, 10**9),
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
)
projects = st.builds(
    ProjectContent,
    reference=optional,
    name=typed,
    description=typed,
    type=st.sampled_from(["EARTHWORKS", "OTHER"]),
    phase=optional,
    start_on=days,
    end_on=days,
    respond_by_on=days,
    address=optional,
    place=st.none() | places,
    iwi=st.lists(typed, max_size=3).map(tuple),
    organisation=st.none()
    | st.builds(
        OrganisationContent, name=typed, city=optional, place=st.none() | places
    ),
    contact=st.none() | st.builds(Contact, name=typed, role=typed, phone=typed),
    files=st.lists(attachments, max_size=2).map(tuple),
    send=st.booleans(),
    message=typed,
    recipient_team_id=optional,
    priority_order=st.none() | st.floats(-1e6, 1e6, allow_nan=False),
)
invitations = st.builds(InvitationContent, name=typed, email=typed, role=typed)
counts = st.integers(0, 5000)
limits = st.none() | counts
budgets = st.builds(
    Budget, balance=limits, keep_reserve=counts, max_tokens=limits, agreed=limits
)
BIDI_CONTROLS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@given(projects)
def test_a_project_survives_its_json(row):
    assert content_from_json(content_to_json(row), kind=PROJECTS) == row


@given(invitations)
def test_an_invitation_survives_its_json(row):
    assert content_from_json(content_to_json(row), kind=INVITATIONS) == row


@given(projects)
def test_what_a_row_says_and_is_follows_from_it_alone(row):
    again = content_from_json(content_to_json(row), kind=PROJECTS)
    assert (project_key(again), marker_of(again), project_fingerprint(again)) == (
        project_key(row),
        marker_of(row),
        project_fingerprint(row),
    )


@given(projects)
def test_no_body_buys_or_sends(row):
    body = draft_body(row)
    assert (body["draft"], "quantity" in body) == (True, False)


@given(anything)
def test_cleaning_is_done_once(text):
    assert clean(clean(text)) == clean(text)


@given(anything)
def test_clean_text_holds_nothing_that_acts(text):
    assert not [
        c for c in clean(text) if c != "\n" and unicodedata.category(c) in {"Cc", "Cs"}
    ]


@given(anything)
def test_clean_text_can_be_stored_and_sent(text):
    assert clean(text).encode("utf-8").decode("utf-8") == clean(text)


@given(anything, st.integers(2, 60))
def test_shown_text_is_short_one_line_and_inert(text, limit):
    shown = one_line(text, limit=limit)
    assert len(shown) <= limit
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cs"}]
    assert not [c for c in shown if unicodedata.bidirectional(c) in BIDI_CONTROLS]


@given(anything)
def test_folding_is_done_once(text):
    assert fold(fold(text)) == fold(text)
    assert fold_name(fold_name(text)) == fold_name(text)


@given(st.integers(1, 16384))
def test_column_letters_count_in_base_26(column):
    value = 0
    for letter in column_letters(column):
        value = value * 26 + ord(letter) - ord("A") + 1
    assert value == column


@given(counts)
def test_packs_cover_what_is_needed_and_none_could_be_left_out(tokens):
    packs = packs_covering(tokens)
    assert sum(packs) - min(packs, default=0) <= tokens <= sum(packs)
    assert list(packs) == sorted(packs, reverse=True)
    assert set(packs) <= set(TOKEN_PACKS)


@given(budgets, counts)
def test_no_budget_spends_what_it_may_not(budget, wanted):
    sends = budget.sends(wanted)
    assert 0 <= sends <= wanted
    assert budget.max_tokens is None or sends <= budget.max_tokens
    assert budget.agreed is None or sends <= budget.agreed
    if budget.balance is not None:
        assert sends <= max(0, budget.balance - budget.keep_reserve)
