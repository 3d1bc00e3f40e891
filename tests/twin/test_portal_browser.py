"""The portal in a real browser, without JavaScript and without a mouse."""

import pytest

from doubles.browser import ENTER, SPACE, TAB, Browser, in_a_browser

pytestmark = [pytest.mark.short_campaign, in_a_browser]

DOWN = "\ue015"
TEAM = "Kaunihera o Tauira (twin)"


@pytest.fixture
def browser(tmp_path):
    with Browser(folder=tmp_path / "profile", with_scripts=False) as opened:
        yield opened


def sign_in(browser, running):
    browser.open(f"{running.address.api_url}/portal/")
    browser.press(*running.address.owner_secret, ENTER)
    browser.wait_for_title("Accounts")


def test_tokens_are_bought_with_the_keyboard_alone(browser, fresh_twin, ask_live):
    running = fresh_twin(tokens=0)
    sign_in(browser, running)
    browser.go(f"Buy tokens for {TEAM}", to=f"Tokens of {TEAM}")
    browser.tab_to("1 token $115.00")
    browser.press(SPACE, DOWN, DOWN)
    browser.go("Buy", to=f"Invoice of {TEAM}")
    assert browser.text("[role=status]") == (
        "Bought 10 tokens. The balance is now 10 tokens."
    )
    assert ask_live(running).balance() == 10


def test_an_iwi_answers_with_the_keyboard_alone(browser, running, asker):
    made = asker.create(name="Ōtūwharekai wetland")
    asker.send(made["id"], message="Tēnā koutou katoa")
    sign_in(browser, running)
    browser.go("Inbox of Ngāti Tauira ki te Raki")
    browser.go("Ōtūwharekai wetland")
    browser.tab_to("Pick up")
    browser.press(ENTER)
    browser.wait_for_text("[role=status]", "The project is picked up.")
    browser.tab_to("Response, seen by both sides")
    browser.press(*"Ka pai tā koutou mahi", TAB, ENTER)
    browser.wait_for_text("[role=status]", "The response is on the thread.")
    assert "Ka pai tā koutou mahi" in browser.text(".thread")
    assert asker.object("GET", f"/projects/{made['id']}")["status"] == "IN_PROGRESS"


def test_the_first_stop_of_tab_skips_to_the_content(browser, twin):
    sign_in(browser, twin)
    browser.press(TAB)
    assert browser.focused() == "Skip to the content"
    browser.press(ENTER, TAB)
    assert browser.focused() == TEAM


def test_what_has_the_focus_is_plain_to_see(browser, twin):
    sign_in(browser, twin)
    browser.tab_to(f"Buy tokens for {TEAM}")
    outline = browser.style(":focus", "outline-style")
    assert (outline, browser.style(":focus", "outline-width")) == ("solid", "3px")


def test_a_link_of_a_workbook_leads_back_after_signing_in(browser, twin, live):
    made = live.create(name="Te Kōhanga")
    browser.open(f"{twin.address.api_url}/portal/projects/{made['id']}")
    assert browser.focused() == "Owner’s secret"
    browser.press(*twin.address.owner_secret, ENTER)
    browser.wait_for_title("Te Kōhanga")
    assert browser.text("h1") == "Te Kōhanga"
    assert twin.address.owner_secret not in browser.url


def test_no_page_is_wider_than_a_telephone(browser, twin):
    sign_in(browser, twin)
    browser.resize(width=500, height=800)
    browser.open(f"{twin.address.api_url}/portal/")
    main = browser.width("main")
    assert browser.width("html") == main <= 500
