"""Who gets into the portal, and what guards its pages and forms."""

import re
from pathlib import Path

import pytest

from twin.asking import fetch
from twin.visiting import Visitor, words

NOBODY = "024fe072-a543-478e-9763-dbb633556da1"
URLENCODED = "application/x-www-form-urlencoded"
PAGES = [
    "/portal/",
    f"/portal/accounts/{NOBODY}",
    f"/portal/accounts/{NOBODY}/keys",
    f"/portal/accounts/{NOBODY}/projects",
    f"/portal/accounts/{NOBODY}/people",
    f"/portal/accounts/{NOBODY}/receipts",
    f"/portal/accounts/{NOBODY}/documents/{NOBODY}",
    f"/portal/projects/{NOBODY}",
    f"/portal/checkout/{NOBODY}",
]
FORMS = [
    f"/portal/accounts/{NOBODY}/people",
    f"/portal/accounts/{NOBODY}/tokens",
    f"/portal/accounts/{NOBODY}/keys",
    f"/portal/accounts/{NOBODY}/keys/revoke",
    f"/portal/projects/{NOBODY}/respond",
    f"/portal/checkout/{NOBODY}",
]


@pytest.fixture
def visitor(twin):
    made = Visitor(twin)
    yield made
    made.client.close()


@pytest.fixture
def signed_in(visitor):
    visitor.sign_in()
    return visitor


@pytest.mark.parametrize("path", PAGES)
def test_a_page_sends_who_is_not_signed_in_to_sign_in_and_back(visitor, path):
    answer = visitor.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/portal/sign-in?next={path}"
    visitor.get(answer.headers["location"])
    secret = visitor.running.address.owner_secret
    landed = visitor.post("/portal/sign-in", secret=secret, next=path)
    assert (landed.status_code, landed.headers["location"]) == (303, path)


def test_the_page_asked_for_keeps_its_account(visitor):
    path = f"/portal/projects/{NOBODY}?as={NOBODY}"
    shown = visitor.get(visitor.get(path).headers["location"])
    assert f'name="next" value="{path}"' in shown.text


@pytest.mark.parametrize("path", FORMS)
def test_a_form_of_nobody_goes_nowhere(visitor, path):
    visitor.get("/portal/sign-in")
    answer = visitor.post(path, quantity="10", scope="iwi:read")
    assert (answer.status_code, answer.headers["location"]) == (303, "/portal/sign-in")


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/portal//evil.example",
        "/portal/\\evil.example",
        "/portal/../_twin/state",
        "/portal/%2e%2e/_twin/state",
        "/portal/\r\nX-Evil: 1",
        "javascript:alert(1)",
        "portal.evil.example",
        "/portal/" + "a" * 400,
        "",
    ],
)
def test_signing_in_leads_to_our_own_pages_only(visitor, elsewhere):
    answer = visitor.sign_in(wanted=elsewhere)
    assert (answer.status_code, answer.headers["location"]) == (303, "/portal/")


def test_the_sign_in_page_does_not_repeat_a_hostile_next(visitor):
    answer = visitor.get("/portal/sign-in", params={"next": '"><script>'})
    assert "<script" not in answer.text
    assert 'name="next" value="/portal/"' in answer.text


@pytest.mark.parametrize("secret", ["", "wrong", "ā", "x" * 10_000])
def test_a_wrong_secret_opens_nothing(visitor, secret):
    visitor.get("/portal/sign-in")
    answer = visitor.post("/portal/sign-in", secret=secret, next="/portal/")
    assert answer.status_code == 403
    assert "not the owner’s secret" in words(answer)
    assert visitor.get("/portal/").status_code == 303


def test_the_secret_is_taken_from_the_form_alone(visitor):
    visitor.get("/portal/sign-in")
    secret = visitor.running.address.owner_secret
    answer = visitor.client.post(
        f"/portal/sign-in?secret={secret}", data={"form_token": visitor.token}
    )
    assert answer.status_code == 403


def test_signing_in_changes_the_cookie_and_signing_out_ends_the_session(visitor):
    visitor.get("/portal/sign-in")
    (before,) = visitor.client.cookies.jar
    visitor.sign_in()
    (after,) = visitor.client.cookies.jar
    out = visitor.post("/portal/sign-out")
    assert before.value != after.value
    assert out.headers["location"] == "/portal/sign-in"
    assert visitor.get("/portal/").status_code == 303


def test_the_cookie_is_for_the_portal_and_no_script_reads_it(visitor):
    said = visitor.sign_in().headers["set-cookie"]
    attributes = {part.strip().partition("=")[0].lower() for part in said.split(";")}
    assert {"httponly", "samesite", "path", "max-age"} <= attributes
    assert "SameSite=strict" in said
    assert "Path=/portal" in said
    assert visitor.running.address.owner_secret not in said


@pytest.mark.parametrize("cookie", ["x", "ā", "'; DROP", "A" * 43, "A" * 5000])
def test_a_made_up_cookie_is_nobody(twin, cookie):
    port = twin.address.api_url.rpartition(":")[2]
    headers = {"Cookie": f"kawe_portal_{port}={cookie}".encode()}
    assert fetch(f"{twin.address.api_url}/portal/", headers=headers).status_code == 303


@pytest.mark.parametrize("path", [*FORMS, "/portal/sign-out"])
@pytest.mark.parametrize("token", ["", "0" * 64, "ā"])
def test_a_form_without_its_token_does_nothing(signed_in, path, token):
    signed_in.token = token
    answer = signed_in.post(path, quantity="10", scope="iwi:read")
    assert answer.status_code == 403
    assert "out of date" in words(answer)


def test_the_token_of_another_visitor_opens_no_form(signed_in, twin):
    other = Visitor(twin)
    other.sign_in()
    signed_in.token = other.token
    other.client.close()
    assert signed_in.post("/portal/sign-out").status_code == 403


@pytest.mark.parametrize(
    ("content", "kind_and_status"),
    [
        (b"{}", ("application/json", 400)),
        (b"a=%ff", (URLENCODED, 400)),
        (b"&".join(b"a=1" for _ in range(300)), (URLENCODED, 400)),
        (b"a=" + b"x" * 400_000, (URLENCODED, 413)),
    ],
)
def test_what_is_no_form_is_refused(signed_in, content, kind_and_status):
    kind, status_code = kind_and_status
    answer = signed_in.client.post(
        "/portal/sign-out", content=content, headers={"Content-Type": kind}
    )
    assert answer.status_code == status_code


def test_every_page_forbids_scripts_frames_and_foreign_things(signed_in):
    for path in (
        "/portal/",
        "/portal/sign-in",
        "/portal/nowhere",
        "/portal/portal.css",
    ):
        headers = signed_in.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert signed_in.get("/portal/").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["kawe.example", "127.0.0.1", ""])
def test_another_host_gets_no_page(twin, host):
    answer = fetch(f"{twin.address.api_url}/portal/", headers={"Host": host})
    assert answer.status_code == 403


def test_what_is_not_there_gets_a_page_that_says_so(signed_in):
    answers = [
        signed_in.get(path)
        for path in (
            "/portal/nowhere",
            "/portal/projects/no-uuid",
            *(page for page in PAGES if NOBODY in page),
        )
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.headers["content-type"] for answer in answers} == {
        "text/html; charset=utf-8"
    }


def test_the_portal_is_found_without_its_slash(signed_in):
    assert signed_in.get("/portal").headers["location"] == "/portal/"


def test_templates_hold_no_script_no_style_and_nothing_from_elsewhere():
    folder = Path(__file__).parents[2] / "src/kawe_twin/portal"
    pages = sorted((folder / "templates").glob("*.html"))
    assert len(pages) > 5
    for path in pages:
        text = path.read_text("utf-8")
        assert not re.search(r"<script|style=|https?://|\|\s*safe|\son\w+=", text), path
        # A form that changes something carries its token.
        forms = re.findall(r'<form method="post".*?</form>', text, re.DOTALL)
        for form in forms:
            assert "hidden(form_token)" in form or 'name="form_token"' in form, path
    assert "url(" not in (folder / "static/portal.css").read_text("utf-8")
