"""The disk image for macOS. Not built yet on any Mac."""

import platform
import shutil
from pathlib import Path

from devtools.packages.licence_texts import THIRD_PARTY_FILE_NAME
from devtools.packages.package_build import NAME, TITLE, PackageBuild
from devtools.packages.program_folder import build_program_folder
from devtools.setup_messages import SetupError


def build_macos_image(build: PackageBuild) -> list[Path]:
    """Build `ready-room-VERSION.dmg`: the app, with an ad-hoc signature, and a link.

    Raises:
        SetupError: this is not macOS.
    """
    if platform.system() != "Darwin":
        raise SetupError("The disk image for macOS is made on macOS.")
    image_folder = build.work_folder / "dmg"
    image_folder.mkdir()
    program = build_program_folder(build)
    app = (program.parent / f"{TITLE}.app").replace(image_folder / f"{TITLE}.app")
    for name in ("LICENSE", THIRD_PARTY_FILE_NAME):
        shutil.copyfile(program / name, image_folder / name)
        shutil.copyfile(program / name, app / "Contents" / "Resources" / name)
    # PyInstaller has sealed the app without these files, and macOS calls an app with a broken seal damaged.
    build.run("codesign", "--force", "--deep", "--sign", "-", app)
    (image_folder / "Applications").symlink_to("/Applications")
    target = build.output_folder / f"{NAME}-{build.version}.dmg"
    build.run("hdiutil", "create", "-volname", TITLE, "-srcfolder", image_folder, "-format", "UDZO", "-ov", target)
    return [target]
