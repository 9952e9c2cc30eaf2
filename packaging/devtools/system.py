"""System packages: installed where that is allowed, named where it is not."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from devtools import services
from devtools.errors import SetupError
from devtools.needs import Need

_APT_OPTIONS = ("DPkg::Lock::Timeout=120", "Dpkg::Use-Pty=0", "APT::Install-Recommends=false")


def say(text: str) -> None:
    """Print to standard error; standard output belongs to the program that is run."""
    print(text, file=sys.stderr, flush=True)


def provide(needs: Iterable[Need]) -> None:
    """Make sure that everything in `needs` is there.

    As root on Debian missing packages are installed. Otherwise a missing essential one is an error that names the
    command to type, and anything else missing is only mentioned.

    Raises:
        SetupError: Something essential is missing.
    """
    lacking = missing(needs)
    if lacking and may_install():
        update_lists()
        try:
            install(packages_of(lacking))
        except SetupError as error:
            if any(need.essential for need in lacking):
                raise
            say(str(error))
        lacking = missing(lacking)
    if any(need.essential for need in lacking):
        raise SetupError(f"{advice(lacking)}\nThen run the same command again.")
    if lacking:
        say(f"Going on without what is not essential. {advice(lacking)}")


def missing(needs: Iterable[Need]) -> list[Need]:
    """Return the needs that are not met."""
    return [need for need in needs if not need.present()]


def packages_of(needs: Iterable[Need]) -> list[str]:
    """Return the Debian packages of `needs`, each once, in order."""
    return list(dict.fromkeys(need.package for need in needs))


def is_debian() -> bool:
    """Return whether this system uses apt."""
    return shutil.which("apt-get") is not None and shutil.which("dpkg") is not None


def is_root() -> bool:
    """Return whether this process may change the system."""
    return sys.platform != "win32" and os.geteuid() == 0


def may_install() -> bool:
    """Return whether missing packages can be installed by this process."""
    return is_debian() and is_root()


def advice(lacking: Sequence[Need]) -> str:
    """Return what is missing and the one command that installs it."""
    names = list(dict.fromkeys(need.what for need in lacking))
    if not is_debian():
        return f"Missing on this system: {', '.join(names)}.\nInstall what brings them with its own package manager."
    command = f"apt-get install {shlex.join(packages_of(lacking))}"
    if not is_root():
        command = f"sudo {command}" if shutil.which("sudo") else f"su -c {shlex.quote(command)}"
    return f"Missing on this system: {_shortened(names)}. To install, type:\n\n    {command}\n"


def _shortened(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names) if len(names) <= most + 1 else f"{', '.join(names[:most])} and {len(names) - most} more"


def install(packages: Sequence[str]) -> None:
    """Install Debian packages without recommendations or starting services.

    Raises:
        SetupError: apt-get failed.
    """
    say(f"Installing Debian packages: {' '.join(packages)}")
    with services.prevent_service_starts(
        on_wait=lambda: say("Another installation is running; waiting for it.")
    ) as lock:
        installed = _apt_get("install", *packages, pass_fds=(lock,))
    if installed.returncode != 0:
        raise SetupError(
            "The Debian packages could not be installed. The end of its output:\n"
            f"{last_lines(installed.stdout)}\n"
            f"Tried: apt-get update; apt-get install {shlex.join(packages)}\n"
            "Check the network and the package sources, then run the same command again."
        )


def update_lists() -> None:
    """Update the lists of packages.

    An error is not reported: it may concern a list that is not needed here.
    """
    _apt_get("update")


def remove(packages: Sequence[str]) -> None:
    """Remove Debian packages and their settings.

    Raises:
        SetupError: apt-get failed.
    """
    removed = _apt_get("purge", *packages) if packages else None
    if removed is not None and removed.returncode != 0:
        raise SetupError(f"apt-get could not remove the packages. The end of its output:\n{last_lines(removed.stdout)}")


def installed(packages: Iterable[str]) -> frozenset[str]:
    """Return which of the packages are installed."""
    names = frozenset(packages)
    command = ["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n", *names]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    # Without names dpkg-query lists every package of the system.
    return names & {line.split()[0] for line in said.splitlines() if line.endswith(" installed")}


def simulate_install(packages: Sequence[str]) -> frozenset[str]:
    """Return the packages that an installation would add.

    Those that it would only upgrade are left out.
    """
    return frozenset(
        re.findall(r"^Inst ([^ :]+)\S* \(", _apt_get("--simulate", "install", *packages).stdout, re.MULTILINE)
    )


def simulate_removal(packages: Sequence[str]) -> frozenset[str]:
    """Return the packages that a removal would remove."""
    said = _apt_get("--simulate", "purge", *packages).stdout if packages else ""
    return frozenset(re.findall(r"^(?:Remv|Purg) ([^ :]+)", said, re.MULTILINE))


def _apt_get(*arguments: str, pass_fds: Sequence[int] = ()) -> subprocess.CompletedProcess[str]:
    """Run apt-get without questions; its long output is shown only on failure."""
    return subprocess.run(
        ["apt-get", "-y", "-qq", *(f"-o={option}" for option in _APT_OPTIONS), *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=pass_fds,
        check=False,
    )


def last_lines(text: str, most: int = 4) -> str:
    """Return the end of a program's output, indented."""
    return "\n".join(f"    {line}" for line in text.splitlines()[-most:])
