"""The program's icon in all sizes and formats, drawn from one SVG."""

import struct
from collections.abc import Mapping
from pathlib import Path

from devtools.packages.build import NAME, Build

PICTURE = Path("resources", f"{NAME}.svg")
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_WINDOWS_SIZES = (16, 24, 32, 48, 64, 256)
_MAC_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
_DRAW = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
app = QGuiApplication(["icons", "-platform", "minimal"])
picture = QSvgRenderer(sys.argv[1])
assert picture.isValid()
for size in map(int, sys.argv[3:]):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    picture.render(painter)
    painter.end()
    assert image.save(f"{sys.argv[2]}/{size}.png")
"""


def draw(build: Build) -> Path:
    """Return a folder with `SIZE.png` for all of `SIZES`, and other systems' icons."""
    folder = build.work / "icons"
    if not folder.exists():
        folder.mkdir()
        build.run(build.python, "-c", _DRAW, build.source / PICTURE, folder, *map(str, SIZES))
        pictures = {size: (folder / f"{size}.png").read_bytes() for size in SIZES}
        (folder / f"{NAME}.ico").write_bytes(windows_icon({size: pictures[size] for size in _WINDOWS_SIZES}))
        (folder / f"{NAME}.icns").write_bytes(mac_icon({size: pictures[size] for size in _MAC_TYPES}))
    return folder


def windows_icon(pictures: Mapping[int, bytes]) -> bytes:
    """Return an .ico file of PNG images by size in pixels (256 is written as 0)."""
    offset = 6 + 16 * len(pictures)
    rows = []
    for size, picture in pictures.items():
        rows.append(struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset))
        offset += len(picture)
    return b"".join([struct.pack("<HHH", 0, 1, len(pictures)), *rows, *pictures.values()])


def mac_icon(pictures: Mapping[int, bytes]) -> bytes:
    """Return an .icns file of PNG images by size in pixels."""
    parts = [
        _MAC_TYPES[size] + struct.pack(">I", 8 + len(picture)) + picture for size, picture in sorted(pictures.items())
    ]
    return b"icns" + struct.pack(">I", 8 + sum(map(len, parts))) + b"".join(parts)
