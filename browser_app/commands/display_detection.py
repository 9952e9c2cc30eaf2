"""Detection of a display that windows can be shown on.

Done before Qt is loaded, because Qt ends the process where there is none.
"""

import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

DISPLAY_TIMEOUT_S = 2.0
"""Time for an X server on another machine to answer."""
_X11_DISPLAY_NAME = re.compile(r"(?P<host>[^/]*):(?P<number>\d{1,5})(?:\.\d+)?")
_X11_BASE_PORT = 6000


def missing_display_text(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return why no window can be shown.

    None if a display answers or `QT_QPA_PLATFORM` is set.
    """
    if sys.platform in ("win32", "darwin") or environ.get("QT_QPA_PLATFORM"):
        return None
    wayland, x11 = environ.get("WAYLAND_DISPLAY", ""), environ.get("DISPLAY", "")
    if not (wayland or x11):
        return "no display (DISPLAY and WAYLAND_DISPLAY are not set)"
    if (wayland and _wayland_display_answers(wayland, environ)) or (x11 and _x11_display_answers(x11)):
        return None
    return f"no display answers at {' or '.join(filter(None, (wayland, x11)))}"


def _wayland_display_answers(name: str, environ: Mapping[str, str]) -> bool:
    return _accepts_connections(str(Path(environ.get("XDG_RUNTIME_DIR", ""), name)))


def _x11_display_answers(name: str) -> bool:
    """Return whether an X display answers; names in unusual form are left to Qt."""
    match = _X11_DISPLAY_NAME.fullmatch(name)
    if match is None:
        return True
    host, number = match["host"].strip("[]"), int(match["number"])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
        return _accepts_connections(path) or _accepts_connections(f"\0{path}")
    try:
        socket.create_connection((host, _X11_BASE_PORT + number), DISPLAY_TIMEOUT_S).close()
    except OSError:
        return False
    return True


def _accepts_connections(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(DISPLAY_TIMEOUT_S)
            client.connect(path)
    except OSError:
        return False
    return True
