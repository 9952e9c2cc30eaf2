"""Programs from npm that some tests talk to.

They are Minecraft servers and the query tool GameDig.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from devtools import services
from devtools.checkout import ROOT
from devtools.lock import locked
from devtools.needs import has_program
from devtools.system import last_lines, say

FOLDER: Final = Path("var", "lib", "ready-room", "npm")
PINS: Final = ROOT / "packaging" / "npm-peers"
_MANIFEST, _LOCK_FILE = "package.json", "package-lock.json"
_INSTALLED = "installed-lock.json"
"""The lock file of what is there completely."""
_WHAT = "Minecraft servers and GameDig"


def packages_folder() -> Path:
    """Return the folder that has `node_modules`."""
    return services.SYSTEM / FOLDER


def install() -> None:
    """Install the pinned versions unless they are there.

    Mentions it if that is not possible. No script of a package is run.
    """
    folder = packages_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock", on_wait=lambda: say("Another installation is running; waiting for it.")):
        if not _is_current(folder):
            _install(folder)


def _install(folder: Path) -> None:
    if not has_program("npm"):
        say(f"Without {_WHAT}: npm is not installed (Debian's package npm)")
        return
    say(f"Installing {_WHAT} from npm (0.5 GB)")
    (folder / _INSTALLED).unlink(missing_ok=True)
    for name in (_MANIFEST, _LOCK_FILE):
        shutil.copyfile(PINS / name, folder / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
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
    if done.returncode == 0:
        shutil.copyfile(PINS / _LOCK_FILE, folder / _INSTALLED)
    else:
        say(f"Without {_WHAT}: {' '.join(command[:2])} failed. The end of its output:\n{last_lines(done.stdout)}")


def _is_current(folder: Path) -> bool:
    installed = folder / _INSTALLED
    return installed.is_file() and installed.read_bytes() == (PINS / _LOCK_FILE).read_bytes()


def remove() -> bool:
    """Remove what `install` installed; return whether there was anything."""
    folder = packages_folder()
    if not folder.exists():
        return False
    shutil.rmtree(folder)
    return True
