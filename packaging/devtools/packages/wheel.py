"""The wheel and the source package: for `pipx install`, and for whoever packs the program for a system."""

import shutil
from pathlib import Path

from devtools.packages.build import Build


def make(build: Build) -> list[Path]:
    """Both, by the backend that `pip` would use itself."""
    made = (source_package(build), _backend(build, "wheel"))
    return [Path(shutil.copyfile(path, build.out / path.name)) for path in made]


def source_package(build: Build) -> Path:
    """The source package alone."""
    return _backend(build, "sdist")


def _backend(build: Build, target: str) -> Path:
    into = build.work / target
    build.run(build.python, "-m", "hatchling", "build", "--directory", into, "--target", target)
    (made,) = into.iterdir()
    return made
