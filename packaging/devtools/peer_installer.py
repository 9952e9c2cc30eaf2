"""Peers, the programs that some tests talk to: installed and removed.

None of their services is started.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from devtools import apt_packages, debian_services, npm_peers, unpacked_peers
from devtools.setup_messages import SetupError, print_note
from devtools.system_dependencies import SystemDependency, list_peer_dependencies

RECORD_FILE: Final = Path("var", "lib", "ready-room", "peers.json")


@dataclass(frozen=True)
class InstallRecord:
    """What this command has changed on the system."""

    packages: frozenset[str] = frozenset()
    """Packages that were not there before."""
    units: frozenset[str] = frozenset()
    """Units that were not masked before."""


def install_peers() -> None:
    """Install what is missing; mention and skip a package that is not available.

    No service of these packages starts, now or with the system: they are servers that would announce themselves to the
    Internet. Services that were installed by others stay as they are.
    """
    missing = apt_packages.find_missing(list_peer_dependencies())
    if not apt_packages.can_install():
        if missing:
            print_note(apt_packages.format_install_advice(missing))
        return
    if missing:
        apt_packages.update_package_lists()
    for dependency in missing:
        _install_package(dependency)
    _disable_peer_services()
    npm_peers.install_npm_peers()
    unpacked_peers.install_unpacked_peers()


def _install_package(dependency: SystemDependency) -> None:
    record = _read_record()
    # Recorded first: an installation that is killed leaves packages behind too.
    new_packages = apt_packages.simulate_install([dependency.package])
    _write_record(InstallRecord(record.packages | new_packages, record.units))
    try:
        apt_packages.install_packages([dependency.package])
    except SetupError as error:
        print_note(f"Without {dependency.name}: {error}")


def _disable_peer_services() -> None:
    """Disable the services of everything installed, and mask the test programs' own."""
    record, peer_packages = _read_record(), set(apt_packages.list_packages(list_peer_dependencies()))
    installed = apt_packages.find_installed(record.packages)
    debian_services.disable_services(sorted(installed))
    masked = debian_services.mask_units(sorted(installed & peer_packages))
    if masked:
        _write_record(InstallRecord(record.packages, record.units | set(masked)))
    for service in debian_services.find_enabled_services(sorted(peer_packages - installed)):
        print_note(
            f"{service} was enabled before and starts with the system. To stop that: systemctl disable --now {service}"
        )


def remove_peers() -> None:
    """Remove what `install_peers` installed, with its settings, and nothing else.

    Raises:
        SetupError: a package that was installed since needs some of it, or apt-get failed; the rest is still recorded.
    """
    record = _read_record()
    folders = (npm_peers.npm_peers_folder(), unpacked_peers.unpacked_peers_folder())
    if not record.packages and not any(folder.exists() for folder in folders):
        print_note("No package was installed by this command; there is nothing to remove.")
        return
    if not apt_packages.can_install():
        raise SetupError("Packages are removed by root.")
    if record.packages:
        _remove_packages(record)
    if npm_peers.remove_npm_peers():
        print_note("Removed: packages from npm.")
    if unpacked_peers.remove_unpacked_peers():
        print_note("Removed: unpacked packages.")


def _remove_packages(record: InstallRecord) -> None:
    installed = sorted(apt_packages.find_installed(record.packages))
    dependents = apt_packages.simulate_removal(installed) - record.packages
    if dependents:
        raise SetupError(f"Nothing was removed: {_join_names(dependents)}, installed since, would have to go as well.")
    apt_packages.remove_packages(installed)
    debian_services.unmask_units(sorted(record.units))
    (debian_services.SYSTEM_ROOT / RECORD_FILE).unlink()
    print_note(f"Removed: {_join_names(installed)}." if installed else "All of it had been removed already.")


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _read_record() -> InstallRecord:
    path = debian_services.SYSTEM_ROOT / RECORD_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return InstallRecord(frozenset(map(str, content["packages"])), frozenset(map(str, content["units"])))
    except FileNotFoundError:
        return InstallRecord()
    except (KeyError, TypeError, ValueError) as error:
        raise SetupError(f"{path} cannot be read ({error!r}); it lists what may be removed again.") from None


def _write_record(record: InstallRecord) -> None:
    path = debian_services.SYSTEM_ROOT / RECORD_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps({key: sorted(names) for key, names in asdict(record).items()}, indent=1), "utf-8")
    draft.replace(path)
