"""The kinds of package, and the command that builds them."""

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
"""Kinds that can be built on any Debian."""


def package(arguments: Sequence[str]) -> list[Path]:
    """Build the packages that the command line names; print and return their files.

    Raises:
        SetupError: one could not be built.
    """
    given = _parse(arguments)
    made = make(given.names, commit_named(given.commit), given.out.absolute())
    for path in made:
        say(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return made


def make(names: Sequence[str], commit: str, out: Path) -> list[Path]:
    """Build packages of a commit; return their files in `out`, in the table's order.

    Raises:
        SetupError: one could not be built.
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
