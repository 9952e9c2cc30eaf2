"""Trial of the folder that needs no Python: unpack, start, delete."""

import shutil
import tarfile

from devtools.packages.licence_texts import THIRD_PARTY_FILE_NAME
from devtools.packages.package_build import NAME, unpack_tar
from devtools.trials.package_trial import PackageTrial, exercise_program, require
from devtools.trials.trial_home import find_leftovers, program_in_home


def try_folder(trial: PackageTrial) -> None:
    """Unpack, use and delete the folder.

    Raises:
        SetupError: something is wrong.
    """
    home = trial.create_folder("home")
    with tarfile.open(trial.find_package(f"{NAME}-*.tar.gz")) as archive:
        unpack_tar(archive, home)
    licence_files = [home / NAME / name for name in ("LICENSE", THIRD_PARTY_FILE_NAME)]
    require(all(path.is_file() for path in licence_files), "licence texts are missing")
    exercise_program(trial, program_in_home(home, home / NAME / NAME))
    shutil.rmtree(home / NAME)
    require(find_leftovers(home) == [], f"left in the home: {find_leftovers(home)}")
