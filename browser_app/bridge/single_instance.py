"""Single-instance lock that hands URLs to the open window.

The two processes communicate over a local socket that only the user can connect to: the second start sends one line of
JSON, the first answers with one. Any other request is not answered and changes nothing.
"""

import hashlib
import json
import logging
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from browser_app.diagnostics import internal_errors
from browser_app.storage.safe_files import file_lock

_log = logging.getLogger(__name__)


ANSWER_TIMEOUT_MS = 5000
"""A window that does not answer for this long hangs; the second start opens its own then."""
REQUEST_TIMEOUT_MS = 2000
"""Time for a connected process to send its line."""
MAX_REQUEST_BYTES = 16_384
MAX_URLS = 16
MAX_PENDING = 8

_REQUEST_KEY = "ready-room-open"
_ACKNOWLEDGEMENT = b"ok\n"


class SingleInstance(QObject):
    """The socket of the open window, which `close` removes.

    Signals:
        open_requested: the URLs given to a second start, perhaps none; and the compositor's activation token that lets
            the window come to the front, "" where there is none.
    """

    open_requested = Signal(list, str)

    def __init__(self, folder: Path, data: Path) -> None:
        """Prepare the socket.

        Args:
            folder: where running processes find each other.
            data: the folder that two windows must not have open at once.
        """
        super().__init__()
        self._folder = folder
        key = hashlib.sha256(str(data).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._lock = folder / f"{key}.lock"
        self._name = rf"\\.\pipe\ready-room-{key}" if sys.platform == "win32" else str(folder / key)
        self._server: QLocalServer | None = None

    def send_to_running_instance(self, urls: Sequence[str]) -> bool:
        """Send URLs to the open window.

        Without one, become the window that later starts send to. Return True if another window has taken them, so that
        this process may end. Without a socket, neither happens.
        """
        try:
            _create_private_folder(self._folder)
            with file_lock(self._lock):  # of two simultaneous starts, one listens before the other connects
                if self._send_request(urls):
                    return True
                self._listen()
        except OSError as error:  # a home folder that is not writable: two windows are better than none
            _log.info("No single-instance socket: %s", error)
        return False

    def send_if_running(self, urls: Sequence[str]) -> bool:
        """Send URLs to the open window; return False without one.

        Unlike in `send_to_running_instance`, this process does not become that window.
        """
        try:
            _create_private_folder(self._folder)
        except OSError as error:
            _log.info("No single-instance socket: %s", error)
            return False
        return self._send_request(urls)

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self._server.deleteLater()
            self._server = None

    def _send_request(self, urls: Sequence[str]) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_TIMEOUT_MS):
            return False  # no window, or the stale socket of a killed process
        token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
        socket.write(json.dumps({_REQUEST_KEY: list(urls), "token": token}).encode() + b"\n")
        answer = b""
        while len(answer) < len(_ACKNOWLEDGEMENT) and socket.waitForReadyRead(ANSWER_TIMEOUT_MS):
            answer += socket.readAll().data()
        socket.abort()
        return answer == _ACKNOWLEDGEMENT

    def _listen(self) -> None:
        QLocalServer.removeServer(self._name)
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.setMaxPendingConnections(MAX_PENDING)
        if server.listen(self._name):
            server.newConnection.connect(self._accept_connections)
            self._server = server
        else:
            server.deleteLater()

    def _accept_connections(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            socket.disconnected.connect(lambda socket=socket: socket.deleteLater())
            socket.setReadBufferSize(MAX_REQUEST_BYTES + 1)
            timer = QTimer(socket, singleShot=True, interval=REQUEST_TIMEOUT_MS)
            timer.timeout.connect(lambda socket=socket: socket.abort())
            timer.start()
            socket.readyRead.connect(lambda socket=socket: self._read_request(socket))
            self._read_request(socket)

    def _read_request(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > MAX_REQUEST_BYTES:
                socket.abort()
            return
        try:
            request = _parse_request(bytes(socket.readLine().data()))
        except Exception:  # noqa: BLE001 (our own bug with one request must not leave the sender waiting)
            internal_errors.report("reading another start's request", self._name)
            request = None
        if request is None:
            socket.abort()
            return
        _log.info("Another start sent %d URLs", len(request[0]))
        socket.readyRead.disconnect()  # one request a connection
        socket.write(_ACKNOWLEDGEMENT)
        socket.flush()
        socket.disconnectFromServer()
        self.open_requested.emit(*request)


def _parse_request(line: bytes) -> tuple[list[str], str] | None:
    """Parse a second start's request; None for anything else."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict):
        return None
    urls, token = request.get(_REQUEST_KEY), request.get("token")
    if not isinstance(urls, list) or len(urls) > MAX_URLS or not isinstance(token, str):
        return None
    if not all(isinstance(url, str) for url in urls):
        return None
    return urls, token if token.isascii() and token.isprintable() else ""  # others fit into no environment variable


def _create_private_folder(folder: Path) -> None:
    """Create the folder with access for this user only.

    Raises:
        OSError: it cannot be created, or belongs to another user.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        return  # there, the access rights of the pipe itself count
    status = folder.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
        raise PermissionError(f"{folder} is not this user's")
    folder.chmod(stat.S_IRWXU)
