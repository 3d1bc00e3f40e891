"""Answering on a thread: who sees it, what it costs, what it moves."""

import pytest

from twin.asking import AT_SEA, owner_of


def sent(asker, **changes):
    made = asker.create(**changes)
    assert asker.send(made["id"]).status_code == 200
    return f"/projects/{made['id']}"


def respond(asker, path, message="Ka pai", *, files=()):
    return asker.put(f"{path}/respond", {"message": message, "files": list(files)})


def test_an_answer_is_seen_by_both_sides_with_its_line_breaks(live, iwi):
    path = sent(live)
    respond(iwi, path, "Tēnā koe\n\nka kōrero tātou")
    for asker in (live, iwi):
        newest = asker.object("GET", f"{path}/engagements")["data"][0]
        assert newest["content"] == "Tēnā koe\n\nka kōrero tātou"
        assert newest["is_internal"] is False
        assert newest["created_by"]["first_name"] == "Kaitiaki"


def test_a_thread_comes_newest_first_ten_to_a_page(live, iwi):
    path = sent(live)
    for number in range(11):
        respond(iwi, path, str(number))
    first = live.object("GET", f"{path}/engagements")
    rest = live.object("GET", f"{path}/engagements", params={"page": 2})
    said = [one["content"] for one in (*first["data"], *rest["data"])]
    assert said == [*map(str, range(10, -1, -1)), "Kia ora"]
    assert (first["limit"], first["total"], first["total_pages"]) == (10, 12, 2)


def test_answers_of_an_organisation_are_free_and_paid_in_turn(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(tokens=5))
    path = sent(asker)
    balances = [asker.balance()]
    for _ in range(5):
        respond(asker, path)
        balances.append(asker.balance())
    assert balances == [4, 4, 3, 3, 2, 2]


def test_each_project_has_a_free_reply_of_its_own(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(tokens=5))
    for path in (sent(asker), sent(asker)):
        respond(asker, path)
    assert asker.balance() == 3


def test_a_paid_answer_without_tokens_gets_402_and_says_nothing(fresh_twin, ask_live):
    running = fresh_twin(tokens=1)
    asker = ask_live(running)
    path = sent(asker)
    codes = [respond(asker, path).status_code for _ in range(2)]
    kept = asker.object("GET", f"{path}/engagements")["total"]
    running.buy_tokens(1)
    codes.append(respond(asker, path).status_code)
    codes.append(respond(asker, path).status_code)
    assert (codes, kept, asker.balance()) == ([200, 402, 200, 200], 2, 0)


def test_a_reopened_project_is_not_charged_again(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(tokens=1))
    path = sent(asker)
    asker.put(f"{path}/close", {"all": True})
    assert (asker.put(f"{path}/reopen").status_code, asker.balance()) == (200, 0)
    assert respond(asker, path).status_code == 200


def test_iwi_never_pay_and_never_see_402(live, iwi):
    path = sent(live)
    before = live.balance()
    codes = {respond(iwi, path).status_code for _ in range(4)}
    assert (codes, live.balance()) == ({200}, before)


def test_a_sandbox_never_pays_for_an_answer(sandbox):
    path = sent(sandbox)
    codes = {respond(sandbox, path).status_code for _ in range(4)}
    assert (codes, sandbox.balance()) == ({200}, 0)


def test_only_being_party_to_the_project_is_checked(live, other, iwi):
    draft = f"/projects/{live.create()['id']}"
    closed = sent(live)
    live.put(f"{closed}/close", {"all": True})
    before = live.balance()
    codes = [respond(live, draft).status_code, respond(live, closed).status_code]
    codes += [respond(other, closed).status_code, respond(iwi, draft).status_code]
    assert (codes, live.balance()) == ([200, 200, 404, 404], before)


def test_an_iwi_moves_a_project_from_new_to_awaiting_to_in_progress(live, iwi):
    path = sent(live)
    statuses = [live.object("GET", path)["status"]]
    iwi.put(f"{path}/assign", {"user_id": None})
    statuses.append(live.object("GET", path)["status"])
    respond(iwi, path)
    statuses.append(live.object("GET", path)["status"])
    respond(live, path)
    statuses.append(live.object("GET", path)["status"])
    assert statuses == ["NEW", "AWAITING_RESPONSE", "IN_PROGRESS", "IN_PROGRESS"]


def test_an_organisation_that_answers_awaits_a_response(live):
    path = sent(live)
    respond(live, path)
    assert live.object("GET", path)["status"] == "AWAITING_RESPONSE"


def test_an_answer_changes_when_the_project_was_updated(live, iwi):
    path = sent(live)
    before = live.object("GET", path)["updated_on"]
    respond(iwi, path)
    assert live.object("GET", path)["updated_on"] > before


def test_files_of_an_answer_are_on_its_entry_and_for_both_sides(live, iwi):
    path = sent(live)
    document_id = iwi.upload(name="Māpere.pdf")
    respond(iwi, path, files=[{"id": document_id}])
    entry = live.object("GET", f"{path}/engagements")["data"][0]
    (document,) = entry["documents"]
    assert (document["id"], document["name"]) == (document_id, "Māpere.pdf")
    assert document["engagement_id"] == entry["id"]
    assert live.get(f"/download/{document_id}").status_code == 200


def test_files_of_somebody_else_cannot_be_attached(live, iwi):
    answer = respond(iwi, sent(live), files=[{"id": live.upload()}])
    assert answer.json()["message"] == (
        "files[0] is not a completed upload of your team"
    )


@pytest.mark.parametrize("missing", ["message", "files"])
def test_an_answer_needs_its_message_and_its_files(live, missing):
    body = {"message": "x", "files": []}
    del body[missing]
    answer = live.put(f"{sent(live)}/respond", body)
    assert answer.json()["message"] == f"{missing} is required"


def test_a_team_that_an_iwi_wrote_to_answers_in_turn(fresh_twin, ask_live):
    running = fresh_twin(tokens=2)
    team = ask_live(running)
    iwi = ask_live(running, key=running.address.iwi_key)
    path = sent(iwi, recipient_team_id=team.team()["id"], **AT_SEA)
    codes = [respond(team, path).status_code for _ in range(5)]
    assert (codes, team.balance()) == ([200] * 5, 0)
    assert respond(team, path).status_code == 402


def test_paid_answers_are_counted_in_the_ledger(fresh_twin, ask_live):
    running = fresh_twin(tokens=5)
    asker = ask_live(running)
    path = sent(asker)
    for _ in range(4):
        respond(asker, path)
    with owner_of(running) as owner:
        (project,) = owner.get("/_twin/state").json()["projects"]
    assert (project["tokens_spent"], asker.balance()) == (1, 2)
