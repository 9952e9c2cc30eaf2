"""The files that the Flatpak is built from are those that requirements.txt pins."""

import json
import re
from typing import Any

import pytest
from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.errors import SetupError
from devtools.packages.flatpak_sources import HOST, MACHINES, PYTHON, SOURCES, sources_of
from packaging.markers import Marker
from packaging.utils import parse_wheel_filename

MANIFEST = ROOT / "packaging" / "flatpak" / "io.github.ready_room.ReadyRoom.yml"
SHA256 = {url: f"{number:064x}" for number, url in enumerate((f"{HOST}any.whl", f"{HOST}arm.whl", f"{HOST}intel.whl"))}


def pinned() -> dict[str, tuple[str, set[str]]]:
    """Version and hashes by package, of what the runtime's Python on Linux gets."""
    found = {}
    for entry in re.split(r"\n(?=[\w.-]+==)", RUNTIME_REQUIREMENTS.read_text(encoding="utf-8"))[1:]:
        name, version, marker = re.match(r"([\w.-]+)==([\w.]+)(?: ; ([^\\]+))?", entry).groups()  # type: ignore[union-attr]
        system = {"python_full_version": f"{PYTHON}.0", "python_version": PYTHON, "sys_platform": "linux"}
        if marker is None or Marker(marker).evaluate({**system, "platform_system": "Linux"}):
            found[name] = version, set(re.findall(r"sha256:([0-9a-f]{64})", entry))
    return found


def test_machines_get_pins_once() -> None:
    sources: list[dict[str, Any]] = json.loads(SOURCES.read_text(encoding="utf-8"))
    for machine in MACHINES:
        got = {}
        for source in sources:
            if machine in source.get("only-arches", MACHINES):
                name, version, _, _ = parse_wheel_filename(source["url"].rsplit("/", 1)[1])
                assert name not in got
                got[str(name)] = str(version), source["sha256"]
                assert source["url"].startswith(HOST)
        wanted = pinned()
        assert {name: version for name, (version, _) in got.items() if name in wanted} == {
            name: version for name, (version, _) in wanted.items()
        }
        assert all(digest in wanted[name][1] for name, (_, digest) in got.items() if name in wanted)


def test_what_all_machines_need_is_named_once() -> None:
    every, arm, intel = SHA256
    found = {
        "x86_64": {every: SHA256[every], intel: SHA256[intel]},
        "aarch64": {every: SHA256[every], arm: SHA256[arm]},
    }
    assert sources_of(found) == [
        {"type": "file", "url": every, "sha256": SHA256[every]},
        {"type": "file", "url": arm, "sha256": SHA256[arm], "only-arches": ["aarch64"]},
        {"type": "file", "url": intel, "sha256": SHA256[intel], "only-arches": ["x86_64"]},
    ]


def test_foreign_file_is_refused() -> None:
    with pytest.raises(SetupError, match=r"example\.org"):
        sources_of({"x86_64": {"https://example.org/a.whl": "0" * 64}})


def test_manifest_names_its_files() -> None:
    text = MANIFEST.read_text(encoding="utf-8")
    assert f"- {SOURCES.name}\n" in text
    assert f"Python {PYTHON}\n" in text
    for path in re.findall(r"(packaging/\S+|resources/\S+)\n", text):
        assert (ROOT / path).is_file(), path
