"""Run kawe: `python -m kawe` is the command `kawe`."""

import gc
import signal
from contextlib import suppress


def main() -> None:
    """Run the command line; a crash of it dumps no memory."""
    _dump_no_memory()
    # Modules and the objects of a workbook live to the end: searching them for
    # cycles took a fifth of the time.
    gc.set_threshold(1_000_000, 50, 1_000)
    try:
        # What takes time to load comes after what must not wait for it.
        from kawe.cli.app import main as run  # noqa: PLC0415 - see above

        run()
    except KeyboardInterrupt:
        # So early there is nothing to say: it ends as any program does.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)


def _dump_no_memory() -> None:
    """Keep a crash from writing the key to the disk with all else in memory."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
