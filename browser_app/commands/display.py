"""Whether there is a display for the window. Qt would abort the program to tell us."""

import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

PATIENCE_S = 2.0
"""How long an X server on another machine may take to be heard of."""
_X11 = re.compile(r"(?P<host>[^/]*):(?P<number>\d{1,5})(?:\.\d+)?")
_X11_PORT = 6000


def missing_display(environ: Mapping[str, str] = os.environ) -> str | None:
    """None where there is a display that answers, or a platform of Qt is named; else in words what is missing."""
    if sys.platform in ("win32", "darwin") or environ.get("QT_QPA_PLATFORM"):
        return None
    wayland, x11 = environ.get("WAYLAND_DISPLAY", ""), environ.get("DISPLAY", "")
    if not (wayland or x11):
        return "no display here (DISPLAY, WAYLAND_DISPLAY)"
    if (wayland and _wayland_answers(wayland, environ)) or (x11 and _x11_answers(x11)):
        return None
    return f"no display answers at {' or '.join(filter(None, (wayland, x11)))}"


def _wayland_answers(name: str, environ: Mapping[str, str]) -> bool:
    return _listens(str(Path(environ.get("XDG_RUNTIME_DIR", ""), name)))


def _x11_answers(name: str) -> bool:
    """A name in another form is left to Qt."""
    found = _X11.fullmatch(name)
    if found is None:
        return True
    host, number = found["host"].strip("[]"), int(found["number"])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
        return _listens(path) or _listens(f"\0{path}")
    try:
        socket.create_connection((host, _X11_PORT + number), PATIENCE_S).close()
    except OSError:
        return False
    return True


def _listens(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_S)
            client.connect(path)
    except OSError:
        return False
    return True
