"""What the application folder runs: kawe, without a Python beside it.

kawe starts itself in two places as `python -P -m MODULE`, with `sys.executable` for
Python. In the folder that is this very program, so it answers to these words as well,
for modules of kawe alone.
"""

from __future__ import annotations

import runpy
import sys

from kawe.__main__ import main

match sys.argv[1:]:
    case ["-P", "-m", module, *words] if module.partition(".")[0] == "kawe":
        sys.argv[1:] = words
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    case _:
        main()
