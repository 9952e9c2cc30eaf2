"""The disk image for macOS. Not built yet on any Mac."""

import platform
import shutil
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages import folder, licences
from devtools.packages.build import NAME, TITLE, Build


def make(build: Build) -> list[Path]:
    """Build `ready-room-VERSION.dmg`: the unsigned app and a link to its folder.

    Raises:
        SetupError: this is not macOS.
    """
    if platform.system() != "Darwin":
        raise SetupError("The disk image for macOS is made on macOS.")
    shown = build.work / "dmg"
    shown.mkdir()
    made = folder.made(build)
    (made.parent / f"{TITLE}.app").replace(shown / f"{TITLE}.app")
    for name in ("LICENSE", licences.FILE_NAME):
        shutil.copyfile(made / name, shown / name)
        shutil.copyfile(made / name, shown / f"{TITLE}.app" / "Contents" / "Resources" / name)
    (shown / "Applications").symlink_to("/Applications")
    target = build.out / f"{NAME}-{build.version}.dmg"
    build.run("hdiutil", "create", "-volname", TITLE, "-srcfolder", shown, "-format", "UDZO", "-ov", target)
    return [target]
