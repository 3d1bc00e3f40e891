"""This machine, and nothing that only looks like it."""

from __future__ import annotations

import pytest

from kawe.domain.text.hosts import is_loopback


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
