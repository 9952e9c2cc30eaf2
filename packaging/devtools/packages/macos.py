"""The disk image for macOS, from the program as an app. Not built yet on any Mac."""

import platform
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages import folder
from devtools.packages.build import NAME, TITLE, Build


def make(build: Build) -> list[Path]:
    """`ready-room-VERSION.dmg`: the app, and the folder that it is to be dragged to. It is not signed.

    Raises:
        SetupError: this is not macOS.
    """
    if platform.system() != "Darwin":
        raise SetupError("The disk image for macOS is made on macOS.")
    shown = build.work / "dmg"
    shown.mkdir()
    (folder.made(build).parent / f"{TITLE}.app").replace(shown / f"{TITLE}.app")
    (shown / "Applications").symlink_to("/Applications")
    target = build.out / f"{NAME}-{build.version}.dmg"
    build.run("hdiutil", "create", "-volname", TITLE, "-srcfolder", shown, "-format", "UDZO", "-ov", target)
    return [target]
