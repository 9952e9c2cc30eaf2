"""The installer for Windows, built by Inno Setup; not yet built on Windows."""

import platform
import shutil
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages import folder, icons
from devtools.packages.build import NAME, Build

_RECIPE = Path("packaging", "windows", f"{NAME}.iss")


def make(build: Build) -> list[Path]:
    """Build `ready-room-VERSION-setup.exe`.

    Raises:
        SetupError: this is not Windows, or Inno Setup is not on the path.
    """
    if platform.system() != "Windows" or shutil.which("ISCC") is None:
        raise SetupError("The installer for Windows is made on Windows, with Inno Setup 6 (ISCC) on the path.")
    target = f"{NAME}-{build.version}-setup"
    given = {"Version": build.version, "Folder": folder.made(build), "Icons": icons.draw(build), "OutputName": target}
    build.run("ISCC", f"/O{build.out}", *(f"/D{key}={value}" for key, value in given.items()), build.source / _RECIPE)
    return [build.out / f"{target}.exe"]
