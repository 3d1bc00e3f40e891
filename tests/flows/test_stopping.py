"""What stops a run: each time a clear reason, and nothing lost."""

from collections import Counter
from dataclasses import replace

import pytest

from doubles.at_the_twin import owner_does
from doubles.rows import checked_projects, project
from kawe.domain.batch.outcomes import Outcome
from kawe.errors import KeyRefused, ScopeMissing, ServiceUnreachable


def _key(scene, *, scopes):
    team = next(
        a for a in scene.state()["accounts"] if a["kind"] == "TEAM" and not a["sandbox"]
    )
    return owner_does(scene.twin.address, "keys", team_id=team["id"], scopes=scopes)


ALL_BUT_SEND = ["projects:read", "projects:write", "iwi:read", "files:write"]


def test_a_missing_scope_stops_the_sends_and_keeps_the_drafts(scene_with):
    scene = scene_with(tokens=5)
    scene.key = _key(scene, scopes=ALL_BUT_SEND)["key"]
    run = scene.submit(checked_projects([project(n) for n in range(3)]))
    scene.key = ""
    scene.submit(checked_projects([project(n) for n in range(3)]))
    assert (type(run.stop.because), scene.outcomes(), scene.sends()) == (
        ScopeMissing,
        Counter({Outcome.SENT: 3}),
        [1] * 3,
    )


def test_a_key_revoked_in_mid_run_stops_it_and_another_key_goes_on(scene_with):
    scene = scene_with(tokens=50)
    made = _key(scene, scopes=[*ALL_BUT_SEND, "projects:send"])
    scene.key, scene.workers = made["key"], 1
    scene.wrap = _revoking(scene, made["id"], at=3)
    checked = checked_projects([project(n) for n in range(6)])
    run = scene.submit(checked)
    scene.key, scene.wrap = "", None
    scene.submit(checked)
    assert (type(run.stop.because), scene.outcomes(), scene.sends()) == (
        KeyRefused,
        Counter({Outcome.SENT: 6}),
        [1] * 6,
    )


def test_a_service_that_is_not_there_is_named_and_nothing_is_sent(scene_with):
    scene = scene_with(tokens=5)
    scene.base_url = "http://127.0.0.1:9"
    with pytest.raises(ServiceUnreachable):
        scene.submit(checked_projects([project(1)]))


class RevokingActs:
    """Revokes the key just before the n-th send."""

    def __init__(self, inner, *, at, revoke):
        self.inner, self.at, self.revoke, self.count = inner, at, revoke, 0

    async def create_draft(self, body):
        return await self.inner.create_draft(body)

    async def send(self, project_id, body):
        self.count += 1
        if self.count == self.at:
            self.revoke()
        return await self.inner.send(project_id, body)


def _revoking(scene, key_id, *, at):
    address = scene.twin.address

    def revoke():
        owner_does(address, "keys/revoke", key=key_id)

    return lambda service: replace(
        service, acts=RevokingActs(service.acts, at=at, revoke=revoke)
    )
