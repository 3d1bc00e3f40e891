"""How a twin is run, and where it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinOptions:
    """How a twin is run."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    """0 takes a free one."""
    storage_port: int = 0
    switchboard_port: int = 0
    tokens: int = 20
    """What the live team starts with, when the folder is new."""
    rate_limit: int = 1000
    rate_window_seconds: int = 900
    grant_seconds: int = 900
    """Life of a presigned upload."""
    link_seconds: int = 300
    """Life of a download link."""
    body_seconds: float = 30.0
    """How long the head of a request and the body of an API call may take to
    arrive, and how long the storage origin waits for the next part of a file."""
    latency_ms: int = 0
    """Waited after the work of each API call, before its answer."""
    faults: bool = False
    """Whether there is a switchboard, by which the twin can be made to fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinAddress:
    """Where a twin answers, and what opens it."""

    api_url: str
    storage_url: str
    live_key: str = field(repr=False)
    test_key: str = field(repr=False)
    """A sandbox key of the live team."""
    sandbox_key: str = field(repr=False)
    """A key of the team that is a sandbox as a whole."""
    iwi_key: str = field(repr=False)
    owner_secret: str = field(repr=False)
    switchboard_url: str | None = None
    """None without a switchboard; its secret is empty then."""
    switchboard_secret: str = field(default="", repr=False)
    keys_are_new: bool
    """The folder was new. In an existing folder these keys are further ones
    of the same accounts, and the earlier ones still work."""
