"""`kawe serve`: the whole service on this machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kawe.cli.shared.declaring import (
    command,
    load_twin,
    option,
    options_class,
    ports_opened,
)
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.hosts import TWIN_PORT
from kawe.domain.text.texts import one_line
from kawe.system import is_windows

if TYPE_CHECKING:
    from kawe_twin.options import TwinAddress


def _port(flag: str, default: int, says: str) -> Any:  # noqa: ANN401 - a field's default
    kind, says = click.IntRange(0, 65535), f"{says}; 0 takes a free port."
    return option(flag, type=kind, default=default, help=says)


@options_class
class _ServeOptions:
    folder: Path = option(
        "--folder",
        is_folder=True,
        default=Path("kawe-twin"),
        help="Where its data lie; kept from one start to the next.",
    )
    port: int = _port("--port", TWIN_PORT, "Where it listens on this machine")
    storage_port: int = _port(
        "--storage-port", 8751, "Where its storage of files listens"
    )
    tokens: int = option(
        "--tokens",
        type=click.IntRange(0),
        default=20,
        help="What the team starts with, when the folder is new.",
    )
    rate_limit: int = option(
        "--rate-limit",
        type=click.IntRange(1),
        default=1000,
        help="Requests that a key may make in 15 minutes.",
    )
    faults: bool = option(
        "--faults", help="Open a switchboard by which the service can be made to fail."
    )
    switchboard_port: int = _port(
        "--switchboard-port", 8752, "Where the switchboard listens"
    )


@command("kawe serve --folder twin --tokens 10")
def serve(options: _ServeOptions) -> int:
    """Run the consultation service on this machine, to learn and rehearse.

    It is the real thing but for its iwi, which are made up: nothing leaves
    this machine. Its keys are made at random and printed once, here.
    """
    serving = load_twin()
    ports = [options.port, options.storage_port, options.switchboard_port]
    way_out = "If it is kawe serve, use that one. Else take free ports: add --port 0 "
    way_out += "--storage-port 0 --switchboard-port 0"
    with ports_opened(ports[: 2 + options.faults], hint=way_out):
        serving.serve_twin(
            serving.TwinOptions(**asdict(options)),
            ready=lambda address: _greet(address, folder=options.folder),
        )
    return ExitCode.DONE


def _greet(address: TwinAddress, *, folder: Path) -> None:
    click.echo(
        f"""The portal, for people: buy tokens at {address.api_url}/portal/
The service is running at {address.api_url}
Its data are kept in {one_line(str(folder))}. Stop it with Ctrl-C.

In another terminal, type kawe init, and paste what it asks for:

  Address of the service:  {address.api_url}
  Key:  {address.live_key}

That is a live key: sends cost tokens of the twin. A sandbox key of the same team,
which spends nothing and reaches no iwi:  {address.test_key}
A key of a team that is a sandbox altogether:  {address.sandbox_key}

For one terminal alone, in place of kawe init:

  {_assigned("KAWE_BASE_URL", address.api_url)}
  {_assigned("KAWE_API_KEY", address.live_key)}

The owner's secret for the portal, to sign in there:  {address.owner_secret}
"""
    )
    if address.switchboard_url is not None:
        click.echo(
            f"""The switchboard is at {address.switchboard_url}
Its secret:  {address.switchboard_secret}
"""
        )


def _assigned(name: str, value: str) -> str:
    """Set a variable as PowerShell does on Windows, and a POSIX shell elsewhere."""
    return f'$env:{name} = "{value}"' if is_windows() else f"export {name}={value}"
