"""Game servers from Debian packages that are unpacked instead of installed.

They start without the hundreds of megabytes of data that their packages depend on.
"""

import shutil
from pathlib import Path
from typing import Final

from devtools import debian_services
from devtools.file_lock import hold_file_lock
from devtools.setup_messages import last_lines, print_note, run_captured

UNPACKED_FOLDER: Final = Path("var", "lib", "ready-room", "unpacked")
PROGRAMS: Final = {"redeclipse-server": Path("usr", "lib", "games", "redeclipse", "redeclipse-server")}
"""Path of the program in a package, by the package's name."""


def program_path(package: str) -> Path:
    """Return where a package's program is once it is unpacked."""
    return unpacked_peers_folder() / package / PROGRAMS[package]


def unpacked_peers_folder() -> Path:
    """Return the folder that has a folder for each package."""
    return debian_services.SYSTEM_ROOT / UNPACKED_FOLDER


def install_unpacked_peers() -> None:
    """Download and unpack what is missing; mention what is not available."""
    folder = unpacked_peers_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(
        folder / ".lock", on_wait=lambda: print_note("Another installation is running; waiting for it.")
    ):
        for package in PROGRAMS:
            if not program_path(package).is_file():
                _unpack(package, folder)


def _unpack(package: str, folder: Path) -> None:
    print_note(f"Unpacking Debian's package {package}, without what it depends on")
    draft = folder / f"{package}.new"
    shutil.rmtree(draft, ignore_errors=True)  # of an installation that was killed
    draft.mkdir()
    results = [run_captured(["apt-get", "-q", "download", package], cwd=draft)]
    for archive in draft.glob("*.deb"):
        results.append(run_captured(["dpkg-deb", "--extract", archive.name, "."], cwd=draft))
        archive.unlink()
    if (draft / PROGRAMS[package]).is_file():
        shutil.rmtree(folder / package, ignore_errors=True)
        draft.rename(folder / package)
    else:
        shutil.rmtree(draft)
        output = last_lines("".join(result.stdout for result in results))
        print_note(f"Without {package}: it could not be unpacked. The end of the output:\n{output}")


def remove_unpacked_peers() -> bool:
    """Remove what was unpacked; return whether there was anything."""
    folder = unpacked_peers_folder()
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True
