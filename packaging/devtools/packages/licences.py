"""Licences of everything contained in the program's folder, as one text."""

import platform
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import Distribution, distributions
from pathlib import Path

from devtools.packages.build import TITLE

FILE_NAME = "THIRD_PARTY.txt"
_WORDS = ("licen", "copying", "notice", "authors")
_QT = {"pyside6-essentials", "shiboken6"}
_QT_NOTE = """\
Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. They lie beside the program as
shared libraries of their own, which may be replaced by others. Their sources: https://download.qt.io/official_releases/
What Qt itself contains of others: https://doc.qt.io/qt-6/licenses-used-in-qt.html
"""
_RULE = "=" * 100


def third_party(site_packages: Path, licences: Path, libraries: Iterable[str], python_licence: Path) -> str:
    """Return the whole text.

    Args:
        site_packages: where the packages are installed.
        licences: the folder with licence texts that packages do not contain themselves.
        libraries: names of the system's libraries in the folder.
        python_licence: Python's own text.

    Raises:
        ValueError: a package contains no licence.
    """
    qt_texts = (_QT_NOTE, *(path.read_text(encoding="utf-8") for path in sorted(licences.glob("*.txt"), reverse=True)))
    sections = [
        f"What others made that {TITLE} brings along or is made with, and under which licences.\n",
        *_packages(site_packages),
        _section("Qt, PySide6, Shiboken", *qt_texts),
        _section(f"Python {platform.python_version()}", python_licence.read_text(encoding="utf-8")),
        *_libraries(libraries),
    ]
    return "\n".join(sections)


def _packages(site_packages: Path) -> Iterator[str]:
    found = {_canonical(each): each for each in distributions(path=[str(site_packages)])}
    for name, each in sorted(found.items()):
        if name in _QT:
            continue
        texts = [Path(str(each.locate_file(file))).read_text("utf-8", "replace") for file in _licence_files(each)]
        if not texts:
            raise ValueError(f"{name}: brings no licence text along")
        yield _section(f"{each.metadata['Name']} {each.version}", *texts)


def _canonical(each: Distribution) -> str:
    return str(each.metadata["Name"]).lower().replace("_", "-").replace(".", "-")


def _licence_files(each: Distribution) -> list[Path]:
    """Return the files beside a package's metadata that are named like licences."""
    files = sorted(Path(str(file)) for file in each.files or ())
    return [
        file
        for file in files
        if file.parts[0].endswith(".dist-info") and any(word in file.name.lower() for word in _WORDS)
    ]


def _libraries(names: Iterable[str]) -> Iterator[str]:
    """Return Debian's copyright texts of the libraries; on other systems their names."""
    by_package: dict[str, list[str]] = {}
    for name in sorted(names):
        by_package.setdefault(_debian_package(name), []).append(name)
    for package, members in sorted(by_package.items()):
        text = Path("/usr/share/doc", package, "copyright")
        here = "Of the system that this was made on, under that system's terms."
        yield _section(", ".join(members), text.read_text("utf-8", "replace") if package and text.is_file() else here)


def _debian_package(library: str) -> str:
    """Return the package of a shared library; empty if unknown."""
    with suppress(FileNotFoundError):
        said = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
        return said.partition(":")[0] if "," not in said.partition(":")[0] else ""
    return ""


def _section(title: str, *texts: str) -> str:
    return "\n".join([_RULE, title, _RULE, "", *(text.strip() + "\n" for text in texts)])
