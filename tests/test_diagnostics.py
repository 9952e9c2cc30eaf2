"""Logging, uncaught exceptions and the problem report."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app import diagnostics
from browser_app.app import run_program
from browser_app.commands import COMMANDS
from browser_app.commands.command_line import WINDOW_COMMAND
from browser_app.diagnostics import (
    ALL_AREAS,
    DEBUG_AREAS,
    LOG_FILE,
    QT_LOGGER,
    enable_debug_messages,
    format_problem_report,
    internal_errors,
    log_uncaught_exceptions,
    redact,
    set_exception_handler,
    split_debug_option,
    start_logging,
)
from browser_app.exit_status import ExitStatus

PACKAGE = Path(diagnostics.__file__).parent


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    """Start logging into a file; restore loggers and hooks afterwards."""
    root = logging.getLogger("browser_app")
    names = ["browser_app", *(f"browser_app.{name}" for names in DEBUG_AREAS.values() for name in names)]
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = list(root.handlers)
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    file = start_logging(tmp_path / "logs")
    enable_debug_messages("scan")
    yield file
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
    set_exception_handler(None)
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def test_nothing_logged_creates_no_folder(log_file: Path) -> None:
    assert not log_file.parent.exists()


def test_levels_by_area(log_file: Path) -> None:
    logging.getLogger("browser_app.engine.query.scan").debug("a debug message")
    logging.getLogger("browser_app.storage.database").debug("another area")
    logging.getLogger("browser_app.storage.database").info("an info message")
    text = log_file.read_text(encoding="utf-8")
    assert "a debug message" in text
    assert "an info message" in text
    assert "another area" not in text


def test_log_rotates_by_size_whatever_the_clock(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = next(each for each in logging.getLogger("browser_app").handlers if hasattr(each, "maxBytes"))
    monkeypatch.setattr(handler, "maxBytes", 2000)
    read_clock = time.time
    for jump_s in (0.0, -3600.0, 86_400.0, 0.0):
        monkeypatch.setattr(time, "time", lambda jump_s=jump_s: read_clock() + jump_s)
        for number in range(30):
            logging.getLogger("browser_app").info("Message %d of a clock set by %d s", number, jump_s)
    files = sorted(log_file.parent.iterdir())
    assert [file.name for file in files] == [log_file.name, f"{log_file.name}.1", f"{log_file.name}.2"]
    assert all(file.stat().st_size <= 2000 for file in files)
    assert "Message 29 of a clock set by 0 s" in log_file.read_text("utf-8").splitlines()[-1]


def test_unwritable_folder_is_ignored(log_file: Path) -> None:
    log_file.parent.parent.mkdir(exist_ok=True)
    log_file.parent.write_text("a file where the folder should be", encoding="utf-8")
    logging.getLogger("browser_app").info("goes nowhere")


@pytest.mark.expects_log
def test_thread_exception_is_logged_and_passed_on(log_file: Path) -> None:
    summaries: list[str] = []
    log_uncaught_exceptions()
    set_exception_handler(summaries.append)

    def fail() -> None:
        raise ValueError("no such thing")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert summaries == ["ValueError: no such thing"]
    assert "Traceback" in log_file.read_text(encoding="utf-8")


@pytest.mark.expects_log
def test_internal_errors_are_logged_once(log_file: Path) -> None:
    summaries: list[str] = []
    set_exception_handler(summaries.append)
    for number in range(100):
        try:
            raise KeyError(number) if number % 2 else RuntimeError(number)
        except Exception:  # noqa: BLE001 (as the loops over input from outside)
            internal_errors.report("reading a reply", f"server {number}")
    assert internal_errors.counts() == {"RuntimeError while reading a reply": 50, "KeyError while reading a reply": 50}
    assert summaries == ["RuntimeError while reading a reply: 0", "KeyError while reading a reply: 1"]
    log = log_file.read_text(encoding="utf-8")
    assert log.count("Traceback") == 2
    assert "(server 0)" in log
    assert "50 × KeyError while reading a reply" in format_problem_report(log_file)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["list", "--limit", "3"], (["list", "--limit", "3"], None)),
        (["--debug", "list"], (["list"], ALL_AREAS)),
        (["list", "--debug"], (["list"], ALL_AREAS)),
        (["--debug", "scan", "list", "--lan"], (["list", "--lan"], "scan")),
        (["list", "--debug=storage"], (["list"], "storage")),
        (["--debug", "all"], ([], ALL_AREAS)),
        (["--", "--debug"], (["--", "--debug"], None)),
    ],
)
def test_debug_option_is_split_off(argv: list[str], expected: tuple[list[str], str | None]) -> None:
    assert split_debug_option(argv) == expected


@pytest.mark.parametrize("argv", [["list"], []], ids=["command", "window"])
def test_wrong_debug_area(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["--debug=scann", *argv]) == ExitStatus.USAGE_ERROR
    message = capsys.readouterr().err
    assert "'scann'" in message
    assert all(area in message for area in DEBUG_AREAS)


@pytest.mark.parametrize("name", [WINDOW_COMMAND, *COMMANDS])
def test_help_has_debug_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = [] if name == WINDOW_COMMAND else [name]
    assert run_program([*command, "--help"]) == ExitStatus.SUCCESS
    assert "--debug [AREA]" in capsys.readouterr().out


@pytest.mark.usefixtures("log_file")
def test_debug_option_in_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program(["--version", "--debug", "storage"]) == ExitStatus.SUCCESS
    assert "ready-room" in capsys.readouterr().out
    assert logging.getLogger("browser_app.storage").level == logging.DEBUG


def test_areas_name_packages_and_modules() -> None:
    names = {f"browser_app.{name}" for names in DEBUG_AREAS.values() for name in names} - {QT_LOGGER}
    paths = [PACKAGE.parent / name.replace(".", "/") for name in names]
    assert [str(path) for path in paths if not path.is_dir() and not path.with_suffix(".py").exists()] == []


def test_areas_are_no_commands() -> None:
    assert not {*COMMANDS} & {ALL_AREAS, *DEBUG_AREAS}


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("0123456789ABCDEF0123456789abcdef", "GET /?key=0123456789ABCDEF0123456789abcdef&appid=1"),
        ("hunter2", "password: hunter2"),
        ("76561197960265729", "asked for 76561197960265729"),
        ("STEAM_0:1:4711", "player STEAM_0:1:4711 joined"),
        ("U:1:9423", "[U:1:9423]"),
        ("A" * 43 + "=", "fingerprint " + "A" * 43 + "="),
        (str(Path.home()), f"{Path.home()}/settings.toml"),
    ],
)
def test_report_has_no_secrets(secret: str, text: str) -> None:
    assert secret in text
    assert secret not in redact(text)


def test_report_ends_with_log(log_file: Path) -> None:
    logging.getLogger("browser_app").info("the last message")
    report = format_problem_report(log_file, "Qt 6.9")
    assert "Ready Room" in report.splitlines()[0]
    assert "Qt 6.9" in report
    assert report.rstrip().endswith("the last message")


@pytest.mark.slow
def test_program_logs_into_its_home(tmp_path: Path) -> None:
    code = "import sys; from browser_app.__main__ import main; sys.argv[1:] = ['--debug', '--version']; main()"
    subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"READY_ROOM_HOME": str(tmp_path)},
        check=True,
        capture_output=True,
        timeout=100,
    )
    log = tmp_path / "logs" / LOG_FILE
    assert "Ready Room" in log.read_text(encoding="utf-8")
