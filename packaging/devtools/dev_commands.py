"""The commands of `packaging/dev.py`."""

import argparse
import functools
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from devtools.apt_packages import provide_dependencies
from devtools.checkout import ROOT, venv_program
from devtools.checkout_venv import prepare_checkout_venv
from devtools.dependency_audit import DependencyAudit
from devtools.packages.desktop_files import MAN_PAGE
from devtools.packages.flatpak_sources import update_flatpak_sources
from devtools.packages.package_kinds import run_package_command
from devtools.peer_installer import install_peers, remove_peers
from devtools.setup_messages import SetupError, print_note
from devtools.system_dependencies import list_runtime_dependencies, list_test_dependencies
from devtools.translations import compile_outdated_translations, update_translations

CHECK_COMMANDS = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
)
"""Checks that run before the tests."""

PARALLEL_OPTIONS = ("-n", "4", "--dist", "worksteal")
"""Four tests at a time, also on two cores: they wait for sockets, timers and processes half of the time."""

TEST_ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "",  # tests start hundreds of programs, and each would compile what it imports
    "OPENBLAS_NUM_THREADS": "1",  # with more, threads of a calculation busily wait for one another
}
"""Environment variables of all tests, whatever they are outside."""

WINDOW_TESTS = ROOT / "tests" / "ui" / "window"
PICTURE_FOLDER_VARIABLE = "READY_ROOM_PICTURES"
"""Name of the environment variable with the folder where `PICTURE_TESTS` save their pictures."""
PICTURE_TESTS = ("test_window_states.py", "test_page_pictures.py")
PICTURE_SCALES = ("1", "2")

QUICK_OPTIONS = (
    "-n",
    "auto",
    "--dist",
    "worksteal",
    "-m",
    "not slow",
    "-o",
    "faulthandler_timeout=0",
    "--no-header",
    "-q",
)
"""Use while editing: no display, no real game server, no long simulation (see `tests/conftest.py`).

As many at a time as there are processors: they hardly wait, and each worker imports all tests. No thread is started
for each test to watch it for hanging; `timeout` in pyproject.toml still does.
"""


def set_up() -> int:
    """Prepare `.venv/` with everything needed to run, such as `.venv/bin/ready-room`."""
    provide_dependencies(list_runtime_dependencies(os.environ))
    prepare_checkout_venv(dev=False)
    return compile_outdated_translations(_run_tool)


def run_ready_room(arguments: Sequence[str]) -> int:
    """Set up, then run `ready-room ARGS…`."""
    set_up()
    command = [str(venv_program("ready-room")), *arguments]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    return os.execv(command[0], command)  # noqa: S606 - the program replaces this process and owns its signals and terminal


def run_tests(arguments: Sequence[str]) -> int:
    """Check and test (`--quick`: less): `test [--quick] [--explore] [PYTEST ARGS…]`."""
    parser = argparse.ArgumentParser("packaging/dev.py test", add_help=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--explore", action="store_true")
    args, pytest_arguments = parser.parse_known_args(arguments)
    os.environ |= TEST_ENVIRONMENT
    if args.explore or args.quick:
        os.environ["HYPOTHESIS_PROFILE"] = "explore" if args.explore else "quick"
    _set_up_dev()
    if args.quick:
        return _run_tool("pytest", *QUICK_OPTIONS, *pytest_arguments)
    with _start_test_collection(pytest_arguments):
        check_status = run_checks()
    test_status = _run_tool("pytest", *PARALLEL_OPTIONS, *pytest_arguments)
    if check_status:
        print_note("The checks failed; see above the tests.")
    return test_status or check_status


def run_checks() -> int:
    """Check lint, format, types and layers; with a network also the pins (`audit`)."""
    _set_up_dev()
    dependency_audit = DependencyAudit()
    failed = [" ".join(command) for command in CHECK_COMMANDS if _run_tool(*command) != 0]
    if not dependency_audit.report():
        failed.append("audit")
    print_note(f"Checks failed: {', '.join(failed)}" if failed else "Checks passed.")
    return 1 if failed else 0


def audit_pins() -> int:
    """Look up known vulnerabilities of the pinned packages at osv.dev."""
    return 0 if DependencyAudit().report() else 1


def run_benchmarks(arguments: Sequence[str]) -> int:
    """Run the benchmarks: `tests/bench/run.py ARGS…`."""
    _set_up_dev()
    return _run_tool("python", str(ROOT / "tests" / "bench" / "run.py"), *arguments)


def run_soak_test(arguments: Sequence[str]) -> int:
    """Use the window for a long time: `tests/bench/soak.py [--minutes N]`."""
    _set_up_dev()
    return _run_tool("python", str(ROOT / "tests" / "bench" / "soak.py"), *arguments)


def run_attack_tests(arguments: Sequence[str]) -> int:
    """Test robustness: `tests/bench/proof.py [PART…] [--minutes N | --full]`."""
    _set_up_dev()
    return _run_tool("python", str(ROOT / "tests" / "bench" / "proof.py"), *arguments)


def take_pictures(arguments: Sequence[str]) -> int:
    """Take pictures of the window in all states: `pictures FOLDER`."""
    parser = argparse.ArgumentParser("packaging/dev.py pictures", description=inspect.getdoc(take_pictures))
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args(arguments).folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _set_up_dev()
    os.environ |= TEST_ENVIRONMENT | {PICTURE_FOLDER_VARIABLE: str(folder)}
    test_status = 0
    for scale in PICTURE_SCALES:
        os.environ["QT_SCALE_FACTOR"] = scale
        test_status = _run_tool("pytest", "-q", *(str(WINDOW_TESTS / file) for file in PICTURE_TESTS)) or test_status
    del os.environ["QT_SCALE_FACTOR"]
    return _run_tool("python", str(WINDOW_TESTS / "contact_sheet.py"), str(folder)) or test_status


def update_texts_and_man_page() -> int:
    """Collect the texts into the `.po` files and compile them; write the man page."""
    _set_up_dev()
    script = ROOT / "packaging" / "devtools" / "man_page.py"
    man_page_status = _run_tool("python", str(script), str(ROOT / MAN_PAGE))
    return update_translations(_run_tool) or man_page_status


def make_packages(arguments: Sequence[str]) -> int:
    """Build packages of this commit, reproducibly: `package [NAME…] [--out DIR]`."""
    run_package_command(arguments)
    return 0


def update_flatpak_source_list() -> int:
    """Update the Flatpak's list of Python packages after a change of requirements.txt."""
    update_flatpak_sources()
    return 0


def manage_peers(arguments: Sequence[str]) -> int:
    """Install what some tests talk to (root on Debian; 1.5 GB); `--remove` undoes it."""
    parser = argparse.ArgumentParser("packaging/dev.py peers", description=inspect.getdoc(manage_peers))
    parser.add_argument("--remove", action="store_true", help="remove what this command has installed, nothing else")
    if parser.parse_args(arguments).remove:
        remove_peers()
    else:
        install_peers()
    return 0


def _without_arguments(name: str, command: Callable[[], int]) -> Callable[[Sequence[str]], int]:
    """Return a command that takes no arguments but `--help`."""

    @functools.wraps(command)
    def run(arguments: Sequence[str]) -> int:
        argparse.ArgumentParser(f"packaging/dev.py {name}", description=inspect.getdoc(command)).parse_args(arguments)
        return command()

    return run


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "setup": _without_arguments("setup", set_up),
    "run": run_ready_room,
    "test": run_tests,
    "check": _without_arguments("check", run_checks),
    "audit": _without_arguments("audit", audit_pins),
    "bench": run_benchmarks,
    "soak": run_soak_test,
    "proof": run_attack_tests,
    "pictures": take_pictures,
    "texts": _without_arguments("texts", update_texts_and_man_page),
    "package": make_packages,
    "flatpak-sources": _without_arguments("flatpak-sources", update_flatpak_source_list),
    "peers": manage_peers,
}


def main(argv: Sequence[str]) -> int:
    """Run one command; return 0 when done, 1 if the set-up failed, 130 if interrupted."""
    command, arguments = _split_command(argv)
    try:
        return COMMANDS[command](arguments)
    except SetupError as error:
        print_note(str(error))
    except OSError as error:
        print_note(f"The set-up stopped: {error}")
    except KeyboardInterrupt:
        return 130
    return 1


def _split_command(argv: Sequence[str]) -> tuple[str, list[str]]:
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
    return parser.parse_args(argv[:1]).command, list(argv[1:])


def _set_up_dev() -> None:
    provide_dependencies([*list_runtime_dependencies(os.environ), *list_test_dependencies()])
    prepare_checkout_venv(dev=True)
    compile_outdated_translations(_run_tool)


def _start_test_collection(pytest_arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start to import all tests, which compiles them.

    After a change, each worker would otherwise compile them all.
    """
    command = [str(venv_program("pytest")), "--collect-only", "-qq", *pytest_arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _run_tool(name: str, *arguments: str) -> int:
    """Run a program of the environment in the top folder; return its exit status."""
    return subprocess.run([venv_program(name), *arguments], cwd=ROOT, check=False).returncode
