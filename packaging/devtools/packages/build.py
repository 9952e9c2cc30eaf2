"""The input of a build: a commit's files, a work folder and the pinned tools."""

import os
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from devtools.checkout import ROOT
from devtools.errors import SetupError

NAME = "ready-room"
TITLE = "Ready Room"
SUMMARY = "Find a good game and join it"
APP_ID = "io.github.ready_room.ReadyRoom"
"""Application ID for Flatpak and macOS, after the project's account at GitHub, so that no domain has to be owned."""
MAINTAINER = "The Ready Room developers <ready-room@users.noreply.github.com>"
"""The same account's no-reply address."""
_VERSION_LINE = "__version__ = "


@dataclass(frozen=True)
class Build:
    """One build; its result depends on `source`, `epoch` and the tools alone.

    Attributes:
        source: The files of the commit.
        work: A folder for intermediate files; empty at first.
        out: Where the packages go.
        python: The Python that has the pinned packages and tools.
        version: The program's version.
        epoch: The commit's time, seconds since 1970: the only timestamp in a package.
    """

    source: Path
    work: Path
    out: Path
    python: Path
    version: str
    epoch: int
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def run(self, *command: str | Path, **environ: str) -> str:
        """Run a program in the source folder; return its standard output.

        Raises:
            SetupError: it is missing or failed; with its last lines.
        """
        fixed = {
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": str(self.source),
            "SOURCE_DATE_EPOCH": str(self.epoch),
        }
        kept = {key: value for key, value in self.environ.items() if not key.startswith("PYTHON")}
        try:
            ran = subprocess.run(
                [str(word) for word in command],
                cwd=self.source,
                env={**kept, **fixed, **environ},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except FileNotFoundError:
            raise SetupError(f"{command[0]} is needed and not installed here.") from None
        if ran.returncode != 0:
            words = "\n".join((ran.stdout + ran.stderr).splitlines()[-12:])
            raise SetupError(f"{Path(command[0]).name} failed. The end of its output:\n{words}")
        return ran.stdout


def commit_named(name: str) -> str:
    """Return the full hash of a commit.

    Raises:
        SetupError: there is no such commit, or this is not a git checkout.
    """
    return _git("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").strip()


def unpack(packed: tarfile.TarFile, into: Path) -> None:
    """Unpack an archive of our own (Python 3.11.2 has no extraction filters)."""
    packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
    packed.extractall(into)  # noqa: S202


def export(commit: str, into: Path) -> tuple[Path, int]:
    """Return a folder below `into` with the files of a commit, and the commit's time."""
    source, archive = into / "source", into / "source.tar"
    _git("archive", "--output", str(archive), commit)
    with tarfile.open(archive) as packed:
        unpack(packed, source)
    archive.unlink()
    return source, int(_git("log", "-1", "--format=%ct", commit))


def version_in(source: Path) -> str:
    """Return the program's version, read without running it."""
    lines = (source / "browser_app" / "__init__.py").read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix(_VERSION_LINE).strip('"') for line in lines if line.startswith(_VERSION_LINE))


def _git(*arguments: str) -> str:
    try:
        ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SetupError("Packages are made from a commit: git is needed and not installed here.") from None
    if ran.returncode != 0:
        raise SetupError(f"Packages are made from a commit, and git says: {ran.stderr.strip()}")
    return ran.stdout
