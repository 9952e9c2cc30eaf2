"""The Flatpak bundle. Not built yet: its runtime was not available."""

import shutil
from pathlib import Path

from devtools.packages.package_build import APP_ID, NAME, PackageBuild
from devtools.packages.python_packages import build_source_package

_FOLDER = Path("packaging", "flatpak")
_REQUIREMENTS = Path("packaging", "requirements.txt")


def build_flatpak(build: PackageBuild) -> list[Path]:
    """Build `ready-room-VERSION.flatpak`; needs flatpak-builder and the runtime."""
    folder = _collect_manifest_files(build)
    manifest = folder / f"{APP_ID}.yml"
    state, repository = build.work_folder / "flatpak-state", build.work_folder / "flatpak-repo"
    build.run(
        *("flatpak-builder", "--user", "--disable-rofiles-fuse", f"--state-dir={state}", f"--repo={repository}"),
        build.work_folder / "flatpak-build",
        manifest,
    )
    target = build.output_folder / f"{NAME}-{build.version}.flatpak"
    build.run("flatpak", "build-bundle", repository, target, APP_ID)
    return [target]


def _collect_manifest_files(build: PackageBuild) -> Path:
    """Return a folder with all files that the manifest names."""
    folder = build.work_folder / "flatpak"
    shutil.copytree(build.source_folder / _FOLDER, folder)
    shutil.copyfile(build.source_folder / _REQUIREMENTS, folder / _REQUIREMENTS.name)
    shutil.copyfile(build_source_package(build), folder / "ready_room.tar.gz")
    return folder
