"""Game servers from Debian packages that are unpacked instead of installed.

They start without the hundreds of megabytes of data that their packages depend on.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from devtools import services
from devtools.lock import locked
from devtools.system import last_lines, say

FOLDER: Final = Path("var", "lib", "ready-room", "unpacked")
PROGRAMS: Final = {"redeclipse-server": Path("usr", "lib", "games", "redeclipse", "redeclipse-server")}
"""Where the program is in a package, by the package's name."""


def program_path(package: str) -> Path:
    """Return where a package's program is once it is unpacked."""
    return packages_folder() / package / PROGRAMS[package]


def packages_folder() -> Path:
    """Return the folder that has a folder for each package."""
    return services.SYSTEM / FOLDER


def install() -> None:
    """Download and unpack what is missing; mention what is not available."""
    folder = packages_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock", on_wait=lambda: say("Another installation is running; waiting for it.")):
        for package in PROGRAMS:
            if not program_path(package).is_file():
                _unpack(package, folder)


def _unpack(package: str, folder: Path) -> None:
    say(f"Unpacking Debian's package {package}, without what it depends on")
    draft = folder / f"{package}.new"
    shutil.rmtree(draft, ignore_errors=True)  # of an installation that was killed
    draft.mkdir()
    error = _run(["apt-get", "-q", "download", package], draft)
    for archive in draft.glob("*.deb"):
        error = error or _run(["dpkg-deb", "--extract", archive.name, "."], draft)
        archive.unlink()
    if (draft / PROGRAMS[package]).is_file():
        shutil.rmtree(folder / package, ignore_errors=True)
        draft.rename(folder / package)
    else:
        shutil.rmtree(draft)
        say(f"Without {package}: it could not be unpacked. The end of the output:\n{last_lines(error)}")


def _run(command: list[str], folder: Path) -> str:
    """Run a command; return what it printed if it failed."""
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stdout if done.returncode else ""


def remove() -> bool:
    """Remove what `install` unpacked; return whether there was anything."""
    folder = packages_folder()
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True
