"""Search for a program by its name."""

import os
import shutil

PROGRAM_FOLDERS = ("~/.local/bin", "/usr/local/games", "/usr/games")
"""Where programs may be installed that are not on the path of every desktop session or shell."""


def find_program(name: str) -> str | None:
    """Return the full path of a program, None if it is not there.

    Args:
        name: A name, which is looked up on the path first and then in `PROGRAM_FOLDERS`; or a path, which is checked.
    """
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(os.path.expanduser, PROGRAM_FOLDERS)))
