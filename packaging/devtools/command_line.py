"""The commands of `packaging/dev.py`."""

import argparse
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from devtools import environment, peers, texts
from devtools.audit import Audit
from devtools.checkout import ROOT, program
from devtools.errors import SetupError
from devtools.needs import needs_of_running, needs_of_testing
from devtools.packages import flatpak_sources, kinds
from devtools.packages.desktop import MANUAL
from devtools.system import provide, say

CHECKS = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
)
"""Checks that run before the tests."""

SIDE_BY_SIDE = ("-n", "4", "--dist", "worksteal")
"""Four tests at a time, also with two cores: they wait for sockets, timers and processes half of the time."""

TEST_ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "",  # tests start hundreds of programs, and each would compile what it imports
    "OPENBLAS_NUM_THREADS": "1",  # with more, threads of a calculation busily wait for one another
}
"""Environment variables of all tests, whatever they are outside."""

WINDOW_TESTS = ROOT / "tests" / "ui" / "window"
PICTURE_FOLDER = "READY_ROOM_PICTURES"
"""Environment variable with the folder where `PICTURE_TESTS` save their pictures."""
PICTURE_TESTS = ("test_window_states.py", "test_page_pictures.py")
PICTURE_SCALES = ("1", "2")

QUICK = ("-n", "auto", "--dist", "worksteal", "-m", "not slow", "-o", "faulthandler_timeout=0", "--no-header", "-q")
"""Tests for use while editing: no display, no real game server, no long simulation (see `tests/conftest.py`).

As many at a time as there are processors: they hardly wait, and each worker imports all tests. No thread is started
for each test to watch it for hanging; `timeout` in pyproject.toml still does.
"""


def setup(_: Sequence[str] = ()) -> int:
    """Prepare `.venv/` with everything needed to run, such as `.venv/bin/ready-room`."""
    provide(needs_of_running(os.environ))
    environment.prepare(dev=False)
    return texts.compile_outdated(_tool)


def run(arguments: Sequence[str]) -> int:
    """Set up, then run `ready-room ARGS…`."""
    setup()
    command = [str(program("ready-room")), *arguments]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    return os.execv(command[0], command)  # noqa: S606 - the program replaces this process and owns its signals and terminal


def test(arguments: Sequence[str]) -> int:
    """Check and test (`--quick`: less): `test [--quick] [--explore] [PYTEST ARGS…]`."""
    options = argparse.ArgumentParser("packaging/dev.py test", add_help=False)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--explore", action="store_true")
    given, arguments = options.parse_known_args(arguments)
    os.environ |= TEST_ENVIRONMENT
    if given.explore or given.quick:
        os.environ["HYPOTHESIS_PROFILE"] = "explore" if given.explore else "quick"
    if given.quick:
        _setup_dev()
        return _tool("pytest", *QUICK, *arguments)
    failed = check()
    tests = _tool("pytest", *SIDE_BY_SIDE, *arguments)
    if failed:
        say("The checks failed; see above the tests.")
    return tests or failed


def check(_: Sequence[str] = ()) -> int:
    """Check lint, format, types and layers; with a network also the pins (`audit`)."""
    _setup_dev()
    pins = Audit()
    failed = [" ".join(command) for command in CHECKS if _tool(*command) != 0]
    if not pins.report():
        failed.append("audit")
    say(f"Checks failed: {', '.join(failed)}" if failed else "Checks passed.")
    return 1 if failed else 0


def audit(_: Sequence[str] = ()) -> int:
    """Look up known vulnerabilities of the pinned packages at osv.dev."""
    return 0 if Audit().report() else 1


def bench(arguments: Sequence[str]) -> int:
    """Run the benchmarks: `tests/bench/run.py ARGS…`."""
    _setup_dev()
    return _tool("python", str(ROOT / "tests" / "bench" / "run.py"), *arguments)


def soak(arguments: Sequence[str]) -> int:
    """Use and watch the window for long: `tests/bench/soak.py [--minutes N]`."""
    _setup_dev()
    return _tool("python", str(ROOT / "tests" / "bench" / "soak.py"), *arguments)


def proof(arguments: Sequence[str]) -> int:
    """Run it under attack: `tests/bench/proof.py [PART…] [--minutes N | --full]`."""
    _setup_dev()
    return _tool("python", str(ROOT / "tests" / "bench" / "proof.py"), *arguments)


def pictures(arguments: Sequence[str]) -> int:
    """Take pictures of the window in all states: `pictures FOLDER`."""
    options = argparse.ArgumentParser("packaging/dev.py pictures", description=inspect.getdoc(pictures))
    options.add_argument("folder", type=Path, metavar="FOLDER")
    folder = options.parse_args(arguments).folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _setup_dev()
    os.environ |= TEST_ENVIRONMENT | {PICTURE_FOLDER: str(folder)}
    failed = 0
    for scale in PICTURE_SCALES:
        os.environ["QT_SCALE_FACTOR"] = scale
        failed = _tool("pytest", "-q", *(str(WINDOW_TESTS / file) for file in PICTURE_TESTS)) or failed
    del os.environ["QT_SCALE_FACTOR"]
    return _tool("python", str(WINDOW_TESTS / "contact_sheet.py"), str(folder)) or failed


def update_texts(_: Sequence[str] = ()) -> int:
    """Collect the texts into the `.po` files and compile them; write the man page."""
    _setup_dev()
    manual = _tool("python", str(ROOT / "packaging" / "devtools" / "manual.py"), str(ROOT / MANUAL))
    return texts.update(_tool) or manual


def package(arguments: Sequence[str]) -> int:
    """Build packages of this commit, reproducibly: `package [NAME…] [--out DIR]`."""
    kinds.package(arguments)
    return 0


def renew_flatpak_sources(arguments: Sequence[str]) -> int:
    """Update the Flatpak's list of Python packages after a change of requirements.txt."""
    flatpak_sources.renew(arguments)
    return 0


def manage_peers(arguments: Sequence[str]) -> int:
    """Install what some tests talk to (root on Debian; 1.5 GB); `--remove` undoes it."""
    options = argparse.ArgumentParser("packaging/dev.py peers", description=inspect.getdoc(manage_peers))
    options.add_argument("--remove", action="store_true", help="remove what this command has installed, nothing else")
    if options.parse_args(arguments).remove:
        peers.remove()
    else:
        peers.install()
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "setup": setup,
    "run": run,
    "test": test,
    "check": check,
    "audit": audit,
    "bench": bench,
    "soak": soak,
    "proof": proof,
    "pictures": pictures,
    "texts": update_texts,
    "package": package,
    "flatpak-sources": renew_flatpak_sources,
    "peers": manage_peers,
}


def main(argv: Sequence[str]) -> int:
    """Run one command; return 0 when done, 1 if the set-up failed, 130 if interrupted."""
    command, arguments = _parse(argv)
    try:
        return COMMANDS[command](arguments)
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"The set-up stopped: {error}")
    except KeyboardInterrupt:
        return 130
    return 1


def _parse(argv: Sequence[str]) -> tuple[str, list[str]]:
    """Return the command and the unparsed arguments after it."""
    lines = [f"  {name:15} {inspect.getdoc(command) or ''}" for name, command in COMMANDS.items()]
    parser = argparse.ArgumentParser(
        prog="packaging/dev.py",
        usage="%(prog)s COMMAND [ARGS…]",
        description="Prepare, run, check and test this checkout.",
        epilog="commands:\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=list(COMMANDS), metavar="COMMAND", help="one of the commands below")
    known = parser.parse_args(argv[:1])
    return known.command, list(argv[1:])


def _setup_dev() -> None:
    provide([*needs_of_running(os.environ), *needs_of_testing()])
    environment.prepare(dev=True)
    texts.compile_outdated(_tool)


def _tool(name: str, *arguments: str) -> int:
    """Run a program of the environment in the top folder; return its exit status."""
    return subprocess.run([program(name), *arguments], cwd=ROOT, check=False).returncode
