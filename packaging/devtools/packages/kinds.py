"""The kinds of package, one line each, and the command that makes them."""

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.checkout import PACKAGES
from devtools.packages import deb, environment, flatpak, folder, macos, wheel, windows
from devtools.packages.build import Build, commit_named, export, version_in
from devtools.system import say
from devtools.texts import COMPILE

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
    """Make the packages that the command line asks for; their files, told one a line.

    Raises:
        SetupError: one could not be made.
    """
    given = _parse(arguments)
    made = make(given.names, commit_named(given.commit), given.out.absolute())
    for path in made:
        say(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return made


def make(names: Sequence[str], commit: str, out: Path) -> list[Path]:
    """Make packages of a commit; their files in the folder `out`, in the order of the table.

    Raises:
        SetupError: one could not be made.
    """
    out.mkdir(parents=True, exist_ok=True)
    python = environment.prepare()
    made = []
    with tempfile.TemporaryDirectory(prefix="ready-room-build-") as folder_name:
        work = Path(folder_name)
        source, epoch = export(commit, work)
        build = Build(source, work, out, python, version_in(source), epoch)
        build.run(python, COMPILE)
        for name, kind in KINDS.items():
            if name in names:
                say(f"Making {name}.")
                made += kind(build)
    return made


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("packaging/dev.py package", description="Make packages of a commit.")
    kinds = ", ".join(KINDS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{kinds}; without any: {', '.join(USUAL)}")
    parser.add_argument("--out", type=Path, default=PACKAGES, metavar="DIR", help="where they go (default: dist)")
    parser.add_argument("--commit", default="HEAD", metavar="NAME", help="of which commit (default: the present one)")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in KINDS]
    if unknown:
        parser.error(f"no package {unknown[0]!r}; there are {kinds}")
    given.names = given.names or list(USUAL)
    return given
