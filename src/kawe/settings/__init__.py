"""Settings: flags, environment, `kawe.toml`, user settings; one frozen value.

A flag overrides the environment, that the folder's `kawe.toml`, that the user's file.
The `kawe.toml` may only describe the work or make a run stricter. A key comes only from
`KAWE_API_KEY`, the file that `key_file` names, the program of `key_command`, or `kawe
init`; it goes only to an address that the person named.

What cannot be read, used or kept raises `SettingsError`, of a key `KeyMissing`, and
`GuardRefused` where others could read or change it; a docstring names only what a
function raises besides.
"""
