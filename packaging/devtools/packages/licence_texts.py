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

from devtools.packages.package_build import TITLE
from devtools.setup_messages import SetupError

THIRD_PARTY_FILE_NAME = "THIRD_PARTY.txt"
TEXTS_FOLDER = Path("packaging", "licences")
"""Texts that packages do not contain themselves: a folder for each package, and one for Python."""
_PYTHON = "python"
_LICENCE_FILE_WORDS = ("licen", "copying", "notice", "authors")
QT_PACKAGES = ("pyside6-essentials", "shiboken6")
_QT_NOTE = """\
Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. They lie beside the program as
shared libraries of their own, which may be replaced by others. Their sources: https://download.qt.io/official_releases/
"""
_SEPARATOR = "=" * 100
_NATIVE_SUFFIXES = frozenset({".so", ".pyd", ".dll", ".dylib"})


def collect_licence_texts(folder: Path, site_packages: Path, source_folder: Path, python_licence: Path) -> str:
    """Return the licences of everything in a folder as one text.

    Args:
        folder: the folder that is distributed, with all native libraries.
        site_packages: where the Python packages in it are installed.
        source_folder: the files of the commit.
        python_licence: the file of Python's own licence.

    Raises:
        SetupError: something has no licence text.
    """
    texts = source_folder / TEXTS_FOLDER
    packages = {_canonical_name(each): each for each in distributions(path=[str(site_packages)])}
    sections = [
        f"Works of others that {TITLE} contains or is built with, and their licences.\n",
        *(format_package_section(each, texts) for name, each in sorted(packages.items()) if name not in QT_PACKAGES),
        _format_section("Qt, PySide6, Shiboken", _QT_NOTE, *_read_texts(texts / QT_PACKAGES[0])),
        _format_section(
            f"Python {platform.python_version()}",
            python_licence.read_text(encoding="utf-8"),
            *_read_texts(texts / _PYTHON),
        ),
        *_format_system_sections(find_unowned_libraries(folder, packages.values())),
    ]
    return "\n".join(sections)


def format_package_section(package: Distribution, texts: Path) -> str:
    """Return the licences of a Python package and of what it bundles.

    Raises:
        SetupError: it contains no licence text.
    """
    files = sorted(Path(str(file)) for file in package.files or ())
    info_files = [file for file in files if file.parts[0].endswith(".dist-info")]
    licences = [file for file in info_files if any(word in file.name.lower() for word in _LICENCE_FILE_WORDS)]
    if not licences:
        raise SetupError(f"{package.metadata['Name']} brings no licence text along; put one into {TEXTS_FOLDER}.")
    bom_files = [file for file in info_files if "sboms" in file.parts]
    return _format_section(
        f"{package.metadata['Name']} {package.version}",
        *(_read_file(package, file) for file in licences),
        *_read_texts(texts / _canonical_name(package)),
        *(_format_bill_of_materials(json.loads(_read_file(package, file))) for file in bom_files),
    )


def find_unowned_libraries(folder: Path, packages: Iterable[Distribution]) -> list[str]:
    """Return native libraries that come from neither packages nor Python."""
    owned = {Path(str(file)).name for package in packages for file in package.files or ()} | _list_python_libraries()
    libraries = {path.name for path in folder.rglob("*") if path.is_file() and is_native_library(path.name)}
    return sorted(name for name in libraries - owned if not name.startswith("libpython"))


def is_native_library(name: str) -> bool:
    """Return whether a file's name is that of a native library, such as `libz.so.1`."""
    return Path(name).suffix in _NATIVE_SUFFIXES or ".so." in name


def _list_python_libraries() -> set[str]:
    """Return the native modules of this Python.

    Elsewhere than on Linux also the libraries that it bundles.
    """
    folders = [Path(sysconfig.get_path("stdlib"), "lib-dynload")]
    if sys.platform != "linux":
        folders += [Path(sys.base_prefix, name) for name in ("", "DLLs", "lib")]
    files = (path.name for folder in folders if folder.is_dir() for path in folder.iterdir())
    return {name for name in files if is_native_library(name)}


def _canonical_name(package: Distribution) -> str:
    return str(package.metadata["Name"]).lower().replace("_", "-").replace(".", "-")


def _read_file(package: Distribution, file: Path) -> str:
    return Path(str(package.locate_file(file))).read_text("utf-8", "replace")


def _read_texts(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))]


def _format_bill_of_materials(content: Mapping[str, list[Mapping[str, object]]]) -> str:
    """Return the components that a package was compiled from (CycloneDX, PEP 770)."""
    lines = [
        f"  {each['name']} {each['version']}: {_component_licence(each)}" for each in content.get("components", ())
    ]
    return "\n".join(["Its compiled parts contain:", *sorted(lines)])


def _component_licence(component: Mapping[str, object]) -> str:
    licences = component.get("licenses")
    licences = licences if isinstance(licences, list) else []
    names = [each.get("expression") for each in licences if isinstance(each, dict)]
    return ", ".join(str(name) for name in names if name) or "see above"


def _format_system_sections(names: Iterable[str]) -> Iterator[str]:
    """Yield the copyright text of each Debian package that these libraries belong to."""
    by_package: dict[str, list[str]] = {}
    for name in names:
        by_package.setdefault(_find_debian_package(name), []).append(name)
    for package, members in sorted(by_package.items()):
        text = Path("/usr/share/doc", package, "copyright")
        if not package or not text.is_file():
            raise SetupError(f"There is no licence text of {', '.join(members)}: no Debian package contains it.")
        yield _format_section(", ".join(members), text.read_text("utf-8", "replace"))


def _find_debian_package(library: str) -> str:
    """Return the package of a shared library; empty if unknown."""
    try:
        output = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""
    return output.partition(":")[0] if "," not in output.partition(":")[0] else ""


def _format_section(title: str, *texts: str) -> str:
    return "\n".join([_SEPARATOR, title, _SEPARATOR, "", *(text.strip() + "\n" for text in texts)])
