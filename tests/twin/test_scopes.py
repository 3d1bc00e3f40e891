"""What each scope of a key opens, and that it opens nothing else."""

import pytest

from kawe_contract.enums import Scope
from kawe_contract.operations import OPERATIONS
from twin.asking import draft_body

NOWHERE = "024fe072-a543-478e-9763-dbb633556da1"


@pytest.mark.parametrize("scope", Scope)
def test_a_scope_opens_its_own_operations_and_no_others(scope, key_with):
    asker = key_with(scope.value)
    opened = set()
    for operation in OPERATIONS.values():
        path = operation.path.replace("{id}", NOWHERE).replace("{note_id}", NOWHERE)
        if list(asker.ask(operation.method, path, json={}).json()) != ["error"]:
            opened.add(operation.name)
    assert opened == {
        operation.name
        for operation in OPERATIONS.values()
        if set(operation.scopes) <= {scope}
    }


def test_a_request_without_the_scope_changes_and_charges_nothing(key_with, live):
    made = live.create()
    balance = live.balance()
    reader = key_with("projects:read")
    path = f"/projects/{made['id']}"
    codes = [
        reader.put(path, draft_body(name="x")).status_code,
        reader.send(made["id"]).status_code,
        reader.put(f"{path}/respond", {"message": "x", "files": []}).status_code,
        reader.post(
            f"{path}/notes", {"content": "x", "meeting_type": None}
        ).status_code,
    ]
    assert codes == [403] * 4
    assert (live.object("GET", path), live.balance()) == (made, balance)
    assert live.object("GET", f"{path}/engagements")["total"] == 0
