"""Options and address of a twin."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

IS_WINDOWS: Final = os.name == "nt"


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
    """Timeout of a request's head, an API body, and each part of a stored file."""
    latency_ms: int = 0
    """Wait before each API answer."""
    faults: bool = False
    """Whether there is a switchboard for faults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinAddress:
    """Addresses, keys and secrets of a twin."""

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
