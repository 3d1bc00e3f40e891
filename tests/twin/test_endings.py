"""Completing, closing and reopening."""

from twin.test_threads import sent


def actions(asker, path):
    logs = asker.object("GET", f"{path}/logs", params={"limit": 100})["data"]
    return [one["action"] for one in logs]


def test_an_iwi_completes_a_project(live, iwi):
    path = sent(live)
    done = iwi.object("PUT", f"{path}/complete", json={"message": "Kua oti"})
    assert (done["status"], done["closed_on"]) == ("COMPLETE", None)
    assert live.object("GET", f"{path}/engagements")["data"][0]["content"] == "Kua oti"
    assert actions(live, path)[0] == "COMPLETED"


def test_completing_needs_no_message(live, iwi):
    path = sent(live)
    assert iwi.ask("PUT", f"{path}/complete").status_code == 200
    assert live.object("GET", f"{path}/engagements")["total"] == 1


def test_an_organisation_key_may_not_complete(live, sandbox):
    codes = [
        asker.put(f"{sent(asker)}/complete", {}).status_code
        for asker in (live, sandbox)
    ]
    assert codes == [403, 403]


def test_completing_twice_or_a_draft_conflicts(live, iwi):
    path = sent(live)
    iwi.put(f"{path}/complete", {})
    draft = f"/projects/{iwi.create()['id']}"
    codes = [iwi.put(f"{at}/complete", {}).status_code for at in (path, draft)]
    assert codes == [409, 409]


def test_both_sides_may_close_and_closing_sets_closed_on(live, iwi):
    for asker in (live, iwi):
        path = sent(live)
        closed = asker.object("PUT", f"{path}/close", json={"all": True})
        assert closed["status"] == "CLOSED"
        assert closed["closed_on"] == closed["updated_on"]
        assert closed["can_reopen"] is True
        assert actions(live, path)[0] == "CLOSED"


def test_a_complete_project_may_be_closed(live, iwi):
    path = sent(live)
    iwi.put(f"{path}/complete", {})
    assert live.put(f"{path}/close", {"all": False}).status_code == 200


def test_closing_twice_or_a_draft_conflicts(live):
    path, draft = sent(live), f"/projects/{live.create()['id']}"
    live.put(f"{path}/close", {"all": True})
    codes = [live.put(f"{at}/close", {"all": True}).status_code for at in (path, draft)]
    assert codes == [409, 409]


def test_closing_must_say_all_or_not(live):
    path = sent(live)
    said = [live.put(f"{path}/close", body) for body in ({}, {"all": "yes"})]
    assert [answer.json()["message"] for answer in said] == [
        "all is required",
        "all must be true or false",
    ]


def test_the_message_of_a_close_is_for_all_or_for_ones_own(live, iwi):
    seen = []
    for everybody in (True, False):
        path = sent(live)
        live.put(f"{path}/close", {"all": everybody, "message": "Kua mutu"})
        thread = iwi.object("GET", f"{path}/engagements")["data"]
        seen.append([one["content"] for one in thread])
        own = live.object("GET", f"{path}/engagements")["data"][0]
        assert own["content"] == "Kua mutu"
    assert seen == [["Kua mutu", "Kia ora"], ["Kia ora"]]


def test_reopening_puts_a_project_in_progress_at_no_cost(live):
    path = sent(live)
    live.put(f"{path}/close", {"all": True})
    before = live.balance()
    again = live.object("PUT", f"{path}/reopen")
    assert (again["status"], again["closed_on"]) == ("IN_PROGRESS", None)
    assert (actions(live, path)[0], live.balance()) == ("REOPENED", before)


def test_only_a_closed_project_can_be_reopened(live, iwi):
    path = sent(live)
    codes = [live.put(f"{path}/reopen").status_code]
    iwi.put(f"{path}/complete", {})
    codes.append(live.put(f"{path}/reopen").status_code)
    assert codes == [409, 409]


def test_tabs_follow_a_project_to_its_end(running, ask_live):
    live = ask_live(running)
    iwi = ask_live(running, key=running.address.iwi_key)
    live.create()
    closed, complete = sent(live), sent(live)
    live.put(f"{closed}/close", {"all": True})
    iwi.put(f"{complete}/complete", {})
    for asker, drafts in ((live, 1), (iwi, 0)):
        counts = asker.object("GET", "/projects")["tab_counts"]
        assert counts == {
            "all": 2 + drafts,
            "active": drafts,
            "closed": 1,
            "completed": 1,
        }
        for tab in counts:
            page = asker.object("GET", "/projects", params={"active_status": tab})
            assert (page["total"], len(page["data"])) == (counts[tab], counts[tab])
