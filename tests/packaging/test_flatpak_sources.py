"""The Flatpak is built from the files that requirements.txt pins."""

import json
import re
from typing import Any

import pytest
from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.packages.flatpak_sources import INDEX_URL, MACHINES, PYTHON_VERSION, SOURCES_FILE, list_sources
from devtools.setup_messages import SetupError
from packaging.markers import Marker
from packaging.utils import parse_wheel_filename

MANIFEST = ROOT / "packaging" / "flatpak" / "io.github.ready_room.ReadyRoom.yml"
SHA256 = {f"{INDEX_URL}{name}.whl": f"{number:064x}" for number, name in enumerate(("any", "arm", "intel"))}


def read_pins() -> dict[str, tuple[str, set[str]]]:
    """Return version and hashes by package, for the runtime's Python on Linux."""
    pins = {}
    for entry in re.split(r"\n(?=[\w.-]+==)", RUNTIME_REQUIREMENTS.read_text(encoding="utf-8"))[1:]:
        name, version, marker = re.match(r"([\w.-]+)==([\w.]+)(?: ; ([^\\]+))?", entry).groups()  # type: ignore[union-attr]
        system = {
            "python_full_version": f"{PYTHON_VERSION}.0",
            "python_version": PYTHON_VERSION,
            "sys_platform": "linux",
        }
        if marker is None or Marker(marker).evaluate({**system, "platform_system": "Linux"}):
            pins[name] = version, set(re.findall(r"sha256:([0-9a-f]{64})", entry))
    return pins


def test_machines_get_pins_once() -> None:
    sources: list[dict[str, Any]] = json.loads(SOURCES_FILE.read_text(encoding="utf-8"))
    for machine in MACHINES:
        sources_by_package = {}
        for source in sources:
            if machine in source.get("only-arches", MACHINES):
                name, version, _, _ = parse_wheel_filename(source["url"].rsplit("/", 1)[1])
                assert name not in sources_by_package
                sources_by_package[str(name)] = str(version), source["sha256"]
                assert source["url"].startswith(INDEX_URL)
        pins = read_pins()
        assert {name: version for name, (version, _) in sources_by_package.items() if name in pins} == {
            name: version for name, (version, _) in pins.items()
        }
        assert all(digest in pins[name][1] for name, (_, digest) in sources_by_package.items() if name in pins)


def test_file_of_all_machines_is_listed_once() -> None:
    shared, arm, intel = SHA256
    hashes_by_machine = {
        "x86_64": {shared: SHA256[shared], intel: SHA256[intel]},
        "aarch64": {shared: SHA256[shared], arm: SHA256[arm]},
    }
    assert list_sources(hashes_by_machine) == [
        {"type": "file", "url": shared, "sha256": SHA256[shared]},
        {"type": "file", "url": arm, "sha256": SHA256[arm], "only-arches": ["aarch64"]},
        {"type": "file", "url": intel, "sha256": SHA256[intel], "only-arches": ["x86_64"]},
    ]


def test_foreign_file_is_refused() -> None:
    with pytest.raises(SetupError, match=r"example\.org"):
        list_sources({"x86_64": {"https://example.org/a.whl": "0" * 64}})


def test_manifest_names_its_files() -> None:
    text = MANIFEST.read_text(encoding="utf-8")
    assert f"- {SOURCES_FILE.name}\n" in text
    assert f"Python {PYTHON_VERSION}\n" in text
    for path in re.findall(r"(packaging/\S+|resources/\S+)\n", text):
        assert (ROOT / path).is_file(), path
