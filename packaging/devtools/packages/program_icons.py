"""The program's icon in all sizes and formats, drawn from one SVG."""

import struct
from collections.abc import Mapping
from pathlib import Path

from devtools.packages.package_build import NAME, PackageBuild

ICON_SVG = Path("resources", f"{NAME}.svg")
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_WINDOWS_SIZES = (16, 24, 32, 48, 64, 256)
_MAC_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
_DRAW_SCRIPT = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
app = QGuiApplication(["icons", "-platform", "minimal"])
icon = QSvgRenderer(sys.argv[1])
assert icon.isValid()
for size in map(int, sys.argv[3:]):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    icon.render(painter)
    painter.end()
    assert image.save(f"{sys.argv[2]}/{size}.png")
"""


def draw_icons(build: PackageBuild) -> Path:
    """Return a folder with `SIZE.png` for each size, and other systems' icons."""
    folder = build.work_folder / "icons"
    if not folder.exists():
        folder.mkdir()
        build.run(build.python, "-c", _DRAW_SCRIPT, build.source_folder / ICON_SVG, folder, *map(str, ICON_SIZES))
        png_by_size = {size: (folder / f"{size}.png").read_bytes() for size in ICON_SIZES}
        (folder / f"{NAME}.ico").write_bytes(encode_windows_icon({size: png_by_size[size] for size in _WINDOWS_SIZES}))
        (folder / f"{NAME}.icns").write_bytes(encode_mac_icon({size: png_by_size[size] for size in _MAC_TYPES}))
    return folder


def encode_windows_icon(png_by_size: Mapping[int, bytes]) -> bytes:
    """Return an .ico file of PNG images by size in pixels (256 is written as 0)."""
    offset = 6 + 16 * len(png_by_size)
    rows = []
    for size, png in png_by_size.items():
        rows.append(struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(png), offset))
        offset += len(png)
    return b"".join([struct.pack("<HHH", 0, 1, len(png_by_size)), *rows, *png_by_size.values()])


def encode_mac_icon(png_by_size: Mapping[int, bytes]) -> bytes:
    """Return an .icns file of PNG images by size in pixels."""
    chunks = [_MAC_TYPES[size] + struct.pack(">I", 8 + len(png)) + png for size, png in sorted(png_by_size.items())]
    return b"icns" + struct.pack(">I", 8 + sum(map(len, chunks))) + b"".join(chunks)
