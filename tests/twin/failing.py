"""A twin that can be made to fail, and how tests look at what it did."""

import socket

import httpx

from doubles.switchboard import Switchboard
from twin.asking import Asker, draft_body, owner_of

RESET = httpx.ReadError
ENDED = httpx.RemoteProtocolError


class House:
    """A twin with a switchboard, its live key, and what really happened."""

    def __init__(self, running):
        self.address = running.address
        self.asker = Asker(running.address, running.address.live_key)
        self.board = Switchboard(running.address)
        self.owner = owner_of(running)

    def close(self):
        self.asker.client.close()
        self.owner.close()

    def create(self, **changes):
        """Ask for a draft on a connection of its own, whatever comes back."""
        return self.request("POST", "/projects", json=draft_body(**changes))

    def request(self, method, path, **how):
        return httpx.request(
            method,
            self.address.api_url + path,
            headers={"Authorization": f"Bearer {self.address.live_key}"},
            verify=False,
            timeout=60,
            **how,
        )

    def projects(self, reference):
        """Count the projects that really are there under a reference."""
        state = self.owner.get("/_twin/state").json()
        return len(state["projects_by_reference"].get(reference, ()))

    def line(self):
        """Give what the ledger says about the last request."""
        entry = self.board.ledger()[-1]
        names = ("operation", "status_code", "told_status_code", "effect", "faults")
        return tuple(entry[name] for name in names)

    def further_key(self):
        """Make one more key of the live team, and ask with it."""
        body = {"account_id": self.asker.team()["id"]}
        made = self.owner.post("/_twin/keys", json=body).json()
        return Asker(self.address, made["key"])

    def listed(self, path):
        """Give the ids that a list shows."""
        return [one["id"] for one in self.asker.object("GET", path)["data"]]

    def raw_answer(self):
        """Give every byte of the answer to GET /user, until the connection ends."""
        url = httpx.URL(self.address.api_url)
        asked = (
            f"GET /user HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
            f"Authorization: Bearer {self.address.live_key}\r\n"
            "Connection: close\r\n\r\n"
        )
        with socket.create_connection((url.host, url.port), timeout=60) as line:
            line.sendall(asked.encode())
            got = b""
            try:
                while part := line.recv(65536):
                    got += part
            except ConnectionResetError:
                assert got == b""
            return got
