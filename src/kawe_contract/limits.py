"""Every number that the interface states (interface, Limits)."""

from typing import Final

UPLOAD_MAX_BYTES: Final = 104_857_600
BULK_INVITE_MAX: Final = 200
PAGE_MAX: Final = 100
# The interface bounds the size of a page, not its number; this is kawe's.
PAGE_NUMBER_MAX: Final = 10**18 - 1
PAGE_DEFAULT_PROJECTS: Final = 20
PAGE_DEFAULT_NESTED: Final = 10
GROUP_NAME_MAX: Final = 120
GROUP_DESCRIPTION_MAX: Final = 500
TOKEN_PACKS: Final = (1, 5, 10, 20, 50)
INTERFACE_VERSION: Final = "1.31.1"
