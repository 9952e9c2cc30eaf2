"""Licences of everything that a package contains, as one text.

The one step from which all kinds of package have them. Every native library must belong to a Python package, to Python
or to a package of the system whose licence text is at hand; otherwise the build fails.

As a program, which the Flatpak's build runs: `python3 -m devtools.packages.licence_texts SITE_PACKAGES TARGET`.
"""

import json
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from importlib.metadata import Distribution, distributions
from pathlib import Path

from devtools.checkout import ROOT
from devtools.packages.package_build import TITLE
from devtools.setup_messages import SetupError

THIRD_PARTY_FILE_NAME = "THIRD_PARTY.txt"
TEXTS_FOLDER = Path("packaging", "licences")
"""Texts that packages do not contain themselves: a folder for each package, one for Python, and one for libraries.

The text of a library begins with a line of patterns, `Files: …`, that the names of its files match.
"""
_PYTHON, _LIBRARIES = "python", "libraries"
_LICENCE_FILE_WORDS = ("licen", "copying", "notice", "authors", "legal code")
_SOURCE_SUFFIXES = frozenset({".h", ".json", ".py", ".pyc", ".pyi", ".qml"})
QT_PACKAGES = ("pyside6-essentials", "shiboken6")
_QT_NOTE = """\
Qt, PySide6 and Shiboken are used under the GNU Lesser General Public License, version 3. They lie beside the program as
shared libraries of their own, which may be replaced by others. Their sources:
https://download.qt.io/official_releases/qt/{series}/{version}/
https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version}-src/
"""
_QT_LIBRARY = re.compile(r"(lib)?(Qt|pyside|shiboken)", re.IGNORECASE)
_SEPARATOR = "=" * 100
_NATIVE_SUFFIXES = frozenset({".so", ".pyd", ".dll", ".dylib"})


def collect_licence_texts(folder: Path, site_packages: Path, source_folder: Path, python_licence: Path | None) -> str:
    """Return the licences of everything in a folder as one text.

    Args:
        folder: the folder that is distributed, with all native libraries.
        site_packages: where the Python packages in it are installed.
        source_folder: the files of the commit.
        python_licence: the file of Python's own licence; `None` if the folder contains no Python.

    Raises:
        SetupError: something has no licence text.
    """
    texts = source_folder / TEXTS_FOLDER
    packages = {_canonical_name(each): each for each in distributions(path=[str(site_packages)])}
    libraries = list_native_libraries(folder)
    library_texts = read_library_texts(texts)
    package_sections = {
        name: format_package_section(each, texts) for name, each in sorted(packages.items()) if name not in QT_PACKAGES
    }
    for name, package in packages.items():
        require_library_notices(package, libraries, library_texts, package_sections.get(name, ""))
    debian_packages = _find_debian_packages(find_unowned_libraries(libraries, packages.values()), library_texts)
    sections = [
        f"Works of others that {TITLE} contains or is built with, and their licences.\n",
        *package_sections.values(),
        *_format_qt_section(packages, texts),
        *_format_python_section(python_licence, texts),
        *_format_library_sections(libraries - debian_packages.keys(), library_texts),
        *_format_system_sections(debian_packages),
    ]
    return "\n".join(sections)


def write_flatpak_licences(site_packages: Path, target: Path) -> None:
    """Write the licences of what the Flatpak contains; its Python is the runtime's.

    Raises:
        SetupError: something has no licence text.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(collect_licence_texts(site_packages, site_packages, ROOT, None), encoding="utf-8")


def format_package_section(package: Distribution, texts: Path) -> str:
    """Return the licences of a Python package and of what it bundles.

    Raises:
        SetupError: it contains no licence text.
    """
    files = sorted(Path(str(file)) for file in package.files or ())
    licences = [file for file in files if _is_licence_file(file)]
    if not any(_is_metadata(file) for file in licences):
        raise SetupError(f"{package.metadata['Name']} brings no licence text along; put one into {TEXTS_FOLDER}.")
    bom_files = [file for file in files if _is_metadata(file) and "sboms" in file.parts]
    return _format_section(
        f"{package.metadata['Name']} {package.version}",
        *dict.fromkeys(_read_file(package, file) for file in licences),  # some lie beside the code once more
        *_read_texts(texts / _canonical_name(package)),
        *(_format_bill_of_materials(json.loads(_read_file(package, file))) for file in bom_files),
    )


def require_library_notices(
    package: Distribution, libraries: Iterable[str], library_texts: Mapping[str, str], section: str
) -> None:
    """Check that the libraries of others in a package have licence texts.

    Args:
        package: a Python package.
        libraries: names of the native libraries that are distributed.
        library_texts: texts by the patterns of libraries' names.
        section: the package's own licences, which may name files.

    Raises:
        SetupError: one is named by neither.
    """
    named = [
        _named_path(each) for line in re.findall(r"^Files: (.+)$", section, re.MULTILINE) for each in line.split(",")
    ]
    for file in _list_bundled_libraries(package):
        is_named = file.as_posix().startswith(tuple(filter(None, named)))  # `*` names no library
        if file.name in libraries and not is_named and not _find_library_text(file.name, library_texts):
            raise SetupError(f"There is no licence text of {file}; put one into {TEXTS_FOLDER / _LIBRARIES}.")


def list_native_libraries(folder: Path) -> set[str]:
    """Return the names of all native libraries in a folder."""
    return {path.name for path in folder.rglob("*") if path.is_file() and is_native_library(path.name)}


def find_unowned_libraries(libraries: Iterable[str], packages: Iterable[Distribution]) -> list[str]:
    """Return native libraries that come from neither packages nor Python."""
    owned = {Path(str(file)).name for package in packages for file in package.files or ()} | _list_python_modules()
    return sorted(name for name in {*libraries} - owned if not re.match(r"(lib)?python3", name))


def is_native_library(name: str) -> bool:
    """Return whether a file's name is that of a native library, such as `libz.so.1`."""
    return Path(name).suffix in _NATIVE_SUFFIXES or ".so." in name


def _list_python_modules() -> set[str]:
    """Return the native modules of this Python's standard library."""
    folders = (Path(sysconfig.get_path("stdlib"), "lib-dynload"), Path(sys.base_prefix, "DLLs"))
    files = (path.name for folder in folders if folder.is_dir() for path in folder.iterdir())
    return {name for name in files if Path(name).suffix in {".so", ".pyd"}}


def _list_bundled_libraries(package: Distribution) -> Iterator[Path]:
    """Yield the libraries of others that a package contains.

    Tools that repair wheels put them into a folder of their own; Qt's lie beside those of others.
    """
    for file in (Path(str(file)) for file in package.files or ()):
        is_repaired = any(part.endswith((".libs", ".dylibs")) for part in file.parts[:-1])
        is_beside_qt = file.parent.name in {"PySide6", "shiboken6", "lib"} and not _QT_LIBRARY.match(file.name)
        if is_native_library(file.name) and (is_repaired or (is_beside_qt and _canonical_name(package) in QT_PACKAGES)):
            yield file


def _is_metadata(file: Path) -> bool:
    return file.parts[0].endswith(".dist-info")


def _is_licence_file(file: Path) -> bool:
    name = file.name.lower()
    return any(word in name for word in _LICENCE_FILE_WORDS) and file.suffix not in _SOURCE_SUFFIXES


def _named_path(pattern: str) -> str:
    r"""Return how the paths begin that a pattern means.

    NumPy names `numpy.libs\libscipy_openblas*.dll` for Windows, and `….so` for libraries that are `….dylib`.
    """
    return pattern.strip().replace("\\", "/").partition("*")[0]


def read_library_texts(texts: Path) -> dict[str, str]:
    """Return texts by the patterns of libraries' names."""
    contents = _read_texts(texts / _LIBRARIES)
    return {
        patterns.removeprefix("Files: "): text
        for patterns, _newline, text in (content.partition("\n") for content in contents)
    }


def _find_library_text(library: str, library_texts: Mapping[str, str]) -> str:
    """Return the patterns of the text about a library; empty if there is none."""
    matching = (
        patterns for patterns in library_texts if any(fnmatch(library.lower(), each) for each in patterns.split())
    )
    return next(matching, "")


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


def _format_qt_section(packages: Mapping[str, Distribution], texts: Path) -> Iterator[str]:
    if (package := packages.get(QT_PACKAGES[0])) is not None:
        note = _QT_NOTE.format(version=package.version, series=package.version.rpartition(".")[0])
        yield _format_section(f"Qt, PySide6, Shiboken {package.version}", note, *_read_texts(texts / QT_PACKAGES[0]))


def _format_python_section(licence: Path | None, texts: Path) -> Iterator[str]:
    if licence is not None:
        title = f"Python {platform.python_version()}"
        yield _format_section(title, licence.read_text(encoding="utf-8"), *_read_texts(texts / _PYTHON))


def _format_library_sections(libraries: Iterable[str], library_texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts about libraries that are distributed."""
    by_patterns: dict[str, list[str]] = {}
    for library in libraries:
        if patterns := _find_library_text(library, library_texts):
            by_patterns.setdefault(patterns, []).append(library)
    for patterns, members in sorted(by_patterns.items()):
        yield _format_section(", ".join(sorted(members)), library_texts[patterns])


def _find_debian_packages(libraries: Iterable[str], library_texts: Mapping[str, str]) -> dict[str, str]:
    """Return the Debian packages of libraries, by library.

    Left out are libraries that no package contains and whose texts are at hand.

    Raises:
        SetupError: a library has no licence text.
    """
    found = {library: _find_debian_package(library) for library in libraries}
    for library, package in found.items():
        if not package and not _find_library_text(library, library_texts):
            raise SetupError(f"There is no licence text of {library}: no Debian package contains it.")
    return {library: package for library, package in found.items() if package}


def _find_debian_package(library: str) -> str:
    """Return the package of a library; empty if none with a copyright text has it."""
    try:
        output = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""
    name = output.partition(":")[0]
    return name if name and "," not in name and _debian_copyright(name).is_file() else ""


def _debian_copyright(package: str) -> Path:
    return Path("/usr/share/doc", package, "copyright")


def _format_system_sections(debian_packages: Mapping[str, str]) -> Iterator[str]:
    """Yield the copyright text of each Debian package, given by library."""
    for package in sorted({*debian_packages.values()}):
        members = [library for library, owner in debian_packages.items() if owner == package]
        yield _format_section(", ".join(sorted(members)), _debian_copyright(package).read_text("utf-8", "replace"))


def _format_section(title: str, *texts: str) -> str:
    return "\n".join([_SEPARATOR, title, _SEPARATOR, "", *(text.strip() + "\n" for text in texts)])


if __name__ == "__main__":
    write_flatpak_licences(*map(Path, sys.argv[1:]))
