"""Run kawe: `python -m kawe` is the command `kawe`."""

from __future__ import annotations

from kawe.cli.app import main

if __name__ == "__main__":
    main()
