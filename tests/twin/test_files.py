"""Uploads, attachments and downloads, over the storage origin."""

import httpx
import pytest

from twin.asking import draft_body, fetch, post_file


def code_of(answer):
    assert answer.headers["content-type"].startswith("application/xml")
    return answer.status_code, answer.text.partition("<Code>")[2].partition("</")[0]


def test_an_upload_goes_from_grant_to_completed(live):
    content = bytes(range(256)) * 1000
    grant = live.presign(content)
    posted = post_file(grant, content)
    body = {"documentId": grant["documentId"]}
    done = live.object("POST", "/upload/complete", json=body)
    assert posted.status_code == 204
    assert done == {
        "id": grant["documentId"],
        "size": len(content),
        "mimeType": "application/pdf",
    }
    fetched = fetch(live.object("GET", f"/download/{grant['documentId']}")["url"])
    assert fetched.content == content
    assert fetched.headers["x-content-type-options"] == "nosniff"


def test_the_grant_is_for_another_origin_and_carries_no_key(live):
    grant = live.presign()
    assert grant["url"].startswith(live.address.storage_url)
    assert live.key not in repr(grant)


@pytest.mark.parametrize(
    ("content", "code"), [(b"ab", "EntityTooSmall"), (b"abcd", "EntityTooLarge")]
)
def test_a_file_of_another_size_than_granted_is_refused(live, content, code):
    assert code_of(post_file(live.presign(b"abc"), content)) == (400, code)


def test_a_file_under_another_field_is_no_file(live):
    grant = live.presign(b"abc")
    answer = httpx.post(
        grant["url"],
        data=grant["fields"],
        files={"upload": ("a.pdf", b"abc")},
        verify=False,
    )
    assert code_of(answer)[0] in {400, 403}


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data"])
def test_what_is_no_form_is_refused(live, kind):
    url = live.presign()["url"]
    answer = httpx.post(url, content=b"x", headers={"Content-Type": kind}, verify=False)
    assert code_of(answer) == (400, "MalformedPOSTRequest")


def test_a_wrong_upload_leaves_nothing_to_complete(live):
    grant = live.presign(b"abc")
    post_file(grant, b"abcd")
    answer = live.post("/upload/complete", {"documentId": grant["documentId"]})
    assert answer.status_code == 400


def test_completing_again_gives_the_same_answer(live):
    document_id = live.upload(b"abc")
    again = live.object("POST", "/upload/complete", json={"documentId": document_id})
    assert (again["id"], again["size"]) == (document_id, 3)


def test_a_completed_document_cannot_be_replaced(live):
    grant = live.presign(b"abc")
    body = {"documentId": grant["documentId"]}
    post_file(grant, b"abc")
    live.post("/upload/complete", body)
    post_file(grant, b"xyz")
    live.post("/upload/complete", body)
    link = live.object("GET", f"/download/{grant['documentId']}")["url"]
    assert fetch(link).content == b"abc"


def test_what_is_posted_after_its_end_is_not_kept(fresh_twin, ask_live, tmp_path):
    running = fresh_twin()
    asker = ask_live(running)
    grant = asker.presign(b"abc")
    post_file(grant, b"abc")
    asker.post("/upload/complete", {"documentId": grant["documentId"]})
    incoming = tmp_path / "twin" / "incoming"
    post_file(grant, b"xyz")
    after = list(incoming.iterdir())
    running.stop()
    # As an earlier version of the twin would have left it.
    (incoming / grant["documentId"]).write_bytes(b"xyz")
    fresh_twin()
    assert (after, list(incoming.iterdir())) == ([], [])


def test_the_size_of_an_upload_has_the_bounds_of_the_interface(live):
    body = {"fileName": "", "mimeType": "x/y", "size": 104857601, "category": "video"}
    message = live.post("/upload/presign", body).json()["message"]
    assert message.split("; ") == [
        "fileName must have at least 1 character",
        "size must be at most 104857600",
        "category must be one of document, image, gisLayer",
    ]


def test_an_upload_of_another_team_is_not_found(live, other):
    grant = live.presign(b"abc")
    post_file(grant, b"abc")
    body = {"documentId": grant["documentId"]}
    assert other.post("/upload/complete", body).status_code == 404
    document_id = live.upload()
    assert other.get(f"/download/{document_id}").status_code == 404
    refused = other.post("/projects", draft_body(files=[{"id": document_id}]))
    assert refused.status_code == 400


def test_a_document_belongs_to_one_project(live):
    files = [{"id": live.upload().upper()}]
    first = live.post("/projects", draft_body(files=files))
    second = live.post("/projects", draft_body(files=files))
    assert (first.status_code, second.json()["message"]) == (
        200,
        "files[0] belongs to a project already",
    )


def test_a_file_named_twice_or_not_completed_is_refused(live):
    document_id, unfinished = live.upload(), live.presign()["documentId"]
    files = [{"id": document_id}, {"id": document_id}, {"id": unfinished}]
    message = live.post("/projects", draft_body(files=files)).json()["message"]
    assert message.split("; ") == [
        "files[1] is the same file again",
        "files[2] is not a completed upload of your team",
    ]


def test_a_refused_create_leaves_its_files_free(live):
    files = [{"id": live.upload()}]
    live.post("/projects", draft_body(files=files, type="ROAD"))
    assert live.create(files=files)["status"] == "DRAFT"


def test_iwi_can_fetch_the_files_of_a_project_once_it_is_sent(live, iwi):
    document_id = live.upload()
    made = live.create(files=[{"id": document_id}])
    before = iwi.get(f"/download/{document_id}").status_code
    live.send(made["id"])
    assert (before, iwi.get(f"/download/{document_id}").status_code) == (404, 200)


def test_a_link_is_over_at_its_end(fresh_twin, ask_live):
    asker = ask_live(fresh_twin(link_seconds=0))
    link = asker.object("GET", f"/download/{asker.upload()}")["url"]
    assert code_of(fetch(link)) == (403, "AccessDenied")


def test_a_link_with_another_signature_opens_nothing(live):
    link = live.object("GET", f"/download/{live.upload()}")["url"]
    assert code_of(fetch(link[:-1] + "x")) == (403, "SignatureDoesNotMatch")


def test_a_link_can_be_fetched_in_parts(live):
    link = live.object("GET", f"/download/{live.upload(b'0123456789')}")["url"]
    part = fetch(link, headers={"Range": "bytes=3-5"})
    assert (part.status_code, part.content) == (206, b"345")


@pytest.mark.parametrize("name", ["../../x", "a\r\nX-Evil: 1", "Ōtaki ā.pdf", '"'])
def test_any_file_name_is_only_a_name(live, name):
    fetched = fetch(live.object("GET", f"/download/{live.upload(name=name)}")["url"])
    assert fetched.status_code == 200
    assert "x-evil" not in fetched.headers


def test_any_media_type_is_answered_safely(live):
    body = {"fileName": "a", "mimeType": "text/html\r\nX-Evil: 1", "size": 1}
    grant = live.object("POST", "/upload/presign", json=body)
    document_id = grant["documentId"]
    assert post_file(grant, b"x").status_code == 204
    live.post("/upload/complete", {"documentId": document_id})
    fetched = fetch(live.object("GET", f"/download/{document_id}")["url"])
    assert fetched.headers["content-type"] == "application/octet-stream"


def test_the_storage_origin_has_nothing_else(twin):
    answer = fetch(f"{twin.address.storage_url}/anything")
    assert code_of(answer) == (404, "NoSuchBucket")
