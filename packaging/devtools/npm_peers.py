"""Programs from npm that some tests talk to: Minecraft servers and GameDig."""

import shutil
from pathlib import Path
from typing import Final

from devtools import debian_services
from devtools.checkout import ROOT
from devtools.file_lock import hold_file_lock
from devtools.setup_messages import last_lines, print_note, run_captured
from devtools.system_dependencies import has_program

NPM_FOLDER: Final = Path("var", "lib", "ready-room", "npm")
PINS_FOLDER: Final = ROOT / "packaging" / "npm-peers"
_MANIFEST, _PACKAGE_LOCK_FILE = "package.json", "package-lock.json"
_INSTALLED_LOCK_FILE = "installed-lock.json"
"""The lock file of the packages that are installed completely."""
_CONTENT = "Minecraft servers and GameDig"


def npm_peers_folder() -> Path:
    """Return the folder that has `node_modules`."""
    return debian_services.SYSTEM_ROOT / NPM_FOLDER


def install_npm_peers() -> None:
    """Install the pinned versions unless they are there, or say why not.

    No script of a package is run.
    """
    folder = npm_peers_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(
        folder / ".lock", on_wait=lambda: print_note("Another installation is running; waiting for it.")
    ):
        if not _is_current(folder):
            _install(folder)


def _install(folder: Path) -> None:
    if not has_program("npm"):
        print_note(f"Without {_CONTENT}: npm is not installed (Debian's package npm)")
        return
    print_note(f"Installing {_CONTENT} from npm (0.5 GB)")
    (folder / _INSTALLED_LOCK_FILE).unlink(missing_ok=True)
    for name in (_MANIFEST, _PACKAGE_LOCK_FILE):
        shutil.copyfile(PINS_FOLDER / name, folder / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    result = run_captured(command, cwd=folder)
    if result.returncode == 0:
        shutil.copyfile(PINS_FOLDER / _PACKAGE_LOCK_FILE, folder / _INSTALLED_LOCK_FILE)
    else:
        output = last_lines(result.stdout)
        print_note(f"Without {_CONTENT}: {' '.join(command[:2])} failed. The end of its output:\n{output}")


def _is_current(folder: Path) -> bool:
    installed = folder / _INSTALLED_LOCK_FILE
    return installed.is_file() and installed.read_bytes() == (PINS_FOLDER / _PACKAGE_LOCK_FILE).read_bytes()


def remove_npm_peers() -> bool:
    """Remove what was installed; return whether there was anything."""
    folder = npm_peers_folder()
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True
