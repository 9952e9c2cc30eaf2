"""Content of packages: icons, desktop files, Debian's dependencies, version."""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from devtools.checkout import ROOT
from devtools.packages.deb_package import list_dependencies
from devtools.packages.desktop_files import DESKTOP_ENTRY, METAINFO
from devtools.packages.package_build import APP_ID, NAME, SUMMARY, read_version
from devtools.packages.program_folder import find_newest_glibc
from devtools.packages.program_icons import ICON_SVG, encode_mac_icon, encode_windows_icon
from devtools.system_dependencies import QT_LIBRARIES
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageReader
from PySide6.QtSvg import QSvgRenderer

from browser_app import __version__


def encode_png(size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(QColor(size % 256, 100, 100))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")  # type: ignore[call-overload] # Qt takes the format's name as text
    return bytes(data.data())


def read_icon_sizes(icon: bytes, kind: bytes) -> list[int]:
    """Return the sizes that Qt finds in an icon file."""
    buffer = QBuffer()
    buffer.setData(icon)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind))
    sizes = []
    for number in range(reader.imageCount()):
        assert reader.jumpToImage(number)
        image = reader.read()
        assert image.pixelColor(0, 0).green() == 100
        sizes.append(image.width())
    return sizes


def test_windows_icon_has_its_sizes() -> None:
    icon = encode_windows_icon({size: encode_png(size) for size in (16, 48, 256)})
    assert read_icon_sizes(icon, b"ico") == [16, 48, 256]


def test_mac_icon_has_its_sizes() -> None:
    icon = encode_mac_icon({size: encode_png(size) for size in (128, 256, 512)})
    assert sorted(read_icon_sizes(icon, b"icns")) == [128, 256, 512]


def test_icon_is_square() -> None:
    icon = QSvgRenderer(str(ROOT / ICON_SVG))
    assert icon.isValid()
    assert icon.defaultSize().width() == icon.defaultSize().height()


def test_version_has_one_source() -> None:
    assert read_version(ROOT) == __version__


def test_metainfo_version_is_current() -> None:
    top = ET.parse(ROOT / METAINFO).getroot()  # noqa: S314 - our own file
    newest = top.find("releases/release")
    assert newest is not None
    assert newest.get("version") == __version__
    assert top.findtext("id") == APP_ID
    assert top.findtext("summary") == SUMMARY
    assert top.findtext("launchable") == DESKTOP_ENTRY.name


@pytest.mark.parametrize(
    "command",
    [
        ["desktop-file-validate", str(ROOT / DESKTOP_ENTRY)],
        ["appstreamcli", "validate", "--no-net", str(ROOT / METAINFO)],
        ["flatpak-builder", "--show-manifest", str(ROOT / "packaging" / "flatpak" / f"{APP_ID}.yml")],
    ],
)
def test_desktop_files_are_valid(command: list[str], tmp_path: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert result.returncode == 0, result.stdout


def test_debian_needs_newest_libc(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "old.so").write_bytes(b"\x7fELF...\0GLIBC_2.9\0GLIBC_2.17\0")
    (tmp_path / "new").write_bytes(b"\x7fELF...\0GLIBC_2.4\0GLIBC_2.34\0GLIBC_PRIVATE\0")
    (tmp_path / "text").write_bytes(b"\0GLIBC_2.99\0")
    dependencies = list_dependencies(find_newest_glibc(tmp_path))
    assert dependencies[0] == "libc6 (>= 2.34)"
    assert set(QT_LIBRARIES.values()) <= set(dependencies)
    assert f"{NAME}" not in dependencies
