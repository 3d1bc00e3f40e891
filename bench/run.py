"""Run every benchmark and print its ratios. No ratio passes or fails.

    python bench/run.py                  all, in the sizes that are worth reading
    python bench/run.py journal twin     these
    python bench/run.py --tiny           all in a minute: do they still run?

Ends with 1 when a benchmark did not run to its end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run each benchmark in a fresh process."""
    every = sorted(path.stem for path in HERE.glob("[!_]*.py"))
    every.remove("run")
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("names", nargs="*", metavar="NAME", help=", ".join(every))
    words.add_argument("--tiny", action="store_true", help="few rows, each once")
    given = words.parse_args()
    broken = []
    for name in given.names or every:
        print(f"== {name}", flush=True)
        command = [sys.executable, str(HERE / f"{name}.py")]
        ran = subprocess.run([*command, *["--tiny"] * given.tiny], check=False)
        if ran.returncode:
            broken.append(name)
    if broken:
        print(f"did not run to the end: {', '.join(broken)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
