"""Trial of the wheel and the source package: install, start, uninstall."""

import os
import shutil
import zipfile
from pathlib import Path

from devtools.packages.package_build import NAME
from devtools.trials.package_trial import PackageTrial, exercise_program, require, run_command
from devtools.trials.trial_home import find_leftovers, program_in_home

_PIP_ENVIRONMENT = {"PATH": os.defpath} | {
    name: value for name, value in os.environ.items() if name.lower().endswith("_proxy") or name.startswith("PIP_")
}
"""Variables that pip needs to reach its index; the trial gets nothing else of this user's environment."""


def try_wheel(trial: PackageTrial) -> None:
    """Install, use and uninstall the wheel, then the source package.

    Raises:
        SetupError: something is wrong.
    """
    with zipfile.ZipFile(trial.find_package("*.whl")) as wheel:
        require(any(name.endswith("/LICENSE") for name in wheel.namelist()), "the licence text is missing")
    for pattern in ("*.whl", "ready_room-*.tar.gz"):
        package = trial.find_package(pattern)
        home = trial.create_folder(package.suffix.removeprefix("."))
        pipx = shutil.which("pipx") or "pipx"
        pipx_folders = {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
        environ = {**_PIP_ENVIRONMENT, "HOME": str(home), **pipx_folders}
        run_command([pipx, "install", package], env=environ)
        exercise_program(trial, program_in_home(home, home / "bin" / NAME))
        run_command([pipx, "uninstall", NAME], env=environ)
        leftovers = [path for path in find_leftovers(home) if NAME in path or not _is_pipx_own(Path(path))]
        require(leftovers == [], f"left in the home: {leftovers}")


def _is_pipx_own(path: Path) -> bool:
    """Return whether a file belongs to pipx itself, such as its logs."""
    return path.parts[:2] in {("pipx", "logs"), ("pipx", "shared"), ("pipx", ".cache")} or path.parts[:1] == (".local",)
