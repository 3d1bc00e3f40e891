"""Settings: flags, environment, `kawe.toml`, user settings; one frozen value.

A flag overrides the environment, that the folder's `kawe.toml`, that the user's file.
The `kawe.toml` may only describe the work or make a run stricter. A key comes only from
`KAWE_API_KEY`, the file that `key_file` names, the program of `key_command`, or `kawe
init`; it goes only to an address that the person named.

What cannot be read, used or kept raises `SettingsError`, of a key `KeyMissing`, and
`GuardRefused` where others could read or change it; a docstring names only what a
function raises besides.
"""

from kawe.settings.headings import (
    OwnHeading,
    column_memory,
    columns_file,
    forget_columns,
    forget_rule,
    is_new_reading,
    keep_columns,
    keep_rule,
)
from kawe.settings.keeping import (
    FILE_NAME,
    FoundKey,
    Kept,
    KeyPlace,
    OwnProfile,
    is_key,
    keep_own,
    key_in_file,
    keyring_name,
    own_address,
    user_file,
)
from kawe.settings.loading import Shown, every_setting, load_settings
from kawe.settings.values import Settings, checked_url, state_folder

__all__ = [
    "FILE_NAME",
    "FoundKey",
    "Kept",
    "KeyPlace",
    "OwnHeading",
    "OwnProfile",
    "Settings",
    "Shown",
    "checked_url",
    "column_memory",
    "columns_file",
    "every_setting",
    "forget_columns",
    "forget_rule",
    "is_key",
    "is_new_reading",
    "keep_columns",
    "keep_own",
    "keep_rule",
    "key_in_file",
    "keyring_name",
    "load_settings",
    "own_address",
    "state_folder",
    "user_file",
]
