"""Settings: flags, environment, `kawe.toml`, user settings; one frozen value.

The nearest wins: a flag over the environment, that over `kawe.toml` beside
the work, that over the user's own file. A key never comes from a flag or from
a settings file: only from `KAWE_API_KEY`, the file that `key_file` names, or
what `kawe init` keeps. It goes only to an address that the person named.
"""

from kawe.settings.loading import every_setting, load_settings
from kawe.settings.showing import Shown
from kawe.settings.values import FILE_NAME, Settings, state_folder, user_file

__all__ = [
    "FILE_NAME",
    "Settings",
    "Shown",
    "every_setting",
    "load_settings",
    "state_folder",
    "user_file",
]
