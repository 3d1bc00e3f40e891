"""This machine, and nothing that only looks like it."""

import pytest

from kawe.domain.text.hosts import is_loopback, twin_words
from kawe.domain.text.next_steps import Next


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1:9", True),
        ("http://localhost", True),
        ("http://[::1]:9/x", True),
        ("http://127.0.0.1.example.nz", False),
        ("https://example.nz", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_loopback_is_this_machine_alone(url, is_here):
    assert is_loopback(url) is is_here


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:8750", f"{Next.SERVE(8750)}."),
        ("http://localhost:8760", f"{Next.SERVE(8760)}."),
        ("http://[::1]", f"{Next.SERVE(8750)}."),
        ("https://example.nz:8750", ""),
    ],
)
def test_only_at_an_address_of_this_machine_the_twin_is_started(url, words):
    assert twin_words(url).removeprefix("The twin is not running: ") == words
