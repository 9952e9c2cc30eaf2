"""Every distributed package and native library has a licence text."""

import fnmatch
import re
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.packages.flatpak_sources import SOURCES_FILE
from devtools.packages.licence_texts import (
    QT_PACKAGES,
    TEXTS_FOLDER,
    collect_licence_texts,
    format_package_section,
)
from devtools.setup_messages import SetupError
from packaging.markers import Marker
from packaging.utils import canonicalize_name, parse_wheel_filename

TEXTS = ROOT / TEXTS_FOLDER
BUNDLED_LIBRARIES = {
    "numpy": ("OpenBLAS", "LAPACK", "GCC runtime library", "libquadmath"),
    "cffi": ("libffi",),
    "cryptography": ("OpenSSL", "Apache License", "openssl-sys", "asn1"),
    "iptocc": ("pyo3", "Apache License"),
}
"""Libraries that wheels contain, by package."""


def install_package(site_packages: Path, name: str, licence: str | None, *files: str) -> None:
    info = site_packages / f"{name.replace('-', '_')}-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n")
    for file in files:  # the backport of importlib.metadata, which some packages load, leaves out missing files
        (site_packages / file).parent.mkdir(parents=True, exist_ok=True)
        (site_packages / file).touch()
    lines = [f"{info.name}/METADATA,,", *(f"{file},," for file in files)]
    if licence is not None:
        (info / "licenses" / "LICENSE.txt").write_text(licence)
        lines.append(f"{info.name}/licenses/LICENSE.txt,,")
    (info / "RECORD").write_text("\n".join(lines))


def pinned_here() -> list[Distribution]:
    """Return the pinned packages that the program runs with on this system."""
    pins = re.findall(r"^([\w.-]+)==[\w.]+(?: ; (.+))? \\", RUNTIME_REQUIREMENTS.read_text("utf-8"), re.MULTILINE)
    return [distribution(name) for name, marker in pins if not marker or Marker(marker).evaluate()]


def test_folder_has_all_texts(tmp_path: Path) -> None:
    site_packages, folder, python = tmp_path / "site", tmp_path / "folder", tmp_path / "python.txt"
    install_package(site_packages, "Some.Package", "Do as you like.", "some/fast.abi3.so", "some.libs/libinner-1.so.2")
    install_package(
        site_packages, "PySide6_Essentials", None, "PySide6/Qt/lib/libQt6Core.so.6", "PySide6/Qt/lib/libicuuc.so.73"
    )
    for name in ("some/fast.abi3.so", "libinner-1.so.2", "libQt6Core.so.6", "libicuuc.so.73", "libpython3.11.so.1.0"):
        (folder / "_internal" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "_internal" / name).touch()
    python.write_text("Python's own words")
    text = collect_licence_texts(folder, site_packages, ROOT, python)
    for words in (
        "Some.Package 1.0",
        "Do as you like.",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "UNICODE, INC. LICENSE AGREEMENT",
        "The FreeType Project LICENSE",
        "Python's own words",
        "Mersenne Twister",
    ):
        assert words in text
    (folder / "libnowhere.so.1").touch()
    with pytest.raises(SetupError, match=r"no licence text of libnowhere\.so\.1"):
        collect_licence_texts(folder, site_packages, ROOT, python)


def test_missing_licence_fails(tmp_path: Path) -> None:
    install_package(tmp_path, "secretive", None)
    with pytest.raises(SetupError, match="secretive brings no licence"):
        collect_licence_texts(tmp_path, tmp_path, ROOT, ROOT / "packaging" / "LICENSE")


@pytest.mark.linux
def test_pinned_packages_have_texts() -> None:
    sections = {
        canonicalize_name(each.name): format_package_section(each, TEXTS)
        for each in pinned_here()
        if canonicalize_name(each.name) not in QT_PACKAGES
    }
    for name, words in BUNDLED_LIBRARIES.items():
        assert [word for word in words if word not in sections[canonicalize_name(name)]] == []
    for each in pinned_here():
        files = [str(file) for file in each.files or ()]
        bundled = [file for file in files if ".libs/" in file]
        patterns = re.findall(r"^Files: (.+)$", sections.get(canonicalize_name(each.name), ""), re.MULTILINE)
        assert [file for file in bundled if not any(fnmatch.fnmatch(file, f"{pattern}*") for pattern in patterns)] == []
        qt_files = {Path(file).name.partition(".")[0] for file in files if file.startswith("PySide6/Qt/lib/")}
        assert {name for name in qt_files if not name.startswith("libQt6")} <= {"libicudata", "libicui18n", "libicuuc"}


def test_flatpak_installs_texts() -> None:
    manifest = next((ROOT / "packaging" / "flatpak").glob("*.yml")).read_text("utf-8")
    target = '"${FLATPAK_DEST}/share/licenses/${FLATPAK_ID}'
    assert f'-t {target}" packaging/LICENSE' in manifest
    assert f"cp -r {TEXTS_FOLDER}/. {target}" in manifest
    urls = re.findall(r'"url": "(.+)"', SOURCES_FILE.read_text("utf-8"))
    packages = {parse_wheel_filename(url.rpartition("/")[2])[0] for url in urls}
    assert packages <= {canonicalize_name(each.name) for each in pinned_here()}
