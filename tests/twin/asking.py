"""How tests ask a running twin.

`Asker` sends one request and checks that whatever comes back is an answer the
contract allows: the envelope, the status, the RateLimit headers, and the shape
of `response_object`.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
from jsonschema import Draft202012Validator

from kawe_contract.document import document
from kawe_contract.operations import OPERATIONS
from kawe_contract.shapes import array, page_of, ref
from kawe_twin.serving import TwinAddress

ONE_IWI = {"latitude": -36.85, "longitude": 174.76}
"""A place of `ngati-tauira-ki-te-raki` alone."""
TWO_IWI = {"latitude": -41.29, "longitude": 174.78}
"""A place where the caller chooses."""
AT_SEA = {"latitude": -40.0, "longitude": 165.0}


def draft_body(**changes):
    """Give a body that creates a draft to one iwi; None takes a field away."""
    body = {
        "name": "Papa tākaro hou",
        "description": "He papa tākaro mō te hapori.",
        "type": "LAND_USE_CONSENT",
        "start_date": "2026-12-01",
        "end_date": "2026-12-31",
        "respond_by_date": "2026-12-20",
        "address": "1 Te Ara, Tāmaki Makaurau",
        **ONE_IWI,
        "files": [],
        "draft": True,
        **changes,
    }
    return {name: value for name, value in body.items() if value is not ...}


@dataclass
class Asker:
    """One key at one twin."""

    address: TwinAddress
    key: str = field(repr=False)

    def __post_init__(self):
        self.client = httpx.Client(
            base_url=self.address.api_url,
            headers={"Authorization": f"Bearer {self.key}"},
            timeout=30,
            verify=False,
        )

    def ask(self, method, path, **how):
        """Ask, check the answer against the contract, and give it."""
        answer = self.client.request(method, path, **how)
        check_answer(method, path, answer)
        return answer

    def get(self, path, **how):
        return self.ask("GET", path, **how)

    def put(self, path, body=None, **how):
        return self.ask("PUT", path, json=body, **how)

    def post(self, path, body=None, **how):
        return self.ask("POST", path, json=body, **how)

    def delete(self, path, **how):
        return self.ask("DELETE", path, **how)

    def object(self, method, path, **how):
        """Ask for what succeeds, and give its object."""
        answer = self.ask(method, path, **how)
        assert answer.status_code == 200, answer.text
        return answer.json()["response_object"]

    def create(self, **changes):
        return self.object("POST", "/projects", json=draft_body(**changes))

    def send(self, project_id, **body):
        """Try to send a draft."""
        return self.put(f"/projects/{project_id}/send", {"message": "Kia ora", **body})

    def team(self):
        """Give the team or iwi of the key."""
        user = self.object("GET", "/user")
        return (user["teams"] + user["iwi"])[0]

    def balance(self):
        return self.team()["current_credit_balance"]

    def upload(self, content=b"%PDF-1.7 tauira", *, name="a.pdf"):
        """Upload one file to its end; give its document id."""
        grant = self.presign(content, name=name)
        posted = post_file(grant, content)
        assert posted.status_code == 204, posted.text
        body = {"documentId": grant["documentId"]}
        return self.object("POST", "/upload/complete", json=body)["id"]

    def presign(self, content=b"abc", *, name="a.pdf"):
        return self.object(
            "POST",
            "/upload/presign",
            json={
                "fileName": name,
                "mimeType": "application/pdf",
                "size": len(content),
            },
        )


@contextmanager
def asking(running, key=None):
    """Give what asks a twin with a key, its live one by default."""
    asker = Asker(running.address, key or running.address.live_key)
    with asker.client:
        yield asker


def owner_of(running):
    """Give a client of a twin's owner routes."""
    return httpx.Client(
        base_url=running.address.api_url,
        headers={"X-Twin-Secret": running.address.owner_secret},
        verify=False,
    )


def fetch(url, **how):
    """Fetch a URL without a key. No certificates are loaded: it is slow."""
    return httpx.get(url, verify=False, **how)


def post_file(grant, content):
    """Post a file under a grant: the fields first, then `file`."""
    files = {"file": ("a.pdf", content)}
    return httpx.post(grant["url"], data=grant["fields"], files=files, verify=False)


def check_answer(method, path, answer):
    """Hold one answer against the contract."""
    said = answer.json()
    for name in ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"):
        assert answer.headers[name].isdecimal()
    if answer.status_code == 401 or set(said) == {"error"}:
        assert answer.status_code in {401, 403}
        assert list(said) == ["error"]
        assert isinstance(said["error"], str)
        return
    assert list(said) == ["success", "message", "status_code", "response_object"]
    assert said["status_code"] == answer.status_code
    assert said["success"] is (answer.status_code == 200)
    if not said["success"]:
        assert said["response_object"] is None
        return
    operation = _operation(method, path)
    if operation is not None and operation.response is not None:
        _validator(operation).validate(said["response_object"])


def _operation(method, path):
    for operation in OPERATIONS.values():
        pattern = re.sub(r"\{\w+\}", "[^/]+", operation.path)
        if operation.method == method and re.fullmatch(pattern, path):
            return operation
    return None


def _validator(operation):
    schema = ref(operation.response)
    if operation.paged:
        schema = page_of(schema)
    if operation.listed:
        schema = array(schema)
    return Draft202012Validator({**schema, "$defs": document()["$defs"]})
