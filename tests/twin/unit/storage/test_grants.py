"""Signed forms and links."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from kawe_twin.storage.grants import (
    PostPolicy,
    Signer,
    StorageRefusal,
    grant_fields,
    judge_form,
    judge_link,
    link_path,
)

AT = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
SIGNER = Signer(secret=b"one")
DOCUMENT = "024fe072-a543-478e-9763-dbb633556da1"


def granted():
    return grant_fields(
        SIGNER,
        document_id=DOCUMENT,
        mime_type="text/plain",
        size_bytes=3,
        at=AT,
        seconds=900,
    )


def refusal(fields, *, signer=SIGNER, at=AT):
    with pytest.raises(StorageRefusal) as caught:
        judge_form(fields, signer=signer, at=at)
    return caught.value.status_code, caught.value.code


def test_a_granted_form_lets_exactly_its_file_in():
    assert judge_form(granted(), signer=SIGNER, at=AT) == PostPolicy(
        document_id=DOCUMENT, least_bytes=3, most_bytes=3
    )


def test_a_grant_is_over_at_its_end():
    end = AT + timedelta(seconds=900)
    assert refusal(granted(), at=end) == (403, "AccessDenied")


def test_a_grant_of_another_signer_is_refused():
    other = Signer(secret=b"two")
    assert refusal(granted(), signer=other) == (403, "SignatureDoesNotMatch")


@pytest.mark.parametrize("field", ["key", "Content-Type", "x-amz-date"])
def test_a_changed_field_is_refused(field):
    assert refusal({**granted(), field: "x"}) == (403, "AccessDenied")


def test_a_field_that_the_policy_does_not_know_is_refused():
    assert refusal({**granted(), "acl": "public-read"}) == (403, "AccessDenied")


def test_a_form_without_its_key_is_malformed():
    fields = granted()
    del fields["key"]
    assert refusal(fields) == (400, "InvalidArgument")


@pytest.mark.parametrize("field", ["policy", "x-amz-signature"])
def test_a_form_without_policy_or_signature_is_refused(field):
    fields = granted()
    del fields[field]
    assert refusal(fields) == (403, "AccessDenied")


def judged_link(*, at, document_id=DOCUMENT, signer=SIGNER):
    path = link_path(SIGNER, document_id=DOCUMENT, at=AT, seconds=300)
    query = dict(parse_qsl(urlsplit(path).query))
    judge_link(query, document_id=document_id, signer=signer, at=at)


def test_a_link_opens_its_document_until_its_end():
    judged_link(at=AT + timedelta(seconds=299))
    with pytest.raises(StorageRefusal) as caught:
        judged_link(at=AT + timedelta(seconds=300))
    assert caught.value.code == "AccessDenied"


def test_a_link_opens_no_other_document():
    with pytest.raises(StorageRefusal) as caught:
        judged_link(at=AT, document_id="another")
    assert caught.value.code == "SignatureDoesNotMatch"


def test_a_signer_never_shows_its_secret():
    assert "one" not in repr(SIGNER)
