"""The kinds of package, one line each, and the command that makes them."""

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.checkout import PACKAGES
from devtools.packages import deb, environment, flatpak, folder, macos, wheel, windows
from devtools.packages.build import Build, export_commit, version_in
from devtools.system import say

KINDS: Mapping[str, Callable[[Build], list[Path]]] = {
    "wheel": wheel.make,
    "folder": folder.make,
    "deb": deb.make,
    "flatpak": flatpak.make,
    "windows": windows.make,
    "macos": macos.make,
}
USUAL = ("wheel", "folder", "deb")
"""Those that any Debian can make."""


def package(arguments: Sequence[str]) -> list[Path]:
    """Make packages of the present commit; their files, told one a line.

    Raises:
        SetupError: one could not be made.
    """
    names, out = _parse(arguments)
    out.mkdir(parents=True, exist_ok=True)
    python = environment.prepare()
    made = []
    with tempfile.TemporaryDirectory(prefix="ready-room-build-") as folder_name:
        work = Path(folder_name)
        source, epoch = export_commit(work)
        build = Build(source, work, out, python, version_in(source), epoch)
        for name in names:
            say(f"Making {name}.")
            made += KINDS[name](build)
    for path in made:
        say(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return made


def _parse(arguments: Sequence[str]) -> tuple[list[str], Path]:
    """The kinds, in the table's order, and the folder for the packages."""
    parser = argparse.ArgumentParser(
        prog="packaging/dev.py package", description="Make packages of the present commit."
    )
    kinds = ", ".join(KINDS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{kinds}; without any: {', '.join(USUAL)}")
    parser.add_argument("--out", type=Path, default=PACKAGES, metavar="DIR", help="where they go (default: dist)")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in KINDS]
    if unknown:
        parser.error(f"no package {unknown[0]!r}; there are {kinds}")
    wanted = given.names or USUAL
    return [name for name in KINDS if name in wanted], given.out.absolute()
