"""The Flatpak bundle. Not built yet: its runtime was not available."""

import shutil
from pathlib import Path

from devtools.packages import wheel
from devtools.packages.build import APP_ID, NAME, Build

_FOLDER = Path("packaging", "flatpak")
_REQUIREMENTS = Path("packaging", "requirements.txt")


def make(build: Build) -> list[Path]:
    """Build `ready-room-VERSION.flatpak`; needs flatpak-builder and the runtime."""
    folder = gather(build)
    manifest, state, repository = (folder / f"{APP_ID}.yml", build.work / "flatpak-state", build.work / "flatpak-repo")
    build.run(
        *("flatpak-builder", "--user", "--disable-rofiles-fuse", f"--state-dir={state}", f"--repo={repository}"),
        build.work / "flatpak-build",
        manifest,
    )
    target = build.out / f"{NAME}-{build.version}.flatpak"
    build.run("flatpak", "build-bundle", repository, target, APP_ID)
    return [target]


def gather(build: Build) -> Path:
    """Return a folder with all files that the manifest names."""
    folder = build.work / "flatpak"
    shutil.copytree(build.source / _FOLDER, folder)
    shutil.copyfile(build.source / _REQUIREMENTS, folder / _REQUIREMENTS.name)
    shutil.copyfile(wheel.source_package(build), folder / "ready_room.tar.gz")
    return folder
