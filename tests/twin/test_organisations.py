"""Organisations that a team keeps."""

SUMMARY = {
    "name": "Rōpū Whenua",
    "address": "1 Te Ara",
    "latitude": -37.0,
    "longitude": 175.0,
    "city": "Ōtaki",
    "country": None,
    "postcode": "5512",
}
CONTACT = {"name": "Hēmi", "role": "Kaiwhakahaere", "phone": "04 555 0100"}


def test_passing_an_organisation_makes_a_new_one_each_time(asker):
    made = [asker.create(organisation=SUMMARY)["organisation_id"] for _ in range(2)]
    page = asker.object("GET", "/organisations")
    assert [one["id"] for one in page["data"]] == made[::-1]
    assert (page["total"], page["limit"]) == (2, 10)


def test_an_organisation_is_shown_with_its_contact(asker):
    project = asker.create(organisation=SUMMARY, contact=CONTACT)
    shown = asker.object("GET", f"/organisations/{project['organisation_id']}")
    assert (shown["name"], shown["city"]) == ("Rōpū Whenua", "Ōtaki")
    assert "country" not in shown
    (contact,) = shown["contacts"]
    assert CONTACT.items() <= contact.items()
    assert project["organisation"] == SUMMARY


def test_an_organisation_can_be_changed(asker):
    path = f"/organisations/{asker.create(organisation=SUMMARY)['organisation_id']}"
    changed = asker.object("PUT", path, json={"name": "Hou", "phone": "1"})
    assert (changed["name"], changed["phone"]) == ("Hou", "1")
    assert changed["address"] == SUMMARY["address"]
    assert asker.object("GET", path) == changed


def test_deleting_an_organisation_leaves_its_projects_intact(asker):
    project = asker.create(organisation=SUMMARY)
    path = f"/organisations/{project['organisation_id']}"
    assert asker.object("DELETE", path) is True
    assert asker.get(path).status_code == 404
    assert asker.delete(path).status_code == 404
    assert asker.object("GET", "/organisations")["total"] == 0
    assert asker.object("GET", f"/projects/{project['id']}")["organisation"] == SUMMARY


def test_organisations_are_for_the_team_that_created_them(live, other):
    made = live.create(organisation=SUMMARY)["organisation_id"]
    path = f"/organisations/{made}"
    codes = [
        other.get(path).status_code,
        other.put(path, {"name": "x"}).status_code,
        other.delete(path).status_code,
    ]
    assert codes == [404] * 3
    assert live.get(path).status_code == 200
