"""What help costs: `kawe --help` beside bare Python, and a command's beside that.

python bench/startup.py           the least of seven
python bench/startup.py --tiny    once
"""

from __future__ import annotations

import os
import subprocess
import sys

REPEATS = 7
COMMANDS = {
    "bare": ("-c", "pass"),
    "kawe --help": ("-m", "kawe", "--help"),
    "kawe check --help": ("-m", "kawe", "check", "--help"),
    "kawe submit --help": ("-m", "kawe", "submit", "--help"),
}


def seconds(*arguments: str) -> float:
    """Give the processor time of one whole process."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{arguments} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Interleave them and compare the least of each."""
    least = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(1 if "--tiny" in sys.argv else REPEATS):
        for name, arguments in COMMANDS.items():
            least[name] = min(least[name], seconds(*arguments))
    bare, whole, *commands = least
    ratio = least[whole] / least[bare]
    print(f"{whole} / python -c pass: {ratio:.1f} (gate 5, aim 4)")
    for each in commands:
        print(f"{each} / {whole}: {least[each] / least[whole]:.1f} (gate 2, aim 1.5)")


if __name__ == "__main__":
    main()
