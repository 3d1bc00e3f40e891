"""What holds for every test."""

import asyncio
import gc
import inspect
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from signal import SIG_DFL, SIG_IGN, default_int_handler

import pytest
from hypothesis import HealthCheck, settings

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be

# No test is timed: a busy machine is no fault of the code. A change is judged by the
# same examples before and after; campaigns look for others.
_UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("kawe", derandomize=True, **_UNTIMED)
settings.register_profile("searching", print_blob=True, **_UNTIMED)
settings.load_profile("kawe")


# Files that take long, or wait, then those that are many and quick: `make test` begins
# them in this order (`--no-loadscope-reorder`), so that no process has a long one left.
_ORDER = (
    *("tests/flows/", "tests/architecture/test_tutorial.py", "tests/samples/test_p"),
    *("tests/faults/", "tests/cli/", "tests/architecture/", "tests/twin/"),
    *("tests/contracts/", "tests/properties/", "tests/samples/", "tests/"),
)


# Journals and services write through to the disk at every commit, which takes half the
# time of a test that is about something else.
_MEMORY = Path("/dev/shm")
_ENOUGH = 4 * 1024**3


def pytest_configure(config):
    """Write in memory, where there is enough; look for no rubbish while collecting."""
    # The order is the same before and after a change, too; the campaign takes others.
    if config.getoption("randomly_seed", None) == "default":
        config.option.randomly_seed = 1
    gc.disable()
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(_MEMORY).free >= _ENOUGH:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def pytest_collection_finish():
    """Look for rubbish again, but not among what lasts as long as the process."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Let what takes long begin first: else one process has it left at the end."""

    def place(item):
        starts = map(item.nodeid.startswith, _ORDER)
        return next((at for at, is_so in enumerate(starts) if is_so), len(_ORDER))

    items.sort(key=place)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that awaits what it asks for; any other is run as ever."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture(autouse=True, scope="session")
def _signals_reach_what_is_started():
    """Let Ctrl-C be heard by commands, also where the tests run in the background."""
    for name, usual in (("SIGINT", default_int_handler), ("SIGHUP", SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(autouse=True, scope="session")
def _folders_of_its_own(tmp_path_factory):
    """Keep what runs in this process out of the folders of whoever tests."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("STATE", "CONFIG"):
            folder = tmp_path_factory.mktemp(name.lower())
            surroundings.setenv(f"XDG_{name}_HOME", str(folder))
        # pytest imports readline, which sets it for processes that are started, and
        # several processes of tests set it too: lines would be broken.
        surroundings.delenv("COLUMNS", raising=False)
        os.unsetenv("COLUMNS")
        # As in an activated environment: `kawe` is the one that is tested.
        own = Path(sys.executable).parent
        surroundings.setenv("PATH", str(own), prepend=os.pathsep)
        yield
