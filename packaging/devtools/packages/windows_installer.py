"""The installer for Windows, built by Inno Setup; not yet built on Windows."""

import platform
import shutil
from pathlib import Path

from devtools.packages.package_build import NAME, PackageBuild
from devtools.packages.program_folder import build_program_folder
from devtools.packages.program_icons import draw_icons
from devtools.setup_messages import SetupError

_INNO_SETUP_SCRIPT = Path("packaging", "windows", f"{NAME}.iss")


def build_windows_installer(build: PackageBuild) -> list[Path]:
    """Build `ready-room-VERSION-setup.exe`.

    Raises:
        SetupError: this is not Windows, or Inno Setup is not on the path.
    """
    if platform.system() != "Windows" or shutil.which("ISCC") is None:
        raise SetupError("The installer for Windows is made on Windows, with Inno Setup 6 (ISCC) on the path.")
    name = f"{NAME}-{build.version}-setup"
    constants = {
        "Version": build.version,
        "Folder": build_program_folder(build),
        "Icons": draw_icons(build),
        "OutputName": name,
    }
    options = (f"/O{build.output_folder}", *(f"/D{key}={value}" for key, value in constants.items()))
    build.run("ISCC", *options, build.source_folder / _INNO_SETUP_SCRIPT)
    return [build.output_folder / f"{name}.exe"]
