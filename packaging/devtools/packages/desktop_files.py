"""Desktop integration on Linux: menu entry, icons, AppStream data and man page."""

import gzip
import shutil
from pathlib import Path

from devtools.packages.package_build import APP_ID, NAME, PackageBuild
from devtools.packages.program_icons import ICON_SIZES, ICON_SVG, draw_icons

_FOLDER = Path("packaging", "linux")
METAINFO = _FOLDER / f"{APP_ID}.metainfo.xml"
DESKTOP_ENTRY = _FOLDER / f"{NAME}.desktop"
MAN_PAGE = _FOLDER / f"{NAME}.1"


def install_desktop_files(build: PackageBuild, share: Path) -> None:
    """Copy the files below `share`, where the system looks for them."""
    png_folder = draw_icons(build)
    targets_by_source = {
        build.source_folder / DESKTOP_ENTRY: share / "applications" / DESKTOP_ENTRY.name,
        build.source_folder / METAINFO: share / "metainfo" / METAINFO.name,
        build.source_folder / ICON_SVG: _icon_folder(share, "scalable") / f"{NAME}.svg",
        **{png_folder / f"{size}.png": _icon_folder(share, f"{size}x{size}") / f"{NAME}.png" for size in ICON_SIZES},
    }
    for source, target in targets_by_source.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    man_page = share / "man" / "man1" / f"{MAN_PAGE.name}.gz"
    man_page.parent.mkdir(parents=True)
    man_page.write_bytes(gzip.compress((build.source_folder / MAN_PAGE).read_bytes(), mtime=0))


def _icon_folder(share: Path, size: str) -> Path:
    return share / "icons" / "hicolor" / size / "apps"
