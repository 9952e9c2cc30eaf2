"""Addresses and hashes of the Python packages that the Flatpak is built from.

pip decides which file of a package fits: it is asked what it would install, and installs nothing.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.errors import SetupError
from devtools.packages import environment

PYTHON = "3.13"
"""The runtime's Python version."""
MACHINES = ("x86_64", "aarch64")
SOURCES = ROOT / "packaging" / "flatpak" / "python-sources.json"
HOST = "https://files.pythonhosted.org/"
_GLIBC = range(17, 42)
"""Minor versions of the C library whose wheels the runtime can use."""


def renew(_: Sequence[str] = ()) -> None:
    """Write the addresses and hashes of the packages pinned in requirements.txt.

    Raises:
        SetupError: pip failed, or a file comes from elsewhere than the Python Package Index.
    """
    python = environment.prepare()
    found = {machine: _files(python, machine) for machine in MACHINES}
    SOURCES.write_text(json.dumps(sources_of(found), indent=2) + "\n", encoding="utf-8")


def sources_of(found: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """Return the sources as Flatpak lists them, from hash by address by machine."""
    every = {url: digest for files in found.values() for url, digest in files.items()}
    sources = []
    for url in sorted(every, key=lambda url: url.rsplit("/", 1)[1].lower()):
        if not url.startswith(HOST):
            raise SetupError(f"{url} is not of the Python Package Index.")
        source: dict[str, Any] = {"type": "file", "url": url, "sha256": every[url]}
        machines = [machine for machine, files in found.items() if url in files]
        sources.append(source if len(machines) == len(found) else {**source, "only-arches": machines})
    return sources


def _files(python: Path, machine: str) -> dict[str, str]:
    """Return SHA-256 by address of what pip would install on a machine."""
    platforms = [word for minor in _GLIBC for word in ("--platform", f"manylinux_2_{minor}_{machine}")]
    environ = {key: value for key, value in os.environ.items() if key not in {"PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"}}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [
            *(
                str(python),
                "-I",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--dry-run",
                "--ignore-installed",
            ),
            *("--report", str(report), "--target", folder, "--python-version", PYTHON, "--implementation", "cp"),
            *(*platforms, "--only-binary", ":all:", "--require-hashes", "--requirement", str(RUNTIME_REQUIREMENTS)),
        ]
        if subprocess.run(command, env=environ | {"PIP_CONFIG_FILE": os.devnull}, check=False).returncode != 0:
            raise SetupError("pip could not say which files it would install; its output is above.")
        installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    files = (each["download_info"] for each in installed)
    return {file["url"]: file["archive_info"]["hashes"]["sha256"] for file in files}
