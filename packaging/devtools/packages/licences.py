"""Licences of everything that a package contains, as one text.

Every native library in the folder must belong to a Python package, to Python or to a package of the system whose
licence text is at hand; otherwise the build fails.
"""

import json
import platform
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from devtools.errors import SetupError
from devtools.packages.build import TITLE

FILE_NAME = "THIRD_PARTY.txt"
TEXTS = Path("packaging", "licences")
"""Texts that packages do not contain themselves: a folder for each package, and one for Python."""
_PYTHON = "python"
_WORDS = ("licen", "copying", "notice", "authors")
QT = ("pyside6-essentials", "shiboken6")
_QT_NOTE = """\
Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. They lie beside the program as
shared libraries of their own, which may be replaced by others. Their sources: https://download.qt.io/official_releases/
"""
_RULE = "=" * 100
_NATIVE_SUFFIXES = frozenset({".so", ".pyd", ".dll", ".dylib"})


def third_party(folder: Path, site_packages: Path, source: Path, python_licence: Path) -> str:
    """Return the whole text.

    Args:
        folder: what is distributed, with all native libraries.
        site_packages: where the Python packages in it are installed.
        source: the files of the commit.
        python_licence: Python's own text.

    Raises:
        SetupError: something has no licence text.
    """
    texts = source / TEXTS
    packages = {_canonical(each): each for each in distributions(path=[str(site_packages)])}
    sections = [
        f"What others made that {TITLE} brings along or is made with, and under which licences.\n",
        *(package_section(each, texts) for name, each in sorted(packages.items()) if name not in QT),
        _section("Qt, PySide6, Shiboken", _QT_NOTE, *_own_texts(texts / QT[0])),
        _section(
            f"Python {platform.python_version()}",
            python_licence.read_text(encoding="utf-8"),
            *_own_texts(texts / _PYTHON),
        ),
        *_system_libraries(libraries_of_others(folder, packages.values())),
    ]
    return "\n".join(sections)


def package_section(package: Distribution, texts: Path) -> str:
    """Return the licences of a Python package and of what it bundles.

    Raises:
        SetupError: it contains no text.
    """
    files = sorted(Path(str(file)) for file in package.files or ())
    info = [file for file in files if file.parts[0].endswith(".dist-info")]
    licences = [file for file in info if any(word in file.name.lower() for word in _WORDS)]
    if not licences:
        raise SetupError(f"{package.metadata['Name']} brings no licence text along; put one into {TEXTS}.")
    boms = [file for file in info if "sboms" in file.parts]
    return _section(
        f"{package.metadata['Name']} {package.version}",
        *(_read(package, file) for file in licences),
        *_own_texts(texts / _canonical(package)),
        *(_bill_of_materials(json.loads(_read(package, file))) for file in boms),
    )


def libraries_of_others(folder: Path, packages: Iterable[Distribution]) -> list[str]:
    """Return native libraries that come from neither packages nor Python."""
    ours = {Path(str(file)).name for package in packages for file in package.files or ()} | _libraries_of_python()
    found = {path.name for path in folder.rglob("*") if path.is_file() and is_native(path.name)}
    return sorted(name for name in found - ours if not name.startswith("libpython"))


def is_native(name: str) -> bool:
    """Return whether a file's name is that of a native library, such as `libz.so.1`."""
    return Path(name).suffix in _NATIVE_SUFFIXES or ".so." in name


def _libraries_of_python() -> set[str]:
    """Return the native modules of this Python.

    Elsewhere than on Linux also the libraries that it bundles.
    """
    folders = [Path(sysconfig.get_path("stdlib"), "lib-dynload")]
    if sys.platform != "linux":
        folders += [Path(sys.base_prefix, name) for name in ("", "DLLs", "lib")]
    return {path.name for folder in folders if folder.is_dir() for path in folder.iterdir() if is_native(path.name)}


def _canonical(package: Distribution) -> str:
    return str(package.metadata["Name"]).lower().replace("_", "-").replace(".", "-")


def _read(package: Distribution, file: Path) -> str:
    return Path(str(package.locate_file(file))).read_text("utf-8", "replace")


def _own_texts(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]


def _bill_of_materials(content: Mapping[str, list[Mapping[str, object]]]) -> str:
    """Return what a package says that it was compiled from (CycloneDX, PEP 770)."""
    lines = [f"  {each['name']} {each['version']}: {_licence_of(each)}" for each in content.get("components", ())]
    return "\n".join(["Its compiled parts contain:", *sorted(lines)])


def _licence_of(component: Mapping[str, object]) -> str:
    given = component.get("licenses")
    names = [each.get("expression") for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return ", ".join(str(name) for name in names if name) or "see above"


def _system_libraries(names: Iterable[str]) -> Iterator[str]:
    """Yield the copyright text of each package of Debian with its libraries."""
    by_package: dict[str, list[str]] = {}
    for name in names:
        by_package.setdefault(_debian_package(name), []).append(name)
    for package, members in sorted(by_package.items()):
        text = Path("/usr/share/doc", package, "copyright")
        if not package or not text.is_file():
            raise SetupError(f"There is no licence text of {', '.join(members)}: the system has it in no package.")
        yield _section(", ".join(members), text.read_text("utf-8", "replace"))


def _debian_package(library: str) -> str:
    """Return the package of a shared library; empty if unknown."""
    try:
        said = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""
    return said.partition(":")[0] if "," not in said.partition(":")[0] else ""


def _section(title: str, *texts: str) -> str:
    return "\n".join([_RULE, title, _RULE, "", *(text.strip() + "\n" for text in texts)])
