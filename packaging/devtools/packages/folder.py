"""The program as a folder that needs no Python, built by PyInstaller."""

import platform
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages import icons, licences
from devtools.packages.archive import settle, write_tar_gz
from devtools.packages.build import NAME, Build

_RECIPE = Path("packaging", "pyinstaller", f"{NAME}.spec")
_SITE_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"
_QUIET = ("--noconfirm", "--log-level", "ERROR")


def make(build: Build) -> list[Path]:
    """Build `ready-room-VERSION-SYSTEM-MACHINE.tar.gz`, which runs from any folder."""
    target = build.out / f"{NAME}-{build.version}-{sys.platform}-{platform.machine().lower()}.tar.gz"
    write_tar_gz(made(build), target, build.epoch)
    return [target]


def made(build: Build) -> Path:
    """Return the folder, which is built once per build."""
    folder = build.work / "folder" / NAME
    if not folder.exists():
        places = ("--distpath", folder.parent, "--workpath", build.work / "pyinstaller")
        build.run(
            *(build.python, "-m", "PyInstaller", *_QUIET, *places, build.source / _RECIPE),
            READY_ROOM_ICONS=str(icons.draw(build)),
            PYINSTALLER_CONFIG_DIR=str(build.work / "pyinstaller-cache"),
        )
        shutil.copyfile(build.source / "packaging" / "LICENSE", folder / "LICENSE")
        (folder / licences.FILE_NAME).write_text(_third_party(build, folder), encoding="utf-8")
        settle(folder, build.epoch)
    return folder


def newest_glibc(folder: Path) -> str:
    """Return the C library's version that the folder requires, such as "2.35"."""
    found = {
        tuple(map(int, match.groups()))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and (content := path.read_bytes()).startswith(b"\x7fELF")
        for match in re.finditer(rb"\0GLIBC_(\d+)\.(\d+)\b", content)
    }
    return ".".join(map(str, max(found)))


def _third_party(build: Build, folder: Path) -> str:
    site_packages = Path(build.run(build.python, "-c", _SITE_PACKAGES).strip())
    return licences.third_party(folder, site_packages, build.source, _python_licence())


def _python_licence() -> Path:
    """Return the licence file of this Python or of the system that provides it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE.txt"),
        Path("/usr/share/doc", version, "copyright"),
    )
    for place in places:
        if place.is_file():
            return place
    raise SetupError(f"This Python's licence, which must travel with it, is at none of {', '.join(map(str, places))}.")
