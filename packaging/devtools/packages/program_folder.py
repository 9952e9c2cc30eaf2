"""The program as a folder that needs no Python, built by PyInstaller."""

import platform
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from devtools.packages.licence_texts import THIRD_PARTY_FILE_NAME, collect_licence_texts
from devtools.packages.package_build import NAME, PackageBuild
from devtools.packages.program_icons import draw_icons
from devtools.packages.reproducible_archive import normalise_metadata, write_tar_gz
from devtools.setup_messages import SetupError

_SPEC_FILE = Path("packaging", "pyinstaller", f"{NAME}.spec")
_PRINT_SITE_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"
_QUIET_OPTIONS = ("--noconfirm", "--log-level", "ERROR")


def build_folder_archive(build: PackageBuild) -> list[Path]:
    """Build `ready-room-VERSION-SYSTEM-MACHINE.tar.gz`, which runs from any folder."""
    target = build.output_folder / f"{NAME}-{build.version}-{sys.platform}-{platform.machine().lower()}.tar.gz"
    write_tar_gz(build_program_folder(build), target, build.epoch)
    return [target]


def build_program_folder(build: PackageBuild) -> Path:
    """Return the program's folder, which is built once per package build."""
    folder = build.work_folder / "folder" / NAME
    if not folder.exists():
        output_options = ("--distpath", folder.parent, "--workpath", build.work_folder / "pyinstaller")
        build.run(
            *(build.python, "-m", "PyInstaller", *_QUIET_OPTIONS, *output_options, build.source_folder / _SPEC_FILE),
            READY_ROOM_ICONS=str(draw_icons(build)),
            PYINSTALLER_CONFIG_DIR=str(build.work_folder / "pyinstaller-cache"),
        )
        shutil.copyfile(build.source_folder / "packaging" / "LICENSE", folder / "LICENSE")
        (folder / THIRD_PARTY_FILE_NAME).write_text(_collect_licences(build, folder), encoding="utf-8")
        normalise_metadata(folder, build.epoch)
    return folder


def find_newest_glibc(folder: Path) -> str:
    """Return the C library's version that the folder requires, such as "2.35"."""
    versions = {
        tuple(map(int, match.groups()))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and (content := path.read_bytes()).startswith(b"\x7fELF")
        for match in re.finditer(rb"\0GLIBC_(\d+)\.(\d+)\b", content)
    }
    return ".".join(map(str, max(versions)))


def _collect_licences(build: PackageBuild, folder: Path) -> str:
    site_packages = Path(build.run(build.python, "-c", _PRINT_SITE_PACKAGES).strip())
    return collect_licence_texts(folder, site_packages, build.source_folder, find_python_licence())


def find_python_licence() -> Path:
    """Return the licence file of this Python or of the system that provides it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE.txt"),
        Path("/usr/share/doc", version, "copyright"),
    )
    for file in candidates:
        if file.is_file():
            return file
    raise SetupError(f"The licence of this Python was not found: it is at none of {', '.join(map(str, candidates))}.")
