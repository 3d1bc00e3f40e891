"""How tests visit the portal: as a browser would, but over httpx."""

import html
import re

import httpx

_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]{64})"')


class Visitor:
    """One browser profile: cookies, and the last form token that was seen."""

    def __init__(self, running):
        self.running = running
        self.token = ""
        self.client = httpx.Client(
            base_url=running.address.api_url, verify=False, timeout=30
        )

    def get(self, path, **how):
        """Open a page, and remember the token of its forms."""
        answer = self.client.get(path, **how)
        found = _TOKEN.search(answer.text)
        if found is not None:
            self.token = found[1]
        return answer

    def post(self, path, **fields):
        """Send a form with the token of the page last seen."""
        return self.client.post(path, data={"form_token": self.token, **fields})

    def sign_in(self, *, wanted="/portal/"):
        """Sign in with the right secret."""
        self.get("/portal/sign-in")
        secret = self.running.address.owner_secret
        answer = self.post("/portal/sign-in", secret=secret, next=wanted)
        self.get("/portal/")
        return answer

    def follow(self, answer):
        """Open the page that an answer sends the browser to."""
        assert answer.status_code == 303, answer.text
        return self.get(answer.headers["location"])


def words(answer):
    """Give the words of a page, without its tags."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.text)))
