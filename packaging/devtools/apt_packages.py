"""Debian packages: installed as root, otherwise named with the command to type."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from devtools.debian_services import prevent_service_starts
from devtools.setup_messages import SetupError, last_lines, print_note, run_captured
from devtools.system_dependencies import SystemDependency

_APT_OPTIONS = ("DPkg::Lock::Timeout=120", "Dpkg::Use-Pty=0", "APT::Install-Recommends=false")


def provide_dependencies(dependencies: Iterable[SystemDependency]) -> None:
    """Make sure that all dependencies are present.

    As root on Debian, missing packages are installed. Otherwise a missing essential one is an error that names the
    command to type, and anything else missing is only mentioned.

    Raises:
        SetupError: an essential one is missing.
    """
    missing = find_missing(dependencies)
    if missing and can_install():
        update_package_lists()
        try:
            install_packages(list_packages(missing))
        except SetupError as error:
            if any(dependency.is_essential for dependency in missing):
                raise
            print_note(str(error))
        missing = find_missing(missing)
    if any(dependency.is_essential for dependency in missing):
        raise SetupError(f"{format_install_advice(missing)}\nThen run the same command again.")
    if missing:
        print_note(f"Going on without what is not essential. {format_install_advice(missing)}")


def find_missing(dependencies: Iterable[SystemDependency]) -> list[SystemDependency]:
    """Return the dependencies that are not present."""
    return [dependency for dependency in dependencies if not dependency.is_present()]


def list_packages(dependencies: Iterable[SystemDependency]) -> list[str]:
    """Return the Debian packages of the dependencies, each once, in order."""
    return list(dict.fromkeys(dependency.package for dependency in dependencies))


def is_debian() -> bool:
    """Return whether this system uses apt."""
    return shutil.which("apt-get") is not None and shutil.which("dpkg") is not None


def is_root() -> bool:
    """Return whether this process may change the system."""
    return sys.platform != "win32" and os.geteuid() == 0


def can_install() -> bool:
    """Return whether missing packages can be installed by this process."""
    return is_debian() and is_root()


def format_install_advice(missing: Sequence[SystemDependency]) -> str:
    """Return what is missing and the one command that installs it."""
    names = list(dict.fromkeys(dependency.name for dependency in missing))
    if not is_debian():
        return f"Missing on this system: {', '.join(names)}.\nInstall what brings them with its own package manager."
    command = f"apt-get install {shlex.join(list_packages(missing))}"
    if not is_root():
        command = f"sudo {command}" if shutil.which("sudo") else f"su -c {shlex.quote(command)}"
    return f"Missing on this system: {_shorten_list(names)}. To install, type:\n\n    {command}\n"


def _shorten_list(names: Sequence[str], max_shown: int = 3) -> str:
    return (
        ", ".join(names)
        if len(names) <= max_shown + 1
        else f"{', '.join(names[:max_shown])} and {len(names) - max_shown} more"
    )


def install_packages(packages: Sequence[str]) -> None:
    """Install Debian packages without recommendations or starting services.

    Raises:
        SetupError: apt-get failed.
    """
    print_note(f"Installing Debian packages: {' '.join(packages)}")
    with prevent_service_starts(on_wait=lambda: print_note("Another installation is running; waiting for it.")) as lock:
        result = _apt_get("install", *packages, pass_fds=(lock,))
    if result.returncode != 0:
        raise SetupError(
            "The Debian packages could not be installed. The end of its output:\n"
            f"{last_lines(result.stdout)}\n"
            f"Tried: apt-get update; apt-get install {shlex.join(packages)}\n"
            "Check the network and the package sources, then run the same command again."
        )


def update_package_lists() -> None:
    """Update the lists of packages.

    An error is not reported: it may concern a list that is not needed here.
    """
    _apt_get("update")


def remove_packages(packages: Sequence[str]) -> None:
    """Remove Debian packages and their settings.

    Raises:
        SetupError: apt-get failed.
    """
    result = _apt_get("purge", *packages) if packages else None
    if result is not None and result.returncode != 0:
        raise SetupError(f"apt-get could not remove the packages. The end of its output:\n{last_lines(result.stdout)}")


def find_installed(packages: Iterable[str]) -> frozenset[str]:
    """Return which of the packages are installed."""
    names = frozenset(packages)
    command = ["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n", *names]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    # Without names dpkg-query lists every package of the system.
    return names & {line.split()[0] for line in output.splitlines() if line.endswith(" installed")}


def simulate_install(packages: Sequence[str]) -> frozenset[str]:
    """Return the packages that an installation would add.

    Those that it would only upgrade are left out.
    """
    return frozenset(
        re.findall(r"^Inst ([^ :]+)\S* \(", _apt_get("--simulate", "install", *packages).stdout, re.MULTILINE)
    )


def simulate_removal(packages: Sequence[str]) -> frozenset[str]:
    """Return the packages that a removal would remove."""
    output = _apt_get("--simulate", "purge", *packages).stdout if packages else ""
    return frozenset(re.findall(r"^(?:Remv|Purg) ([^ :]+)", output, re.MULTILINE))


def _apt_get(*arguments: str, pass_fds: Sequence[int] = ()) -> subprocess.CompletedProcess[str]:
    """Run apt-get without questions; its long output is shown only on failure."""
    return run_captured(
        ["apt-get", "-y", "-qq", *(f"-o={option}" for option in _APT_OPTIONS), *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        pass_fds=pass_fds,
    )
