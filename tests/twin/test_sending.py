"""Sending: iwi, tokens, receipts, and never twice."""

import io
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pypdf import PdfReader

from twin.asking import AT_SEA, TWO_IWI, Asker, draft_body, fetch, owner_of


def test_a_place_of_one_iwi_is_routed_by_the_service(live):
    assert live.object("POST", "/iwi/count", json={"lat": -36.85, "lon": 174.76}) == {
        "iwi": [{"slug": "ngati-tauira-ki-te-raki", "name": "Ngāti Tauira ki te Raki"}],
        "can_select_iwi": False,
    }


def test_a_place_of_two_iwi_lets_the_caller_choose(live):
    body = {"lat": TWO_IWI["latitude"], "lon": TWO_IWI["longitude"]}
    said = live.object("POST", "/iwi/count", json=body)
    assert (len(said["iwi"]), said["can_select_iwi"]) == (2, True)


def test_a_place_at_sea_belongs_to_none(live):
    body = {"lat": AT_SEA["latitude"], "lon": AT_SEA["longitude"]}
    said = live.object("POST", "/iwi/count", json=body)
    assert said == {"iwi": [], "can_select_iwi": False}


def test_iwi_are_found_by_part_of_a_name(live):
    found = live.object("GET", "/iwi", params={"search": "upoko"})
    assert [one["name"] for one in found] == ["Ngāti Tauira ki te Ūpoko"]


def test_a_send_takes_one_token_and_makes_the_project_new(live):
    made, before = live.create(), live.balance()
    sent = live.send(made["id"]).json()["response_object"]
    assert (sent["status"], sent["iwi_name"]) == ("NEW", "Ngāti Tauira ki te Raki")
    assert (sent["can_send"], sent["can_respond"]) == (False, True)
    assert live.balance() == before - 1


def test_iwi_named_where_there_is_no_choice_are_ignored(live):
    sent = live.send(live.create()["id"], iwi=["ngati-tauira-ki-te-tonga"])
    assert sent.json()["response_object"]["iwi_name"] == "Ngāti Tauira ki te Raki"


def test_the_iwi_named_at_creation_are_those_sent_to(live):
    made = live.create(iwi=["ngati-tauira-ki-te-whanga"], **TWO_IWI)
    sent = live.send(made["id"]).json()["response_object"]
    assert sent["iwi_name"] == "Ngāti Tauira ki te Whanga"


@pytest.mark.parametrize("place", [AT_SEA, {"latitude": None, "longitude": None}])
def test_a_place_of_nobody_needs_a_named_iwi(live, place):
    made = live.create(**place)
    before = live.balance()
    refused = live.send(made["id"])
    sent = live.send(made["id"], iwi=["ngati-tauira-ki-te-tonga"])
    assert [refused.status_code, sent.status_code] == [400, 200]
    assert live.balance() == before - 1


@pytest.mark.parametrize("iwi", [[], ["ngati-tauira-ki-te-tonga"], ["unheard-of"]])
def test_a_choice_outside_the_list_gets_400_and_the_draft_stays(live, iwi):
    made = live.create(**TWO_IWI)
    answer = live.send(made["id"], iwi=iwi)
    assert answer.status_code == 400
    assert "ngati-tauira-ki-te-upoko" in answer.json()["message"]
    assert live.object("GET", f"/projects/{made['id']}")["status"] == "DRAFT"


@pytest.mark.parametrize("body", [{}, {"message": ""}, {"message": None}])
def test_a_send_needs_a_message(live, body):
    made = live.create()
    assert live.put(f"/projects/{made['id']}/send", body).status_code == 400


def test_a_second_send_conflicts_and_takes_nothing(live):
    made = live.create()
    live.send(made["id"])
    before = live.balance()
    assert live.send(made["id"]).status_code == 409
    assert live.balance() == before


def test_creating_with_draft_false_sends_at_once(live):
    before = live.balance()
    assert (live.create(draft=False)["status"], live.balance()) == ("NEW", before - 1)


def test_creating_with_draft_false_for_nobody_creates_nothing(live, owner):
    before = len(owner.get("/_twin/state").json()["projects"])
    assert live.post("/projects", draft_body(draft=False, **AT_SEA)).status_code == 400
    assert len(owner.get("/_twin/state").json()["projects"]) == before


def test_without_tokens_a_send_gets_402_and_works_once_they_are_bought(
    fresh_twin, ask_live
):
    running = fresh_twin(tokens=0)
    asker = ask_live(running)
    made = asker.create()
    refused = asker.send(made["id"])
    kept = asker.object("GET", f"/projects/{made['id']}")
    balance = running.buy_tokens(5)
    assert [refused.status_code, asker.send(made["id"]).status_code] == [402, 200]
    assert "purchased" in refused.json()["message"]
    assert (kept, balance, asker.balance()) == (made, 5, 4)


def test_without_tokens_a_create_that_sends_leaves_the_draft_untold(
    fresh_twin, ask_live
):
    asker = ask_live(fresh_twin(tokens=0))
    answer = asker.post("/projects", draft_body(draft=False, reference="left"))
    page = asker.object("GET", "/projects", params={"search": "left"})
    assert (answer.status_code, answer.json()["response_object"]) == (402, None)
    assert [one["status"] for one in page["data"]] == ["DRAFT"]


def test_fifty_parallel_sends_share_twenty_tokens(fresh_twin, ask_live):
    running = fresh_twin(tokens=20)
    asker = ask_live(running)
    drafts = [asker.create()["id"] for _ in range(50)]
    with ThreadPoolExecutor(50) as crew:
        codes = [answer.status_code for answer in crew.map(asker.send, drafts)]
    assert sorted(codes) == [200] * 20 + [402] * 30
    assert asker.balance() == 0
    with owner_of(running) as owner:
        projects = owner.get("/_twin/state").json()["projects"]
    effects = {
        (one["status"], one["sends"], one["tokens_spent"], one["receipts"])
        for one in projects
    }
    assert effects == {("NEW", 1, 1, 1), ("DRAFT", 0, 0, 0)}


def test_parallel_sends_of_one_draft_send_it_once(asker):
    made = asker.create()
    with ThreadPoolExecutor(8) as crew:
        answers = crew.map(asker.send, [made["id"]] * 8)
        codes = [answer.status_code for answer in answers]
    assert (sorted(codes), asker.balance()) == ([200] + [409] * 7, 19)


def test_two_hundred_parallel_clients_get_right_answers(fresh_twin):
    running = fresh_twin(rate_limit=10_000)

    def visit(number):
        asker = Asker(running.address, running.address.sandbox_key)
        with asker.client:
            made = asker.create(reference=f"C-{number}.")
            sent = asker.send(made["id"])
            page = asker.object("GET", "/projects", params={"search": f"C-{number}."})
            return sent.status_code, [one["id"] for one in page["data"]] == [made["id"]]

    with ThreadPoolExecutor(200) as crew:
        assert set(crew.map(visit, range(200))) == {(200, True)}


def receipts_of(asker):
    return asker.object("GET", f"/team/{asker.team()['id']}/receipts")


def test_one_receipt_is_listed_per_project_sent(asker):
    for name in ("Tahi", "Rua"):
        asker.send(asker.create(name=name)["id"])
    asker.create(name="Unsent")
    page = receipts_of(asker)
    assert [one["project_name"] for one in page["data"]] == ["Rua", "Tahi"]
    assert len({one["receipt_number"] for one in page["data"]}) == 2
    assert (page["limit"], page["total"]) == (10, 2)


def test_a_receipt_is_a_pdf_with_its_numbers_and_macrons(asker):
    asker.send(asker.create(name="Pūtahi o Ōtaki – ā ē ī ō ū")["id"])
    (receipt,) = receipts_of(asker)["data"]
    fetched = fetch(asker.object("GET", f"/download/{receipt['document_id']}")["url"])
    text = PdfReader(io.BytesIO(fetched.content)).pages[0].extract_text()
    assert fetched.headers["content-type"] == "application/pdf"
    for wanted in (
        receipt["receipt_number"],
        receipt["submission_number"],
        "Pūtahi o Ōtaki – ā ē ī ō ū",
        "Kaunihera o Tauira (twin)",
        "Ngāti Tauira ki te Raki",
    ):
        assert wanted in text
    assert " NZDT" in text or " NZST" in text


def test_a_receipt_keeps_the_words_of_the_send(asker):
    made = asker.create(name="Before")
    asker.send(made["id"])
    asker.put(f"/projects/{made['id']}", draft_body(name="After"))
    (receipt,) = receipts_of(asker)["data"]
    link = asker.object("GET", f"/download/{receipt['document_id']}")["url"]
    text = PdfReader(io.BytesIO(fetch(link).content)).pages[0].extract_text()
    assert receipt["project_name"] == "Before"
    assert "Before" in text
    assert "After" not in text


def test_receipts_are_for_their_own_team(live, other, iwi):
    live.send(live.create()["id"])
    receipt = receipts_of(live)["data"][0]
    path = f"/download/{receipt['document_id']}"
    assert [one.get(path).status_code for one in (live, other, iwi)] == [200, 404, 404]
    team = live.team()["id"]
    assert other.get(f"/team/{team}/receipts").status_code == 404


def test_a_report_is_listed_once_it_is_built(live):
    made = live.create(name="Pūrongo", reference="P-1")
    live.send(made["id"], message="Kia ora koutou")
    assert live.object("POST", f"/projects/{made['id']}/report") is True
    report = _report_on("Pūrongo", asker=live)
    link = live.object("GET", f"/download/{report['document_id']}")["url"]
    text = PdfReader(io.BytesIO(fetch(link).content)).pages[0].extract_text()
    assert (report["project_name"], report["reference"]) == ("Pūrongo", "P-1")
    assert "Kia ora koutou" in text


def test_a_report_on_a_project_without_a_reference_has_an_empty_one(live):
    made = live.create(name="Kore")
    live.object("POST", f"/projects/{made['id']}/report")
    assert _report_on("Kore", asker=live)["reference"] == ""


def test_a_purchase_makes_an_invoice(fresh_twin, ask_live):
    running = fresh_twin(tokens=0)
    running.buy_tokens(1)
    running.buy_tokens(50)
    asker = ask_live(running)
    page = asker.object("GET", f"/team/{asker.team()['id']}/invoices")
    shown = [
        (one["description"], one["quantity"], one["status"]) for one in page["data"]
    ]
    assert shown == [("50 tokens", 50, "paid"), ("1 token", 1, "paid")]


def _report_on(name, *, asker):
    path = f"/team/{asker.team()['id']}/reports"
    while True:
        page = asker.object("GET", path, params={"limit": 100})
        found = [one for one in page["data"] if one["project_name"] == name]
        if found:
            (report,) = found
            return report
        time.sleep(0.1)
