"""Settings: flags, environment, `kawe.toml`, user settings; one frozen value.

A flag overrides the environment, that the folder's `kawe.toml`, that the user's file.
The `kawe.toml` may only describe the work or make a run stricter. A key comes only from
`KAWE_API_KEY`, the file that `key_file` names, the program of `key_command`, or `kawe
init`; it goes only to an address that the person named.

What cannot be read, used or kept raises `SettingsError`, of a key `KeyMissing`, and
`GuardRefused` where others could read or change it; a docstring names only what a
function raises besides.
"""

from kawe.settings.headings import OwnHeading as OwnHeading
from kawe.settings.headings import column_memory as column_memory
from kawe.settings.headings import columns_file as columns_file
from kawe.settings.headings import forget_columns as forget_columns
from kawe.settings.headings import forget_rule as forget_rule
from kawe.settings.headings import is_new_reading as is_new_reading
from kawe.settings.headings import keep_columns as keep_columns
from kawe.settings.headings import keep_rule as keep_rule
from kawe.settings.keeping import FILE_NAME as FILE_NAME
from kawe.settings.keeping import FoundKey as FoundKey
from kawe.settings.keeping import Kept as Kept
from kawe.settings.keeping import KeyPlace as KeyPlace
from kawe.settings.keeping import OwnProfile as OwnProfile
from kawe.settings.keeping import is_key as is_key
from kawe.settings.keeping import keep_own as keep_own
from kawe.settings.keeping import key_in_file as key_in_file
from kawe.settings.keeping import keyring_name as keyring_name
from kawe.settings.keeping import own_address as own_address
from kawe.settings.keeping import user_file as user_file
from kawe.settings.loading import Shown as Shown
from kawe.settings.loading import every_setting as every_setting
from kawe.settings.loading import load_settings as load_settings
from kawe.settings.values import Settings as Settings
from kawe.settings.values import checked_url as checked_url
from kawe.settings.values import state_folder as state_folder
