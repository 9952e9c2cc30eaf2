"""Fixtures of all tests: an own home folder, no warnings, nothing left running."""

import functools
import gc
import itertools
import os
import shutil
import signal
import socket
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from leaks import active_timers, leftovers, take_snapshot
from log_capture import WarningCatcher
from pytestqt.qtbot import QtBot
from recorded_data import ADDED, data_folders
from timeouts import LIMIT_S, keep_worker_priority, lengthen_timeouts, with_long_timeouts
from virtual_display import virtual_display

from browser_app import language
from browser_app.diagnostics import internal_errors
from browser_app.engine.query.scanner import Scanner
from browser_app.games import game_registry, profile_reader
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.launch import installed_games, steam_libraries
from browser_app.launch.game_process import _running_processes
from browser_app.paths import resource_folder
from browser_app.runtime_tuning import collect_due_garbage, disable_automatic_gc

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

# Tests show no windows on the screen unless QT_QPA_PLATFORM says otherwise, as with `xcb`.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Tests compare texts with English ones, whatever the language of the machine.
os.environ |= {"LANGUAGE": "en", "LC_ALL": "C.UTF-8"}

# A test run in the background ignores Ctrl-C, and so would all programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The default run is deterministic: generated examples are the same everywhere. `dev.py test --explore` generates new
# ones; what it finds becomes an `@example`. Time limits of single examples measure the machine, not the code.
# `dev.py test --quick` takes a quarter of them, where a test does not say how many it needs.
settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
settings.register_profile("quick", settings.get_profile("fixed"), max_examples=25)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
if settings.get_current_profile_name() != "explore":
    # Hypothesis also draws constants found in the modules of the project that are loaded so far, even with
    # `derandomize`, and these differ from worker to worker. There is no setting for it.
    pytest.MonkeyPatch().setattr(providers, "is_local_module_file", lambda _: False)

system_lookup = socket.getaddrinfo


def look_up_locally(
    host: str | None,
    port: str | int | None,
    family: int = 0,
    type: int = 0,  # noqa: A002 - as in `socket.getaddrinfo`
    proto: int = 0,
    flags: int = 0,
) -> list[Any]:
    """Look up addresses and this machine; no other name is known."""
    numeric = 0 if host in (None, "localhost") else socket.AI_NUMERICHOST
    return system_lookup(host, port, family, type, proto, flags | numeric)


# A name server may take longer than a test waits, and no test may ask one.
pytest.MonkeyPatch().setattr(socket, "getaddrinfo", look_up_locally)

SHIPPED_GAMES = resource_folder() / "games"
read_shipped_profile = functools.cache(profile_reader.read_profile)


def read_profile(file: Path) -> GameProfile:
    """Read a game's profile, a shipped one only once: no test changes it."""
    return read_shipped_profile(file) if file.is_relative_to(SHIPPED_GAMES) else profile_reader.read_profile(file)


# Half of the modules load all games, which takes 50 ms each time.
pytest.MonkeyPatch().setattr(game_registry, "read_profile", read_profile)

PLATFORMS = {
    "linux": (sys.platform == "linux", "runs on Linux only"),
    "posix": (os.name == "posix", "runs on POSIX systems only"),
    "windows": (sys.platform == "win32", "runs on Windows only"),
}
"""Markers that tie a test to a system: whether this is one, and the reason for skipping it elsewhere."""


SLOW_FOLDERS = {"accessibility", "commands", "demo", "packaging", "proof", "real", "ui"}
"""Folders of tests that start programs, open windows, need real game servers, or simulate for long."""
SLOW_MODULE = "\npytestmark = pytest.mark.slow\n"
NOT_SLOW = "not slow"
"""The marker expression of `dev.py test --quick`."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import slow folders and modules for the quick tests."""
    if config.option.markexpr != NOT_SLOW:
        return None
    if collection_path.suffix == ".py":
        is_slow = SLOW_MODULE in collection_path.read_text(encoding="utf-8")
    else:
        is_slow = collection_path.name in SLOW_FOLDERS
    return is_slow or None


def pytest_configure(config: pytest.Config) -> None:
    for name, (_, reason) in PLATFORMS.items():
        config.addinivalue_line("markers", f"{name}: {reason}")
    config.addinivalue_line("markers", "expects_log: logs a warning or worse on purpose")
    config.addinivalue_line("markers", "further_recordings: checks recordings that `tests/data` does not have")
    config.addinivalue_line(
        "markers", "slow: left out by `dev.py test --quick`; set by folder, for tests with Qt, or by hand"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep items and modules, which stay, out of garbage collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if ADDED not in data_folders():
        further = [item for item in items if item.get_closest_marker("further_recordings")]
        items[:] = [item for item in items if item not in further]
        config.hook.pytest_deselected(items=further)
    for item in items:
        for name, (here, reason) in PLATFORMS.items():
            if not here and item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))
        folders = item.path.relative_to(Path(__file__).parent).parts[:-1]
        if not SLOW_FOLDERS.isdisjoint(folders) or "qapp" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


USERS_HOME = Path.home()


# Tests find games only on the path and in the home folder, which they set, whatever is installed on the machine.
pytest.MonkeyPatch().setattr(installed_games, "PROGRAM_FOLDERS", ())
list_steam_roots = steam_libraries._list_steam_roots
pytest.MonkeyPatch().setattr(
    steam_libraries, "_list_steam_roots", lambda: () if Path.home() == USERS_HOME else list_steam_roots()
)


@pytest.fixture(scope="session")
def new_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return an iterator of home folders that do not exist yet."""
    parent = tmp_path_factory.mktemp("homes")
    return (parent / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(new_home: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the program an empty home folder, so that no test touches the user's."""
    folder = next(new_home)
    monkeypatch.setenv("READY_ROOM_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that logs a warning or worse, unless it is marked `expects_log`."""
    internal_errors.clear()  # they are logged once only
    with WarningCatcher() as caught:
        yield
    if caught.lines and not request.node.get_closest_marker("expects_log"):
        pytest.fail("logged without expects_log:\n" + "\n".join(caught.lines))


@pytest.fixture(autouse=True)
def no_leftovers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a socket or, if it uses Qt, an active QTimer.

    Where garbage collection is not automatic, it is done first.
    """
    before = take_snapshot()
    uses_qt = "qapp" in request.fixturenames
    timers_before = active_timers() if uses_qt else {}
    yield
    if not gc.isenabled():
        collect_due_garbage()
    left_behind = leftovers(before)
    if uses_qt:
        left_behind += [f"active {timer!r}" for ident, timer in active_timers().items() if ident not in timers_before]
    if left_behind:
        pytest.fail("left behind:\n" + "\n".join(left_behind))


@pytest.fixture(autouse=True)
def no_running_games() -> Iterator[None]:
    """Wait for the games that a test starts, which outlive the window."""
    yield
    while _running_processes:
        _running_processes.pop().wait(LIMIT_S)


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """Return pytest-qt's application, with garbage collected in the main thread only."""
    from browser_app.ui.widgets.accessibility import install_accessible_roles

    disable_automatic_gc()
    install_accessible_roles()
    return qapp


@pytest.fixture(autouse=True)
def long_timeouts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the timeouts of windows; tests of timeouts set their own."""
    if "qapp" in request.fixturenames:
        lengthen_timeouts(monkeypatch)
        keep_worker_priority(monkeypatch)


@pytest.fixture
def qtbot(qapp: "QApplication", request: pytest.FixtureRequest) -> QtBot:
    """Return pytest-qt's bot with longer timeouts."""
    return with_long_timeouts(QtBot(request))


@pytest.fixture(scope="session", params=data_folders().values(), ids=list(data_folders()))
def data_dir(request: pytest.FixtureRequest) -> Path:
    """Return each folder of recorded data in turn: our own, and the added one if any."""
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module")
def games() -> GameRegistry:
    return load_games(SHIPPED_GAMES)


@pytest.fixture
def scanner(games: GameRegistry) -> Iterator[Scanner]:
    with Scanner(games) as scanner:
        yield scanner


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """Yield the name of a virtual X display, for DISPLAY, for real windows."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("Xvfb is not installed")
    with virtual_display(program) as name:
        yield name


@pytest.fixture
def german_language() -> Iterator[None]:
    """Show texts in German during the test."""
    language.set_language(resource_folder() / "languages", "de")
    yield
    language.set_language(resource_folder() / "languages", language.ENGLISH)
