"""Asking again is quiet."""

from __future__ import annotations

import stamina

from kawe.service import retrying


def test_waiting_to_ask_again_writes_nothing_past_the_progress():
    assert retrying.stamina is stamina
    assert stamina.instrumentation.get_on_retry_hooks() == ()
