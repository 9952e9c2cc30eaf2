"""Libraries and programs of the system that running and testing need.

Their presence is checked without regard to the name of the system: a library counts as present if the loader can load
it, a program if it is found, a font if there is a font file. The Qt wheel contains Qt itself, but not the libraries
below it.
"""

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
"""Debian package by shared library: without these Qt's GUI modules cannot be imported at all."""

X11_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Debian package by shared library that Qt's X11 platform plugin loads."""

WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""Debian package by shared library that Qt's Wayland platform plugin loads."""

FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local" / "share" / "fonts",
    Path.home() / ".fonts",
)


@dataclass(frozen=True)
class SystemDependency:
    """A library, program or font that the system should have.

    Attributes:
        name: such as "libEGL.so.1".
        package: the Debian package that contains it.
        is_essential: whether nothing works without it.
        is_present: returns whether it is there.
    """

    name: str
    package: str
    is_essential: bool
    is_present: Callable[[], bool]


def can_load(library: str) -> bool:
    """Return whether the loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    """Return whether any scalable font is installed."""
    return any(
        name.lower().endswith((".ttf", ".otf", ".ttc"))
        for folder in FONT_FOLDERS
        for _, _, names in os.walk(folder)
        for name in names
    )


def has_program(name: str) -> bool:
    """Return whether a program is on the path or in Debian's games folder."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games") is not None


def has_ensurepip() -> bool:
    """Return whether this Python can install pip into a new environment."""
    return importlib.util.find_spec("ensurepip") is not None


def _list_libraries(table: Mapping[str, str], *, is_essential: bool) -> list[SystemDependency]:
    return [
        SystemDependency(library, package, is_essential, partial(can_load, library))
        for library, package in table.items()
    ]


def list_runtime_dependencies(environ: Mapping[str, str]) -> list[SystemDependency]:
    """Return what running needs; the window's libraries only where it can be shown."""
    pip = SystemDependency("Python's ensurepip module", f"python3.{sys.version_info.minor}-venv", True, has_ensurepip)
    if sys.platform != "linux":
        return [pip]
    wayland, x11 = bool(environ.get("WAYLAND_DISPLAY")), bool(environ.get("DISPLAY"))
    return [
        pip,
        *_list_libraries(QT_LIBRARIES, is_essential=wayland or x11),
        *_list_libraries(X11_LIBRARIES, is_essential=x11 and not wayland),
        *_list_libraries(WAYLAND_LIBRARIES, is_essential=wayland and not x11),
        SystemDependency("a font", "fonts-dejavu-core", wayland or x11, has_font),
    ]


def list_test_dependencies() -> list[SystemDependency]:
    """Return what tests need besides: Qt's libraries and a virtual display."""
    if sys.platform != "linux":
        return []
    return [
        *_list_libraries(QT_LIBRARIES, is_essential=True),
        SystemDependency("Xvfb", "xvfb", False, lambda: has_program("Xvfb")),
        SystemDependency("xauth", "xauth", False, lambda: has_program("xauth")),
    ]


_PEER_PROGRAMS = {
    "openarena-server": ("an OpenArena server", "openarena-server"),
    "nexuiz-server": ("a Nexuiz server", "nexuiz-server"),
    "DDNet-Server": ("a DDNet server", "ddnet-server"),
    "teeworlds-server": ("a Teeworlds server", "teeworlds-server"),
    "minetestserver": ("a Luanti server", "minetest-server"),
    "cube2-server": ("a Sauerbraten server", "cube2-server"),
    "openttd": ("OpenTTD, which is its own server", "openttd"),
    "bzfs": ("a BZFlag server", "bzflag-server"),
    "armagetronad-dedicated.real": ("an Armagetron server", "armagetronad-dedicated"),
    "murmurd": ("a Mumble server", "mumble-server"),
    "mvdsv": ("a QuakeWorld server", "mvdsv"),
    "chocolate-server": ("a Chocolate Doom server", "chocolate-doom"),
    "npm": ("npm, for Minecraft servers", "npm"),
    "strace": ("strace, which counts what game servers read", "strace"),
    "openssl": ("OpenSSL's command", "openssl"),
    "dbus-daemon": ("a D-Bus daemon", "dbus-daemon"),
    "man": ("man", "man-db"),
    "desktop-file-validate": ("the validator of desktop files", "desktop-file-utils"),
    "appstreamcli": ("the validator of AppStream metadata", "appstream"),
}
"""Description and Debian package by the program's name."""

_UNPACKED_LIBRARIES = {"libenet.so.7": "libenet7", "libsqlite3.so.0": "libsqlite3-0"}
"""Debian package by shared library of the servers that are unpacked (`unpacked_peers`)."""

_OPENTTD_GRAPHICS = Path("/usr/share/games/openttd/baseset/opengfx")
"""Without graphics, not even a server without a window starts."""

_ACCESSIBILITY_FILES = {
    "at-spi2-core": ("the accessibility bus", "libexec/at-spi-bus-launcher"),
    "gir1.2-atspi-2.0": ("the description of the bus's library", "lib/*/girepository-1.0/Atspi-2.0.typelib"),
    "python3-gi": ("PyGObject for the system's Python", "lib/python3/dist-packages/gi"),
}
"""Description and path below `/usr`, by Debian package."""


def list_peer_dependencies() -> list[SystemDependency]:
    """Return the programs that some tests talk to, and what these need."""
    return [
        *(
            SystemDependency(name, package, False, partial(has_program, program))
            for program, (name, package) in _PEER_PROGRAMS.items()
        ),
        SystemDependency("QStat", "qstat", False, lambda: has_program("quakestat") or has_program("qstat")),
        *(
            SystemDependency(name, package, False, partial(_has_file, pattern))
            for package, (name, pattern) in _ACCESSIBILITY_FILES.items()
        ),
        SystemDependency("graphics for OpenTTD", "openttd-opengfx", False, _OPENTTD_GRAPHICS.exists),
        *_list_libraries(_UNPACKED_LIBRARIES, is_essential=False),
    ]


def _has_file(pattern: str) -> bool:
    return any(Path("/usr").glob(pattern))
