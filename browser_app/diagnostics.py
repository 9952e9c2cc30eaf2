"""Logging, uncaught exceptions and the problem report.

Every module logs to `logging.getLogger(__name__)`. Messages from INFO up go to a rotating file, with `--debug` also
those from DEBUG up; warnings go to standard error as well. Uncaught exceptions of all threads are logged as CRITICAL
and passed on to one handler, which the window uses to show a notice. Loops over input from outside catch every
exception themselves and report it to `internal_errors`.
"""

import logging
import logging.handlers
import platform
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Final

from browser_app import __version__
from browser_app.input_files import check_regular_file, read_regular_file

_log = logging.getLogger(__name__)

LOG_FILE: Final = "ready-room.log"
MAX_LOG_BYTES: Final = 512 * 1024
"""Size at which the file is rotated; two older ones are kept."""
REPORT_LINES: Final = 80
"""Lines of the log in a problem report."""
QT_LOGGER: Final = "browser_app.qt"
"""Name of the logger of Qt's own messages."""

DEBUG_OPTION: Final = "--debug"
DEBUG_AREAS: Final[Mapping[str, tuple[str, ...]]] = {
    "scan": ("engine.query", "engine.server_poll", "protocols"),
    "masters": ("engine.masters", "engine.network"),
    "servers": ("catalogue", "ranking", "bridge.server_list_controller"),
    "joining": ("engine.play_now_run", "engine.slot_monitor", "launch", "application.server_launcher", "ui.play"),
    "storage": ("storage",),
    "skill": ("rating", "rating_worker", "rounds", "player", "bridge.skill", "ui.skill"),
    "window": ("ui", "window_app", "bridge", "qt"),
}
"""Areas that `--debug AREA` may name, with their loggers: packages, modules and Qt. None is named like a command."""
ALL_AREAS: Final = "all"

ExceptionHandler = Callable[[str], object]
"""Called with an uncaught exception as one line, in the thread in which it was raised."""

_exception_handler: ExceptionHandler | None = None


def split_debug_option(argv: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without `--debug [AREA]`, and the area if there is one.

    Every command has this option. Without AREA the area is `ALL_AREAS`.

    Raises:
        ValueError: `--debug=` is followed by something else than an area.
    """
    other_words: list[str] = []
    area = None
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "--":
            return [*other_words, word, *words], area
        name, equals, value = word.partition("=")
        if name != DEBUG_OPTION:
            other_words.append(word)
        elif equals:
            area = _check_area(value)
        else:
            area = words.pop(0) if words and words[0] in (ALL_AREAS, *DEBUG_AREAS) else ALL_AREAS
    return other_words, area


def _check_area(area: str) -> str:
    if area not in (ALL_AREAS, *DEBUG_AREAS):
        raise ValueError(f"{DEBUG_OPTION}: unknown area {area!r}; known areas: {', '.join((ALL_AREAS, *DEBUG_AREAS))}")
    return area


def start_logging(folder: Path) -> Path:
    """Log to a rotating file in a folder; return the file's path.

    The folder is created when the first message is logged.
    """
    file = folder / LOG_FILE
    root = logging.getLogger("browser_app")
    root.setLevel(logging.INFO)
    root.addHandler(_LogFileHandler(file))
    stderr_handler = logging.StreamHandler()
    stderr_handler.setLevel(logging.WARNING)
    stderr_handler.setFormatter(logging.Formatter("ready-room: %(message)s"))
    root.addHandler(stderr_handler)
    return file


def enable_debug_messages(area: str) -> None:
    """Log debug messages of a key of `DEBUG_AREAS`, or of everything for `ALL_AREAS`."""
    for name in _debug_loggers(area):
        logging.getLogger(name).setLevel(logging.DEBUG)


def _debug_loggers(area: str) -> list[str]:
    if area == ALL_AREAS:
        return ["browser_app"]
    return [f"browser_app.{name}" for name in DEBUG_AREAS[area]]


class _LogFileHandler(logging.handlers.RotatingFileHandler):
    """Creates its folder with the first message; stops silently if it cannot write.

    A log must not end the program.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file, maxBytes=MAX_LOG_BYTES, backupCount=2, encoding="utf-8", errors="replace", delay=True)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"))

    def _open(self) -> TextIOWrapper:
        check_regular_file(self.baseFilename)
        return super()._open()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; disable the handler when that fails."""
        try:
            Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
            super().emit(record)
        except OSError:
            self.setLevel(logging.CRITICAL + 1)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 (logging's signature)
        """Disable the handler."""
        self.setLevel(logging.CRITICAL + 1)


def log_uncaught_exceptions() -> None:
    """Log exceptions that nothing catches, in any thread or finaliser.

    They are also passed to the exception handler.
    """
    sys.excepthook = _report_exception
    threading.excepthook = lambda args: _report_exception(args.exc_type, args.exc_value, args.exc_traceback)
    sys.unraisablehook = lambda args: _report_exception(args.exc_type, args.exc_value, args.exc_traceback)


def set_exception_handler(handler: ExceptionHandler | None) -> None:
    """Set the function that receives exceptions once they are logged, or remove it."""
    global _exception_handler  # noqa: PLW0603 (the interpreter's hooks are process-wide as well)
    _exception_handler = handler


def _report_exception(
    error_type: type[BaseException], error: BaseException | None, traceback: TracebackType | None
) -> None:
    if issubclass(error_type, KeyboardInterrupt | SystemExit):
        sys.__excepthook__(error_type, error or error_type(), traceback)
        return
    summary = f"{error_type.__name__}: {error}"
    _log.critical("Uncaught exception: %s", summary, exc_info=(error_type, error or error_type(), traceback))
    if _exception_handler is not None:
        _exception_handler(summary)


class InternalErrors:
    """Exceptions that loops over input from outside have caught. Thread-safe.

    Such a loop goes on with the next packet, file or job. All are counted; the first of each type in each action is
    logged as ERROR and passed to the exception handler, so that endless bad input does not fill the log.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = Counter[str]()

    def report(self, action: str, source: object) -> None:
        """Report the exception that is being handled.

        Args:
            action: what failed, the same words each time: "reading a server's reply".
            source: where the input came from.
        """
        error_type, error, _ = sys.exc_info()
        name = f"{error_type.__name__ if error_type else None} while {action}"
        with self._lock:
            self._counts[name] += 1
            is_first = self._counts[name] == 1
        if is_first:
            _log.error("Internal error while %s (%s): %r", action, source, error, exc_info=True)
            if _exception_handler is not None:
                _exception_handler(f"{name}: {error}")

    def counts(self) -> dict[str, int]:
        """Return the number of each error, by type and action."""
        with self._lock:
            return dict(self._counts)

    def clear(self) -> None:
        """Forget all errors, so that they are logged again."""
        with self._lock:
            self._counts.clear()


internal_errors: Final = InternalErrors()


def system_text() -> str:
    """Return the versions of the program and of Python, and the system, in one line."""
    return f"Ready Room {__version__}, Python {platform.python_version()} on {platform.platform()}"


def format_problem_report(log_file: Path, *details: str) -> str:
    """Return version, system and the end of the log as text.

    Keys, passwords, identities and home folders are left out.

    Args:
        log_file: the path that `start_logging` returned.
        details: further lines, such as the version of Qt.
    """
    counts = (f"{count} × {name}" for name, count in internal_errors.counts().items())
    head = (system_text(), *details, *counts)
    try:
        tail = read_regular_file(log_file, 2 * MAX_LOG_BYTES).decode(errors="replace").splitlines()[-REPORT_LINES:]
    except OSError:
        tail = ["(no log)"]
    return redact("\n".join((*head, "", *tail)) + "\n")


_REDACTIONS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"(?i)\b(key|password|passwd|token|secret)(\s*[=:]\s*)\S+"), r"\1\2…"),
    (re.compile(r"\b[0-9A-Fa-f]{32}\b"), "<key>"),
    (re.compile(r"\b7656119\d{10}\b|\bSTEAM_\d:\d:\d+\b|\[U:\d:\d+\]"), "<Steam ID>"),
    (re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{43}=(?![\w+/=])"), "<fingerprint>"),
    (re.compile(r"(?i)\b(steam ?id|player|identity)(\s*[=:]\s*)\S+"), r"\1\2…"),
)
"""A Steam Web API key has 32 hexadecimal digits, a Xonotic key's fingerprint 44 characters of Base64."""


def redact(text: str) -> str:
    """Replace keys, passwords, identities and the user's home folder in a text."""
    text = text.replace(str(Path.home()), "~")
    for pattern, replacement in _REDACTIONS:
        text = pattern.sub(replacement, text)
    return text
