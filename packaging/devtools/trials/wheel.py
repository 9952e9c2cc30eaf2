"""Trial of the wheel and the source package: installed, started, uninstalled."""

import os
import shutil
import zipfile
from pathlib import Path

from devtools.packages.build import NAME
from devtools.trials.display import installed_in, left_in
from devtools.trials.trial import Trial, require, run, use

_WAY_OUT = {"PATH": os.defpath, **{key: each for key, each in os.environ.items() if key.lower().endswith("_proxy")}}
_WAY_OUT |= {key: each for key, each in os.environ.items() if key.startswith("PIP_")}
"""Variables that pip needs to reach its index; nothing else of this user's environment is kept."""


def try_wheel(trial: Trial) -> None:
    """Install, use and uninstall the wheel, then the source package.

    Raises:
        SetupError: something is wrong.
    """
    with zipfile.ZipFile(trial.file("*.whl")) as wheel:
        require(any(name.endswith("/LICENSE") for name in wheel.namelist()), "the licence text is missing")
    for pattern in ("*.whl", "ready_room-*.tar.gz"):
        package = trial.file(pattern)
        home = trial.folder(package.suffix.removeprefix("."))
        pipx = shutil.which("pipx") or "pipx"
        environ = {**_WAY_OUT, "HOME": str(home), "PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
        run([pipx, "install", package], env=environ)
        use(trial, installed_in(home, home / "bin" / NAME))
        run([pipx, "uninstall", NAME], env=environ)
        left = [path for path in left_in(home) if NAME in path or not _is_pipx_own(Path(path))]
        require(left == [], f"left in the home: {left}")


def _is_pipx_own(path: Path) -> bool:
    """Return whether a file belongs to pipx itself, such as its logs."""
    return path.parts[:2] in {("pipx", "logs"), ("pipx", "shared"), ("pipx", ".cache")} or path.parts[:1] == (".local",)
