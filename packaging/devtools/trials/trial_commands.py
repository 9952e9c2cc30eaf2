"""The command line of `packaging/try_packages.py`."""

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.checkout import ROOT
from devtools.packages.package_build import read_version, resolve_commit
from devtools.packages.package_kinds import build_packages
from devtools.setup_messages import SetupError, print_note
from devtools.trials.build_comparison import compare_builds
from devtools.trials.deb_trial import try_deb
from devtools.trials.folder_trial import try_folder
from devtools.trials.licence_trial import try_licences
from devtools.trials.package_trial import PackageTrial
from devtools.trials.wheel_trial import try_wheel

TRIALS: Mapping[str, Callable[[PackageTrial], None]] = {
    "wheel": try_wheel,
    "folder": try_folder,
    "deb": try_deb,
    "licences": try_licences,
}


def main(argv: Sequence[str]) -> int:
    """Run the trials that the command line names, or all; return 0 if all passed."""
    args = _parse_arguments(argv)
    failed_kinds = []
    with tempfile.TemporaryDirectory(prefix="ready-room-trial-") as name:
        # The user of a trial cannot start anything in a folder that only root may enter.
        work_folder = Path(name)
        work_folder.chmod(0o755)
        try:
            packages = _build_and_compare(args, work_folder)
        except SetupError as error:
            print_note(str(error))
            return 1
        for kind in args.names:
            try:
                TRIALS[kind](PackageTrial(kind, packages, work_folder, args.out.absolute(), read_version(ROOT)))
            except SetupError as error:
                failed_kinds.append(kind)
                print_note(f"{kind}: FAILED. {error}")
    print_note(f"Failed: {', '.join(failed_kinds)}" if failed_kinds else "All passed.")
    return 1 if failed_kinds else 0


def _build_and_compare(args: argparse.Namespace, work_folder: Path) -> list[Path]:
    """Build the packages, twice to compare them unless `--once` is given.

    Raises:
        SetupError: one cannot be built, or the two builds differ.
    """
    commit = resolve_commit(args.commit)
    packages = build_packages(args.names, commit, args.out.absolute())
    if not args.once:
        compare_builds(packages, build_packages(args.names, commit, work_folder / "again"))
        print_note(f"Two builds, the same bytes: {', '.join(path.name for path in packages)}")
    return packages


def _parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    description = (
        "Build packages twice and compare them, then install, use and remove each."
        " `licences` builds nothing: it collects the licence texts of every system."
    )
    parser = argparse.ArgumentParser("packaging/try_packages.py", description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(TRIALS)} (default: all)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for packages and pictures")
    parser.add_argument("--commit", default="HEAD", metavar="NAME", help="the commit (default: HEAD)")
    parser.add_argument("--once", action="store_true", help="build once and compare nothing")
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in TRIALS]
    if unknown:
        parser.error(f"no trial {unknown[0]!r}; there are {', '.join(TRIALS)}")
    args.names = args.names or list(TRIALS)
    return args
