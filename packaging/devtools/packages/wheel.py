"""The wheel and the source package."""

import shutil
from pathlib import Path

from devtools.packages.build import Build


def make(build: Build) -> list[Path]:
    """Build both with the same backend as `pip`."""
    made = (source_package(build), _backend(build, "wheel"))
    return [Path(shutil.copyfile(path, build.out / path.name)) for path in made]


def source_package(build: Build) -> Path:
    """Build the source package alone."""
    return _backend(build, "sdist")


def _backend(build: Build, target: str) -> Path:
    into = build.work / target
    build.run(build.python, "-m", "hatchling", "build", "--directory", into, "--target", target)
    (made,) = into.iterdir()
    return made
