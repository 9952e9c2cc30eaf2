"""Trial of the Debian package in a minimal Debian system: install, start, purge."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from devtools.packages.build import NAME
from devtools.packages.desktop import MANUAL, METAINFO
from devtools.system import say
from devtools.trials.display import WITH_DISPLAY
from devtools.trials.trial import Installed, Start, Trial, require, run, use

_BESIDE = ("appstream", "desktop-file-utils", "fonts-dejavu-core", "xauth", "xvfb")
"""Packages that the trial itself needs in that system."""
_USER = "player"
_OPTIONAL = {"libqgtk3.so"}
"""Optional parts of Qt, which use further system libraries where they are installed."""
_WATCHED = ("etc", "opt", "srv", "usr", "home", "root", "var/lib", "var/spool")
_CHANGES = re.compile(
    r"etc/ld\.so\.cache|usr/share/(applications|mime)/.*\.cache|var/lib/(dpkg|apt|systemd|swcatalog|app-info)/.*"
    rf"|home/{_USER}/.*|.*/icon-theme\.cache|var/lib/(ucf|dbus)/.*"
)
"""Files of the package manager, and the user's data."""


def try_deb(trial: Trial) -> None:
    """Install, use and purge the package.

    Raises:
        SetupError: something is wrong.
    """
    root = _new_system(trial)
    before = _files(root)
    shutil.copyfile(trial.file("*.deb"), root / "tmp" / "package.deb")
    _apt_get(root, "install", "/tmp/package.deb")  # noqa: S108 - in a system that only the trial uses
    _check_desktop(root)
    _check_libraries(root)
    pictures = root / "home" / _USER / "pictures"
    _as_user(root)(["mkdir", "pictures"])
    use(trial, Installed(_as_user(root), NAME, f"/home/{_USER}/pictures", pictures))
    _apt_get(root, "purge", "--autoremove", NAME)
    left = sorted(path for path in _files(root) - before if not _CHANGES.fullmatch(path))
    require(left == [], f"left in the system: {left[:20]}")


def _new_system(trial: Trial) -> Path:
    """Return the smallest Debian, with a user and a display."""
    root = trial.folder("root")
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(encoding="utf-8"), re.MULTILINE)
    require(release is not None, "this is no released Debian")
    say("deb: making a system to try it in.")
    run(["debootstrap", "--variant=minbase", release[1] if release else "", root])
    _apt_get(root, "update")
    _apt_get(root, "install", *_BESIDE)
    _starter(root)(["useradd", "--create-home", _USER])
    return root


def _starter(root: Path, *before: str) -> Start:
    """Return a function that starts commands in the system, with their own processes.

    They end with the first.
    """
    enter = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", root)
    # The shell stays the first process: as process 1, xvfb-run would not get the signal that its display is ready.
    with_processes = ("sh", "-c", 'mount -t proc proc /proc && "$@"; exit $?', "sh")
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}

    def start(command: Sequence[str | Path]) -> str:
        return run([*enter, *with_processes, *before, *command], env=environ)

    return start


def _as_user(root: Path) -> Start:
    """Return a function that starts commands as the user, in their home, on a display."""
    home = ("env", f"--chdir=/home/{_USER}", f"HOME=/home/{_USER}")
    return _starter(root, "setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--init-groups", *home, *WITH_DISPLAY)


def _apt_get(root: Path, *arguments: str) -> None:
    _starter(root)(["apt-get", "-y", "-qq", "-o=APT::Install-Recommends=false", *arguments])


def _check_desktop(root: Path) -> None:
    """Check the desktop files, the man page and the licence texts."""
    start = _starter(root)
    start(["grep", "--quiet", "GNU LESSER GENERAL PUBLIC LICENSE", f"/usr/share/doc/{NAME}/copyright"])
    start(["gzip", "--test", f"/usr/share/man/man1/{MANUAL.name}.gz"])
    start(["desktop-file-validate", f"/usr/share/applications/{NAME}.desktop"])
    start(["appstreamcli", "validate", "--no-net", f"/usr/share/metainfo/{METAINFO.name}"])


def _check_libraries(root: Path) -> None:
    """Check that every library that a part of the program needs is there."""
    own = f"/usr/lib/{NAME}/_internal"  # PyInstaller's start-up makes the loader look there first
    find = ["find", own, "-name", "*.so*", "-type", "f", "-exec", "ldd", "{}", "+"]
    lacking = lacking_libraries(_starter(root, "env", f"LD_LIBRARY_PATH={own}")(find))
    require(lacking == {}, f"libraries that are not there: {lacking}")


def lacking_libraries(said: str) -> dict[str, list[str]]:
    """Return the libraries that `ldd FILE…` did not find, by the file that needs them."""
    lacking = {}
    for part in re.split(r"^(?=/)", said, flags=re.MULTILINE):
        name = Path(part.partition(":\n")[0]).name
        names = re.findall(r"^\s+(\S+) => not found", part, re.MULTILINE)
        if names and name not in _OPTIONAL:
            lacking[name] = sorted(set(names))
    return lacking


def _files(root: Path) -> set[str]:
    """Return all files of the system that an installation may add to."""
    found = (path for top in _WATCHED for path in (root / top).rglob("*") if not path.is_dir())
    return {path.relative_to(root).as_posix() for path in found}
