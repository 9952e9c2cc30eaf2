"""The package for Debian and its derivatives."""

import hashlib
import shutil
from pathlib import Path

from devtools.needs import QT_LIBRARIES, WAYLAND_LIBRARIES, X11_LIBRARIES
from devtools.packages import desktop, folder, licences
from devtools.packages.archive import entries, settle
from devtools.packages.build import MAINTAINER, NAME, SUMMARY, Build

RECOMMENDED = ("fonts-dejavu-core", "xdg-utils")
_BELOW_ALL = ("libgcc-s1", "libstdc++6", "zlib1g")
"""Requirements of Qt and numpy besides the C library and the window's libraries."""
_CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {recommends}
Section: games
Priority: optional
Description: {summary}
 A game-server browser for people who play on community servers. It asks the
 master servers for their lists, pings every server truly, and puts them in one
 order: how likely is a good game there, now, for me? One press of Play Now
 picks the best, asks it again, says why, and starts the game.
"""


def make(build: Build) -> list[Path]:
    """Build `ready-room_VERSION_ARCHITECTURE.deb`, without maintainer scripts."""
    root = build.work / "deb"
    program = root / "usr" / "lib" / NAME
    shutil.copytree(folder.made(build), program, symlinks=True)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / NAME).symlink_to(Path("..", "lib", NAME, NAME))
    desktop.place(build, root / "usr" / "share")
    _place_copyright(program, root / "usr" / "share" / "doc" / NAME)
    architecture = build.run("dpkg", "--print-architecture").strip()
    _place_control(build, root, architecture, depends(folder.newest_glibc(program)))
    settle(root, build.epoch)
    target = build.out / f"{NAME}_{build.version}_{architecture}.deb"
    build.run("dpkg-deb", "--root-owner-group", "-Zzstd", "--threads-max=1", "--build", root, target)
    return [target]


def depends(glibc: str) -> list[str]:
    """Return the packages without which the window does not open."""
    libraries = (*_BELOW_ALL, *QT_LIBRARIES.values(), *X11_LIBRARIES.values(), *WAYLAND_LIBRARIES.values())
    return [f"libc6 (>= {glibc})", *sorted(set(libraries))]


def _place_copyright(program: Path, documents: Path) -> None:
    documents.mkdir(parents=True)
    own, others = ((program / name).read_text(encoding="utf-8") for name in ("LICENSE", licences.FILE_NAME))
    (documents / "copyright").write_text(f"{own}\n{others}", encoding="utf-8")


def _place_control(build: Build, root: Path, architecture: str, needed: list[str]) -> None:
    files = [path for path in entries(root) if path.is_file() and not path.is_symlink()]
    control = root / "DEBIAN"
    control.mkdir()
    sums = (f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n" for path in files)  # noqa: S324 - the format requires MD5
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    text = _CONTROL.format(
        name=NAME,
        version=build.version,
        architecture=architecture,
        maintainer=MAINTAINER,
        kilobytes=sum(-(-path.stat().st_size // 1024) for path in files),
        depends=", ".join(needed),
        recommends=", ".join(RECOMMENDED),
        summary=SUMMARY.lower(),
    )
    (control / "control").write_text(text, encoding="utf-8")
