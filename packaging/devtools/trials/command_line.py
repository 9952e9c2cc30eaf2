"""Command line of the trials."""

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from devtools.checkout import ROOT
from devtools.errors import SetupError
from devtools.packages import kinds
from devtools.packages.build import commit_named, version_in
from devtools.system import say
from devtools.trials import same
from devtools.trials.deb import try_deb
from devtools.trials.folder import try_folder
from devtools.trials.trial import Trial
from devtools.trials.wheel import try_wheel

TRIALS: Mapping[str, Callable[[Trial], None]] = {"wheel": try_wheel, "folder": try_folder, "deb": try_deb}


def main(argv: Sequence[str]) -> int:
    """Run the trials that the command line names, or all; return 0 if all passed."""
    given = _parse(argv)
    failed = []
    with tempfile.TemporaryDirectory(prefix="ready-room-trial-") as name:
        # The user of a trial cannot start anything in a folder that only root may enter.
        work = Path(name)
        work.chmod(0o755)
        try:
            files = _made(given, work)
        except SetupError as error:
            say(str(error))
            return 1
        for kind in given.names:
            try:
                TRIALS[kind](Trial(kind, files, work, given.out.absolute(), version_in(ROOT)))
            except SetupError as error:
                failed.append(kind)
                say(f"{kind}: FAILED. {error}")
    say(f"Failed: {', '.join(failed)}" if failed else "All passed.")
    return 1 if failed else 0


def _made(given: argparse.Namespace, work: Path) -> list[Path]:
    """Return the packages, built once or, to compare them, twice.

    Raises:
        SetupError: one cannot be built, or the two builds differ.
    """
    commit = commit_named(given.commit)
    files = kinds.make(given.names, commit, given.out.absolute())
    if not given.once:
        same.compare(files, kinds.make(given.names, commit, work / "again"))
        say(f"Two builds, the same bytes: {', '.join(path.name for path in files)}")
    return files


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("packaging/try_packages.py", description=(__doc__ or ""))
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(TRIALS)}; without any: all")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where packages and pictures go")
    parser.add_argument("--commit", default="HEAD", metavar="NAME", help="of which commit (default: the present one)")
    parser.add_argument("--once", action="store_true", help="make them once and compare nothing")
    given = parser.parse_args(argv)
    unknown = [name for name in given.names if name not in TRIALS]
    if unknown:
        parser.error(f"no trial {unknown[0]!r}; there are {', '.join(TRIALS)}")
    given.names = given.names or list(TRIALS)
    return given
