"""The Python packages: wheel and source package."""

import shutil
from pathlib import Path

from devtools.packages.package_build import PackageBuild


def build_python_packages(build: PackageBuild) -> list[Path]:
    """Build both with the same backend as `pip`."""
    files = (build_source_package(build), _run_hatchling(build, "wheel"))
    return [Path(shutil.copyfile(file, build.output_folder / file.name)) for file in files]


def build_source_package(build: PackageBuild) -> Path:
    """Build the source package alone."""
    return _run_hatchling(build, "sdist")


def _run_hatchling(build: PackageBuild, target: str) -> Path:
    folder = build.work_folder / target
    build.run(build.python, "-m", "hatchling", "build", "--directory", folder, "--target", target)
    (file,) = folder.iterdir()
    return file
