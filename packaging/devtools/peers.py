"""Programs that some tests talk to: installing and removing them.

None of their services is started.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from devtools import npm_peers, services, system, unpacked_peers
from devtools.errors import SetupError
from devtools.needs import Need, peers
from devtools.system import say

RECORD: Final = Path("var", "lib", "ready-room", "peers.json")


@dataclass(frozen=True)
class Installed:
    """What was done to this system."""

    packages: frozenset[str] = frozenset()
    """Packages that were not there before."""
    units: frozenset[str] = frozenset()
    """Units that were masked."""


def install() -> None:
    """Install what is missing; mention and skip a package that is not available.

    No service of these packages starts, now or with the system: they are servers that would announce themselves to the
    Internet. Services that were installed by others stay as they are.
    """
    lacking = system.missing(peers())
    if not system.may_install():
        if lacking:
            say(system.advice(lacking))
        return
    if lacking:
        system.update_lists()
    for need in lacking:
        _install(need)
    _switch_off_services()
    npm_peers.install()
    unpacked_peers.install()


def _install(need: Need) -> None:
    record = _read_record()
    # Recorded first: an installation that is killed leaves packages behind too.
    coming = system.simulate_install([need.package])
    _write_record(Installed(record.packages | coming, record.units))
    try:
        system.install([need.package])
    except SetupError as error:
        say(f"Without {need.what}: {error}")


def _switch_off_services() -> None:
    """Disable the services of everything installed, and mask the test programs' own."""
    record, test_programs = _read_record(), set(system.packages_of(peers()))
    present = system.installed(record.packages)
    services.disable(sorted(present))
    masked = services.mask(sorted(present & test_programs))
    if masked:
        _write_record(Installed(record.packages, record.units | set(masked)))
    for service in services.enabled(sorted(test_programs - present)):
        say(f"{service} was enabled before and starts with the system. To stop that: systemctl disable --now {service}")


def remove() -> None:
    """Remove what `install` installed, with its settings, and nothing else.

    Raises:
        SetupError: a package that was installed since needs some of it, or apt-get failed; the rest is still recorded.
    """
    record = _read_record()
    folders = (npm_peers.packages_folder(), unpacked_peers.packages_folder())
    if not record.packages and not any(folder.exists() for folder in folders):
        say("No package was installed by this command; there is nothing to remove.")
        return
    if not system.may_install():
        raise SetupError("Packages are removed by root.")
    if record.packages:
        _remove_packages(record)
    if npm_peers.remove():
        say("Removed: packages from npm.")
    if unpacked_peers.remove():
        say("Removed: unpacked packages.")


def _remove_packages(record: Installed) -> None:
    present = sorted(system.installed(record.packages))
    others = system.simulate_removal(present) - record.packages
    if others:
        raise SetupError(f"Nothing was removed: {_listing(others)}, installed since, would have to go as well.")
    system.remove(present)
    services.unmask(sorted(record.units))
    (services.SYSTEM / RECORD).unlink()
    say(f"Removed: {_listing(present)}." if present else "All of it had been removed already.")


def _listing(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _read_record() -> Installed:
    path = services.SYSTEM / RECORD
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Installed(frozenset(map(str, content["packages"])), frozenset(map(str, content["units"])))
    except FileNotFoundError:
        return Installed()
    except (KeyError, TypeError, ValueError) as error:
        raise SetupError(f"{path} cannot be read ({error!r}); it lists what may be removed again.") from None


def _write_record(record: Installed) -> None:
    path = services.SYSTEM / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps({key: sorted(names) for key, names in asdict(record).items()}, indent=1), "utf-8")
    draft.replace(path)
