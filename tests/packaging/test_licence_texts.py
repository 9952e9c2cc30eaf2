"""Every distributed package and native library has a licence text."""

import os
import re
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from devtools.checkout import ROOT, RUNTIME_REQUIREMENTS
from devtools.packages import licence_texts
from devtools.packages.flatpak_sources import SOURCES_FILE
from devtools.packages.licence_texts import (
    QT_PACKAGES,
    TEXTS_FOLDER,
    THIRD_PARTY_FILE_NAME,
    collect_licence_texts,
    format_package_section,
    require_library_notices,
)
from devtools.setup_messages import SetupError
from packaging.markers import Marker
from packaging.utils import canonicalize_name, parse_wheel_filename

TEXTS = ROOT / TEXTS_FOLDER
BUNDLED_LIBRARIES = {
    "numpy": ("OpenBLAS", "LAPACK", "GCC runtime library", "libquadmath"),
    "cryptography": ("OpenSSL", "Apache License", "openssl-sys", "asn1"),
    "iptocc": ("pyo3", "Apache License"),
}
"""Libraries that wheels contain, by package, as far as packages name them."""
FOLDERS = {
    "Linux": {
        "numpy": ("numpy.libs/libgfortran-1.so.5",),
        "cffi": ("_cffi_backend.cpython-311-x86_64-linux-gnu.so",),
        "pyside6-essentials": ("PySide6/Qt/lib/libQt6Core.so.6", "PySide6/Qt/lib/libicuuc.so.73"),
        None: ("libpython3.11.so.1.0",),
    },
    "Windows": {
        "numpy": ("numpy.libs/libscipy_openblas64_-1.dll", "numpy.libs/msvcp140-1.dll"),
        "pyside6-essentials": ("PySide6/Qt6Core.dll", "PySide6/opengl32sw.dll", "PySide6/msvcp140_1.dll"),
        "shiboken6": ("shiboken6/Shiboken.pyd", "shiboken6/shiboken6.abi3.dll", "shiboken6/vcruntime140_1.dll"),
        None: ("python311.dll", "libcrypto-3.dll", "libssl-3.dll", "libffi-8.dll", "sqlite3.dll", "vcruntime140.dll"),
    },
    "macOS": {
        "numpy": ("numpy/.dylibs/libscipy_openblas64_.dylib", "numpy/.dylibs/libquadmath.0.dylib"),
        "pyside6-essentials": ("PySide6/libpyside6.abi3.6.11.dylib",),
        None: ("libpython3.11.dylib", "libcrypto.3.dylib", "libssl.3.dylib", "libsqlite3.0.dylib"),
    },
}
"""Native libraries in the folders of some systems, by package; those of Python without one."""
FOLDER_TEXTS = {
    "Linux": ("UNICODE, INC. LICENSE AGREEMENT", "libffi, for C libraries"),
    "Windows": (
        "Microsoft Visual C++ runtime",
        "Brian Paul",
        "LLVM: Copyright",
        "The OpenSSL Project",
        "libffi, for C libraries",
        "SQLite, which Python",
    ),
    "macOS": ("The OpenSSL Project", "SQLite, which Python"),
}
NUMPY_FILES = {
    "Linux": "numpy.libs/libgfortran*.so",
    "Windows": "numpy.libs\\libscipy_openblas*.dll",
    "macOS": "numpy/.dylibs/libscipy_openblas*.so, numpy/.dylibs/libquadmath*.so",
}
"""How NumPy's licence names its libraries."""


def install_package(site_packages: Path, name: str, licence: str | None, *files: str) -> None:
    info = site_packages / f"{name.replace('-', '_')}-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n")
    for file in files:  # the backport of importlib.metadata, which some packages load, leaves out missing files
        (site_packages / file).parent.mkdir(parents=True, exist_ok=True)
        (site_packages / file).touch()
    lines = [f"{info.name}/METADATA,,", *(f"{file},," for file in files)]
    if licence is not None:
        (info / "licenses" / "LICENSE.txt").write_text(licence)
        lines.append(f"{info.name}/licenses/LICENSE.txt,,")
    (info / "RECORD").write_text("\n".join(lines))


def pinned_here() -> list[Distribution]:
    """Return the pinned packages that the program runs with on this system."""
    pins = re.findall(r"^([\w.-]+)==[\w.]+(?: ; (.+))? \\", RUNTIME_REQUIREMENTS.read_text("utf-8"), re.MULTILINE)
    return [distribution(name) for name, marker in pins if not marker or Marker(marker).evaluate()]


@pytest.fixture
def no_debian_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licence_texts, "_find_debian_package", lambda _library: "")


def install_folder(tmp_path: Path, system: str) -> tuple[Path, Path]:
    """Return a folder with a system's libraries, and where the packages are."""
    site_packages, folder = tmp_path / "site", tmp_path / "folder"
    packages = FOLDERS[system]
    install_package(
        site_packages, "Some.Package", "Do as you like.", "some/fast.abi3.so", "some/maps/CC0 legal code.txt"
    )
    (site_packages / "some" / "maps" / "CC0 legal code.txt").write_text("Public domain by a long way")
    for name, files in packages.items():
        licence = None if name in QT_PACKAGES else f"By others\nFiles: {NUMPY_FILES[system]}\n"
        if name is not None:
            install_package(site_packages, name, licence, *files)
        for file in files:
            (folder / "_internal" / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / "_internal" / file).touch()
    return folder, site_packages


@pytest.mark.usefixtures("no_debian_package")
@pytest.mark.parametrize("system", FOLDERS)
def test_folder_has_all_texts(tmp_path: Path, system: str) -> None:
    folder, site_packages = install_folder(tmp_path, system)
    python = tmp_path / "python.txt"
    python.write_text("Python's own words")
    text = collect_licence_texts(folder, site_packages, ROOT, python)
    for words in (
        "Some.Package 1.0",
        "Do as you like.",
        "Public domain by a long way",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "official_releases/qt/1/1.0/",
        "pyside6/PySide6-1.0-src/",
        "The FreeType Project LICENSE",
        "Python's own words",
        "Mersenne Twister",
        *FOLDER_TEXTS[system],
    ):
        assert words in text
    others = {words for texts in FOLDER_TEXTS.values() for words in texts} - {*FOLDER_TEXTS[system]}
    assert not [words for words in others if words in text]
    (folder / "libnowhere.so.1").touch()
    with pytest.raises(SetupError, match=r"no licence text of libnowhere\.so\.1"):
        collect_licence_texts(folder, site_packages, ROOT, python)


@pytest.mark.usefixtures("no_debian_package")
@pytest.mark.parametrize(
    ("package", "file"),
    [
        ("numpy", "numpy.libs/libinner-1.so.2"),
        ("numpy", "numpy/.dylibs/libinner.dylib"),
        ("pyside6-essentials", "PySide6/inner.dll"),
        ("shiboken6", "shiboken6/libinner.so"),
    ],
)
def test_library_of_others_needs_text(tmp_path: Path, package: str, file: str) -> None:
    install_package(tmp_path, package, None if package in QT_PACKAGES else "My own terms\nFiles: *, other/*", file)
    with pytest.raises(SetupError, match=f"no licence text of {file}"):
        collect_licence_texts(tmp_path, tmp_path, ROOT, None)


def test_missing_licence_fails(tmp_path: Path) -> None:
    install_package(tmp_path, "secretive", None)
    with pytest.raises(SetupError, match="secretive brings no licence"):
        collect_licence_texts(tmp_path, tmp_path, ROOT, ROOT / "packaging" / "LICENSE")


@pytest.mark.linux
def test_pinned_packages_have_texts() -> None:
    sections = {
        canonicalize_name(each.name): format_package_section(each, TEXTS)
        for each in pinned_here()
        if canonicalize_name(each.name) not in QT_PACKAGES
    }
    for name, words in BUNDLED_LIBRARIES.items():
        assert [word for word in words if word not in sections[canonicalize_name(name)]] == []
    library_texts = licence_texts.read_library_texts(TEXTS)
    for each in pinned_here():
        libraries = {Path(str(file)).name for file in each.files or ()}
        require_library_notices(each, libraries, library_texts, sections.get(canonicalize_name(each.name), ""))


def test_texts_refer_to_packages_of_all_systems() -> None:
    """Texts may refer to the Apache License of a package that every system has."""
    pins = RUNTIME_REQUIREMENTS.read_text("utf-8")
    for file in TEXTS.rglob("*.txt"):
        for name in re.findall(r'section\s+of\s+"([\w-]+)"', file.read_text("utf-8")):
            assert re.search(rf"^{name}==\S+ \\$", pins, re.MULTILINE), f"{file.name}: {name} is not on every system"


@pytest.mark.posix
def test_flatpak_installs_texts(tmp_path: Path) -> None:
    manifest = next((ROOT / "packaging" / "flatpak").glob("*.yml")).read_text("utf-8")
    assert '-t "${FLATPAK_DEST}/share/licenses/${FLATPAK_ID}" packaging/LICENSE' in manifest
    command = re.findall(r"^ +- (.+licence_texts.+)$", manifest, re.MULTILINE)
    assert len(command) == 1
    assert manifest.index(command[0]) < manifest.index("--no-build-isolation")  # the program is not its own third party
    _folder, site_packages = install_folder(tmp_path, "Linux")
    install_path = tmp_path / "app" / "lib" / "python3.13" / "site-packages"
    install_path.parent.mkdir(parents=True)
    site_packages.rename(install_path)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    environ = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "FLATPAK_DEST": str(tmp_path / "app"),
        "FLATPAK_ID": "org.example.App",
    }
    subprocess.run(["sh", "-c", command[0]], cwd=ROOT, env=environ, check=True)
    text = (tmp_path / "app" / "share" / "licenses" / "org.example.App" / THIRD_PARTY_FILE_NAME).read_text("utf-8")
    assert "Do as you like." in text
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert all(words in text for words in FOLDER_TEXTS["Linux"])
    assert "Mersenne Twister" not in text  # its Python is the runtime's


def test_flatpak_has_no_other_packages() -> None:
    urls = re.findall(r'"url": "(.+)"', SOURCES_FILE.read_text("utf-8"))
    packages = {parse_wheel_filename(url.rpartition("/")[2])[0] for url in urls}
    assert packages <= {canonicalize_name(each.name) for each in pinned_here()}
