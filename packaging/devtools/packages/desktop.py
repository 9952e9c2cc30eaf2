"""Desktop integration on Linux: menu entry, icons, AppStream data and man page."""

import gzip
import shutil
from pathlib import Path

from devtools.packages import icons
from devtools.packages.build import APP_ID, NAME, Build

_FROM = Path("packaging", "linux")
METAINFO = _FROM / f"{APP_ID}.metainfo.xml"
ENTRY = _FROM / f"{NAME}.desktop"
MANUAL = _FROM / f"{NAME}.1"


def place(build: Build, share: Path) -> None:
    """Copy the files below `share`, where the system looks for them."""
    drawn = icons.draw(build)
    places = {
        build.source / ENTRY: share / "applications" / ENTRY.name,
        build.source / METAINFO: share / "metainfo" / METAINFO.name,
        build.source / icons.PICTURE: _icon_folder(share, "scalable") / f"{NAME}.svg",
        **{drawn / f"{size}.png": _icon_folder(share, f"{size}x{size}") / f"{NAME}.png" for size in icons.SIZES},
    }
    for source, target in places.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    manual = share / "man" / "man1" / f"{MANUAL.name}.gz"
    manual.parent.mkdir(parents=True)
    manual.write_bytes(gzip.compress((build.source / MANUAL).read_bytes(), mtime=0))


def _icon_folder(share: Path, size: str) -> Path:
    return share / "icons" / "hicolor" / size / "apps"
