"""Where the portal sends people, what it shows of foreign text, what it says."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

from kawe_contract.enums import ProjectStatus, Scope
from kawe_twin.portal import pages
from kawe_twin.portal.context import SESSION_LIFE, FlashMessage, Sessions
from kawe_twin.portal.pages import HOME, safe_page

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HOSTILE = st.text(alphabet="/\\.:?#@%2ehtps portal\r\n\t\0[]é", max_size=40)


@given(st.one_of(st.text(), HOSTILE.map("/portal/".__add__)))
@example("/portal//x.example")
@example("/portal/..//x.example")
@example("/portal/\t/x.example")
def test_a_safe_page_is_one_of_ours_whatever_was_asked(wanted):
    parts = urlsplit(safe_page(wanted))
    assert (parts.scheme, parts.netloc, parts.fragment) == ("", "", "")
    assert parts.path.startswith("/portal/")
    assert ".." not in parts.path
    assert "//" not in parts.path


@pytest.mark.parametrize(
    "path",
    [
        HOME,
        "/portal/projects/024fe072-a543-478e-9763-dbb633556da1",
        "/portal/projects/024fe072-a543-478e-9763-dbb633556da1?as=0-a",
        "/portal/accounts/1/projects?tab=active&search=&page=2",
    ],
)
def test_our_own_pages_are_kept(path):
    assert safe_page(path) == path


@given(st.text())
def test_shown_text_has_no_control_and_no_direction_marks(text):
    shown = pages.plain(text)
    assert not set(shown) & set("\x00\x1b\r\u202a\u202e\u2066\u2069\u200f")
    assert pages.plain(shown) == shown


def test_macrons_line_breaks_and_our_own_markup_stay():
    assert pages.plain("Tāmaki\nMakaurau") == "Tāmaki\nMakaurau"
    assert pages.plain(Markup("<b>\u202e</b>")) == Markup("<b>\u202e</b>")
    assert (pages.plain(None), pages.plain(7)) == ("", 7)


def test_every_scope_and_every_status_has_words():
    assert set(pages.SCOPE_WORDS) == set(Scope)
    said = {pages.status_words(status) for status in ProjectStatus}
    assert len(said) == len(ProjectStatus)
    assert not said & set(ProjectStatus)


def test_instants_are_told_as_new_zealand_reads_them():
    assert pages.moment("2026-11-20T11:30:00.000Z") == "21 November 2026, 00:30"
    assert pages.day("2026-12-01T00:00:00.000Z") == "1 December 2026"


def test_amounts_and_counts_are_told_in_words():
    said = [pages.dollars(115_000), pages.tokens(1), pages.tokens(1200)]
    assert said == ["$1,150.00", "1 token", "1,200 tokens"]
    assert pages.code_words("LAND_USE_CONSENT") == "Land use consent"


def test_a_form_token_is_of_one_visitor_and_of_one_start():
    sessions, later = Sessions(), Sessions()
    token = sessions.form_token("a")
    assert sessions.is_form_token(token, visitor_id="a")
    assert not sessions.is_form_token(token, visitor_id="b")
    assert not later.is_form_token(token, visitor_id="a")


def test_a_session_ends_with_its_life():
    sessions = Sessions()
    session = sessions.begin(at=NOW)
    last = NOW + SESSION_LIFE - timedelta(seconds=1)
    assert sessions.find(session.visitor_id, at=last) is session
    assert sessions.find(session.visitor_id, at=NOW + SESSION_LIFE) is None


def test_beyond_the_bound_the_oldest_session_ends():
    sessions = Sessions()
    first = sessions.begin(at=NOW)
    for _ in range(1000):
        last = sessions.begin(at=NOW)
    assert sessions.find(first.visitor_id, at=NOW) is None
    assert sessions.find(last.visitor_id, at=NOW) is last


def test_a_notice_is_told_once_and_its_key_is_not_shown_in_logs():
    session = Sessions().begin(at=NOW)
    session.notices.append(FlashMessage(says="Made.", key_secret="kawe_live_x"))
    assert "kawe_live_x" not in repr(session)
    assert [notice.says for notice in session.take_notices()] == ["Made."]
    assert session.take_notices() == []
