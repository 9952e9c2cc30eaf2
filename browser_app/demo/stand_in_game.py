"""Stand-in for a game: a window that shows which server it would have joined.

It runs in a process of its own, as a game does, and ends with the demo network.
"""

import shlex
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from browser_app.child_process_command import child_process_command
from browser_app.demo.scenario import GAME_SPECS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

STAND_IN_OPTION = "--stand-in"
_PROBE_INTERVAL_MS = 1000
_PROBE_TIMEOUT_S = 1.0


def stand_in_programs(network_url: str) -> dict[str, str]:
    """Return the stand-ins' command lines by game id; arguments may be appended.

    `network_url` is an HTTP server of the demo network, which accepts connections as long as the network runs.
    """
    command = (*child_process_command("browser_app.__main__", "ready-room"), "demo", STAND_IN_OPTION, network_url)
    return {game_id: shlex.join((*command, game_id)) for game_id in GAME_SPECS}


def run_stand_in(words: Sequence[str], *, has_display: bool) -> None:
    """Show, or print without a display, the game and its arguments.

    Returns when the user leaves the game or the demo network ends.
    """
    network_url, game_id, *arguments = words
    title = GAME_SPECS[game_id].profile.name
    joined = " ".join(arguments) or "no server"
    if not has_display:
        sys.stdout.write(f"{title}: {joined}\n")
        return
    _run_window(network_url, title, joined)


def _run_window(network_url: str, title: str, joined: str) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    app = QApplication([title])
    window = _make_window(title, joined)
    probe_timer = QTimer(window, interval=_PROBE_INTERVAL_MS)
    probe_timer.timeout.connect(lambda: None if _is_network_running(network_url) else window.close())
    probe_timer.start()
    window.show()
    app.exec()


def _make_window(title: str, joined: str) -> "QWidget":
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

    window = QWidget()
    window.setWindowTitle(title)
    window.resize(480, 240)
    column = QVBoxLayout(window)
    texts = (title, joined, "The demo starts this window in place of the game.")
    for text, size in zip(texts, (24, 14, 10), strict=True):
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        font = label.font()
        font.setPointSize(size)
        label.setFont(font)
        column.addWidget(label)
    leave = QPushButton("Leave the game")
    leave.clicked.connect(window.close)
    column.addWidget(leave)
    return window


def _is_network_running(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port), _PROBE_TIMEOUT_S).close()
    except OSError:
        return False
    return True
