"""Programs in a Python of their own."""

import subprocess
import sys
from typing import Any


def printed_by(program: str, *words: str, **place: Any) -> str:
    """Run a program to its good end, and give what it prints."""
    command = [sys.executable, "-c", program, *words]
    return str(subprocess.check_output(command, text=True, **place))
