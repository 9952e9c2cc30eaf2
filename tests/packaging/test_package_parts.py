"""The content of the packages: icons, licences, Debian's dependencies.

And files that repeat the version.
"""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from devtools.checkout import ROOT
from devtools.needs import QT_LIBRARIES
from devtools.packages import icons
from devtools.packages.build import APP_ID, NAME, SUMMARY, version_in
from devtools.packages.deb import depends
from devtools.packages.desktop import ENTRY, METAINFO
from devtools.packages.folder import newest_glibc
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageReader
from PySide6.QtSvg import QSvgRenderer

from browser_app import __version__


def png(size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(QColor(size % 256, 100, 100))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")  # type: ignore[call-overload] # Qt takes the format's name as text
    return bytes(data.data())


def sizes_in(icon: bytes, kind: bytes) -> list[int]:
    """The sizes that Qt finds in an icon file."""
    buffer = QBuffer()
    buffer.setData(icon)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind))
    found = []
    for number in range(reader.imageCount()):
        assert reader.jumpToImage(number)
        image = reader.read()
        assert image.pixelColor(0, 0).green() == 100
        found.append(image.width())
    return found


def test_windows_icon_has_sizes() -> None:
    assert sizes_in(icons.windows_icon({size: png(size) for size in (16, 48, 256)}), b"ico") == [16, 48, 256]


def test_mac_icon_has_its_sizes() -> None:
    assert sorted(sizes_in(icons.mac_icon({size: png(size) for size in (128, 256, 512)}), b"icns")) == [128, 256, 512]


def test_icon_is_square() -> None:
    picture = QSvgRenderer(str(ROOT / icons.PICTURE))
    assert picture.isValid()
    assert picture.defaultSize().width() == picture.defaultSize().height()


def test_version_has_one_source() -> None:
    assert version_in(ROOT) == __version__


def test_metainfo_version_is_current() -> None:
    top = ET.parse(ROOT / METAINFO).getroot()  # noqa: S314 - our own file
    newest = top.find("releases/release")
    assert newest is not None
    assert newest.get("version") == __version__
    assert top.findtext("id") == APP_ID
    assert top.findtext("summary") == SUMMARY
    assert top.findtext("launchable") == ENTRY.name


@pytest.mark.parametrize(
    "command", [["desktop-file-validate", str(ENTRY)], ["appstreamcli", "validate", "--no-net", str(METAINFO)]]
)
def test_desktops_own_tools_find_no_fault(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode == 0, ran.stdout


def test_debian_needs_newest_libc(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "old.so").write_bytes(b"\x7fELF...\0GLIBC_2.9\0GLIBC_2.17\0")
    (tmp_path / "new").write_bytes(b"\x7fELF...\0GLIBC_2.4\0GLIBC_2.34\0GLIBC_PRIVATE\0")
    (tmp_path / "text").write_bytes(b"\0GLIBC_2.99\0")
    needed = depends(newest_glibc(tmp_path))
    assert needed[0] == "libc6 (>= 2.34)"
    assert set(QT_LIBRARIES.values()) <= set(needed)
    assert f"{NAME}" not in needed
