"""URLs and hashes of the Python packages that the Flatpak is built from.

pip decides which file of a package fits: in a dry run it reports what it would install.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.packages.build_venv import prepare_build_venv
from devtools.setup_messages import SetupError

PYTHON_VERSION = "3.13"
"""The runtime's Python version."""
MACHINES = ("x86_64", "aarch64")
SOURCES_FILE = ROOT / "packaging" / "flatpak" / "python-sources.json"
INDEX_URL = "https://files.pythonhosted.org/"
_GLIBC_MINORS = range(17, 42)
"""Minor versions of the C library whose wheels the runtime can use."""


def update_flatpak_sources() -> None:
    """Write the URLs and hashes of the packages pinned in requirements.txt.

    Raises:
        SetupError: pip failed, or a file comes from elsewhere than the Python Package Index.
    """
    python = prepare_build_venv()
    hashes_by_machine = {machine: _resolve_files(python, machine) for machine in MACHINES}
    SOURCES_FILE.write_text(json.dumps(list_sources(hashes_by_machine), indent=2) + "\n", encoding="utf-8")


def list_sources(hashes_by_machine: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """Return Flatpak's list of sources from hashes by URL by machine."""
    hashes = {url: digest for files in hashes_by_machine.values() for url, digest in files.items()}
    sources = []
    for url in sorted(hashes, key=lambda url: url.rsplit("/", 1)[1].lower()):
        if not url.startswith(INDEX_URL):
            raise SetupError(f"{url} is not of the Python Package Index.")
        source: dict[str, Any] = {"type": "file", "url": url, "sha256": hashes[url]}
        machines = [machine for machine, files in hashes_by_machine.items() if url in files]
        sources.append(source if len(machines) == len(hashes_by_machine) else {**source, "only-arches": machines})
    return sources


def flatpak_platforms(machine: str) -> tuple[str, ...]:
    """Return the platforms whose wheels the runtime can use."""
    return tuple(f"manylinux_2_{minor}_{machine}" for minor in _GLIBC_MINORS)


def _resolve_files(python: Path, machine: str) -> dict[str, str]:
    """Return SHA-256 by URL of the files that pip would install on a machine."""
    platforms = [word for platform in flatpak_platforms(machine) for word in ("--platform", platform)]
    environ = {key: value for key, value in os.environ.items() if key not in {"PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"}}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [
            *(str(python), "-I", "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"),
            *(
                "--report",
                str(report),
                "--target",
                folder,
                "--python-version",
                PYTHON_VERSION,
                "--implementation",
                "cp",
            ),
            *(*platforms, "--only-binary", ":all:", "--require-hashes", "--requirement", str(RUNTIME_REQUIREMENTS)),
        ]
        if subprocess.run(command, env=environ | {"PIP_CONFIG_FILE": os.devnull}, check=False).returncode != 0:
            raise SetupError("pip could not say which files it would install; its output is above.")
        installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    files = (each["download_info"] for each in installed)
    return {file["url"]: file["archive_info"]["hashes"]["sha256"] for file in files}
