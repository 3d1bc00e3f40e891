"""The process that sends one notice with apprise; `python -m` of this module.

It reads notice and addresses from standard input and answers a word for each address.
The library's own messages are dropped: they may hold a password.
"""

import faulthandler
import json
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from kawe.notices.notifier import MISSING, REFUSED, TOLD, UNKNOWN

_AT_ONCE: Final = 16


def main() -> None:
    """Send the notice on standard input."""
    order: dict[str, Any] = json.load(sys.stdin)
    # The parent may be gone.
    with open(os.devnull, "wb", buffering=0) as nowhere:  # noqa: PTH123 - a device
        faulthandler.dump_traceback_later(order["within"], exit=True, file=nowhere)
        for word in _send(order):
            os.write(sys.stdout.fileno(), f"{word}\n".encode())
        faulthandler.cancel_dump_traceback_later()


def _send(order: dict[str, Any]) -> list[str]:
    logging.disable(logging.CRITICAL)
    try:
        import apprise  # noqa: PLC0415 - an extra
    except ImportError:
        return [MISSING]

    def tell(target: str) -> str:
        # Each target has its own answer; nothing is stored and no plugin is loaded.
        asset = apprise.AppriseAsset(storage_mode="memory", plugin_paths=None)
        notifier = apprise.Apprise(asset=asset)
        if not notifier.add(target):
            return UNKNOWN
        is_told = notifier.notify(
            body=order["text"],
            title=order["title"],
            notify_type=order["tone"],
            body_format="text",
        )
        return TOLD if is_told else REFUSED

    targets: list[str] = order["targets"]
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        asked = [pool.submit(tell, target) for target in targets]
    return [REFUSED if each.exception() else each.result() for each in asked]


if __name__ == "__main__":
    main()
