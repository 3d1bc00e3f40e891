"""Run every benchmark and print its ratios. Nothing here passes or fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run each benchmark in a fresh process."""
    for script in sorted(HERE.glob("*.py")):
        if script.name == "run.py" or script.name.startswith("_"):
            continue
        print(f"== {script.stem}", flush=True)
        subprocess.run([sys.executable, str(script)], check=False)


if __name__ == "__main__":
    main()
