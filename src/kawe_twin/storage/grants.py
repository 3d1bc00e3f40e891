"""Permission to use the storage origin without a key.

A grant allows one upload, a link one download. Both are signed and have an expiry, so
that nothing is stored. The form follows the S3 browser-based POST (AWS Signature
Version 4, POST policy); the signature is the twin's own.
"""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from kawe_twin.storage.document_folder import DocumentFolder
from kawe_twin.store.database import Database
from kawe_twin.world.clock import Clock, instant_after, instant_text
from kawe_twin.world.keys import is_same_secret

BUCKET: Final = "uploads"
REQUEST_EXPIRED: Final = "Request has expired."
_ALGORITHM: Final = "AWS4-HMAC-SHA256"
_SIGNATURE: Final = "x-amz-signature"
_STATUS_CODES: Final = {
    "AccessDenied": 403,
    "InternalError": 500,
    "NoSuchKey": 404,
    "SignatureDoesNotMatch": 403,
    "SlowDown": 503,
}
_UNSIGNED: Final = frozenset({"policy", _SIGNATURE, "file"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPolicy:
    """The upload that a policy allows."""

    document_id: str
    least_bytes: int
    most_bytes: int


@dataclass(eq=False)
class StorageRefusal(Exception):
    """The storage origin refuses a request."""

    code: str
    message: str

    @property
    def status_code(self) -> int:
        return _STATUS_CODES.get(self.code, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """Signs and checks grants and links."""

    secret: bytes = field(repr=False)

    def sign(self, text: str) -> str:
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()

    def matches(self, text: str, *, signature: str) -> bool:
        return is_same_secret(signature, self.sign(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageSetup:
    """What the storage origin works with."""

    database: Database
    clock: Clock
    signer: Signer = field(repr=False)
    document_folder: DocumentFolder


def grant_fields(
    signer: Signer,
    *,
    document_id: str,
    mime_type: str,
    size_bytes: int,
    at: datetime,
    seconds: int,
) -> dict[str, str]:
    """Make the form fields for the upload of exactly this file."""
    fields = {
        "key": f"{BUCKET}/{document_id}",
        "Content-Type": mime_type,
        "x-amz-algorithm": _ALGORITHM,
        "x-amz-credential": f"twin/{at:%Y%m%d}/local/s3/aws4_request",
        "x-amz-date": f"{at:%Y%m%dT%H%M%SZ}",
    }
    policy = {
        "expiration": instant_after(at, seconds=seconds),
        "conditions": [
            *({name: value} for name, value in fields.items()),
            ["content-length-range", size_bytes, size_bytes],
        ],
    }
    encoded = base64.b64encode(json.dumps(policy).encode()).decode()
    return {**fields, "policy": encoded, _SIGNATURE: signer.sign(encoded)}


def judge_form(
    fields: Mapping[str, str], *, signer: Signer, at: datetime
) -> PostPolicy:
    """Find what the fields before the file allow; 403 where they are not as signed."""
    if "key" not in fields:
        raise StorageRefusal(
            "InvalidArgument", "POST must have the field key before the file."
        )
    policy = _signed_policy(fields, signer=signer)
    if policy["expiration"] <= instant_text(at):
        raise StorageRefusal(
            "AccessDenied", "Invalid according to Policy: Policy expired."
        )
    demanded, least, most = _conditions(policy)
    for name, value in demanded.items():
        if fields.get(name) != value:
            raise StorageRefusal(
                "AccessDenied", f"Invalid according to Policy: {name} differs."
            )
    if fields.keys() - demanded.keys() - _UNSIGNED:
        raise StorageRefusal(
            "AccessDenied", "Invalid according to Policy: Extra input fields."
        )
    document_id = demanded["key"].rpartition("/")[2]
    return PostPolicy(document_id=document_id, least_bytes=least, most_bytes=most)


def _signed_policy(fields: Mapping[str, str], *, signer: Signer) -> dict[str, Any]:
    encoded, signature = fields.get("policy", ""), fields.get(_SIGNATURE, "")
    if not encoded or not signature:
        raise StorageRefusal("AccessDenied", "Access denied.")
    if not signer.matches(encoded, signature=signature):
        raise StorageRefusal(
            "SignatureDoesNotMatch", "The signature does not match the policy."
        )
    try:
        policy: dict[str, Any] = json.loads(base64.b64decode(encoded, validate=True))
    except (binascii.Error, ValueError) as wrong:
        raise StorageRefusal("AccessDenied", "Access denied.") from wrong
    return policy


def _conditions(policy: Mapping[str, Any]) -> tuple[dict[str, str], int, int]:
    demanded: dict[str, str] = {}
    least = most = 0
    for condition in policy["conditions"]:
        match condition:
            case dict():
                demanded.update(condition)
            case ["content-length-range", int(low), int(high)]:
                least, most = low, high
            case _:
                pass
    return demanded, least, most


def link_path(signer: Signer, *, document_id: str, at: datetime, seconds: int) -> str:
    """Make path and query of a link."""
    until = int(at.timestamp()) + seconds
    signature = signer.sign(f"link/{document_id}/{until}")
    return f"/documents/{document_id}?expires={until}&signature={signature}"


def judge_link(
    query: Mapping[str, str], *, document_id: str, signer: Signer, at: datetime
) -> None:
    """Accept a link with our signature that has not expired; 403 otherwise."""
    until, signature = query.get("expires", ""), query.get("signature", "")
    if not signer.matches(f"link/{document_id}/{until}", signature=signature):
        raise StorageRefusal("SignatureDoesNotMatch", "The signature does not match.")
    if at.timestamp() >= int(until):
        raise StorageRefusal("AccessDenied", REQUEST_EXPIRED)
