"""The whole consultation service on your own machine.

An ASGI application with real storage and all rules of the service. It shares only the
contract with the client, so that both cannot have the same misreading::

    with start_twin(TwinOptions(folder=Path("twin"), tokens=20)) as twin:
        print(twin.address.api_url, twin.address.live_key)

runs it until the block ends; the folder keeps all it knows. People start it by
`kawe serve`, or for one run by `kawe demo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kawe_twin.options import TwinAddress as TwinAddress
from kawe_twin.options import TwinOptions as TwinOptions

if TYPE_CHECKING:
    from kawe_twin.serving import RunningTwin as RunningTwin
    from kawe_twin.serving import start_twin as start_twin


def __getattr__(name: str) -> object:
    # The server takes long to load; options and addresses are wanted without it.
    if name in {"RunningTwin", "start_twin"}:
        from kawe_twin import serving  # noqa: PLC0415 - see above

        return getattr(serving, name)
    raise AttributeError(name)
