"""Trial of the Debian package in a minimal Debian system: install, start, purge."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from devtools.packages.desktop_files import MAN_PAGE, METAINFO
from devtools.packages.package_build import NAME
from devtools.setup_messages import print_note
from devtools.trials.package_trial import (
    CommandRunner,
    InstalledProgram,
    PackageTrial,
    exercise_program,
    require,
    run_command,
)
from devtools.trials.trial_home import VIRTUAL_DISPLAY_COMMAND

_TRIAL_PACKAGES = ("appstream", "desktop-file-utils", "fonts-dejavu-core", "xauth", "xvfb")
"""Packages that the trial itself needs in the minimal system."""
_USER = "player"
_OPTIONAL_QT_PARTS = {"libqgtk3.so"}
"""Optional parts of Qt, which use further system libraries where they are installed."""
_WATCHED_FOLDERS = ("etc", "opt", "srv", "usr", "home", "root", "var/lib", "var/spool")
_EXPECTED_CHANGES = re.compile(
    r"etc/ld\.so\.cache|usr/share/(applications|mime)/.*\.cache|var/lib/(dpkg|apt|systemd|swcatalog|app-info)/.*"
    rf"|home/{_USER}/.*|.*/icon-theme\.cache|var/lib/(ucf|dbus)/.*"
)
"""Files that may stay: those of the package manager, and the user's data."""


def try_deb(trial: PackageTrial) -> None:
    """Install, use and purge the package.

    Raises:
        SetupError: something is wrong.
    """
    root = _create_system(trial)
    files_before = _list_files(root)
    shutil.copyfile(trial.find_package("*.deb"), root / "tmp" / "package.deb")
    _apt_get(root, "install", "/tmp/package.deb")  # noqa: S108 - in a system that only the trial uses
    _check_desktop(root)
    _check_libraries(root)
    run_as_user = _user_runner(root)
    run_as_user(["mkdir", "pictures"])
    folder = f"home/{_USER}/pictures"
    exercise_program(trial, InstalledProgram(run_as_user, NAME, f"/{folder}", root / folder))
    _apt_get(root, "purge", "--autoremove", NAME)
    leftovers = sorted(path for path in _list_files(root) - files_before if not _EXPECTED_CHANGES.fullmatch(path))
    require(leftovers == [], f"left in the system: {leftovers[:20]}")


def _create_system(trial: PackageTrial) -> Path:
    """Install a minimal Debian with a user and a display; return its root folder."""
    root = trial.create_folder("root")
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(encoding="utf-8"), re.MULTILINE)
    require(release is not None, "this system is no released Debian")
    print_note("deb: installing a minimal system for the trial.")
    run_command(["debootstrap", "--variant=minbase", release[1] if release else "", root])
    _apt_get(root, "update")
    _apt_get(root, "install", *_TRIAL_PACKAGES)
    _root_runner(root)(["useradd", "--create-home", _USER])
    return root


def _root_runner(root: Path, *prefix: str) -> CommandRunner:
    """Return a function that runs commands as root in the system.

    Each has a process namespace of its own, so that its child processes end with it.
    """
    in_namespace = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", root)
    # The shell stays the first process: as process 1, xvfb-run would not get the signal that its display is ready.
    with_procfs = ("sh", "-c", 'mount -t proc proc /proc && "$@"; exit $?', "sh")
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}

    def run_as_root(command: Sequence[str | Path]) -> str:
        return run_command([*in_namespace, *with_procfs, *prefix, *command], env=environ)

    return run_as_root


def _user_runner(root: Path) -> CommandRunner:
    """Return a function that runs commands as the user, in their home, on a display."""
    in_home = ("env", f"--chdir=/home/{_USER}", f"HOME=/home/{_USER}")
    as_user = ("setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--init-groups")
    return _root_runner(root, *as_user, *in_home, *VIRTUAL_DISPLAY_COMMAND)


def _apt_get(root: Path, *arguments: str) -> None:
    _root_runner(root)(["apt-get", "-y", "-qq", "-o=APT::Install-Recommends=false", *arguments])


def _check_desktop(root: Path) -> None:
    """Check the desktop files, the man page and the licence texts."""
    run_as_root = _root_runner(root)
    run_as_root(["grep", "--quiet", "GNU LESSER GENERAL PUBLIC LICENSE", f"/usr/share/doc/{NAME}/copyright"])
    run_as_root(["gzip", "--test", f"/usr/share/man/man1/{MAN_PAGE.name}.gz"])
    run_as_root(["desktop-file-validate", f"/usr/share/applications/{NAME}.desktop"])
    run_as_root(["appstreamcli", "validate", "--no-net", f"/usr/share/metainfo/{METAINFO.name}"])


def _check_libraries(root: Path) -> None:
    """Check that every library that a part of the program needs is there."""
    library_folder = f"/usr/lib/{NAME}/_internal"  # PyInstaller's bootloader makes the loader look there first
    ldd = ["find", library_folder, "-name", "*.so*", "-type", "f", "-exec", "ldd", "{}", "+"]
    missing = find_missing_libraries(_root_runner(root, "env", f"LD_LIBRARY_PATH={library_folder}")(ldd))
    require(missing == {}, f"missing libraries: {missing}")


def find_missing_libraries(ldd_output: str) -> dict[str, list[str]]:
    """Return the libraries that `ldd FILE…` did not find, by the file that needs them."""
    missing = {}
    for part in re.split(r"^(?=/)", ldd_output, flags=re.MULTILINE):
        name = Path(part.partition(":\n")[0]).name
        names = re.findall(r"^\s+(\S+) => not found", part, re.MULTILINE)
        if names and name not in _OPTIONAL_QT_PARTS:
            missing[name] = sorted(set(names))
    return missing


def _list_files(root: Path) -> set[str]:
    """Return all files of the system that an installation may add to."""
    files = (path for top in _WATCHED_FOLDERS for path in (root / top).rglob("*") if not path.is_dir())
    return {path.relative_to(root).as_posix() for path in files}
