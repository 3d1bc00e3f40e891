"""Whom this computer trusts, kawe trusts: a company's own certificates too."""

import json
import ssl
from datetime import UTC, datetime, timedelta

import pytest
import trustme

from doubles.answering import Answering, answering, user_in
from doubles.command import csv_row, write_csv

CANARY = "kawe_live_canary7f3a9c21"
THEN = datetime.now(UTC) - timedelta(days=1)


@pytest.fixture(scope="module")
def company():
    """Give an authority that no computer knows."""
    return trustme.CA(organization_name="Kaunihera o Tauira")


@pytest.fixture
def behind(newcomer, tmp_path):
    """Give a function that runs kawe in front of a service with a certificate."""

    def run(certificate, *words, trusting=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        if trusting is not None:
            file = tmp_path / "trusted.pem"
            trusting.cert_pem.write_to_path(file)
            newcomer.environment["SSL_CERT_FILE"] = str(file)
        with answering(Answering(body=user_in("T")), context=context) as said:
            newcomer.environment |= {
                "KAWE_BASE_URL": said.base_url,
                "KAWE_API_KEY": CANARY,
            }
            return newcomer.run(*words), said.asked

    return run


def service(done):
    signs = {each["about"]: each for each in json.loads(done.stdout)["signs"]}
    return signs["service"]["grade"], signs["service"]["words"]


def test_an_authority_that_this_computer_knows_is_trusted(behind, company):
    certificate = company.issue_cert("127.0.0.1")
    done, asked = behind(certificate, "doctor", "--json", trusting=company)
    assert (service(done), asked[0], asked[1][2]) == (
        ("ok", "answers over TLS that this computer trusts"),
        ("GET", "/user", ""),
        f"Bearer {CANARY}",
    )


def test_an_authority_that_it_does_not_know_is_refused_in_words(behind, company):
    done, asked = behind(company.issue_cert("127.0.0.1"), "doctor", "--json")
    grade, words = service(done)
    assert (done.returncode, grade, "is not trusted by this computer" in words) == (
        7,
        "trouble",
        True,
    )
    assert asked == []


LONG = pytest.mark.short_campaign


@pytest.fixture(
    params=[
        "unknown",
        pytest.param("another name", marks=LONG),
        pytest.param("too old", marks=LONG),
    ]
)
def unproven(request, company):
    """Give a certificate that proves nothing, and whom the computer trusts."""
    match request.param:
        case "unknown":
            return company.issue_cert("127.0.0.1"), trustme.CA()
        case "another name":
            return company.issue_cert("other.example.nz"), company
        case _:
            return company.issue_cert("127.0.0.1", not_after=THEN), company


def test_no_run_shows_its_key_to_whoever_cannot_prove_who_they_are(
    behind, newcomer, unproven
):
    certificate, trusting = unproven
    write_csv(newcomer.folder / "monthly.csv", [csv_row(1)])
    words = ("submit", "monthly.csv", "--yes", "1", "--no-input")
    # What turns the check off for other programs must not do so here.
    newcomer.environment["PYTHONHTTPSVERIFY"] = "0"
    done, asked = behind(certificate, *words, trusting=trusting)
    assert (done.returncode, "kawe doctor" in done.stderr, asked) == (7, True, [])
