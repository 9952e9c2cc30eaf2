"""The input of a package build: a commit's files, a work folder, pinned tools."""

import os
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from devtools.checkout import ROOT
from devtools.setup_messages import SetupError

NAME = "ready-room"
TITLE = "Ready Room"
SUMMARY = "Find a good game and join it"
APP_ID = "io.github.ready_room.ReadyRoom"
"""Application ID for Flatpak and macOS, after the project's account at GitHub, so that no domain has to be owned."""
MAINTAINER = "The Ready Room developers <ready-room@users.noreply.github.com>"
"""The same account's no-reply address."""
_VERSION_LINE = "__version__ = "


@dataclass(frozen=True)
class PackageBuild:
    """One build of packages, which depends on source, epoch and tools alone.

    Attributes:
        source_folder: the files of the commit.
        work_folder: for intermediate files; empty at first.
        output_folder: where the packages are written.
        python: the Python of the build environment, which has the pinned packages and tools.
        version: the program's version.
        epoch: the commit's time, seconds since 1970: the only timestamp in a package.
        environ: the environment of tools, to which `run` adds what makes builds reproducible.
    """

    source_folder: Path
    work_folder: Path
    output_folder: Path
    python: Path
    version: str
    epoch: int
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def run(self, *command: str | Path, **environ: str) -> str:
        """Run a program in the source folder; return its standard output.

        Raises:
            SetupError: it is missing or failed; with its last lines.
        """
        reproducible = {
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": str(self.source_folder),
            "SOURCE_DATE_EPOCH": str(self.epoch),
        }
        inherited = {key: value for key, value in self.environ.items() if not key.startswith("PYTHON")}
        try:
            result = subprocess.run(
                [str(word) for word in command],
                cwd=self.source_folder,
                env={**inherited, **reproducible, **environ},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except FileNotFoundError:
            raise SetupError(f"{command[0]} is needed and not installed here.") from None
        if result.returncode != 0:
            output = "\n".join((result.stdout + result.stderr).splitlines()[-12:])
            raise SetupError(f"{Path(command[0]).name} failed. The end of its output:\n{output}")
        return result.stdout


def resolve_commit(name: str) -> str:
    """Return the full hash of a commit.

    Raises:
        SetupError: there is no such commit, or this is not a git checkout.
    """
    return _git("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").strip()


def unpack_tar(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack an archive of our own (Python 3.11.2 has no extraction filters)."""
    archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
    archive.extractall(folder)  # noqa: S202


def export_commit(commit: str, work_folder: Path) -> tuple[Path, int]:
    """Return a folder below the work folder with a commit's files, and its time."""
    source_folder, tar_file = work_folder / "source", work_folder / "source.tar"
    _git("archive", "--output", str(tar_file), commit)
    with tarfile.open(tar_file) as archive:
        unpack_tar(archive, source_folder)
    tar_file.unlink()
    return source_folder, int(_git("log", "-1", "--format=%ct", commit))


def read_version(source_folder: Path) -> str:
    """Return the program's version, read without running it."""
    lines = (source_folder / "browser_app" / "__init__.py").read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix(_VERSION_LINE).strip('"') for line in lines if line.startswith(_VERSION_LINE))


def _git(*arguments: str) -> str:
    try:
        result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SetupError("Packages are made from a commit: git is needed and not installed here.") from None
    if result.returncode != 0:
        raise SetupError(f"Packages are made from a commit, and git says: {result.stderr.strip()}")
    return result.stdout
