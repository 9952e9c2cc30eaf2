"""Trial of the licence texts of every system, from its pinned wheels.

Most of these systems' packages cannot be built on this one, but what they contain can be read.
"""

import re
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.packages.flatpak_sources import PYTHON_VERSION, flatpak_platforms
from devtools.packages.licence_texts import collect_licence_texts
from devtools.packages.program_folder import find_python_licence
from devtools.setup_messages import print_note
from devtools.trials.package_trial import PackageTrial, require, run_command

_OWN_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_PIN = re.compile(r"^([\w.-]+)(==\S+)(?: ; (.+?))? (\\\n(?:    --hash=.+\n?)+)", re.MULTILINE)
_PIP_OPTIONS = ("--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--implementation", "cp")


@dataclass(frozen=True)
class WheelSystem:
    """A system, as wheels name it.

    Attributes:
        sys_platform: its name in the markers of pins.
        tags: the platforms whose wheels it can use.
        python_version: that of its Python.
        has_python: whether the package contains Python.
    """

    sys_platform: str
    tags: tuple[str, ...]
    python_version: str = _OWN_VERSION
    has_python: bool = True


def _mac_tags(machine: str) -> tuple[str, ...]:
    versions = ("10_9", "10_13", "11_0", "12_0", "13_0", "14_0")
    return tuple(f"macosx_{version}_{kind}" for version in versions for kind in (machine, "universal2"))


SYSTEMS: Mapping[str, WheelSystem] = {
    "windows": WheelSystem("win32", ("win_amd64",)),
    "macos-arm64": WheelSystem("darwin", _mac_tags("arm64")),
    "macos-x86_64": WheelSystem("darwin", _mac_tags("x86_64")),
    "flatpak-x86_64": WheelSystem("linux", flatpak_platforms("x86_64"), PYTHON_VERSION, has_python=False),
    "flatpak-aarch64": WheelSystem("linux", flatpak_platforms("aarch64"), PYTHON_VERSION, has_python=False),
}


def try_licences(trial: PackageTrial) -> None:
    """Write `THIRD_PARTY-SYSTEM.txt` for each system.

    Raises:
        SetupError: a package or a native library of one has no licence text.
    """
    for name, system in SYSTEMS.items():
        folder = trial.create_folder(name)
        pins = select_pins(RUNTIME_REQUIREMENTS.read_text(encoding="utf-8"), system.sys_platform)
        site_packages = _install_wheels(folder, pins, system)
        python_licence = find_python_licence() if system.has_python else None
        text = collect_licence_texts(site_packages, site_packages, ROOT, python_licence)
        titles = text.lower().replace("_", "-").replace(".", "-")
        missing = [pin for pin in pins if f"\n{pin} " not in titles and not pin.startswith(("pyside6", "shiboken6"))]
        require(not missing, f"{name}: no licences of {', '.join(missing)}")
        (trial.output_folder / f"THIRD_PARTY-{name}.txt").write_text(text, encoding="utf-8")
        print_note(f"licences: {len(pins)} packages of {name} passed.")


def select_pins(requirements: str, sys_platform: str) -> dict[str, str]:
    """Return the pins of a system by package, without their markers.

    pip would judge markers by the system that it runs on. Pins of other Python versions are included.
    """
    return {
        name: f"{name}{version} {hashes}"
        for name, version, marker, hashes in _PIN.findall(requirements)
        if "sys_platform" not in marker or f"sys_platform == '{sys_platform}'" in marker
    }


def _install_wheels(folder: Path, pins: Mapping[str, str], system: WheelSystem) -> Path:
    """Download and unpack wheels; return the folder of their packages."""
    requirements, wheels, site_packages = folder / "requirements.txt", folder / "wheels", folder / "site-packages"
    requirements.write_text("\n".join(pins.values()), encoding="utf-8")
    platforms = (word for tag in system.tags for word in ("--platform", tag))
    run_command(
        [
            *(sys.executable, "-m", "pip", "download", *_PIP_OPTIONS, *platforms),
            *("--python-version", system.python_version, "--dest", wheels, "--requirement", requirements),
        ]
    )
    for path in wheels.iterdir():
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(site_packages)
        path.unlink()
    return site_packages
