"""The kinds of package, and the command that builds them."""

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.checkout import PACKAGE_FOLDER
from devtools.packages.build_venv import prepare_build_venv
from devtools.packages.deb_package import build_deb
from devtools.packages.flatpak_bundle import build_flatpak
from devtools.packages.macos_image import build_macos_image
from devtools.packages.package_build import PackageBuild, export_commit, read_version, resolve_commit
from devtools.packages.program_folder import build_folder_archive
from devtools.packages.python_packages import build_python_packages
from devtools.packages.windows_installer import build_windows_installer
from devtools.setup_messages import print_note
from devtools.translations import COMPILER

PACKAGE_KINDS: Mapping[str, Callable[[PackageBuild], list[Path]]] = {
    "wheel": build_python_packages,
    "folder": build_folder_archive,
    "deb": build_deb,
    "flatpak": build_flatpak,
    "windows": build_windows_installer,
    "macos": build_macos_image,
}
DEFAULT_KINDS = ("wheel", "folder", "deb")
"""Kinds that can be built on any Debian."""


def run_package_command(arguments: Sequence[str]) -> list[Path]:
    """Build the packages that the command line names; print and return their files.

    Raises:
        SetupError: one could not be built.
    """
    args = _parse_arguments(arguments)
    files = build_packages(args.names, resolve_commit(args.commit), args.out.absolute())
    for path in files:
        print_note(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return files


def build_packages(names: Sequence[str], commit: str, output_folder: Path) -> list[Path]:
    """Build packages of a commit; return their files in the order of `PACKAGE_KINDS`.

    Raises:
        SetupError: one could not be built.
    """
    output_folder.mkdir(parents=True, exist_ok=True)
    python = prepare_build_venv()
    files = []
    with tempfile.TemporaryDirectory(prefix="ready-room-build-") as folder_name:
        work_folder = Path(folder_name)
        source_folder, epoch = export_commit(commit, work_folder)
        version = read_version(source_folder)
        build = PackageBuild(source_folder, work_folder, output_folder, python, version, epoch)
        build.run(python, COMPILER)
        for name, build_kind in PACKAGE_KINDS.items():
            if name in names:
                print_note(f"Building {name}.")
                files += build_kind(build)
    return files


def _parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("packaging/dev.py package", description="Build packages of a commit.")
    kinds, default_kinds = ", ".join(PACKAGE_KINDS), ", ".join(DEFAULT_KINDS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{kinds} (default: {default_kinds})")
    parser.add_argument("--out", type=Path, default=PACKAGE_FOLDER, metavar="DIR", help="output folder (default: dist)")
    parser.add_argument("--commit", default="HEAD", metavar="NAME", help="the commit (default: HEAD)")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.names if name not in PACKAGE_KINDS]
    if unknown:
        parser.error(f"no package {unknown[0]!r}; there are {kinds}")
    args.names = args.names or list(DEFAULT_KINDS)
    return args
