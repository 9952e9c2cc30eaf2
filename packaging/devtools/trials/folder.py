"""Trial of the folder that needs no Python: unpack, start, delete."""

import shutil
import tarfile

from devtools.packages import licences
from devtools.packages.build import NAME, unpack
from devtools.trials.display import installed_in, left_in
from devtools.trials.trial import Trial, require, use


def try_folder(trial: Trial) -> None:
    """Unpack, use and delete the folder.

    Raises:
        SetupError: something is wrong.
    """
    home = trial.folder("home")
    with tarfile.open(trial.file(f"{NAME}-*.tar.gz")) as packed:
        unpack(packed, home)
    texts = [home / NAME / name for name in ("LICENSE", licences.FILE_NAME)]
    require(all(path.is_file() for path in texts), "licence texts are missing")
    use(trial, installed_in(home, home / NAME / NAME))
    shutil.rmtree(home / NAME)
    require(left_in(home) == [], f"left in the home: {left_in(home)}")
