"""The package for Debian and its derivatives."""

import hashlib
import shutil
from pathlib import Path

from devtools.packages.desktop_files import install_desktop_files
from devtools.packages.licence_texts import THIRD_PARTY_FILE_NAME
from devtools.packages.package_build import MAINTAINER, NAME, SUMMARY, PackageBuild
from devtools.packages.program_folder import build_program_folder, find_newest_glibc
from devtools.packages.reproducible_archive import iterate_entries, normalise_metadata
from devtools.system_dependencies import QT_LIBRARIES, WAYLAND_LIBRARIES, X11_LIBRARIES

_RECOMMENDED = ("fonts-dejavu-core", "xdg-utils")
_BASE_LIBRARIES = ("libgcc-s1", "libstdc++6", "zlib1g")
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
 Ready Room is a server browser for games with community servers. It gets
 server lists from master servers, pings every server, and sorts them by how
 likely you are to find a good game there now. Play Now picks the best server,
 checks it once more, says why, and starts the game.
"""


def build_deb(build: PackageBuild) -> list[Path]:
    """Build `ready-room_VERSION_ARCHITECTURE.deb`, without maintainer scripts."""
    root = build.work_folder / "deb"
    program = root / "usr" / "lib" / NAME
    shutil.copytree(build_program_folder(build), program, symlinks=True)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / NAME).symlink_to(Path("..", "lib", NAME, NAME))
    install_desktop_files(build, root / "usr" / "share")
    _write_copyright(program, root / "usr" / "share" / "doc" / NAME)
    architecture = build.run("dpkg", "--print-architecture").strip()
    _write_control_files(build, root, architecture, list_dependencies(find_newest_glibc(program)))
    normalise_metadata(root, build.epoch)
    target = build.output_folder / f"{NAME}_{build.version}_{architecture}.deb"
    build.run("dpkg-deb", "--root-owner-group", "-Zzstd", "--threads-max=1", "--build", root, target)
    return [target]


def list_dependencies(glibc: str) -> list[str]:
    """Return the packages without which the window does not open."""
    libraries = (*_BASE_LIBRARIES, *QT_LIBRARIES.values(), *X11_LIBRARIES.values(), *WAYLAND_LIBRARIES.values())
    return [f"libc6 (>= {glibc})", *sorted(set(libraries))]


def _write_copyright(program: Path, documents: Path) -> None:
    documents.mkdir(parents=True)
    licences = ((program / name).read_text(encoding="utf-8") for name in ("LICENSE", THIRD_PARTY_FILE_NAME))
    (documents / "copyright").write_text("\n".join(licences), encoding="utf-8")


def _write_control_files(build: PackageBuild, root: Path, architecture: str, dependencies: list[str]) -> None:
    files = [path for path in iterate_entries(root) if path.is_file() and not path.is_symlink()]
    control = root / "DEBIAN"
    control.mkdir()
    md5_by_path = {path: hashlib.md5(path.read_bytes()).hexdigest() for path in files}  # noqa: S324 - the format requires MD5
    md5_lines = (f"{md5}  {path.relative_to(root).as_posix()}\n" for path, md5 in md5_by_path.items())
    (control / "md5sums").write_text("".join(md5_lines), encoding="utf-8")
    text = _CONTROL.format(
        name=NAME,
        version=build.version,
        architecture=architecture,
        maintainer=MAINTAINER,
        kilobytes=sum(-(-path.stat().st_size // 1024) for path in files),
        depends=", ".join(dependencies),
        recommends=", ".join(_RECOMMENDED),
        summary=SUMMARY.lower(),
    )
    (control / "control").write_text(text, encoding="utf-8")
