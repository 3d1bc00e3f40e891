"""How long `kawe --help` takes, as a multiple of bare Python.

python bench/startup.py           the fastest of seven
python bench/startup.py --tiny    once
"""

from __future__ import annotations

import subprocess
import sys
import time

REPEATS = 7


def seconds(*command: str) -> float:
    """Time one whole process."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    """Interleave the two and compare the fastest of each."""
    bare, ours = [], []
    for _ in range(1 if "--tiny" in sys.argv else REPEATS):
        bare.append(seconds(sys.executable, "-c", "pass"))
        ours.append(seconds(sys.executable, "-m", "kawe", "--help"))
    ratio = min(ours) / min(bare)
    print(f"kawe --help / python -c pass: {ratio:.1f} (gate 6, aim 4)")


if __name__ == "__main__":
    main()
