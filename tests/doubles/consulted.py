"""A team's projects on a twin, and iwi who respond to them.

The projects are sent by a colleague in the portal, so no journal has them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from doubles.bodies import project_body
from kawe_twin.serving import RunningTwin

_BODY: Final = project_body(address="1 Te Ara", draft=False)
_READS: Final = (
    *("user_read", "project_list", "project_read", "engagement_list"),
    "team_read",
)


@dataclass(slots=True)
class Consulted:
    """Colleagues and iwi at one twin."""

    twin: RunningTwin
    _client: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Open one connection for all that they do."""
        self._client = httpx.Client(
            base_url=self.twin.address.api_url, timeout=30, verify=False
        )

    def close(self) -> None:
        self._client.close()

    def send(self, many: int, **changes: Any) -> list[str]:
        """Send so many projects; give their ids."""
        return [
            self._ask(
                "POST", "/projects", **{**_BODY, "name": f"Culvert {n}", **changes}
            )["id"]
            for n in range(many)
        ]

    def receive(self, name: str) -> str:
        """Let the iwi send the team a project of its own; give its id."""
        body = {**_BODY, "name": name, "recipient_team_id": self._team_id()}
        place = {"latitude": -45.0, "longitude": 160.0}
        made = self._ask(
            "POST", "/projects", key=self.twin.address.iwi_key, **body | place
        )
        project: str = made["id"]
        return project

    def draft(self, **changes: Any) -> str:
        """Make a draft; give its id."""
        (project,) = self.send(1, draft=True, **changes)
        return project

    def message(self, project: str) -> str:
        """Give the message with which a project was sent."""
        (first,) = self._ask("GET", f"/projects/{project}/engagements")["data"]
        words: str = first["content"]
        return words

    def respond(self, project: str, words: str, *documents: str) -> None:
        self._respond(project, words, documents, key=self.twin.address.iwi_key)

    def respond_to_all(self, words: str) -> None:
        """Let the iwi respond to every project in its inbox, up to a page."""
        for project in self._ask("GET", "/projects", key=self.twin.address.iwi_key)[
            "data"
        ]:
            self.respond(project["id"], words)

    def respond_as_team(self, project: str, words: str) -> None:
        """Let a colleague respond."""
        self._respond(project, words, (), key=self.twin.address.live_key)

    def complete(self, project: str) -> None:
        """Let the iwi complete a project."""
        path = f"/projects/{project}/complete"
        self._ask("PUT", path, key=self.twin.address.iwi_key)

    def close_project(self, project: str) -> None:
        self._ask("PUT", f"/projects/{project}/close", all=True)

    def note(self, project: str) -> None:
        """Let a colleague write a note."""
        path = f"/projects/{project}/notes"
        self._ask("POST", path, content="Rang them.", meeting_type="PHONE_CALL")

    def invite(self, email: str) -> str:
        """Let a colleague invite somebody; give the invitation's id."""
        person = {"name": "Hone Tauira", "email": email, "role": "MEMBER"}
        answer = self._ask("POST", "/user/invite/bulk", invitations=[person])
        invitation: str = answer["results"][0]["invitation_id"]
        return invitation

    def expire(self, invitation: str) -> None:
        """Let a colleague end an invitation."""
        self._ask("PUT", f"/user/invitation/{invitation}/expire")

    def accept(self, email: str) -> None:
        """Let somebody accept their open invitation."""
        headers = {"X-Twin-Secret": self.twin.address.owner_secret}
        (mine,) = (each for each in self.team("invitations") if each["email"] == email)
        path, body = "/_twin/invitations/accept", {"invitation_id": mine["id"]}
        answer = self._client.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text

    def change_role(self, email: str, role: str) -> None:
        """Let an owner change the role of a member."""
        path = f"/team/{self._team_id()}/role"
        self._ask("PUT", path, user_id=self._member(email), role=role)

    def remove(self, email: str) -> None:
        """Let an owner take a member out of the team."""
        path = f"/team/{self._team_id()}/revoke"
        self._ask("DELETE", path, user_id=self._member(email))

    def _member(self, email: str) -> str:
        (mine,) = (each["id"] for each in self.team("users") if each["email"] == email)
        return str(mine)

    def team(self, part: str) -> Any:
        """Read users or invitations of the team."""
        return self._ask("GET", f"/team/{self._team_id()}")[part]

    def new_key(self, *scopes: str) -> str:
        """Make another key of the team."""
        headers = {"X-Twin-Secret": self.twin.address.owner_secret}
        body = {"account_id": self._team_id(), "scopes": list(scopes)}
        answer = self._client.post("/_twin/keys", json=body, headers=headers)
        key: str = answer.json()["key"]
        return key

    def asked(self) -> Counter[str]:
        """Count by operation what was read from the twin so far."""
        headers = {"X-Twin-Secret": self.twin.address.owner_secret}
        state = self._client.get("/_twin/state", headers=headers).json()
        return Counter(
            {name: sum(state["requests"].get(name, {}).values()) for name in _READS}
        )

    def _team_id(self) -> str:
        team: str = self._ask("GET", "/user")["teams"][0]["id"]
        return team

    def _respond(
        self, project: str, words: str, documents: tuple[str, ...], *, key: str
    ) -> None:
        path = f"/projects/{project}/respond"
        files = [{"id": each} for each in documents]
        self._ask("PUT", path, key=key, message=words, files=files)

    def _ask(self, method: str, path: str, *, key: str = "", **body: Any) -> Any:
        bearer = f"Bearer {key or self.twin.address.live_key}"
        answer = self._client.request(
            method, path, json=body or None, headers={"Authorization": bearer}
        )
        assert answer.is_success, answer.text
        return answer.json()["response_object"]
